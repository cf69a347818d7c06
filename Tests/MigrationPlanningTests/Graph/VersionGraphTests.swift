import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct VersionGraphTests {
  private func graph(_ sketches: [String]) throws -> VersionGraph {
    VersionGraph(
      VersionedModel(
        name: "M",
        versions: try sketches.enumerated().map {
          ModelVersion(modelName: "M", name: "v\($0 + 1)", model: try ModelSketch.model($1))
        }
      )
    )
  }

  @Test func `equal versions share a node at their last occurrence`() throws {
    let graph = try graph(["A { }", "A { x: Int16? }", "A { x: Int32? }", "A { x: Int16? }"])
    #expect(graph.nodes.map(\.label) == ["v1", "v3", "v4 (= v2)"])
    #expect(graph.checkInvariants() == nil)
    #expect(graph.node(named: "v2")?.index == 2)
    #expect(graph.node(named: "M/v3")?.index == 1)
    #expect(graph.findings.map(\.code) == [.equalVersions])
  }

  @Test func `a rename is known by the version that made it, not by one that cleared it`() throws {
    let graph = try graph(["A { x: Int16? }", "A { y: Int16? was x }", "A { y: Int16? }"])
    #expect(graph.nodes.count == 2)
    #expect(graph.consecutiveEdges[0].findings.map(\.code) == [.propertyRenamed])
    #expect(graph.consecutiveEdges[0].findings.first?.place.version == "v3")
  }

  @Test func `a default that a version lacks is that of a later one of the same hashes`() throws {
    let graph = try graph(["A { }", "A { x: String }", "A { x: String; y: Int16? }"])
    #expect(graph.consecutiveEdges[0].isRefused)
    let completed = try self.graph(["A { }", "A { x: String }", "A { x: String = a }"])
    #expect(completed.nodes.map(\.label) == ["v1", "v3 (= v2)"])
    #expect(completed.consecutiveEdges[0].findings.map(\.code) == [.attributeAdded])
    // The first that has one counts.
    let twice = try self.graph(["A { }", "A { x: Int16 = 1 }", "A { x: Int16 = 2 }"])
    #expect(twice.consecutiveEdges[0].findings.first?.message.contains("1") == true)
  }

  @Test func `every ordered pair has an edge or a reason`() throws {
    let graph = try graph(["A { }", "A { x: String }", "A { x: String; y: Int16? }"])
    let edges = Array(graph.edges)
    #expect(edges.map { [$0.source, $0.destination] } == [[0, 1], [0, 2], [1, 2]])
    #expect(edges.map(\.isRefused) == [true, true, false])
    #expect(edges[0].refusals.map(\.code) == [.requiredWithoutDefault])
    #expect(graph.findings.map(\.code) == [.missingStep])
  }

  @Test func `plans do not depend on the order in which things are given`() throws {
    let sketches = [
      "A { x: Int16?; b -> B.a } B { a ->> A.b }",
      "B { a ->> A.b } A { b -> B.a; y: Int32? was x }",
      "A { y: Int64? was x; b ->> B.a; z: String = new } B { a ->> A.b ordered } C : B { }",
    ]
    let versions = try sketches.enumerated().map {
      ModelVersion(modelName: "M", name: "M \($0 + 1)", model: try ModelSketch.model($1))
    }
    var fingerprints: Set<String> = []
    for seed in 1...50 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      let shuffled = try versions.shuffled(using: &random).map { version in
        var version = version
        version.model = try ManagedObjectModel(
          entities: version.model.entities.shuffled(using: &random)
        )
        return version
      }
      let graph = VersionGraph(VersionedModel(name: "M", versions: shuffled))
      var options = PlanningOptions()
      options.followsHistory = true
      let plan = try MigrationPlanner(graph: graph)
        .plan(from: graph.nodes[0], to: graph.nodes[2], options: options)
      let short = try MigrationPlanner(graph: graph).plan(from: graph.nodes[0], to: graph.nodes[2])
      #expect(short.hops.map(\.destination.name) == ["M 3"], "seed \(seed)")
      #expect(plan.hops.map(\.destination.name) == ["M 2", "M 3"], "seed \(seed)")
      fingerprints.insert(plan.fingerprint)
    }
    #expect(fingerprints.count == 1)
    #expect(
      fingerprints.first == "6a665fab94497456093aaf8217dc9f88afab231c9872486ee4aaf239b94c7e47"
    )
  }

  @Test func `the fingerprint changes with what a plan does`() throws {
    func fingerprint(_ sketches: [String]) throws -> String {
      let graph = try graph(sketches)
      guard let last = graph.nodes.last else { return "" }
      return try MigrationPlanner(graph: graph).plan(from: graph.nodes[0], to: last).fingerprint
    }
    let prints = [
      try fingerprint(["A { }", "A { x: Int16? }"]), try fingerprint(["A { }", "A { x: Int32? }"]),
      try fingerprint(["A { }", "A { x: Int16? = 1 }"]),
      try fingerprint(["A { }", "A { x: Int16? = 2 }"]), try fingerprint(["A { }"]),
      try fingerprint(["A { x: Int16? }"]),
    ]
    #expect(Set(prints).count == prints.count)
    #expect(prints.allSatisfy { $0.count == 64 })
  }
}
