import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

/// Plans over versions that branch, against what trying every sequence of versions finds.
@Suite struct BranchPropertyTests {
  /// A history that branches, and whether one version follows another in it, found step by step.
  private struct History {
    let parents: [[Int]]
    let sketch: GraphSketch

    init(_ random: inout SeededGenerator) {
      let count = Int.random(in: 2...8, using: &random)
      var parents: [[Int]] = [[]]
      for node in 1..<count {
        // Now and then a branch begins that nothing came before.
        let wanted = [0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2].randomElement(using: &random) ?? 1
        let near = (max(0, node - 3)..<node).shuffled(using: &random)
        parents.append(near.prefix(wanted).sorted())
      }
      self.parents = parents
      var edges: [[Int]: GraphSketch.Edge] = [:]
      for source in 0..<count {
        for destination in (source + 1)..<max(count, source + 1) {
          let isRefused = Int.random(in: 0..<10, using: &random) < 4
          let marks = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
            ["!", "?", "?", "#", "~", "%"].randomElement(using: &random)
          }
          edges[[source, destination]] = .init(marks: isRefused ? "x" : marks.joined())
        }
      }
      sketch = GraphSketch(names: (0..<count).map { "v\($0)" }, edges: edges, parents: parents)
    }

    /// All sequences of steps from one version to another.
    func walks(_ first: Int, _ last: Int) -> [[Int]] {
      if first == last { return [[last]] }
      return parents[last].filter { $0 >= first }.flatMap { walks(first, $0) }.map { $0 + [last] }
    }

    func follows(_ first: Int, _ last: Int) -> Bool { !walks(first, last).isEmpty }

    func isRefused(_ first: Int, _ last: Int) -> Bool {
      sketch.edges[[first, last]]?.isRefused ?? true
    }

    private func marks(_ first: Int, _ last: Int) -> String {
      sketch.edges[[first, last]]?.marks ?? "x"
    }

    func isUnknown(_ first: Int, _ last: Int) -> Bool {
      if parents[last].contains(first) { return false }
      let isWhole = walks(first, last).contains { walk in
        zip(walk, walk.dropFirst()).allSatisfy { !isRefused($0, $1) }
      }
      return !isWhole || marks(first, last).contains("%")
    }

    func isNotEquivalent(_ first: Int, _ last: Int) -> Bool {
      !parents[last].contains(first) && !isUnknown(first, last)
        && marks(first, last).contains("~")
    }

    func isAllowed(_ first: Int, _ last: Int, _ options: PlanningOptions) -> Bool {
      if isNotEquivalent(first, last) { return false }
      if isUnknown(first, last), !options.acceptUnknown { return false }
      if marks(first, last).contains("#"), options.acceptLoss != .any { return false }
      return !(marks(first, last).contains("!") && options.acceptLoss == .none)
    }

    func cost(_ first: Int, _ last: Int) -> [Int] {
      let marks = marks(first, last)
      let steps = walks(first, last).map { $0.count - 1 }.min() ?? 0
      return [
        isNotEquivalent(first, last) ? 1 : 0, isUnknown(first, last) ? steps : 0,
        marks.count { $0 == "#" }, marks.count { $0 == "?" }, marks.count { $0 == "!" }, 1,
      ]
    }

    /// The answer by trying every sequence of versions that follow each other.
    func answer(to last: Int, _ options: PlanningOptions) -> String {
      guard follows(0, last) else { return "different branches" }
      var best: (cost: [Int], path: [Int])?
      var reached = 0
      var isPossible = false
      let via = options.via.compactMap { sketch.names.firstIndex(of: $0) }
      let avoided = options.avoided.compactMap { sketch.names.firstIndex(of: $0) }
      func walk(_ path: [Int], _ cost: [Int], isAllowedSoFar: Bool) {
        guard let here = path.last else { return }
        if isAllowedSoFar { reached = max(reached, here) }
        if here == last {
          isPossible = true
          guard isAllowedSoFar else { return }
          if let known = best, !(cost + path).lexicographicallyPrecedes(known.cost + known.path) {
            return
          }
          best = (cost, path)
          return
        }
        for next in here + 1...last
        where follows(here, next) && follows(next, last) && !isRefused(here, next) {
          let isWished =
            !via.contains { here < $0 && $0 < next } && !avoided.contains(next)
            && !avoided.contains(here)
          walk(
            path + [next],
            zip(cost, self.cost(here, next)).map { $0 + $1 },
            isAllowedSoFar: isAllowedSoFar && isWished && isAllowed(here, next, options)
          )
        }
      }
      walk([0], [0, 0, 0, 0, 0, 0], isAllowedSoFar: true)
      if let best { return best.path.map { sketch.names[$0] }.joined(separator: " ") }
      return isPossible ? "not allowed" : "unreachable past \(sketch.names[reached])"
    }

    /// Versions strictly between the first and another, as options may name them.
    func between(_ last: Int) -> [String] {
      (1..<max(1, last)).filter { follows(0, $0) && follows($0, last) }.map { sketch.names[$0] }
    }
  }

  @Test func `the planner finds what enumeration finds, on random histories that branch`() throws {
    var counts: [String: Int] = [:]
    let seeds = Trials.some(of: 2_000 as UInt64)
    for seed in seeds {
      var random = SeededGenerator(seed: seed)
      let history = History(&random)
      var options = PlanningOptions()
      options.acceptUnknown = Bool.random(using: &random)
      options.acceptLoss =
        PlanningOptions.AcceptedLoss.allCases.randomElement(using: &random) ?? .any
      let last = history.parents.count - 1
      if let name = history.between(last).randomElement(using: &random) {
        switch Int.random(in: 0..<4, using: &random) {
        case 0: options.via = [name]
        case 1: options.avoided = [name]
        default: break
        }
      }
      let graph = try history.sketch.graph()
      #expect(graph.checkInvariants() == nil, "seed \(seed)")
      let found = try history.sketch.plan(0, last, in: graph, options)
      let expected = history.answer(to: last, options)
      guard found == expected else {
        Issue.record("seed \(seed): planned \(found), enumerated \(expected)")
        return
      }
      counts[expected.contains(" v") && expected.hasPrefix("v0") ? "path" : "none", default: 0] += 1
      if expected == "different branches" { counts["apart", default: 0] += 1 }
    }
    // Neither answer is rare enough to be missed.
    #expect(
      ["path", "none", "apart"].allSatisfy { counts[$0, default: 0] > seeds.count / 20 },
      "\(counts)"
    )
  }

  @Test func `the table of all paths has the paths of single plans`() throws {
    for seed in Trials.some(of: 200 as UInt64) {
      var random = SeededGenerator(seed: seed)
      let history = History(&random)
      let graph = try history.sketch.graph()
      let table = try MigrationPlanner(graph: graph, survey: graph.survey()).paths()
      for source in graph.nodes.indices {
        for destination in graph.nodes.indices.dropFirst(source + 1) {
          let planned = try history.sketch.plan(source, destination, in: graph, PlanningOptions())
          let path = table.paths.first {
            $0.nodes.first == source && $0.nodes.last == destination
          }
          let names = path.map { $0.nodes.map { history.sketch.names[$0] }.joined(separator: " ") }
          if let names { #expect(names == planned, "seed \(seed)") }
          #expect((names != nil) == planned.hasPrefix("v\(source) v"), "seed \(seed) \(planned)")
        }
      }
    }
  }

  @Test func `an order knows what follows what`() throws {
    for seed in Trials.some(of: 300 as UInt64) {
      var random = SeededGenerator(seed: seed)
      let history = History(&random)
      let order = VersionOrder(parents: history.parents)
      let nodes = history.parents.indices
      #expect(order.isLine == (history.parents == nodes.map { $0 == 0 ? [] : [$0 - 1] }))
      for first in nodes {
        for last in nodes where first <= last {
          let walks = history.walks(first, last)
          #expect(order.precedes(first, last) == (first != last && !walks.isEmpty))
          #expect(!order.precedes(last, first) || first == last)
          #expect(order.between(first, last) == Set(walks.joined()).sorted())
          let found = order.history(from: first, to: last)
          #expect(found.map { walks.contains($0) } ?? walks.isEmpty)
        }
      }
    }
  }
}
