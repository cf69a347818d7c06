import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

@Suite struct `Verdicts on edges` {
  /// The first differences of an edge from the walk: `lost Note.title`.
  private func words(_ verdict: EdgeVerdict?) -> [String] {
    switch verdict {
    case .notEquivalent(let differences, let hidden):
      differences.map {
        "\($0.kind) \([$0.entityName, $0.propertyName].compactMap { $0 }.joined(separator: "."))"
      } + [hidden].compactMap(\.self).map { "opaque \($0.entityName)" }
    case .equivalent: ["equivalent"]
    case .unknown(.missingStep(let from, let to)): ["missing step \(from) to \(to)"]
    case .unknown(.opaque(let difference)): ["opaque \(difference.entityName)"]
    case .unknown(.branchesDisagree(let conflict)): ["branches disagree at \(conflict.node)"]
    case .unknown(.downgrade): ["downgrade"]
    case nil: ["refused"]
    }
  }

  private func direct(_ graph: VersionGraph) -> [String] {
    let edge = graph.edge(from: graph.nodes[0], to: graph.nodes[graph.nodes.count - 1])
    return words(graph.verdict(on: edge))
  }

  @Test func `the sample's shortcut puts the headings into the form of address`() throws {
    let archive = try ArchiveLoader.load("\(SampleArchive.root)/Letters.xcdatamodeld")
    let model = try #require(archive.models.first)
    #expect(direct(VersionGraph(model)) == ["lost Letter.heading", "resurrected Letter.title"])
  }

  @Test func `a default that an equal version gave later is not what the step wrote`() throws {
    let versions = try [
      "A { id: Int64? }", "A { id: Int64?; n: String? }", "A { id: Int64?; n: String? = e }",
      "A { id: Int64?; n: String? = e; x: String? }",
    ].enumerated().map { index, sketch in
      ModelVersion(modelName: "M", name: "v\(index + 1)", model: try ModelSketch.model(sketch))
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    try #require(graph.nodes.count == 3)
    #expect(direct(graph) == ["differs A.n"])
  }

  @Test func `links that a step cuts are missed at both of their ends`() throws {
    let history = try History(
      "A { bs ->> B.a } B { a -> A.bs; n: Int16? }",
      "A { bs -> B.a } B { a -> A.bs; n: Int16? }",
      "A { bs ->> B.a; x: Int16? } B { a -> A.bs; n: Int16? }"
    )
    #expect(direct(VersionGraph(history.versioned)) == ["differs A.bs", "differs B.a"])
  }

  @Test(arguments: [true, false])
  func `of links that several mappings want a place for the order of these chooses`(
    isOfSeveral: Bool
  )
    throws
  {
    let history = try History(
      "T { items ->> N.tags } S : T { v: String? } N { t: String?; tags ->> T.items }",
      "T { items ->> N } S : T { v: String? } N { t: String? }",
      "T { items ->> N } S : T { v: String? } N { t: String?; x: String? }"
    )
    // Of one entity the objects are dropped, or both are carried.
    let pairs = isOfSeveral ? [("T", "T"), ("S", "S"), ("N", "N")] : [("T", "T"), ("N", "N")]
    let mapping = history.mapping(1, 2, pairs) { entity in
      guard entity.sourceEntityName != "N" else { return }
      entity.relationshipMappings = [
        .init(name: "items", valueExpression: .destinationInstances(forSourceRelationship: "items"))
      ]
    }
    let graph = VersionGraph(
      history.versioned,
      authored: MappingBinding([mapping], to: [history.versioned]).edges
    )
    let edge = graph.edge(from: graph.nodes[0], to: graph.nodes[2])
    let differences: [MappingDifference]
    switch graph.verdict(on: edge) {
    case .unknown(.opaque(let difference)): differences = [difference]
    case .notEquivalent(let all, _): differences = all
    default: differences = []
    }
    #expect(differences.contains { $0.propertyName == "items" } == isOfSeveral, "\(differences)")
  }

  @Test func `a step that a person wrote is part of what the walk means`() throws {
    let history = try History(
      "Note { title: String? }",
      "Note { title: String?; words: String? }",
      "Note { title: String?; pages: Int16? }"
    )
    func graph(_ change: @escaping (inout EntityMapping) -> Void) -> VersionGraph {
      let mapping = history.mapping(2, 3, [("Note", "Note")], change: change)
      return VersionGraph(
        history.versioned,
        authored: MappingBinding([mapping], to: [history.versioned]).edges
      )
    }
    let shouting = graph { mapping in
      mapping.attributeMappings = [
        PropertyMapping(name: "title", valueExpression: .call("uppercase:", [.source("title")]))
      ]
    }
    #expect(direct(shouting) == ["differs Note.title"])
    let plain = graph { mapping in
      mapping.attributeMappings = [
        PropertyMapping(name: "title", valueExpression: .source("title"))
      ]
    }
    #expect(direct(plain) == ["equivalent"])
    let filtered = graph { mapping in
      mapping.attributeMappings = [
        PropertyMapping(name: "title", valueExpression: .source("title"))
      ]
      mapping.sourcePredicate = .comparison(
        Predicate.Comparison(
          .keyPath(.evaluatedObject, ["title"]),
          .notEqual,
          .constant(nil)
        )
      )
    }
    #expect(direct(filtered) == ["objectsDiffer Note"])
    let shortcut = filtered.edge(from: filtered.nodes[0], to: filtered.nodes[2])
    guard case .notEquivalent(let differences, _) = filtered.verdict(on: shortcut) else {
      Issue.record("It is found equivalent.")
      return
    }
    #expect(differences.first?.other == "all of Note")
    #expect(differences.first?.reference?.hasPrefix("those of Note for which") == true)
    let policy = graph { $0.entityMigrationPolicyClassName = "Policy" }
    #expect(direct(policy) == ["opaque Note"])
  }

  @Test func `a filter on what a version before did not have makes nothing`() throws {
    let history = try History(
      "Note { title: String? }",
      "Note { title: String?; image: Binary? }",
      "Note { title: String? } Picture { data: Binary? }"
    )
    let notes = history.mapping(2, 3, [("Note", "Note"), ("Note", "Picture")]) { mapping in
      guard mapping.destinationEntityName == "Picture" else { return }
      mapping.attributeMappings = [PropertyMapping(name: "data", valueExpression: .source("image"))]
      mapping.sourcePredicate = .comparison(
        Predicate.Comparison(.keyPath(.evaluatedObject, ["image"]), .notEqual, .constant(nil))
      )
    }
    let graph = VersionGraph(
      history.versioned,
      authored: MappingBinding([notes], to: [history.versioned]).edges
    )
    #expect(direct(graph) == ["equivalent"])
  }

  @Test func `two authored routes that do not commute disagree by name`() throws {
    let history = try History(
      "Note { title: String? }",
      "Note { title: String?; words: String? }",
      "Note { title: String?; pages: Int16? }"
    )
    let mappings = [
      history.mapping(1, 2, named: "First", [("Note", "Note")]),
      history.mapping(2, 3, named: "Second", [("Note", "Note")]) { mapping in
        mapping.attributeMappings = [
          PropertyMapping(name: "title", valueExpression: .call("uppercase:", [.source("title")]))
        ]
      },
      history.mapping(1, 3, named: "Straight", [("Note", "Note")]) { mapping in
        mapping.attributeMappings = [
          PropertyMapping(name: "title", valueExpression: .source("title"))
        ]
      },
    ]
    let graph = VersionGraph(
      history.versioned,
      authored: MappingBinding(mappings, to: [history.versioned]).edges
    )
    let edge = graph.edge(from: graph.nodes[0], to: graph.nodes[2])
    #expect(graph.verdict(on: edge) == .equivalent)
    let difference = try #require(graph.disagreements(of: edge).first)
    #expect(difference.kind == .differs)
    #expect(difference.propertyName == "title")
  }

  @Test func `over a step without an edge nobody can say`() throws {
    let history = try History(
      "Note { title: String? }",
      "Note { title: Int16? }",
      "Note { title: String?; words: String? }"
    )
    #expect(direct(VersionGraph(history.versioned)) == ["missing step 0 to 1"])
  }

  @Test func `all verdicts of a cache are those on its edges`() throws {
    let archive = try ArchiveLoader.load("\(SampleArchive.root)/Letters.xcdatamodeld")
    let graph = VersionGraph(try #require(archive.models.first))
    for edge in graph.survey().entries {
      let made = graph.edge(from: graph.nodes[edge.source], to: graph.nodes[edge.destination])
      #expect(graph.verdict(on: made) == edge.verdict)
    }
  }
}
