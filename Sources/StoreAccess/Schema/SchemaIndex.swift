/// An index that Core Data makes.
package struct SchemaIndex: Hashable, Sendable {
  /// A column of an index.
  package struct Term: Hashable, Sendable {
    /// The column.
    package let columnName: String
    /// The direction where the text names one (fetch indexes do); nil where it is silent.
    package let isAscending: Bool?

    package init(columnName: String, isAscending: Bool? = nil) {
      self.columnName = columnName
      self.isAscending = isAscending
    }

    var sql: String {
      let name = SchemaName.sql(columnName)
      return isAscending.map { "\(name) COLLATE BINARY \($0 ? "ASC" : "DESC")" } ?? name
    }
  }

  /// The name, unique in the file.
  package let name: String
  /// The table.
  package let tableName: String
  /// The columns in order.
  package let terms: [Term]
  /// Whether no two rows may agree in all columns.
  package let isUnique: Bool
  /// The condition of a partial index, in SQL.
  package let condition: String?
  /// The name under which systems before iOS 11 made the index, where they named it otherwise.
  package let legacyName: String?

  package init(
    name: String,
    tableName: String,
    terms: [Term],
    isUnique: Bool = false,
    condition: String? = nil,
    legacyName: String? = nil
  ) {
    self.name = name
    self.tableName = tableName
    self.terms = terms
    self.isUnique = isUnique
    self.condition = condition
    self.legacyName = legacyName
  }

  /// The statement that makes the index.
  package var statement: SchemaStatement {
    let list = terms.map(\.sql).joined(separator: ", ")
    let condition = condition.map { " WHERE \($0)" } ?? ""
    return SchemaStatement(
      verb: isUnique ? "CREATE UNIQUE INDEX" : "CREATE INDEX",
      rest: "\(SchemaName.sql(name)) ON \(SchemaName.sql(tableName)) (\(list))\(condition)"
    )
  }

  /// The statement that makes the index, as Core Data writes it.
  package var sql: String { statement.sql }

  /// The index as systems before iOS 11 made it.
  package var legacy: SchemaIndex? {
    legacyName.map { name in
      SchemaIndex(
        name: name,
        tableName: tableName,
        terms: terms.map { .init(columnName: $0.columnName) }
      )
    }
  }
}
