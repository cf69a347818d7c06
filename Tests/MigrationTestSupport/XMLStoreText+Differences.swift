package import ObjectModel
import StoreAccess

extension XMLStoreText {
  /// Returns the tables whose rows differ between two stores of the SQLite kind, where the keys of the second
  /// are raised as those of a store of the XML kind are that was written of the first.
  package static func differences(
    _ first: String,
    _ second: String,
    _ model: ManagedObjectModel,
    offsets: [String: Int64]
  ) throws -> [String] {
    let schema = PhysicalSchema(model: model)
    let (first, second) = try (AppDatabase(first), AppDatabase(second))
    func offset(_ entity: String) -> Int64 { offsets[schema.table(of: entity)?.name ?? ""] ?? 0 }
    func raise(_ column: SchemaColumn, _ table: String) -> Int64 {
      switch column.role {
      case .primaryKey: offsets[table] ?? 0
      case .toOneKey(let entity, let name), .joinKey(let entity, let name):
        offset(model.property(name, of: entity)?.property.relationship?.destinationEntityName ?? "")
      case .oneSidedOwner(let entity, _): offset(entity)
      default: 0
      }
    }
    var problems: [String] = []
    let tables =
      schema.tables.map { ($0.name, $0.columns) } + schema.joinTables.map { ($0.name, $0.columns) }
    for (name, columns) in tables {
      let plain = columns.map { SQL.identifier($0.name) }
      let raised = columns.map { column in
        let by = raise(column, name)
        let quoted = SQL.identifier(column.name)
        return by == 0 ? quoted : "\(quoted) + \(by)"
      }
      let table = SQL.identifier(name)
      let list = { (columns: [String]) in columns.joined(separator: ", ") }
      let order = plain.indices.map { "\($0 + 1)" }.joined(separator: ", ")
      let expected = try first.execute(
        "SELECT \(list(raised)) FROM \(table) ORDER BY \(order)",
        []
      )
      let found = try second.execute(
        "SELECT \(list(plain)) FROM \(table) ORDER BY \(order)",
        []
      )
      guard expected != found else { continue }
      let columnsThatDiffer = columns.indices.filter { index in
        zip(expected, found).contains { $0[index] != $1[index] }
      }
      problems.append(
        "\(name): \(expected.count) and \(found.count) rows; "
          + columnsThatDiffer.map { columns[$0].name }.joined(separator: ", ")
      )
    }
    return problems
  }
}
