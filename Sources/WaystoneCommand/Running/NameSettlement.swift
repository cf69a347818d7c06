internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess

/// Which many-to-many names a plan's result has to guess, since no model settles them.
struct NameSettlement {
  /// The names that rest on nothing.
  let guesses: [UnsettledName]

  /// Follows the names from the source, where the store or a prediction has them, to the end.
  ///
  /// - Parameters:
  ///   - store: The columns of each table of the store, where the plan is for one.
  ///   - sample: The columns of each table of a store that Core Data made at the end's version.
  init(plan: MigrationPlan, store: [String: [String]]?, sample: [String: [String]]?) {
    guard !plan.hops.isEmpty else {
      guesses = []
      return
    }
    var names = JoinNames(
      settledBy: store ?? Self.columns(PhysicalSchema(model: plan.source.model)),
      model: plan.source.model
    )
    for hop in plan.hops {
      names = names.carried(from: hop.source.model, to: hop.destination.model)
    }
    let end = plan.destination.model
    if let sample {
      names = JoinNames(settledBy: sample, model: end, as: .sample).filled(from: names)
    }
    guesses = PhysicalSchema(model: end, names: names).unsettledNames
      .filter { $0.settler == .guess }
  }

  /// What must be accepted, in words for each name.
  var reasons: [String] {
    guesses.map { name in
      let sides = name.relationships.map { "\($0.entityName).\($0.propertyName)" }
        .joined(separator: " and ")
      let place = name.columnName.map { "column \($0) of \(name.tableName)" } ?? name.tableName
      return "The model does not settle the name of the join table of \(sides); \(place) is a "
        + "guess. A store that Core Data made at this version settles it: --like STORE."
    }
  }

  private static func columns(_ schema: PhysicalSchema) -> [String: [String]] {
    var columns: [String: [String]] = [:]
    for table in schema.tables { columns[table.name] = table.columns.map(\.name) }
    for table in schema.joinTables { columns[table.name] = table.columns.map(\.name) }
    return columns
  }
}
