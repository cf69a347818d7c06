import ObjectModel
import StoreAccess

extension ResultComparison {
  /// A source entity's rows and the final entity that they are of.
  struct Row: Hashable {
    var source: String
    var final: String
    var sourceNumber: Int
    var finalNumber: Int
  }

  /// A column of the result, and the condition that a pair of rows `s` and `d` differs in it.
  struct ColumnComparison {
    var check: WritableKeyPath<CarriedChecks, VerificationReport.Check>
    var entity: String
    var property: String
    var difference: String
    /// Whether the proofs of both stores show that it differs in no row.
    var isProven: Bool
  }

  /// Returns the rows that a table of the result has from the source, and the one table they were in.
  func rows(of table: EntityTable) -> (rows: [Row], source: EntityTable?) {
    let names = result.schema.model.hierarchyNames(below: table.rootEntityName)
    let rows = names.compactMap { final -> Row? in
      guard let old = lineage.sourceEntity(of: final),
        source.schema.model[old]?.isAbstract == false,
        let number = source.schema.entityNumber(old),
        let finalNumber = result.schema.entityNumber(final)
      else { return nil }
      return Row(source: old, final: final, sourceNumber: number, finalNumber: finalNumber)
    }
    return (rows, rows.first.flatMap { source.schema.table(of: $0.source) })
  }

  /// Compares a table with the one its rows come from.
  ///
  /// - Returns: The relationships whose links are to be compared as sets.
  func compare(
    _ table: EntityTable,
    on connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) -> [LinkComparison] {
    let (rows, origin) = rows(of: table)
    guard let origin else {
      let count = try connection.count("SELECT COUNT(*) FROM \(result.scan(table.name))")
      if count > 0 {
        checks.rows.fail(
          .init(entity: table.rootEntityName, "\(count) rows come from nowhere", count: count)
        )
      }
      return []
    }
    let (all, links) = columns(of: table, rows: rows, origin: origin)
    let filter = filter(rows, of: origin)
    let common = filter == nil ? proven?.commonRows(of: origin, and: table) : nil
    // Without the same rows, equal sums would be a matter of chance.
    let columns = common == nil ? all : all.filter { !$0.isProven }
    if let common, columns.isEmpty, let counts = proven?.countByEntity(of: table) {
      checks.rows.count += common
      for column in all { checks[keyPath: column.check].count += common }
      note(counts, of: rows, matched: common, &checks)
      return links
    }
    let whole = source.scan(origin.name, as: "s")
    let there = result.scan(table.name, as: "d")
    let joined = "\(whole) LEFT JOIN \(there) ON d.Z_PK = s.Z_PK"
    // One condition over all columns, so that rows that are equal cost no more than reading them.
    var sums: [String] = []
    for start in stride(from: 0, to: columns.count, by: 100) {
      let part = columns[start..<min(start + 100, columns.count)]
      let any = SQL.joined(part.map { "(\($0.difference))" }, "OR")
      sums.append("COUNT(CASE WHEN d.Z_PK IS NULL THEN NULL WHEN \(any) THEN 1 END)")
    }
    let list = ["COUNT(*)", "COUNT(d.Z_PK)"] + sums
    let counts = try connection.counts(
      "SELECT \(list.joined(separator: ", ")) FROM \(joined)\(filter.map { " WHERE \($0)" } ?? "")"
    )
    let matched = counts[1]
    try count(rows, of: table, origin, expected: counts[0], matched: matched, connection, &checks)
    for column in all { checks[keyPath: column.check].count += matched }
    let differing = counts.dropFirst(2).max() ?? 0
    guard differing > 0 else { return links }
    let both = "\(whole) CROSS JOIN \(there) ON d.Z_PK = s.Z_PK"
    var isFound = false
    for column in columns {
      let condition = ([filter, "(\(column.difference))"].compactMap { $0 })
        .joined(separator: " AND ")
      let query = "FROM \(both) WHERE \(condition)"
      let count = try connection.count("SELECT COUNT(*) \(query)")
      guard count > 0 else { continue }
      isFound = true
      checks[keyPath: column.check].fail(
        .init(
          entity: column.entity,
          property: column.property,
          "\(count) rows differ from the source",
          count: count,
          primaryKeys: try StoreVerifier.keys(connection, "SELECT s.Z_PK \(query) LIMIT 5")
        )
      )
    }
    if !isFound {
      checks.attributes.fail(
        .init(
          entity: table.rootEntityName,
          "\(differing) rows differ from the source, in a place that no query finds",
          count: differing
        )
      )
    }
    return links
  }

  /// Returns the condition on source rows that they have a place in the table; nil where all have.
  private func filter(_ rows: [Row], of origin: EntityTable) -> String? {
    let all = source.schema.model.hierarchyNames(below: origin.rootEntityName)
    let isWhole = all.allSatisfy { name in
      source.schema.model[name]?.isAbstract != false || rows.contains { $0.source == name }
    }
    if isWhole { return nil }
    let numbers = rows.map { String($0.sourceNumber) }
    return "s.Z_ENT IN (\(numbers.joined(separator: ", ")))"
  }

  /// Reports rows that are missing or too many, and counts the rows of each entity.
  private func count(
    _ rows: [Row],
    of table: EntityTable,
    _ origin: EntityTable,
    expected: Int64,
    matched: Int64,
    _ connection: borrowing SQLiteConnection,
    _ checks: inout CarriedChecks
  ) throws(SQLiteError) {
    let here = source.scan(origin.name, as: "s")
    let there = result.scan(table.name, as: "d")
    let filter = filter(rows, of: origin)
    checks.rows.count += expected
    let root = table.rootEntityName
    if matched < expected {
      let condition = [filter, "NOT EXISTS (SELECT 1 FROM \(there) WHERE d.Z_PK = s.Z_PK)"]
        .compactMap { $0 }.joined(separator: " AND ")
      checks.rows.fail(
        .init(
          entity: root,
          "\(expected - matched) rows of the source are missing",
          count: expected - matched,
          primaryKeys: try StoreVerifier.keys(
            connection,
            "SELECT s.Z_PK FROM \(here) WHERE \(condition) LIMIT 5"
          )
        )
      )
    }
    let total = try connection.count("SELECT COUNT(*) FROM \(there)")
    if total > matched {
      let condition = ["s.Z_PK = d.Z_PK", filter].compactMap { $0 }.joined(separator: " AND ")
      checks.rows.fail(
        .init(
          entity: root,
          "\(total - matched) rows come from nowhere",
          count: total - matched,
          primaryKeys: try StoreVerifier.keys(
            connection,
            "SELECT d.Z_PK FROM \(there) "
              + "WHERE NOT EXISTS (SELECT 1 FROM \(here) WHERE \(condition)) LIMIT 5"
          )
        )
      )
    }
    let counts =
      rows.count > 1
      ? try StoreVerifier.countsByEntity(
        connection,
        table: result.scan(table.name),
        numbers: rows.map(\.finalNumber)
      ).byNumber : [:]
    note(counts, of: rows, matched: matched, &checks)
  }

  /// Notes the number of rows of each entity.
  private func note(
    _ counts: [Int64: Int64],
    of rows: [Row],
    matched: Int64,
    _ checks: inout CarriedChecks
  ) {
    for row in rows {
      let count = rows.count > 1 ? counts[Int64(row.finalNumber)] ?? 0 : matched
      // The only entity of a table is reported even if it has no rows.
      guard count > 0 || rows.count == 1 else { continue }
      checks.rows.details.append(.init(entity: row.final, "\(count) rows", count: count))
    }
  }
}
