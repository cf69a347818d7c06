package import ObjectModel
package import StoreAccess

extension StoreVerifier {
  /// Returns the links of a store that lead to no row, by relationship.
  ///
  /// - Complexity: One reading of the references of each table.
  package static func danglingLinks(
    in connection: borrowing SQLiteConnection,
    _ model: ManagedObjectModel
  ) throws -> [VerificationReport.Detail] {
    let real = try StoreSchema(of: connection)
    let verifier = StoreVerifier(
      database: "main",
      schema: PhysicalSchema(
        model: model,
        names: JoinNames(settledBy: real.columnNames, model: model)
      ),
      scope: .store,
      real: real,
      columns: real.columnNames.mapValues(Set.init),
      leftovers: Leftovers()
    )
    return try verifier.referenceChecks(connection).filter { $0.name == "references" }
      .flatMap(\.details)
  }
}
