import ObjectModel
import StoreAccess

extension StoreVerifier {
  /// Returns the links of a store that lead to no row, by relationship.
  ///
  /// - Complexity: One reading of the references of each table.
  static func danglingLinks(
    in connection: borrowing SQLiteConnection,
    _ model: ManagedObjectModel
  ) throws -> [SalvageAccount.DanglingLinks] {
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
    var links: [SalvageAccount.DanglingLinks] = []
    for check in try verifier.referenceChecks(connection) where check.name == "references" {
      for detail in check.details {
        let (entity, name) = (detail.entity ?? "", detail.property ?? "")
        if let last = links.last, last.entity == entity, last.relationship == name {
          links[links.count - 1].count += detail.count
        } else {
          links.append(.init(entity: entity, relationship: name, count: detail.count))
        }
      }
    }
    return links
  }
}
