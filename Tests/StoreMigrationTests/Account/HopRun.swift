import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// A hop file between two sketched versions, run on generated stores.
struct HopRun {
  let versions: [ModelVersion]
  let graph: VersionGraph

  init(_ sketches: [String], _ hop: String) throws {
    try self.init(sketches.map { try ModelSketch.model($0) }, hop)
  }

  init(_ models: [ManagedObjectModel], _ hop: String) throws {
    versions = models.enumerated().map { index, model in
      ModelVersion(modelName: "M", name: "v\(index + 1)", model: model)
    }
    let model = VersionedModel(name: "M", versions: versions)
    let mapping = try MappingImporter.importMapping(
      hop: "from: v1\nto: v2\n" + hop,
      file: "v1-to-v2.hop.yml",
      models: [model]
    )
    let edge = AuthoredEdge(
      source: versions[0].model.entityVersionHashes,
      destination: versions[1].model.entityVersionHashes,
      mapping: mapping.mapping,
      origins: []
    )
    graph = VersionGraph(model, authored: [edge])
  }

  /// Runs it on a generated store that statements change.
  func run(
    _ statements: [String],
    accepting: Bool = false,
    onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in },
    inspect: (borrowing SQLiteConnection) throws -> Void = { _ in }
  ) throws -> (findings: [Finding], error: MigrationError?) {
    try TemporaryFolder.with { folder in
      let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
      let evidence = try StoreEvidence(
        ofStoreMadeAt: before,
        graph,
        rows: 40,
        seed: 5,
        statements
      )
      let plan = try MigrationPlanner(graph: graph)
        .plan(
          from: graph.nodes[0],
          to: graph.nodes[1],
          options: PlanningOptions(),
          evidence: evidence
        )
      var options = MigrationOptions()
      options.output = after
      options.settings.acceptsChangedValues = accepting
      options.settings.certificate = folder + "/certificate.json"
      options.onEvent = onEvent
      do {
        _ = try StoreMigrator(plan: plan, options: options).migrate(before)
        let result = try PersistentStore(reading: after)
        let left = try result.connection
          .count("SELECT COUNT(*) FROM sqlite_schema WHERE name LIKE 'waystone%'")
        #expect(left == 0, "something of the run is left in its result")
        try inspect(result.connection)
        return (plan.allFindings, nil)
      } catch let error as MigrationError { return (plan.allFindings, error) }
    }
  }
}

extension StoreEvidence {
  /// Makes a store of a graph's first version, which statements change, and asks it.
  convenience init(
    ofStoreMadeAt path: String,
    _ graph: VersionGraph,
    rows: Int,
    seed: UInt64,
    _ statements: [String]
  ) throws {
    let model = graph.nodes[0].version.model
    try StoreGenerator(model: model, rows: rows, seed: seed).write(to: path)
    do {
      let connection = try AppDatabase(path)
      for statement in statements { try connection.execute(statement) }
    }
    self.init(
      graph: graph,
      source: graph.nodes[0],
      checker: try StorePreconditionChecker(reading: path, model: model)
    )
  }
}
