import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

struct AuthoredEdgeTests {
  private let pairs: [(String?, String?)] = [("Note", "Note"), ("Tag", "Tag")]

  private func graph(_ history: History, _ mappings: [AuthoredMapping]) -> VersionGraph {
    VersionGraph(
      history.versioned,
      authored: MappingBinding(mappings, to: [history.versioned]).edges
    )
  }

  private func plan(_ graph: VersionGraph) throws -> MigrationPlan {
    try MigrationPlanner(graph: graph).plan(from: graph.nodes[0], to: graph.nodes[2])
  }

  @Test func `an authored edge fills a step that cannot be inferred`() throws {
    let history = try History()
    #expect(VersionGraph(history.versioned).consecutiveEdges[1].isRefused)
    let graph = graph(history, [history.mapping(2, 3, pairs)])
    #expect(graph.checkInvariants() == nil)
    let plan = try plan(graph)
    #expect(plan.hops.map(\.kind) == [.inferred, .authored])
    #expect(
      plan.hops[1].reason == "v2 and v3 are consecutive versions; Step.xcmappingmodel says how."
    )
    #expect(plan.hops[1].origins.map(\.path) == ["/models/Step.xcmappingmodel"])
  }

  @Test func `an authored edge takes the place of an inferred one`() throws {
    let history = try History()
    let graph = graph(
      history,
      [history.mapping(1, 2, named: "First", pairs), history.mapping(2, 3, pairs)]
    )
    #expect(try plan(graph).hops.map(\.kind) == [.authored, .authored])
    #expect(graph.edge(from: graph.nodes[0], to: graph.nodes[1]).kind == .authored)
  }

  @Test func `an authored edge over two steps is taken as it loses no more`() throws {
    let history = try History(
      "Note { title: String? }",
      "Note { title: String?; a: Int32? }",
      "Note { title: String?; b: Int32? }"
    )
    let mapping = history.mapping(1, 3, named: "Straight", [("Note", "Note")])
    let graph = graph(history, [mapping])
    let plan = try plan(graph)
    #expect(plan.hops.count == 1)
    #expect(plan.hops.first?.reason == "Straight.xcmappingmodel leads straight from v1 to v3.")
    #expect(plan.findings.isEmpty)
    #expect(graph.hasAuthoredEdge(NodePair(source: 0, destination: 2)))
    #expect(!graph.hasAuthoredEdge(NodePair(source: 0, destination: 1)))
  }

  @Test func `an authored edge that loses more than the walk is left alone`() throws {
    let history = try History(
      "Note { title: String?; body: String? }",
      "Note { title: String?; body: String?; a: Int32? }",
      "Note { title: String?; body: String?; a: Int32?; b: Int32? }"
    )
    let mapping = history.mapping(1, 3, named: "Straight", [("Note", "Note")]) { mapping in
      mapping.attributeMappings.removeAll { $0.name == "body" }
    }
    let lossy = graph(history, [mapping])
    #expect(try plan(lossy).hops.map(\.kind) == [.inferred, .inferred])
    let findings = lossy.unexercisedFindings(try MigrationPlanner(graph: lossy).paths())
    #expect(findings.map(\.code) == [.unexercisedEdge])
    #expect(findings.first?.place.file == "/models/Straight.xcmappingmodel")
    #expect(findings.first?.place.version == "v3")
    // The same edge is exercised where it loses nothing.
    let whole = graph(history, [history.mapping(1, 3, named: "Straight", [("Note", "Note")])])
    #expect(whole.unexercisedFindings(try MigrationPlanner(graph: whole).paths()).isEmpty)
  }

  @Test func `a step by people tells of what no hash sees, unless a policy sees to it`() throws {
    let history = try History(
      "Note { title: String?; body: Transformable? by Old }",
      "Note { title: String?; body: Transformable? by New; rank: Int16 }",
      "Note { title: Int32?; body: Transformable? by Other; rank: Int16 = 2 }"
    )
    func findings(_ change: (inout EntityMapping) -> Void) -> [FindingCode] {
      let mapping = history.mapping(2, 3, [("Note", "Note")], change: change)
      return graph(history, [mapping]).consecutiveEdges[1].findings.map(\.code)
    }
    #expect(
      findings { _ in } == [
        .expressionGivesNothing, .expressionDoesNotFit, .transformerChanged, .defaultChanged,
      ]
    )
    #expect(
      findings { $0.entityMigrationPolicyClassName = "Policy" } == [.defaultChanged, .unseenEffect]
    )
  }

  @Test func `the fingerprint covers what a mapping does`() throws {
    let history = try History()
    var seen: Set<String> = []
    func text(_ mapping: EntityMapping) -> String {
      mapping.sourceEntityName == "Tag" ? "name" : "title"
    }
    let changes: [(inout EntityMapping) -> Void] = [
      { _ in }, { $0.pieces = .init(of: .source(text($0)), separator: ",") },
      { $0.deduplicationKeys = [text($0)] }, { $0.entityMigrationPolicyClassName = "Policy" },
      { $0.pieces = .init(of: .source(text($0)), separator: ";") },
      { $0.attributeMappings[0].valueExpression = .constant(nil) },
    ]
    for change in changes {
      let mapping = history.mapping(2, 3, pairs, change: change)
      #expect(seen.insert(try plan(graph(history, [mapping])).fingerprint).inserted)
    }
  }

  @Test func `the fingerprint covers the defaults that a mapping leaves to the model`() throws {
    let texts = ["7", "8"].map {
      "Note { title: String?; size: Int32 = \($0) } Tag { name: String? }"
    }
    let prints = try texts.map { text in
      let history = try History(
        "Note { title: String? } Tag { name: String? }",
        text,
        text + " Other { x: String? }"
      )
      return try plan(graph(history, [history.mapping(1, 2, pairs)])).fingerprint
    }
    #expect(prints[0] != prints[1])
  }

  @Test func `an edge follows its versions into a configuration`() throws {
    let history = try History()
    let edge = try #require(
      MappingBinding([history.mapping(2, 3, pairs)], to: [history.versioned]).edges.first
    )
    let notes = try history.versioned.restricted(
      toConfiguration: nil,
      storedEntities: ["Note"]
    )
    let part = try #require(edge.restricted(from: history.versioned, to: notes))
    #expect(part.mapping.entityMappings.map(\.name) == ["NoteToNote"])
    #expect(VersionGraph(notes, authored: [part]).consecutiveEdges[1].kind == .authored)
    let tags = try history.versioned.restricted(toConfiguration: nil, storedEntities: ["Tag"])
    #expect(edge.restricted(from: history.versioned, to: tags) == nil)
  }

  @Test func `an edge carries the entities of other models along`() throws {
    let history = try History()
    let edge = try #require(
      MappingBinding([history.mapping(2, 3, pairs)], to: [history.versioned]).edges.first
    )
    let other = try ModelSketch.model("Log { text: String? }")
    let first = try ManagedObjectModel.merging([history[2], other])
    let last = try ManagedObjectModel.merging([history[3], other])
    let whole = try #require(edge.completed(from: first, to: last))
    #expect(whole.mapping.entityMappings.map(\.name) == ["NoteToNote", "TagToTag", "LogToLog"])
    #expect(whole.source == first.entityVersionHashes)
    let changed = try ModelSketch.model("Log { text: String?; more: String? }")
    let later = try ManagedObjectModel.merging([history[3], changed])
    #expect(edge.completed(from: first, to: later) == nil)
  }
}
