import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct PlannerPropertyTests {
  @Test func `the planner finds what enumeration finds, on random graphs`() throws {
    for seed in 1...2_000 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let sketch = Self.sketch(&random)
      var options = PlanningOptions()
      options.acceptUndecided = Bool.random(using: &random)
      options.acceptLoss =
        PlanningOptions.AcceptedLoss.allCases.randomElement(using: &random)
        ?? .any
      let graph = try sketch.graph()
      #expect(graph.checkInvariants() == nil, "seed \(seed)")
      let found = try sketch.plan(0, sketch.names.count - 1, in: graph, options)
      let expected = Self.enumerated(sketch, options)
      guard found == expected else {
        Issue.record("seed \(seed): planned \(found), enumerated \(expected)")
        return
      }
    }
  }

  private static func sketch(_ random: inout SeededGenerator) -> GraphSketch {
    let count = Int.random(in: 2...8, using: &random)
    var edges: [[Int]: GraphSketch.Edge] = [:]
    for source in 0..<count {
      for destination in (source + 1)..<max(count, source + 1) {
        let isRefused = Int.random(in: 0..<10, using: &random) < 4
        let marks = (0..<Int.random(in: 0...2, using: &random)).compactMap { _ in
          ["!", "?", "?", "#"].randomElement(using: &random)
        }
        edges[[source, destination]] = .init(marks: isRefused ? "x" : marks.joined())
      }
    }
    return GraphSketch(names: (0..<count).map { "v\($0)" }, edges: edges)
  }

  /// The answer by trying every sequence of versions; shares nothing with the planner.
  private static func enumerated(_ sketch: GraphSketch, _ options: PlanningOptions) -> String {
    let last = sketch.names.count - 1
    var best: (cost: [Int], path: [Int])?
    var reached = 0
    var isPossible = false
    func isAllowed(_ a: Int, _ b: Int) -> Bool {
      let marks = sketch.edges[[a, b]]?.marks ?? "x"
      if b > a + 1, !options.acceptUndecided { return false }
      if marks.contains("#"), options.acceptLoss != .any { return false }
      return !(marks.contains("!") && options.acceptLoss == .none)
    }
    func exists(_ a: Int, _ b: Int) -> Bool {
      guard sketch.edges[[a, b]]?.isRefused == false else { return false }
      return b == a + 1 || (a..<b).contains { sketch.edges[[$0, $0 + 1]]?.isRefused == true }
    }
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
      for next in here + 1...last where exists(here, next) {
        let marks = sketch.edges[[here, next]]?.marks ?? ""
        let step = [
          next == here + 1 ? 0 : next - here, marks.count { $0 == "#" }, marks.count { $0 == "?" },
          marks.count { $0 == "!" }, 1,
        ]
        walk(
          path + [next],
          zip(cost, step).map { $0 + $1 },
          isAllowedSoFar: isAllowedSoFar && isAllowed(here, next)
        )
      }
    }
    walk([0], [0, 0, 0, 0, 0], isAllowedSoFar: true)
    if let best { return best.path.map { sketch.names[$0] }.joined(separator: " ") }
    return isPossible ? "not allowed" : "unreachable past \(sketch.names[reached])"
  }
}
