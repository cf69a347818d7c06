extension StoreMetadata {
  /// Reads the row of `Z_METADATA`.
  ///
  /// - Parameter schema: `main`, or the name of an attached database.
  /// - Throws: ``StoreAccessError``: `notAStore` where the table is absent, `nullMetadata` where the
  ///   list is NULL, `damaged` where there is no row or it cannot be read.
  package init(
    reading connection: borrowing SQLiteConnection,
    schema: String = "main"
  ) throws(StoreAccessError) {
    let path = connection.path
    let tables = SQL.identifier(schema, "sqlite_schema")
    let metadata = SQL.identifier(schema, "Z_METADATA")
    let hasTable = try asStoreAccess { () throws(SQLiteError) in
      try connection.integer(
        "SELECT 1 FROM \(tables) WHERE type = 'table' AND name = 'Z_METADATA'"
      ) != nil
    }
    guard hasTable else {
      throw StoreAccessError(
        code: .notAStore,
        message: "\(path) is a database without Core Data's Z_METADATA"
      )
    }
    let rows = try asStoreAccess { () throws(SQLiteError) in
      try connection.rows("SELECT Z_UUID, Z_PLIST FROM \(metadata) WHERE Z_VERSION = 1")
    }
    guard let row = rows.first else {
      throw StoreAccessError(code: .damaged, message: "Z_METADATA of \(path) has no row")
    }
    if row[1].isNull {
      throw StoreAccessError(
        code: .nullMetadata,
        message: "The metadata of \(path) is NULL, so its version is unknown"
      )
    }
    guard let uuid = row[0].text, let bytes = row[1].blob else {
      throw StoreAccessError(
        code: .damaged,
        message: "Z_METADATA of \(path) holds no UUID or no property list"
      )
    }
    try self.init(uuid: uuid, binary: bytes, path: path)
  }

  /// Writes the row of `Z_METADATA`, replacing the one that is there.
  ///
  /// - Throws: ``SQLiteError``.
  package func write(
    to connection: borrowing SQLiteConnection,
    schema: String = "main"
  ) throws(SQLiteError) {
    try connection.execute(
      "INSERT OR REPLACE INTO \(SQL.identifier(schema, "Z_METADATA")) (Z_VERSION, Z_UUID, Z_PLIST)"
        + " VALUES (1, ?, ?)",
      [.text(uuid), .blob(binary)]
    )
  }
}
