extension SQLiteConnection {
  /// Makes an object of `main` by the statement that a store's schema gives for it.
  ///
  /// The text is untrusted. It is compiled only as one CREATE of the very kind, name and table in the
  /// row of the schema, and nothing may follow it.
  ///
  /// - Throws: ``SQLiteError``; `denied` where the text is anything else.
  package func create(_ object: SchemaObject) throws(SQLiteError) {
    let permission = SQLitePermission.creating(
      object.kind,
      name: object.name,
      tableName: object.tableName
    )
    var text = object.sql ?? ""
    let isMade = try permitting(permission) { () throws(SQLiteError) -> Bool in
      var offset = 0
      guard let statement = try compile(&text, &offset), SQL.isEmpty(text.utf8.dropFirst(offset))
      else { return false }
      try statement.run()
      return true
    }
    // One with IF NOT EXISTS may have made nothing.
    let found = try integer(
      "SELECT COUNT(*) FROM main.sqlite_schema WHERE type = ? AND name = ? AND tbl_name = ?",
      [.text(object.kind.rawValue), .text(object.name), .text(object.tableName)]
    )
    guard isMade, found == 1 else {
      throw SQLiteError(
        code: .denied,
        message: "What makes the \(object.kind.rawValue) \(object.name) is not one statement "
          + "that makes it and nothing else"
      )
    }
  }

  /// Drops views and triggers of `main`, for ``create(_:)`` to make them again.
  ///
  /// - Parameter objects: The objects, in the order in which they were made: a trigger may be one of a view.
  package func drop(_ objects: [SchemaObject]) throws(SQLiteError) {
    for object in objects.reversed() {
      try execute(
        "DROP \(object.kind.rawValue.uppercased()) \(SQL.identifier("main", object.name))"
      )
    }
  }

  /// Runs authored SQL, all statements of it, ignoring rows.
  ///
  /// Each may read and change rows, and make and drop objects, of this connection's database alone.
  ///
  /// - Throws: ``SQLiteError``; `denied` where a statement leaves the database, begins or ends a
  ///   transaction, or sets a pragma.
  package func execute(authored sql: String) throws(SQLiteError) {
    try permitting(.authored) { () throws(SQLiteError) in
      var text = sql
      var offset = 0
      while let statement = try compile(&text, &offset) { try statement.run() }
    }
  }
}
