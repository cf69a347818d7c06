import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct PlannerPropertyTests {
  @Test func `the planner finds what enumeration finds, on random graphs`() throws {
    for seed in Trials.some(of: 3_000 as UInt64) {
      var random = SeededGenerator(seed: seed)
      let sketch = Self.sketch(&random)
      var options = PlanningOptions()
      options.acceptUnknown = Bool.random(using: &random)
      options.acceptLoss =
        PlanningOptions.AcceptedLoss.allCases.randomElement(using: &random)
        ?? .any
      let graph = try sketch.graph()
      #expect(graph.checkInvariants() == nil, "seed \(seed)")
      let found = try sketch.plan(0, sketch.names.count - 1, in: graph, options)
      let expected = Self.enumerated(sketch, options).answer
      guard found == expected else {
        Issue.record("seed \(seed): planned \(found), enumerated \(expected)")
        return
      }
    }
  }

  @Test func `the table of all paths has the paths of single plans`() throws {
    for seed in Trials.some(of: 300 as UInt64) {
      var random = SeededGenerator(seed: seed)
      let sketch = Self.sketch(&random)
      var options = PlanningOptions()
      options.acceptUnknown = Bool.random(using: &random)
      let graph = try sketch.graph()
      let table = try MigrationPlanner(graph: graph, survey: graph.survey()).paths(options: options)
      for source in graph.nodes.indices {
        for destination in graph.nodes.indices.dropFirst(source + 1) {
          let path = table.paths.first {
            $0.nodes.first == source && $0.nodes.last == destination
          }
          let planned = try sketch.plan(source, destination, in: graph, options)
          let names = path.map { $0.nodes.map { sketch.names[$0] }.joined(separator: " ") }
          if let names { #expect(names == planned, "seed \(seed)") }
          #expect((names != nil) == planned.hasSuffix(" \(sketch.names[destination])"))
        }
      }
    }
  }

  @Test func `what was declared in another order gives the same plan`() throws {
    for seed in Trials.some(of: 60 as UInt64) {
      var random = SeededGenerator(seed: seed)
      var changing = RandomModel(&random)
      guard var models = changing.model.map({ [$0] }) else { continue }
      for _ in 0..<3 {
        changing.evolve(&random)
        models += [changing.model].compactMap(\.self)
      }
      var answers: Set<String> = []
      for _ in 0..<4 {
        let versions = try models.enumerated().map { index, model in
          ModelVersion(
            modelName: "R",
            name: "v\(index)",
            model: try ManagedObjectModel(
              entities: model.entities.shuffled(using: &random),
              composites: model.composites.shuffled(using: &random)
            )
          )
        }
        let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
        let last = try #require(graph.nodes.last)
        do throws(PlanningError) {
          let plan = try MigrationPlanner(graph: graph).plan(from: graph.nodes[0], to: last)
          let names = plan.hops.map(\.destination.name).joined(separator: " ")
          answers.insert("\(names) \(plan.fingerprint) \(plan.allFindings.map(\.message))")
        } catch {
          answers.insert("\(error) \(error.blockingFindings.map(\.message))")
        }
      }
      #expect(answers.count == 1, "seed \(seed)")
    }
  }

  @Test func `the algorithms of others miss paths, lose data, or find dearer ones`() throws {
    var counts: [PeerAlgorithm: [String: Int]] = [:]
    var reachable = 0
    for seed in Trials.some(of: 2_000 as UInt64) {
      var random = SeededGenerator(seed: seed)
      let sketch = Self.sketch(&random)
      var options = PlanningOptions()
      options.acceptLoss = .any
      options.acceptUnknown = true
      let best = Self.enumerated(sketch, options)
      let found = try sketch.plan(options)
      #expect(found == best.answer)
      guard let least = best.cost else { continue }
      reachable += 1
      let edges = sketch.edges.filter { !$0.value.isRefused }.keys.reduce(into: [:]) {
        $0[$1] = Self.cost(sketch, $1[0], $1[1])
      }
      for peer in PeerAlgorithm.allCases {
        let path = peer.path(from: 0, to: sketch.names.count - 1, edges)
        let answer = Self.judgement(of: path, edges, least: least)
        counts[peer, default: [:]][answer, default: 0] += 1
      }
    }
    for peer in PeerAlgorithm.allCases {
      let count = counts[peer] ?? [:]
      let words = ["missed", "notEquivalent", "dearer"].map { "\(count[$0] ?? 0) \($0)" }
      print("\(peer.rawValue): of \(reachable) graphs with a path \(words.joined(separator: ", "))")
      #expect(
        (count["least"] ?? 0) < reachable,
        "A peer that never fails is not the one described."
      )
    }
    #expect(counts[.farthestJump]?["missed"] ?? 0 > 0)
  }

  /// Returns the fault of a path.
  private static func judgement(
    of path: [Int]?,
    _ edges: [[Int]: [Int]],
    least: [Int]
  ) -> String {
    guard let path else { return "missed" }
    let cost = zip(path, path.dropFirst()).reduce([0, 0, 0, 0, 0, 0]) { sum, step in
      zip(sum, edges[[step.0, step.1]] ?? sum).map { $0 + $1 }
    }
    if cost[0] > 0 { return "notEquivalent" }
    return cost == least ? "least" : "dearer"
  }

  private static func isUnknown(_ sketch: GraphSketch, _ a: Int, _ b: Int) -> Bool {
    b > a + 1
      && ((a..<b).contains { sketch.edges[[$0, $0 + 1]]?.isRefused != false }
        || sketch.edges[[a, b]]?.isUnknown == true)
  }

  private static func isNotEquivalent(_ sketch: GraphSketch, _ a: Int, _ b: Int) -> Bool {
    b > a + 1 && !isUnknown(sketch, a, b) && sketch.edges[[a, b]]?.isNotEquivalent == true
  }

  private static func isAllowed(
    _ sketch: GraphSketch,
    _ a: Int,
    _ b: Int,
    _ options: PlanningOptions
  ) -> Bool {
    let marks = sketch.edges[[a, b]]?.marks ?? "x"
    if isNotEquivalent(sketch, a, b) { return false }
    if isUnknown(sketch, a, b), !options.acceptUnknown { return false }
    if marks.contains("#"), options.acceptLoss != .any { return false }
    return !(marks.contains("!") && options.acceptLoss == .none)
  }

  private static func cost(_ sketch: GraphSketch, _ a: Int, _ b: Int) -> [Int] {
    let marks = sketch.edges[[a, b]]?.marks ?? ""
    return [
      isNotEquivalent(sketch, a, b) ? 1 : 0, isUnknown(sketch, a, b) ? b - a : 0,
      marks.count { $0 == "#" }, marks.count { $0 == "?" }, marks.count { $0 == "!" }, 1,
    ]
  }

  private static func sketch(_ random: inout SeededGenerator) -> GraphSketch {
    let count = Int.random(in: 2...8, using: &random)
    var edges: [[Int]: GraphSketch.Edge] = [:]
    for source in 0..<count {
      for destination in (source + 1)..<max(count, source + 1) {
        let isRefused = Int.random(in: 0..<10, using: &random) < 4
        let marks = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
          ["!", "?", "?", "#", "~", "~", "%"].randomElement(using: &random)
        }
        edges[[source, destination]] = .init(marks: isRefused ? "x" : marks.joined())
      }
    }
    return GraphSketch(names: (0..<count).map { "v\($0)" }, edges: edges)
  }

  /// The answer by trying every sequence of versions; shares nothing with the planner.
  private static func enumerated(
    _ sketch: GraphSketch,
    _ options: PlanningOptions
  ) -> (answer: String, cost: [Int]?) {
    let last = sketch.names.count - 1
    var best: (cost: [Int], path: [Int])?
    var reached = 0
    var isPossible = false
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
      for next in here + 1...last where sketch.edges[[here, next]]?.isRefused == false {
        walk(
          path + [next],
          zip(cost, Self.cost(sketch, here, next)).map { $0 + $1 },
          isAllowedSoFar: isAllowedSoFar && isAllowed(sketch, here, next, options)
        )
      }
    }
    walk([0], [0, 0, 0, 0, 0, 0], isAllowedSoFar: true)
    if let best {
      return (best.path.map { sketch.names[$0] }.joined(separator: " "), best.cost)
    }
    return (isPossible ? "not allowed" : "unreachable past \(sketch.names[reached])", nil)
  }
}
