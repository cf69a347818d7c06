import ObjectModel
import StoreAccess

/// The columns that hold the owner and the place of the members of an ordered relationship.
struct OrderedList: Hashable {
  var entity: String
  var property: String
  var table: String
  var owner: String
  var order: String

  /// The lists of a schema.
  static func all(in schema: PhysicalSchema) -> [OrderedList] {
    schema.model.entities.flatMap { entity in
      entity.relationships.compactMap { relationship -> OrderedList? in
        guard relationship.isPersistent, relationship.isToMany, relationship.isOrdered,
          let storage = schema.storage(of: relationship.name, in: entity.name)
        else { return nil }
        switch storage {
        case .inverseKey(let table, let owner, let order?),
          .ownerKey(let table, let owner, let order?):
          return OrderedList(
            entity: entity.name,
            property: relationship.name,
            table: table,
            owner: owner,
            order: order
          )
        case .join(let table, let own, _, let order?):
          return OrderedList(
            entity: entity.name,
            property: relationship.name,
            table: table.name,
            owner: own,
            order: order
          )
        default: return nil
        }
      }
    }
  }

  /// Counts members without a place, and members whose place is another's too.
  func check(
    _ connection: borrowing SQLiteConnection,
    database: String,
    _ check: inout VerificationReport.Check
  ) throws(SQLiteError) {
    let (own, place) = (SQL.identifier(owner), SQL.identifier(order))
    // An index on the owner would only lead to each row by itself, and the places be sorted anyhow.
    let table = SQL.scan(database, table)
    let row = try connection.counts(
      "SELECT COALESCE(SUM(n), 0), COALESCE(SUM(CASE WHEN p IS NULL THEN n ELSE n - 1 END), 0) "
        + "FROM (SELECT \(place) AS p, COUNT(*) AS n FROM \(table) "
        + "WHERE \(own) IS NOT NULL GROUP BY \(own), \(place))"
    )
    check.count += row[0]
    let count = row[1]
    guard count > 0 else { return }
    let owners = try StoreVerifier.keys(
      connection,
      "SELECT DISTINCT \(own) FROM (SELECT \(own), \(place) AS p, COUNT(*) AS n FROM \(table) "
        + "WHERE \(own) IS NOT NULL GROUP BY \(own), \(place)) WHERE n > 1 OR p IS NULL LIMIT 5"
    )
    check.fail(
      .init(
        entity: entity,
        property: property,
        "\(count) members have no place or that of another",
        count: count,
        primaryKeys: owners
      )
    )
  }
}
