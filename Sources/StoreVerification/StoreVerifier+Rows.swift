import ObjectModel
package import StoreAccess

extension StoreVerifier {
  /// Returns whether the file has a table with all of some columns.
  func has(_ table: String, _ names: String?...) -> Bool {
    guard let present = columns[table] else { return false }
    return names.allSatisfy { $0.map(present.contains) ?? true }
  }

  /// Returns a table as a term of FROM that reads the table itself, and no index.
  func scan(_ table: String, as alias: String? = nil) -> String {
    SQL.scan(database, table, as: alias)
  }

  /// Checks that no key is greater than the greatest one issued; Core Data would issue it again.
  func greatestKeyCheck(
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "greatest-keys",
      "Z_MAX is at least the greatest primary key of each table"
    )
    let rows = Dictionary(real.entityRows.map { ($0.entityNumber, $0) }) { first, _ in first }
    for table in schema.tables where has(table.name, "Z_PK") {
      guard let number = schema.entityNumber(table.rootEntityName), let row = rows[Int64(number)]
      else { continue }
      let greatest = try connection.integer("SELECT MAX(Z_PK) FROM \(scan(table.name))") ?? 0
      check.count += 1
      if greatest > max(row.maximum, 0) {
        check.fail(.init(entity: table.rootEntityName, "a row has a greater key than Z_MAX"))
      }
    }
    return check
  }

  /// Counts the rows of each entity, and checks that each row is of an entity of its table.
  func rowChecks(
    _ connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> [VerificationReport.Check] {
    var counts = VerificationReport.Check("rows", "how many rows each entity has")
    var entities = VerificationReport.Check(
      "row-entities",
      "each row is of a concrete entity of its table"
    )
    for table in schema.tables where has(table.name, "Z_PK", "Z_ENT") {
      let names = schema.model.hierarchyNames(below: table.rootEntityName)
      let concrete = names.filter { schema.model[$0]?.isAbstract == false }
      let numbers = concrete.compactMap { schema.entityNumber($0) }
      let found = try Self.countsByEntity(connection, table: scan(table.name), numbers: numbers)
      for (name, number) in zip(concrete, numbers) {
        guard let count = found.byNumber[Int64(number)], count > 0 else { continue }
        counts.details.append(.init(entity: name, "\(count) rows", count: count))
      }
      counts.count += found.total
      entities.count += found.total
      let strange = found.total - numbers.reduce(0) { $0 + (found.byNumber[Int64($1)] ?? 0) }
      guard strange > 0 else { continue }
      let list = numbers.map(String.init).joined(separator: ", ")
      entities.fail(
        .init(
          entity: table.rootEntityName,
          "\(strange) rows have the number of no concrete entity of the table",
          count: strange,
          primaryKeys: try Self.keys(
            connection,
            "SELECT Z_PK FROM \(scan(table.name)) "
              + "WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(list)) LIMIT 5"
          )
        )
      )
    }
    return [counts, entities]
  }

  /// Returns the rows of a table by entity number; every other number is only in the total.
  ///
  /// - Parameter table: The table as a term of FROM. It is passed through once, and sorted where it
  ///   has rows of many entities.
  static func countsByEntity(
    _ connection: borrowing SQLiteConnection,
    table: String,
    numbers: [Int]
  ) throws(SQLiteError) -> (total: Int64, byNumber: [Int64: Int64]) {
    var byNumber: [Int64: Int64] = [:]
    guard numbers.count > 16 else {
      let sums = numbers.map { ", COUNT(CASE WHEN Z_ENT = \($0) THEN 1 END)" }.joined()
      let counts = try connection.counts("SELECT COUNT(*)\(sums) FROM \(table)")
      for (number, count) in zip(numbers, counts.dropFirst()) { byNumber[Int64(number)] = count }
      return (counts[0], byNumber)
    }
    var total: Int64 = 0
    for row in try connection.rows("SELECT Z_ENT, COUNT(*) FROM \(table) GROUP BY Z_ENT") {
      let count = row[1].integer ?? 0
      total += count
      if let number = row[0].integer { byNumber[number] = count }
    }
    return (total, byNumber)
  }

  /// Returns the first column of each row of a query, which asks for five at most.
  package static func keys(
    _ connection: borrowing SQLiteConnection,
    _ query: String
  ) throws(SQLiteError) -> [Int64] {
    try connection.rows(query).compactMap { $0.first?.integer }
  }
}
