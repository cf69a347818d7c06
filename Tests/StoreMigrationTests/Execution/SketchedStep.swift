import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// A store of a sketched model, migrated to another sketched model.
struct SketchedStep {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let before: String
  let after: String
  let outcome: MigrationOutcome
  /// Whether the file was changed in place.
  let wasInPlace: Bool

  /// Generates a store of the first model in a folder, migrates it to the second model, and gives
  /// the body both.
  static func run(
    _ first: String,
    _ second: String,
    rows: Int = 60,
    seed: UInt64 = 7,
    configure: (inout MigrationOptions) -> Void = { _ in },
    prepare: (AppDatabase) throws -> Void = { _ in },
    body: (SketchedStep) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let models = [try ModelSketch.model(first), try ModelSketch.model(second)]
      let versions = models.enumerated().map {
        ModelVersion(modelName: "M", name: "v\($0 + 1)", model: $1)
      }
      let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
      let plan = try MigrationPlanner(graph: graph).plan(
        from: try #require(graph.node(named: "v1")),
        to: try #require(graph.node(named: "v2"))
      )
      let before = folder + "/before.sqlite"
      try StoreGenerator(model: models[0], rows: rows, seed: seed).write(to: before)
      do {
        let connection = try AppDatabase(before)
        try prepare(connection)
      }
      let wasInPlace = Flag()
      var options = MigrationOptions()
      options.output = folder + "/after.sqlite"
      options.settings.acceptsUnprovenNames = true
      options.onEvent = { event in
        if case .began(.hop(numbers: _, of: _, from: _, to: _, inPlace: true)) = event {
          wasInPlace.set()
        }
      }
      configure(&options)
      let outcome = try StoreMigrator(plan: plan, options: options).migrate(before)
      try body(
        SketchedStep(
          source: models[0],
          destination: models[1],
          before: before,
          after: folder + "/after.sqlite",
          outcome: outcome,
          wasInPlace: wasInPlace.isSet
        )
      )
    }
  }

  /// The links of a relationship in the store as it was, or as it became: owner, other, and the
  /// other's place in the owner's list where there is an order.
  func links(_ entity: String, _ relationship: String, after: Bool) throws -> Set<[Int64]> {
    let store = try PersistentStore(reading: after ? self.after : before)
    let model = after ? destination : source
    let names = try StoreSchema(of: store.connection).columnNames
    let schema = PhysicalSchema(
      model: model,
      names: JoinNames(settledBy: names, model: model)
    )
    let query: String
    switch try #require(schema.storage(of: relationship, in: entity)) {
    case .key(let table, let key, _, _):
      query = "SELECT Z_PK, \(key), 0 FROM \(table) WHERE \(key) IS NOT NULL"
    case .inverseKey(let table, let key, let order), .ownerKey(let table, let key, let order):
      query =
        "SELECT \(key), Z_PK, \(order ?? "0") FROM \(table) WHERE \(key) IS NOT NULL ORDER BY 1, 3, 2"
    case .join(let join, let own, let other, let order):
      query = "SELECT \(own), \(other), \(order ?? "0") FROM \(join.name) ORDER BY 1, 3, 2"
    }
    let isOrdered = model.property(relationship, of: entity)?.property.relationship?.isOrdered
    var places: [Int64: Int64] = [:]
    return Set(
      try store.connection.rows(query).map { row in
        let owner = row[0].integer ?? -1
        let other = row[1].integer ?? -1
        guard isOrdered == true else { return [owner, other] }
        places[owner, default: -1] += 1
        return [owner, other, places[owner] ?? 0]
      }
    )
  }
}

/// A value that is set once, from any thread.
final class Flag: Sendable {
  private let cancellation = Cancellation()
  var isSet: Bool { cancellation.isRequested }
  func set() { cancellation.request() }
}
