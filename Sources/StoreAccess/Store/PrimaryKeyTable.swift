/// The content of `Z_PRIMARYKEY`: the number of each entity, and the highest primary key issued.
package struct PrimaryKeyTable: Hashable, Sendable {
  /// A row: one entity.
  package struct Row: Hashable, Sendable {
    /// `Z_ENT`, which rows of the entity carry.
    package var entityNumber: Int64
    /// The entity's name; after a rename in place it may be the old one.
    package var name: String
    /// The parent's number, or 0.
    package var superentityNumber: Int64
    /// The highest key issued; kept at the root of a hierarchy, elsewhere 0.
    package var maximum: Int64

    package init(entityNumber: Int64, name: String, superentityNumber: Int64, maximum: Int64) {
      self.entityNumber = entityNumber
      self.name = name
      self.superentityNumber = superentityNumber
      self.maximum = maximum
    }
  }

  /// The rows by ascending entity number.
  package var rows: [Row]

  package init(rows: [Row]) { self.rows = rows.sorted { $0.entityNumber < $1.entityNumber } }

  /// Reads the table.
  ///
  /// - Throws: ``StoreAccessError``; `damaged` where a row lacks its name or number.
  package init(
    reading connection: borrowing SQLiteConnection,
    schema: String = "main"
  ) throws(StoreAccessError) {
    let table = SQL.identifier(schema, "Z_PRIMARYKEY")
    let values = try asStoreAccess { () throws(SQLiteError) in
      try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM \(table) ORDER BY Z_ENT")
    }
    var rows: [Row] = []
    for value in values {
      guard let number = value[0].integer, let name = value[1].text else {
        throw StoreAccessError(
          code: .damaged,
          message: "Z_PRIMARYKEY of \(connection.path) has a row without a name"
        )
      }
      rows.append(
        Row(
          entityNumber: number,
          name: name,
          superentityNumber: value[2].integer ?? 0,
          maximum: value[3].integer ?? 0
        )
      )
    }
    self.init(rows: rows)
  }

  /// The row of an entity's number.
  package subscript(entityNumber: Int64) -> Row? {
    rows.first { $0.entityNumber == entityNumber }
  }

  /// The row of an entity's name.
  package subscript(name: String) -> Row? { rows.first { $0.name == name } }
}
