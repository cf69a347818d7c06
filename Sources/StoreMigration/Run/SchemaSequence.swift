import MigrationPlanning
import ObjectModel
import StoreAccess

/// The physical schema of each version of a plan, and of the store that it starts from.
struct SchemaSequence {
  /// The schemas, the source's first.
  let schemas: [PhysicalSchema]

  /// Predicts the schemas, with the names that models leave open decided by samples.
  ///
  /// For the last version a sample decides them, else the source store where the entities' property sets
  /// never change on the path. Core Data never sees the versions between.
  ///
  /// - Throws: ``MigrationError`` with `refused` where a name is not known, and where no run passes a version
  ///   (``VersionObstacle``).
  init(
    plan: MigrationPlan,
    store: StoreSchema,
    sample: StoreSchema?,
    acceptsUnprovenNames: Bool
  ) throws(MigrationError) {
    let models = [plan.source.model] + plan.hops.map(\.destination.model)
    let real = JoinNames(settledBy: store.columnNames, model: models[0])
    var schemas = [PhysicalSchema(model: models[0], names: real)]
    var carried = real
    for (index, model) in models.enumerated().dropFirst() {
      carried = carried.carried(from: models[index - 1], to: model)
      var names = carried
      if index == models.count - 1, let sample {
        names = JoinNames(settledBy: sample.columnNames, model: model, as: .sample)
          .filled(from: carried)
      }
      schemas.append(PhysicalSchema(model: model, names: names))
    }
    self.schemas = schemas
    for (index, schema) in schemas.enumerated() {
      guard let obstacle = schema.obstacles(rewritesTables: !plan.hops.isEmpty).first else {
        continue
      }
      let version = index == 0 ? plan.source : plan.hops[index - 1].destination
      throw MigrationError(
        .refused,
        .unknownPlace,
        "\(version.name): \(obstacle.statement)",
        recovery: obstacle.remedy
      )
    }
    let guesses = schemas.last?.unsettledNames.filter { $0.settler == .guess } ?? []
    guard plan.hops.isEmpty || acceptsUnprovenNames || guesses.isEmpty else {
      let names = guesses.map(Self.text).sorted().joined(separator: ", ")
      throw MigrationError(
        .refused,
        .unprovenName,
        "The model of \(plan.destination.name) does not say all names: \(names). \(UnprovenNames.risk)",
        recovery: UnprovenNames.advice(plan.destination.name).text
      )
    }
  }

  /// A hash of all that the schemas make, by which a resumed run knows that they are the same.
  var fingerprint: String {
    var hash = SHA256()
    for schema in schemas {
      for table in schema.tables { hash.update(table.createSQL.utf8) }
      for join in schema.joinTables { hash.update(join.createSQL.utf8) }
      for index in schema.indexes { hash.update(index.sql.utf8) }
      for trigger in schema.triggers { hash.update(trigger.sql.utf8) }
    }
    return Hexadecimal.string(hash.finalize())
  }

  private static func text(_ name: UnsettledName) -> String {
    let relationships = name.relationships.map(\.description).joined(separator: " / ")
    return name.columnName.map { "column \($0) of \(name.tableName) (\(relationships))" }
      ?? "table \(name.tableName) (\(relationships))"
  }
}
