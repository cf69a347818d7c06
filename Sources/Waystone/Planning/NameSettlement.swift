package import MigrationPlanning
package import ObjectModel
package import StoreAccess
internal import StoreMigration

/// The many-to-many table and column names that a plan's result has to guess, since no model settles them.
package struct NameSettlement: Sendable {
  private let names: UnprovenNames

  /// Follows the names from the source, where the store or a prediction has them, to the end.
  ///
  /// - Parameters:
  ///   - store: The columns of each table of the store, where the plan is for one.
  ///   - sample: The columns of each table of a store that Core Data made at the end's version.
  package init(plan: MigrationPlan, store: [String: [String]]?, sample: [String: [String]]?) {
    let model = plan.source.model
    var carried = JoinNames(
      settledBy: store ?? Self.columns(PhysicalSchema(model: model)),
      model: model
    )
    var schemas = [PhysicalSchema(model: model, names: carried)]
    for (index, hop) in plan.hops.enumerated() {
      carried = carried.carried(from: hop.source.model, to: hop.destination.model)
      let end = hop.destination.model
      var names = carried
      if index == plan.hops.count - 1, let sample {
        names = JoinNames(settledBy: sample, model: end, as: .sample).filled(from: carried)
      }
      schemas.append(PhysicalSchema(model: end, names: names))
    }
    names = UnprovenNames(plan: plan, schemas: schemas)
  }

  /// The names that rest on nothing.
  package var guesses: [UnsettledName] { names.guesses }

  /// A finding for each name with the index of the hop that leaves it open.
  package var findingsOfHops: [(hop: Int, finding: Finding)] { names.findings }

  /// A finding for each name, placed at the step that leaves it open.
  package var findings: [Finding] { names.findings.map(\.finding) }

  /// The sentences that the user must accept, one for each guessed name.
  package var reasons: [String] {
    guesses.map { name in
      let sides = name.relationships.map { "\($0.entityName).\($0.propertyName)" }
        .joined(separator: " and ")
      let place =
        name.columnName.map { "a column in join table \(name.tableName) (guess: \($0))" }
        ?? "a join table (guess: \(name.tableName))"
      return
        "The model does not say the name of \(place), which \(sides) need. \(UnprovenNames.risk) "
        + "\(UnprovenNames.advice(names.destination))"
    }
  }

  private static func columns(_ schema: PhysicalSchema) -> [String: [String]] {
    var columns: [String: [String]] = [:]
    for table in schema.tables { columns[table.name] = table.columns.map(\.name) }
    for table in schema.joinTables { columns[table.name] = table.columns.map(\.name) }
    return columns
  }
}
