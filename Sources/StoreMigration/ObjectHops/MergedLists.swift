import MigrationPlanning
import ObjectModel
import StoreAccess

/// The source lists that are merged into an ordered relationship of the destination.
///
/// Each list has places of its own, which begin at the same number; the lists are put one behind
/// the other, in the order of the entity mappings that carry them, and lists of one relationship in
/// the order of their owners' keys.
struct MergedLists {
  /// The queries for the columns `owner`, `member`, `list`, `source_owner` and `place`, by the name of
  /// the table and of its order column.
  private var queries: [[String]: [String]] = [:]

  private static let table = "temp.waystone_list"

  /// The lists that the connections of a hop make.
  init(of program: ObjectHopProgram, _ source: PhysicalSchema) {
    var lists: [[String]: [String]] = [:]
    var merged: Set<[String]> = []
    for connection in program.connections.joined() {
      for (place, isFlipped) in Self.places(of: connection.place) {
        let list = Self.list(of: connection, isFlipped: isFlipped, source)
        let known = lists[place, default: []].firstIndex(of: list)
        if known == nil { lists[place, default: []].append(list) }
        let owners = isFlipped ? connection.others : [connection.mapping]
        let mappings = program.mapping.entityMappings
        if owners.contains(where: { !mappings[$0].deduplicationKeys.isEmpty }) {
          merged.insert(place)
        }
        queries[place, default: []].append(
          Self.query(
            connection,
            list: known ?? (lists[place]?.count ?? 1) - 1,
            isFlipped: isFlipped
          )
        )
      }
    }
    queries = queries.filter { merged.contains($0.key) || lists[$0.key]?.count ?? 0 > 1 }
  }

  /// Returns the tables and order columns of a place, each with whether the list is that of the other
  /// end.
  private static func places(of place: LinkPlace) -> [([String], isFlipped: Bool)] {
    switch place {
    case .toOne(let key): key.order.map { [([key.table, $0], true)] } ?? []
    case .toMany(let key): key.order.map { [([key.table, $0], false)] } ?? []
    case .oneToOne: []
    case .join(let table, _, _, let order, let inverseOrder):
      (order.map { [([table, $0], false)] } ?? [])
        + (inverseOrder.map { [([table, $0], true)] } ?? [])
    }
  }

  /// Returns the name of the source relationship whose lists a connection carries.
  private static func list(
    of connection: ObjectHopProgram.Connection,
    isFlipped: Bool,
    _ source: PhysicalSchema
  ) -> String {
    guard let carried = connection.carried,
      let declared = source.model.property(carried.relationship, of: carried.entity),
      let relationship = declared.property.relationship
    else { return "\(connection.mapping) \(connection.relationship)" }
    guard isFlipped else { return declared.place }
    return source.model.inverse(of: relationship)?.place ?? "to \(declared.place)"
  }

  private static func query(
    _ connection: ObjectHopProgram.Connection,
    list: Int,
    isFlipped: Bool
  ) -> String {
    let columns =
      isFlipped
      ? "other AS owner, owner AS member, \(list) AS list, source_other AS source_owner, "
        + "other_order AS place"
      : "owner, other AS member, \(list) AS list, source_owner, owner_order AS place"
    return "SELECT \(columns) FROM (WITH l (\(LinkWriter.columns)) AS "
      + "(\(RelationshipCreation.query(connection))) SELECT * FROM l)"
  }

  /// Gives the members of each list that is made of several their places.
  ///
  /// - Complexity: O(*n* log *n*) in the links of relationships that several lists may go to; none where
  ///   there is no such relationship.
  func number(_ place: OrderKeyAssignment.Place, on connection: borrowing SQLiteConnection)
    throws(SQLiteError)
  {
    guard let parts = queries[[place.table, place.order]] else { return }
    try connection.execute("DROP TABLE IF EXISTS \(Self.table)")
    try connection.execute(
      "CREATE TEMP TABLE waystone_list AS SELECT owner, member, list, source_owner, place FROM "
        + "(SELECT *, ROW_NUMBER() OVER (PARTITION BY owner, member "
        + "ORDER BY list, source_owner, place) AS number "
        + "FROM (\(parts.joined(separator: " UNION ALL ")))) WHERE number = 1"
    )
    let several =
      "SELECT owner FROM \(Self.table) GROUP BY owner "
      + "HAVING MIN(list) < MAX(list) OR MIN(source_owner) < MAX(source_owner)"
    let (owner, member) = (SQL.identifier(place.owner), SQL.identifier(place.member))
    try connection.execute(
      """
      UPDATE main.\(SQL.identifier(place.table)) AS t
      SET \(SQL.identifier(place.order)) = 1024 + 1024 * b.number FROM (
        SELECT owner, member, ROW_NUMBER() OVER (
          PARTITION BY owner ORDER BY list, source_owner, place IS NULL, place, member
        ) AS number
        FROM \(Self.table) WHERE owner IN (\(several))
      ) AS b WHERE t.\(member) = b.member AND t.\(owner) = b.owner
      """
    )
    try connection.execute("DROP TABLE \(Self.table)")
  }

  /// Returns whether a relationship may be made of several lists.
  func contains(_ place: OrderKeyAssignment.Place) -> Bool {
    queries[[place.table, place.order]] != nil
  }
}
