import MigrationPlanning
import StoreAccess

extension Preflight {
  /// Throws if a carried object could not be made beside the tables of a version on the path, or not at
  /// all.
  ///
  /// - Throws: ``MigrationError`` with `refused`, which names the object.
  func checkCarried(_ carried: UnmodeledObjects, _ chain: SchemaSequence) throws {
    let objects = carried.tables + carried.others
    for (schema, node) in zip(chain.schemas.dropFirst(), plan.hops.map(\.destination)) {
      // SQLite does not distinguish upper from lower case.
      let taken = Set(
        (schema.tables.map(\.name) + schema.joinTables.map(\.name) + schema.indexes.map(\.name)
          + schema.triggers.map(\.name)).map { $0.uppercased() }
      )
      for object in objects {
        let name = object.name.uppercased()
        guard taken.contains(name) || name.hasPrefix("WAYSTONE_") else { continue }
        throw MigrationError(
          .refused,
          "The store has the \(object.kind.rawValue) \(object.name), which Core Data did not make, "
            + "and \(node.name) needs that name.",
          recovery: "Rename it first, with the app that made it."
        )
      }
    }
    guard !plan.hops.isEmpty, let (object, error) = try SchemaObject.firstUnmakeable(objects) else {
      return
    }
    throw MigrationError(
      .refused,
      "The \(object.kind.rawValue) \(object.name), which Core Data did not make, cannot be carried: "
        + "\(error.message).",
      recovery: "Migrate the store with the app that made it, or drop it first."
    )
  }
}
