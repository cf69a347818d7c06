private import CSQLite

extension SQLiteConnection {
  /// Returns the table, columns and order of an index of `main`; nil for one of some rows only, on an
  /// expression, or that compares text otherwise than byte by byte.
  package func structure(ofIndex name: String) throws(SQLiteError) -> IndexStructure? {
    let table = try text(
      "SELECT tbl_name FROM main.sqlite_schema WHERE type = 'index' AND name = ?",
      [.text(name)]
    )
    guard let table else { return nil }
    let kind = try rows(
      "SELECT \"unique\", partial FROM pragma_index_list(?, 'main') WHERE name = ?",
      [.text(table), .text(name)]
    )
    guard let kind = kind.first, kind[1].integer == 0 else { return nil }
    let terms = try rows(
      "SELECT name, \"desc\", coll FROM pragma_index_xinfo(?, 'main') WHERE key ORDER BY seqno",
      [.text(name)]
    )
    var columns: [IndexStructure.Term] = []
    for term in terms {
      // An expression has no column's name.
      guard let column = term[0].text, term[2].text?.uppercased() == "BINARY" else { return nil }
      columns.append(.init(columnName: column, isDescending: term[1].integer == 1))
    }
    return IndexStructure(tableName: table, terms: columns, isUnique: kind[0].integer == 1)
  }

  /// Renames indexes of `main`, and replaces their statements in the schema: none is built again.
  ///
  /// SQLite has no statement for that. Each index is compared with the required one, before and after.
  ///
  /// - Parameter indexes: The name of each index, and the index that it becomes.
  /// - Throws: ``SQLiteError``; `other` where an index differs in structure from the one that it becomes. The
  ///   transaction must not be committed then.
  package func rename(_ indexes: [(name: String, new: SchemaIndex)]) throws(SQLiteError) {
    var places: [Int64] = []
    for index in indexes {
      let place = try integer(
        "SELECT rowid FROM main.sqlite_schema WHERE type = 'index' AND name = ?",
        [.text(index.name)]
      )
      guard let place, try structure(ofIndex: index.name) == index.new.structure else {
        throw Self.another(index.name, index.new)
      }
      places.append(place)
    }
    try editingSchema { () throws(SQLiteError) in
      for (index, place) in zip(indexes, places) {
        try execute(
          "UPDATE main.sqlite_schema SET name = ?, sql = ? WHERE rowid = ?",
          [.text(index.new.name), .text(index.new.sql), .integer(place)]
        )
      }
      try forgetStatistics(of: indexes.map(\.name))
      for index in indexes {
        let count = try integer(
          "SELECT COUNT(*) FROM main.sqlite_schema WHERE name = ? COLLATE NOCASE",
          [.text(index.new.name)]
        )
        guard count == 1 else { throw Self.another(index.name, index.new) }
      }
    }
    for index in indexes where try structure(ofIndex: index.new.name) != index.new.structure {
      throw Self.another(index.name, index.new)
    }
  }

  /// Removes what ANALYZE noted of indexes, as dropping them does.
  private func forgetStatistics(of names: [String]) throws(SQLiteError) {
    for table in ["sqlite_stat1", "sqlite_stat4"] {
      let isThere = try integer("SELECT 1 FROM main.sqlite_schema WHERE name = ?", [.text(table)])
      guard isThere != nil else { continue }
      for name in names { try execute("DELETE FROM main.\(table) WHERE idx = ?", [.text(name)]) }
    }
  }

  private static func another(_ name: String, _ new: SchemaIndex) -> SQLiteError {
    SQLiteError(
      code: .other,
      message:
        "The index \(name) cannot be named \(new.name): its columns differ, or the name is taken"
    )
  }
}

/// The structure that determines the entries of an index.
package struct IndexStructure: Hashable, Sendable {
  /// A column of an index.
  package struct Term: Hashable, Sendable {
    /// The column.
    package var columnName: String
    /// Whether greater values come first.
    package let isDescending: Bool
  }

  /// The table.
  package var tableName: String
  /// The columns in order.
  package var terms: [Term]
  /// Whether no two rows may agree in all columns.
  package let isUnique: Bool

  /// Returns the structure once the table and some of its columns have other names.
  ///
  /// - Parameter columns: The new names by the old ones.
  package func renamed(to tableName: String, _ columns: [String: String]) -> IndexStructure {
    var renamed = self
    renamed.tableName = tableName
    for place in terms.indices {
      renamed.terms[place].columnName = columns[terms[place].columnName] ?? terms[place].columnName
    }
    return renamed
  }
}

extension SchemaIndex {
  /// The structure of the index; nil for one of some rows only.
  package var structure: IndexStructure? {
    guard condition == nil else { return nil }
    return IndexStructure(
      tableName: tableName,
      terms: terms.map {
        .init(columnName: $0.columnName, isDescending: $0.isAscending == false)
      },
      isUnique: isUnique
    )
  }
}
