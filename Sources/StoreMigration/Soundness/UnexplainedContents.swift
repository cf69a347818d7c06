package import ObjectModel
package import StoreAccess
import StoreVerification

/// The contents of a store's own tables beyond the model, which a rewriting hop drops.
///
/// Core Data names the columns that it uses, so that a foreign column, or a second row of its
/// metadata, can be in a store unnoticed; and a hop drops changes of the persistent history whose
/// entity it does not know. No store of Core Data's that was measured has such a change.
package struct UnexplainedContents {
  /// A column, or rows, that nothing explains.
  package struct Item: Hashable, Sendable {
    /// The table, and the column where it is one.
    package let place: String
    /// The number of values, or rows.
    package let count: Int64
    /// The primary keys of rows with a value, five at most; none where the table has no such keys.
    package let keys: [Int64]
  }

  /// The unexplained contents, in the order of the tables.
  package let items: [Item]
  /// The columns of the model's tables among them.
  package let columns: Leftovers

  /// Finds the contents.
  ///
  /// - Parameters:
  ///   - comparison: The comparison of the model's schema with the database's own.
  ///   - pending: The objects that a deferred migration left, which are explained.
  /// - Throws: ``SQLiteError``.
  /// - Complexity: One reading of the persistent history, and of each table that has such a column.
  package init(
    _ connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    real: StoreSchema,
    comparison: SchemaComparison,
    pending: Leftovers
  ) throws(SQLiteError) {
    var items: [Item] = []
    var columns = Leftovers()
    let keyed = Set(schema.tables.map(\.name))
    for place in comparison.extraColumns where !pending.columns.contains(place) {
      columns.columns.insert(place)
      items.append(try Self.item(place, isKeyed: keyed.contains(place.tableName), connection))
    }
    for table in SystemTable.allCases {
      guard let there = real.tables.first(where: { $0.name == table.rawValue }) else { continue }
      for column in there.columns where !table.columnNames.contains(column.name) {
        let place = SchemaComparison.Place(tableName: there.name, columnName: column.name)
        items.append(try Self.item(place, isKeyed: false, connection))
      }
      guard let rows = try Self.extraRows(of: table, connection), rows > 0 else { continue }
      items.append(Item(place: there.name, count: rows, keys: []))
    }
    if let changes = try Self.changesOfNoEntity(schema, real, connection) { items.append(changes) }
    self.items = items
    self.columns = columns
  }

  private static let history = "ACHANGE"

  /// Returns the changes of the persistent history whose entity the model does not have; nil where there are
  /// none.
  private static func changesOfNoEntity(
    _ schema: PhysicalSchema,
    _ real: StoreSchema,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Item? {
    guard let columns = real.columnNames[history], columns.contains("ZENTITY") else { return nil }
    let numbers = schema.entityNumbers.values.sorted().map(String.init).joined(separator: ", ")
    let rows = "FROM main.\(history) WHERE ZENTITY IS NULL OR ZENTITY NOT IN (\(numbers))"
    let count = try connection.integer("SELECT COUNT(*) \(rows)") ?? 0
    guard count > 0 else { return nil }
    let keys =
      columns.contains("Z_PK")
      ? try StoreVerifier.keys(
        connection,
        "SELECT Z_PK \(rows) ORDER BY Z_PK LIMIT \(Finding.Evidence.keyLimit)"
      ) : []
    return Item(place: history, count: count, keys: keys)
  }

  private static func item(
    _ place: SchemaComparison.Place,
    isKeyed: Bool,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Item {
    let table = SQL.identifier("main", place.tableName)
    let column = SQL.identifier(place.columnName)
    let count = try connection.integer("SELECT COUNT(\(column)) FROM \(table) NOT INDEXED") ?? 0
    let keys =
      isKeyed && count > 0
      ? try StoreVerifier.keys(
        connection,
        "SELECT Z_PK FROM \(table) NOT INDEXED WHERE \(column) IS NOT NULL ORDER BY Z_PK "
          + "LIMIT \(Finding.Evidence.keyLimit)"
      ) : []
    return Item(place: "\(place.tableName).\(place.columnName)", count: count, keys: keys)
  }

  /// Returns the number of rows in a table of Core Data's own that Core Data does not read.
  private static func extraRows(
    of table: SystemTable,
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> Int64? {
    switch table {
    case .primaryKey: nil
    case .metadata:
      try connection.integer(
        "SELECT COUNT(*) FROM main.\(table.rawValue) WHERE Z_VERSION IS NOT 1"
      )
    case .modelCache:
      try connection.integer("SELECT COUNT(*) - 1 FROM main.\(table.rawValue)")
    }
  }

  /// The items with contents that would be lost.
  package var losses: [Item] { items.filter { $0.count > 0 } }

  /// The losses as a certificate has them; nil where there is none.
  var certified: [MigrationCertificate.Unexplained]? {
    losses.isEmpty ? nil : losses.map { .init(place: $0.place, count: $0.count) }
  }

  /// Returns a finding for each column, and for excess rows.
  ///
  /// - Parameter isAccepted: Whether the loss is accepted.
  package func findings(version: String? = nil, isAccepted: Bool) -> [Finding] {
    items.map { item in
      guard item.count > 0 else {
        return Finding(
          .unexplainedContents,
          .note,
          at: Finding.Place(version: version),
          message: "The model does not explain \(item.place). It holds nothing, and goes.",
          remedy: "Nothing needs to be done."
        )
      }
      var finding = Finding(
        .unexplainedContents,
        isAccepted ? .warning : .error,
        risk: .undeclared,
        at: Finding.Place(version: version),
        message: "The model does not explain \(item.place), which \(Self.words(item)): "
          + "the migration drops it.",
        remedy: isAccepted ? "The loss is accepted." : Self.remedy
      )
      finding.evidence = Finding.Evidence(
        .refuted,
        rows: item.count,
        of: item.count,
        keys: item.keys,
        words: "are lost"
      )
      return finding
    }
  }

  /// Throws if contents would be lost and the user did not accept that.
  ///
  /// - Throws: ``MigrationError`` with `refused`.
  package func requireNoLoss(in path: String) throws(MigrationError) {
    let losses = losses
    guard !losses.isEmpty else { return }
    let list = losses.prefix(5).map { "\($0.place) \(Self.words($0))" }.joined(separator: "; ")
    let more = losses.count > 5 ? "; and \(losses.count - 5) more" : ""
    throw MigrationError(
      .refused,
      .unexplainedContents,
      "The migration would drop what the model of \(path) does not explain: \(list)\(more).",
      recovery: Self.remedy
    )
  }

  private static let remedy =
    "Copy the values elsewhere first, or accept their loss: `migrate --accept-unexplained-loss`."

  /// Returns the words for an item's number of values or rows, with the keys of some rows.
  private static func words(_ item: Item) -> String {
    let keys = item.keys.map(String.init).joined(separator: ", ")
    let more = item.count > Int64(item.keys.count) ? " and more" : ""
    let list = item.keys.isEmpty ? "" : " (keys \(keys)\(more))"
    if item.place == history {
      return "has \(item.count) \(item.count == 1 ? "change" : "changes") of no entity of the model"
        + list
    }
    return item.place.contains(".")
      ? "holds \(item.count) \(item.count == 1 ? "value" : "values")\(list)"
      : "has \(item.count) \(item.count == 1 ? "row" : "rows") too many"
  }
}
