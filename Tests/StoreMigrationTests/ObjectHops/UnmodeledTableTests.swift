import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Hops that people wrote and that carry tables: which do, and that their objects are held against their
/// model all the same.
@Suite struct UnmodeledTableTests {
  private static func links(_ name: String) -> [String: Expression] {
    [name: .destinationInstances(forSourceRelationship: name)]
  }

  private struct Sample: CustomTestStringConvertible {
    let testDescription: String
    let sketch: String
    let mappings: [EntityMapping]
    let carriesTables: Bool

    init(
      _ words: String,
      _ sketch: String,
      _ carriesTables: Bool,
      _ a: [String: Expression],
      _ b: [String: Expression],
      _ change: (inout [EntityMapping]) -> Void = { _ in }
    ) {
      testDescription = words
      self.sketch = sketch
      self.carriesTables = carriesTables
      var mappings = [
        AuthoredStep.mapping("A", "A", attributes: ["n": .source("n")], relationships: a),
        AuthoredStep.mapping("B", "B", attributes: ["n": .source("n")], relationships: b),
      ]
      change(&mappings)
      self.mappings = mappings
    }
  }

  private static let samples = [
    Sample(
      "links by a key",
      "A { n: Int16?; b -> B.as } B { n: Int16?; as ->> A.b }",
      true,
      links("b"),
      links("as")
    ),
    Sample(
      "links in a table",
      "A { n: Int16?; b ->> B.as } B { n: Int16?; as ->> A.b }",
      true,
      links("b"),
      links("as")
    ),
    Sample("no links", "A { n: Int16?; b -> B.as } B { n: Int16?; as ->> A.b }", true, [:], [:]),
    Sample(
      "one side of links",
      "A { n: Int16?; b -> B.as } B { n: Int16?; as ->> A.b }",
      false,
      links("b"),
      [:]
    ),
    Sample(
      "a one-to-one",
      "A { n: Int16?; b -> B.a } B { n: Int16?; a -> A.b }",
      false,
      links("b"),
      links("a")
    ),
    Sample(
      "an order",
      "A { n: Int16?; b -> B.as } B { n: Int16?; as ->> A.b ordered }",
      false,
      links("b"),
      links("as")
    ),
    Sample(
      "links to a part of a table",
      "P { n: Int16? } A { n: Int16?; b -> B.as } B : P { as ->> A.b }",
      false,
      links("b"),
      links("as")
    ),
    Sample("a choice among objects", "A { n: Int16? } B { n: Int16? }", false, [:], [:]) {
      $0[0].sourcePredicate = .not(.any([]))
    },
    Sample("an entity twice", "A { n: Int16? } B { n: Int16? }", false, [:], [:]) {
      $0.append(AuthoredStep.mapping("A", "B", name: "AToB2"))
    },
    Sample("a policy", "A { n: Int16? } B { n: Int16? }", false, [:], [:]) {
      $0[1].entityMigrationPolicyClassName = "P"
    },
  ]

  @Test(arguments: samples)
  private func `tables are carried where nothing else comes to the same`(_ sample: Sample) throws {
    let source = try ModelSketch.model(sample.sketch)
    let destination = try ModelSketch.model(
      sample.sketch.replacing("A {", with: "A { new: String?;", maxReplacements: 1)
    )
    try TemporaryFolder.with { folder in
      let step = AuthoredStep(
        source: source,
        destination: destination,
        mapping: MappingModel(entityMappings: sample.mappings),
        folder: folder
      )
      let compiled = try step.compiled(ofTables: true)
      #expect(compiled.program.makesObjects != sample.carriesTables)
    }
  }

  @Test(arguments: [
    (
      "A { s: String?; n: Int16? }", "A { s: String?; n: Int16?; unique s }",
      "UPDATE ZA SET ZS = 'x'", "wants to be unique"
    ),
    (
      "A { s: String?; n: Int16? }", "A { s: String?; n: Int16?; b: String }", "", "A.b"
    ),
  ])
  func `objects of carried tables are held against their model before indexes are`(
    _ old: String,
    _ new: String,
    _ change: String,
    _ words: String
  ) throws {
    let models = try [old, new].map { try ModelSketch.model($0) }
    let versions = models.enumerated().map {
      ModelVersion(modelName: "M", name: "v\($0 + 1)", model: $1)
    }
    let edge = AuthoredEdge(
      source: models[0].entityVersionHashes,
      destination: models[1].entityVersionHashes,
      mapping: MappingModel(entityMappings: [
        AuthoredStep.mapping("A", "A", attributes: ["s": .source("s"), "n": .source("n")])
      ]),
      origins: []
    )
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions), authored: [edge])
    var planning = PlanningOptions()
    planning.acceptUnknown = true
    let plan = try MigrationPlanner(graph: graph).plan(
      from: graph.nodes[0],
      to: graph.nodes[1],
      options: planning
    )
    #expect(plan.hops.map(\.kind) == [.authored])
    try TemporaryFolder.with { folder in
      let store = folder + "/s.sqlite"
      try StoreGenerator(model: models[0], rows: 20, seed: 1).write(to: store)
      if !change.isEmpty {
        try AppDatabase.run(store, "\(change); PRAGMA wal_checkpoint(TRUNCATE)")
      }
      let before = TemporaryFolder.bytes(of: store)
      var options = MigrationOptions()
      options.output = folder + "/r.sqlite"
      options.settings.acceptsUnprovenNames = true
      let error = #expect(throws: MigrationError.self) {
        _ = try StoreMigrator(plan: plan, options: options).migrate(store)
      }
      #expect(error?.message.contains("rules of their model") == true, "\(error?.message ?? "")")
      #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
      #expect(TemporaryFolder.bytes(of: store) == before)
      #expect(TemporaryFolder.bytes(of: folder + "/r.sqlite") == nil)
    }
  }
}
