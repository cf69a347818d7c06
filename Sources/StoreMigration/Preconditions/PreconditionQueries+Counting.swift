import MigrationPlanning
import ObjectModel
import StoreAccess

extension PreconditionQueries {
  /// Counts the rows that stand against a question which each row answers on its own.
  func counted(
    _ parts: [Part],
    _ kind: Precondition.Kind,
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    var rows: Int64 = 0
    var total: Int64 = 0
    var keys: [Int64] = []
    for part in parts {
      let (source, condition) = try question(kind, part)
      if let known = proven(condition, part) {
        total += known
        continue
      }
      let query = "SELECT COUNT(*), COALESCE(SUM((\(condition)) IS 1), 0) FROM \(source)"
      let counts = try connection.rows(query).first ?? []
      guard counts.count == 2, let all = counts[0].integer, let against = counts[1].integer else {
        continue
      }
      total += all
      rows += against
      guard against > 0 else { continue }
      keys += try StoreVerifier.keys(
        connection,
        "SELECT s.Z_PK FROM \(source) AND (\(condition)) ORDER BY s.Z_PK "
          + "LIMIT \(Finding.Evidence.keyLimit)"
      )
    }
    return Precondition.Answer(rows: rows, of: total, keys: Self.least(keys))
  }

  /// How many rows are asked, where it is known that each has a number or nothing.
  private func proven(_ condition: String, _ part: Part) -> Int64? {
    guard let value = part.values.first, condition == ValueConversion.isNoNumber(value),
      part.condition == nil, let table = schema.table(of: part.entity)?.name,
      let rows = proof?.rows[table],
      rows.plainNumbers.contains(where: { value == "s.\(SQL.identifier($0))" })
    else { return nil }
    return part.numbers.reduce(0) { $0 + (rows.countByEntity[Int64($1)] ?? 0) }
  }

  /// The rows that are asked, and the condition that one of them stands against it.
  private func question(
    _ kind: Precondition.Kind,
    _ part: Part
  ) throws -> (source: String, condition: String) {
    if kind.isAboutLinks { return try linkQuestion(kind, part) }
    let value = part.values.first ?? "NULL"
    let condition: String
    switch kind {
    case .noRows: condition = "1"
    case .noValues: condition = "\(value) IS NOT NULL"
    case .present: condition = "\(value) IS NULL"
    case .fits(let from, let to):
      condition = ValueConversion.changes(value, from: from, to: to) ?? "0"
    case .readable(let type): condition = ValueConversion.cannotRead(value, as: type)
    case .referencesExist(let entity):
      guard let target = schema.table(of: entity)?.name else {
        throw Doubt(reason: "the store has no table of \(entity)")
      }
      try check(target, ["Z_PK"])
      condition =
        "\(value) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
        + "\(SQL.identifier(database, target)) d WHERE d.Z_PK = \(value))"
    case .unique, .noLinks, .atMostOneLink, .noSharedObjects, .linkCount, .sameLinks, .filesPresent:
      throw Doubt(reason: "this is not asked of each row")
    }
    return (part.source, condition)
  }

  static func least(_ keys: [Int64]) -> [Int64] {
    Array(keys.sorted().prefix(Finding.Evidence.keyLimit))
  }

  // MARK: Uniqueness

  /// Counts the rows, and groups of them, that have equal values.
  ///
  /// As in the unique indexes that Core Data makes, a row that lacks one of the values is like no
  /// other, and text is compared byte by byte.
  func unique(
    _ parts: [Part],
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    guard let first = parts.first else { return .proven(of: 0) }
    var total: Int64 = 0
    for part in parts {
      total += try connection.integer("SELECT COUNT(*) FROM \(part.source)") ?? 0
    }
    let names = first.values.indices.map { "v\($0)" }
    let rows = parts.map { part in
      let values = zip(part.values, names).map { "\($0) AS \($1)" }.joined(separator: ", ")
      let present = part.values.map { " AND \($0) IS NOT NULL" }.joined()
      return "SELECT s.Z_PK AS pk, \(values) FROM \(part.source)\(present)"
    }
    .joined(separator: " UNION ALL ")
    let list = names.joined(separator: ", ")
    let groups = "SELECT \(list), COUNT(*) AS n FROM (\(rows)) GROUP BY \(list) HAVING n > 1"
    let counts = try connection.rows("SELECT COUNT(*), COALESCE(SUM(n), 0) FROM (\(groups))").first
    guard let counts, let groupCount = counts[0].integer, let rowCount = counts[1].integer,
      rowCount > 0
    else { return .proven(of: total) }
    let match = names.map { "r.\($0) = g.\($0)" }.joined(separator: " AND ")
    let keys = try StoreVerifier.keys(
      connection,
      "SELECT r.pk FROM (\(rows)) r JOIN (\(groups)) g ON \(match) ORDER BY r.pk "
        + "LIMIT \(Finding.Evidence.keyLimit)"
    )
    return .refuted(rows: rowCount, of: total, groups: groupCount, keys: keys)
  }

  // MARK: Files

  /// Counts the values whose file beside the store is missing.
  func filesPresent(
    _ parts: [Part],
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    var total: Int64 = 0
    var rows: Int64 = 0
    var keys: [Int64] = []
    for part in parts {
      let value = part.values.first ?? "NULL"
      total += try connection.integer("SELECT COUNT(*) FROM \(part.source)") ?? 0
      let statement = try connection.prepare(
        "SELECT s.Z_PK, \(value) FROM \(part.source) AND length(\(value)) = "
          + "\(ExternalData.nameLength) AND substr(\(value), 1, 1) = x'02' ORDER BY s.Z_PK"
      )
      while try statement.step() {
        let bytes = statement.blob(1) ?? []
        guard try ExternalData.isFileMissing(bytes, folder: externalData) else { continue }
        rows += 1
        if keys.count < Finding.Evidence.keyLimit { keys.append(statement.int64(0)) }
      }
    }
    return Precondition.Answer(rows: rows, of: total, keys: Self.least(keys))
  }
}
