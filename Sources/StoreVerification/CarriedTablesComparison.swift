package import StoreAccess

/// A comparison by content of the tables beyond the model, which are carried unchanged.
package struct CarriedTablesComparison {
  /// The name of the source's database on the connection.
  let source: String
  /// The name of the result's database.
  let result: String
  /// The schema of the source.
  let schema: PhysicalSchema
  /// The number in the source of each entity that lives on, and its number in the result.
  let entityNumbers: [(old: Int, new: Int)]

  /// Makes the comparison of two databases of a connection.
  package init(
    source: String,
    result: String,
    schema: PhysicalSchema,
    entityNumbers: [(old: Int, new: Int)]
  ) {
    self.source = source
    self.result = result
    self.schema = schema
    self.entityNumbers = entityNumbers
  }

  /// The check that the comparison fills.
  package static func check() -> VerificationReport.Check {
    VerificationReport.Check(
      "carried-tables",
      "the history and the tables that are not of the model hold what they held"
    )
  }

  /// Compares all tables.
  ///
  /// - Throws: ``SQLiteError`` where a query fails.
  /// - Complexity: One reading of each table, with one lookup for each row.
  package func compare(
    _ connection: borrowing SQLiteConnection,
    _ check: inout VerificationReport.Check
  ) throws {
    let present = Set(
      try SchemaObject.all(in: connection, schema: result).filter { $0.kind == .table }
        .map(\.name)
    )
    let objects = try SchemaObject.all(in: connection, schema: source)
    for name in carried(objects) {
      guard present.contains(name) else {
        check.fail(.init("the table \(name) is missing"))
        continue
      }
      try compare(name, connection, &check)
    }
    if objects.contains(where: { $0.name == "sqlite_sequence" }) {
      try compareSequences(connection, &check)
    }
  }

  /// Returns the tables of a source that are neither of its model, nor Core Data's own three, nor SQLite's,
  /// nor left by a cleanup that was deferred.
  ///
  /// The run that carries them has a list of its own, so that a table that this omits is noticed.
  private func carried(_ objects: [SchemaObject]) -> [String] {
    let modelled = Set(schema.tables.map(\.name) + schema.joinTables.map(\.name))
    return objects.filter { object in
      object.kind == .table && !object.isOfEntities && !modelled.contains(object.name)
        && SystemTable(rawValue: object.name) == nil
        && !object.name.lowercased().hasPrefix("sqlite_")
    }.map(\.name)
  }

  private func compare(
    _ name: String,
    _ connection: borrowing SQLiteConnection,
    _ check: inout VerificationReport.Check
  ) throws(SQLiteError) {
    let table = try UnmodeledTable(name, in: source, on: connection)
    let isHistory = name == "ACHANGE"
    // Changes of entities that go, go with them.
    let filter = isHistory ? " WHERE s.ZENTITY IN (\(list(entityNumbers.map(\.old))))" : ""
    let here = SQL.scan(source, name, as: "s")
    let there = SQL.scan(result, name, as: "d")
    let old = try connection.count("SELECT COUNT(*) FROM \(here)\(filter)")
    let new = try connection.count("SELECT COUNT(*) FROM \(there)")
    check.count += old
    if old != new {
      check.fail(.init("the table \(name) has \(new) rows instead of \(old)"))
    }
    let different: Int64
    if case .nothing = table.key {
      let columns = table.columns.map { "+\(SQL.identifier($0)) COLLATE BINARY" }
      func groups(_ place: String) -> String {
        let types = table.columns.map { "typeof(\(SQL.identifier($0)))" }
        let all = (columns + types).joined(separator: ", ")
        return "SELECT \(all), COUNT(*) FROM \(place) GROUP BY \(all)"
      }
      different =
        try connection.count(
          "SELECT COUNT(*) FROM (\(groups(here)) EXCEPT \(groups(there)))"
        )
    } else {
      let differs = difference(table, isHistory: isHistory)
      let rows = "\(here) CROSS JOIN \(there) ON \(match(table))\(filter)"
      // A sum may be of two thousand columns; the limit keeps SQLite from making one query of both.
      let row = try connection.counts(
        table.columns.count > Self.greatestSum
          ? "SELECT COUNT(*), COALESCE(SUM(x), 0) FROM (SELECT \(differs) AS x FROM \(rows) LIMIT -1)"
          : "SELECT COUNT(*), COALESCE(SUM(\(differs)), 0) FROM \(rows)"
      )
      different = old - row[0] + row[1]
    }
    if different > 0 {
      check.fail(.init("\(different) rows of the table \(name) differ", count: different))
    }
  }

  /// The greatest number of columns of both tables that one sum is of, by half.
  private static let greatestSum = 900

  /// Returns the condition that two rows are the same one.
  private func match(_ table: UnmodeledTable) -> String {
    switch table.key {
    case .number(let name):
      let name = table.columns.contains(name) ? SQL.identifier(name) : name
      return "d.\(name) = s.\(name)"
    case .columns(let names):
      return names.map { SQL.identifier($0) }.map { "d.\($0) = s.\($0)" }
        .joined(separator: " AND ")
    case .nothing: return "1"
    }
  }

  /// Returns the condition that a row holds something else than it held.
  private func difference(_ table: UnmodeledTable, isHistory: Bool) -> String {
    let parts = table.columns.compactMap { name -> String? in
      let column = SQL.identifier(name)
      // The record of the columns that a change touched is cleared where their numbers have another
      // meaning.
      if isHistory, name == "ZCOLUMNS" { return nil }
      if isHistory, name == "ZENTITY" {
        let cases = entityNumbers.map { "WHEN \($0.old) THEN \($0.new)" }
        let value = cases.isEmpty ? "NULL" : "CASE s.\(column) \(cases.joined(separator: " ")) END"
        return "d.\(column) IS NOT \(value)"
      }
      return "d.\(column) IS NOT s.\(column) COLLATE BINARY "
        + "OR typeof(d.\(column)) <> typeof(s.\(column))"
    }
    guard !parts.isEmpty else { return "0" }
    // SQLite limits the depth of terms, and a table may have two thousand columns.
    let groups = stride(from: 0, to: parts.count, by: 100).map { start in
      "(\(parts[start..<min(start + 100, parts.count)].joined(separator: " OR ")))"
    }
    return "(\(groups.joined(separator: " OR ")))"
  }

  /// Compares the counters by which AUTOINCREMENT never gives a number twice.
  private func compareSequences(
    _ connection: borrowing SQLiteConnection,
    _ check: inout VerificationReport.Check
  ) throws(SQLiteError) {
    let there = "SELECT name, seq FROM \(SQL.identifier(result, "sqlite_sequence"))"
    let here = "SELECT name, seq FROM \(SQL.identifier(source, "sqlite_sequence"))"
    let isThere = try connection.integer(
      "SELECT 1 FROM \(SQL.identifier(result, "sqlite_schema")) WHERE name = 'sqlite_sequence'"
    )
    check.count += 1
    let lost =
      isThere == nil ? 1 : try connection.integer("SELECT COUNT(*) FROM (\(here) EXCEPT \(there))")
    if lost ?? 0 > 0 { check.fail(.init("a counter of AUTOINCREMENT is another")) }
  }

  private func list(_ numbers: [Int]) -> String {
    numbers.map(String.init).joined(separator: ", ")
  }
}
