/// A row of `sqlite_schema`: a table, index, view or trigger.
package struct SchemaObject: Hashable, Sendable {
  /// The kind of the object.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case table, index, view, trigger
  }

  package var kind: Kind
  package var name: String
  /// The table it belongs to; a table's own name.
  package var tableName: String
  /// The statement that makes it, or nil for the indexes that SQLite makes by itself.
  package var sql: String?

  package init(kind: Kind, name: String, tableName: String, sql: String?) {
    self.kind = kind
    self.name = name
    self.tableName = tableName
    self.sql = sql
  }

  /// Returns all objects of a database, in the order in which they were made.
  ///
  /// - Parameter schema: `main`, or the name of an attached database.
  /// - Throws: ``StoreAccessError``; `damaged` for a row that no SQLite writes.
  package static func all(
    in connection: borrowing SQLiteConnection,
    schema: String = "main"
  ) throws(StoreAccessError) -> [SchemaObject] {
    let table = SQL.identifier(schema, "sqlite_schema")
    let rows = try asStoreAccess { () throws(SQLiteError) in
      try connection.rows("SELECT type, name, tbl_name, sql FROM \(table) ORDER BY rowid")
    }
    var objects: [SchemaObject] = []
    for row in rows {
      guard let kind = row[0].text.flatMap(Kind.init), let name = row[1].text,
        let tableName = row[2].text
      else {
        throw StoreAccessError(
          code: .damaged,
          message: "The schema of \(connection.path) holds an unknown object"
        )
      }
      objects.append(
        SchemaObject(kind: kind, name: name, tableName: tableName, sql: row[3].text)
      )
    }
    return objects
  }
}

extension SchemaObject {
  /// Whether it is a table of a shape that Core Data gives to those of entities or of many-to-many
  /// relationships, and not one of those that it keeps beside them.
  package var isOfEntities: Bool {
    guard kind == .table, !SystemTable.isInternal(name), let sql,
      let start = sql.firstIndex(of: "(")
    else { return false }
    let isJoinTable = name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true
    let names = sql[sql.index(after: start)...].split(separator: ",", maxSplits: 3).prefix(3).map {
      $0.split(whereSeparator: \.isWhitespace).first?.filter { $0 != "\"" } ?? ""
    }
    let isVirtual = sql.prefix(20).uppercased().hasPrefix("CREATE VIRTUAL")
    return !isVirtual && (isJoinTable || names == ["Z_PK", "Z_ENT", "Z_OPT"])
  }
}
