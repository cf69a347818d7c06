import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

extension PreconditionQueries {
  /// Counts the rows that violate a condition which each row decides on its own.
  func counted(
    _ parts: [Part],
    _ kind: Precondition.Kind,
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    var rows: Int64 = 0
    var total: Int64 = 0
    var keys: [Int64] = []
    for part in parts {
      let known = known(kind, part)
      if let known, known.against == 0 {
        total += known.all
        continue
      }
      let question = try question(kind, part)
      let count = try known ?? counts[question] ?? count([question], connection)[0]
      total += count.all
      rows += count.against
      guard count.against > 0 else { continue }
      keys += try StoreVerifier.keys(
        connection,
        "SELECT \(part.pieces.isEmpty ? "" : "DISTINCT ")s.Z_PK FROM \(question.source) "
          + "AND (\(question.condition)) ORDER BY s.Z_PK LIMIT \(Finding.Evidence.keyLimit)"
      )
    }
    return Precondition.Answer(rows: rows, of: total, keys: Self.least(keys))
  }

  /// The rows of a question, and the condition under which one of them violates it; both in SQL.
  struct RowQuestion: Hashable {
    var source: String
    var condition: String
  }

  /// The number of rows, and of those among them that violate the condition.
  struct RowCount {
    var all: Int64
    var against: Int64
  }

  /// Counts the answers to several questions about the same rows at once, for later use.
  ///
  /// A question that cannot be answered is left out: it reports that itself.
  /// - Complexity: One reading of the rows of each entity.
  mutating func countTogether(
    _ preconditions: [Precondition],
    _ connection: borrowing SQLiteConnection
  ) throws {
    var questions: [String: Set<RowQuestion>] = [:]
    for precondition in preconditions where precondition.kind.isAboutEachRow {
      for part in (try? parts(of: precondition)) ?? [] {
        guard known(precondition.kind, part) == nil,
          let question = try? question(precondition.kind, part)
        else { continue }
        questions[question.source, default: []].insert(question)
      }
    }
    for same in questions.values where same.count > 1 {
      var rest = Array(same)[...]
      while !rest.isEmpty {
        // SQLite gives at most two thousand columns.
        let some = Array(rest.prefix(500))
        rest = rest.dropFirst(500)
        do {
          for (question, count) in zip(some, try count(some, connection)) {
            counts[question] = count
          }
        } catch {
          // Each is counted by itself then, and those that can be answered are.
          guard Self.cannotCompute(connection.takeFunctionError()) else { throw error }
        }
      }
    }
  }

  /// Returns the counts of questions about the same rows.
  private func count(
    _ questions: [RowQuestion],
    _ connection: borrowing SQLiteConnection
  ) throws -> [RowCount] {
    let terms = questions.map { "COUNT(*) FILTER (WHERE \($0.condition))" }
    let list = (["COUNT(*)"] + terms).joined(separator: ", ")
    let counts = try connection.counts("SELECT \(list) FROM \(questions[0].source)")
    return counts.dropFirst().map { RowCount(all: counts[0], against: $0) }
  }

  /// Returns the rows of a question, and the condition under which one of them violates it.
  private func question(
    _ kind: Precondition.Kind,
    _ part: Part
  ) throws -> RowQuestion {
    if kind.isAboutLinks { return try linkQuestion(kind, part) }
    let value = part.values.first ?? "NULL"
    let condition: String
    switch kind {
    case .noRows: condition = "1"
    case .noneLeftOut:
      return RowQuestion(source: part.everyRow, condition: part.condition ?? "1")
    case .noValues: condition = "\(value) IS NOT NULL"
    case .present: condition = "\(value) IS NULL"
    case .kept:
      let results = part.values.dropFirst().map { " AND (\($0)) IS NULL" }
      condition = "\(value) IS NOT NULL" + results.joined()
    case .returned:
      let results = part.values.dropFirst().map { " AND (\($0)) IS NOT \(value)" }
      condition = "\(value) IS NOT NULL" + results.joined()
    case .within(let bound): condition = try Self.breach(of: bound, value)
    case .noEmptyParts(let separator):
      condition = "\(ExpressionFunctions.hasEmptyParts)(\(value), \(SQL.literal(separator)))"
    case .hasParts(let separator, let trimsBlanks):
      condition = "NOT " + ExpressionFunctions.hasParts(value, separator, trims: trimsBlanks)
    case .keepsDigits: condition = "\(ExpressionFunctions.losesDigits)(\(value))"
    case .holds(let type):
      let texts = part.values.dropFirst().map { " OR \(ExpressionFunctions.isRounded)(\($0))" }
      condition = ValueConversion.isNoResult("(\(value))", of: type) + texts.joined()
    case .fits(let from, let to):
      condition = ValueConversion.changes(value, from: from, to: to) ?? "0"
    case .readable(.decimal, byCode: true):
      condition = ValueConversion.isNone(of: .decimal, value)
    case .readable(let type, _): condition = ValueConversion.cannotRead(value, as: type)
    case .referencesExist(let entity):
      guard let target = schema.table(of: entity)?.name else {
        throw Doubt(reason: "the store has no table of \(entity)")
      }
      try check(target, ["Z_PK"])
      condition =
        "\(value) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "
        + "\(SQL.identifier(database, target)) d WHERE d.Z_PK = \(value))"
    case .found(let places, let isNeeded):
      let missing = "\(value) IS NOT NULL AND \(value) NOT IN (\(try keys(at: places)))"
      condition = isNeeded ? "\(value) IS NULL OR \(missing)" : missing
    case .unique, .alike, .noLinks, .noLinksTo, .atMostOneLink, .noSharedObjects, .linkCount,
      .sameLinks, .distinctLinks, .room, .filesPresent, .computable, .linksExist:
      throw Doubt(reason: "this is not asked of each row")
    }
    return RowQuestion(source: part.source, condition: condition)
  }

  /// Returns the condition that validation refuses a value.
  private static func breach(of bound: AttributeDescription.Bound, _ value: String) throws -> String
  {
    let value = "(\(value))"
    let length = "\(ExpressionFunctions.method)('length', 's', \(value))"
    switch bound {
    case .least(let least):
      return "\(value) < \(ValueConversion.literal(least, isExternal: false))"
    case .greatest(let greatest):
      return ValueConversion.isAbove(
        ValueConversion.literal(greatest, isExternal: false),
        value
      )
    case .shortest(let least): return "\(length) < \(least)"
    case .longest(let greatest): return "\(length) > \(greatest)"
    case .pattern(let pattern):
      let matches = Predicate.Relation.matches.rawValue
      return "\(value) IS NOT NULL AND NOT \(ExpressionFunctions.compare)(\(matches), 0, \(value), "
        + "\(SQL.literal(pattern)))"
    }
  }

  /// Returns the keys that objects have which a lookup finds, in SQL.
  private func keys(at places: [Precondition.LookupPlace]) throws -> String {
    guard !places.isEmpty else { return "SELECT NULL WHERE 0" }
    return try places.map { place in
      guard let table = schema.table(of: place.entity)?.name,
        let key = schema.column(of: place.key, in: place.entity)?.name
      else { throw Doubt(reason: "the store keeps no \(place.entity).\(place.key)") }
      let names =
        place.isWithSubentities
        ? schema.model.hierarchyNames(below: place.entity) : [place.entity]
      let numbers = names.compactMap { schema.entityNumber($0) }.sorted().map(String.init)
      let value = place.value.flatMap { schema.column(of: $0, in: place.entity)?.name }
      try check(table, [key] + (value.map { [$0] } ?? []))
      let column = SQL.identifier(key)
      let rows =
        "\(SQL.identifier(database, table)) WHERE Z_ENT IN (\(numbers.joined(separator: ", "))) "
        + "AND \(column) IS NOT NULL"
      guard let value else { return "SELECT \(column) FROM \(rows)" }
      // The lookup finds the row with the least number among several that have the key.
      return "SELECT k FROM (SELECT \(column) AS k, MIN(Z_PK), \(SQL.identifier(value)) AS v "
        + "FROM \(rows) GROUP BY \(column)) WHERE v IS NOT NULL"
    }
    .joined(separator: " UNION ALL ")
  }

  static func least(_ keys: [Int64]) -> [Int64] {
    Array(keys.sorted().prefix(Finding.Evidence.keyLimit))
  }

  // MARK: Expressions

  /// Returns whether a function of SQL failed for a value of a row, such as a text that is no UTF-8.
  private static func cannotCompute(_ cause: (any Error)?) -> Bool {
    cause is EvaluationError || cause is MigrationError
      || (cause as? SQLiteError)?.isDamage == true
  }

  /// Throws an error of a query unless a function of it failed for a value of a row.
  private static func requireUncomputable(
    _ error: any Error,
    _ connection: borrowing SQLiteConnection
  ) throws {
    let cause = connection.takeFunctionError()
    if cause is RowEvaluator.Unasked {
      throw Doubt(reason: "only the run knows what an expression gives")
    }
    guard cannotCompute(cause) else { throw error }
  }

  /// Counts the rows with whose values an expression cannot be computed; one by one only where there is
  /// such a row.
  func computable(
    _ parts: [Part],
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    var total: Int64 = 0
    var rows: Int64 = 0
    var keys: [Int64] = []
    for part in parts {
      let value = part.values.first ?? "NULL"
      total += try connection.integer("SELECT COUNT(*) FROM \(part.source)") ?? 0
      do {
        _ = try connection.integer("SELECT COUNT(\(value)) FROM \(part.source)")
        continue
      } catch {
        try Self.requireUncomputable(error, connection)
      }
      let all = try connection.prepare("SELECT s.Z_PK FROM \(part.everyRow) ORDER BY s.Z_PK")
      let one = try connection.prepare("SELECT \(value) FROM \(part.source) AND s.Z_PK = ?")
      while try all.step() {
        let key = all.int64(0)
        one.reset()
        try one.bind(key, at: 1)
        do { while try one.step() {} } catch {
          try Self.requireUncomputable(error, connection)
          rows += 1
          if keys.count < Finding.Evidence.keyLimit { keys.append(key) }
        }
      }
    }
    return Precondition.Answer(rows: rows, of: total, keys: Self.least(keys))
  }

  // MARK: Uniqueness

  /// Counts the rows, and groups of them, that have equal values.
  ///
  /// As in the unique indexes that Core Data makes, a row that lacks one of the values is like no
  /// other, and text is compared byte by byte.
  ///
  /// - Parameter count: The number of values that are compared, absent ones too, in rows that
  ///   differ in the others; nil for all, in all rows.
  func unique(
    _ parts: [Part],
    of count: Int? = nil,
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
      guard count == nil else {
        return "SELECT MIN(s.Z_PK) AS pk, \(values) FROM \(part.source) "
          + "GROUP BY \(names.joined(separator: ", "))"
      }
      let present = part.values.map { " AND \($0) IS NOT NULL" }.joined()
      return "SELECT s.Z_PK AS pk, \(values) FROM \(part.source)\(present)"
    }
    .joined(separator: " UNION ALL ")
    let compared = names.prefix(count ?? names.count)
    let list = compared.joined(separator: ", ")
    let groups = "SELECT \(list), COUNT(*) AS n FROM (\(rows)) GROUP BY \(list) HAVING n > 1"
    let counts = try connection.rows("SELECT COUNT(*), COALESCE(SUM(n), 0) FROM (\(groups))").first
    guard let counts, let groupCount = counts[0].integer, let rowCount = counts[1].integer,
      rowCount > 0
    else { return .proven(of: total) }
    let match = compared.map { "r.\($0) IS g.\($0)" }.joined(separator: " AND ")
    let keys = try StoreVerifier.keys(
      connection,
      "SELECT r.pk FROM (\(rows)) r JOIN (\(groups)) g ON \(match) ORDER BY r.pk "
        + "LIMIT \(Finding.Evidence.keyLimit)"
    )
    return .refuted(rows: rowCount, of: total, groups: groupCount, keys: keys)
  }

  // MARK: Files

  /// Counts the values that cannot move between the store and files beside it.
  ///
  /// - Parameter isLeaving: Whether they move into the store.
  func filesPresent(
    _ parts: [Part],
    isLeaving: Bool,
    _ connection: borrowing SQLiteConnection
  ) throws -> Precondition.Answer {
    var total: Int64 = 0
    var rows: Int64 = 0
    var keys: [Int64] = []
    for part in parts {
      let value = part.values.first ?? "NULL"
      total += try connection.integer("SELECT COUNT(*) FROM \(part.source)") ?? 0
      let tagged =
        isLeaving ? " OR length(\(value)) > 0 AND substr(\(value), 1, 1) <> x'01'" : ""
      let statement = try connection.prepare(
        "SELECT s.Z_PK, \(value), typeof(\(value)) = 'blob' FROM \(part.source) "
          + "AND \(value) IS NOT NULL AND (typeof(\(value)) <> 'blob'\(tagged)) ORDER BY s.Z_PK"
      )
      while try statement.step() {
        let bytes = statement.blob(1) ?? []
        if statement.int64(2) == 1, bytes.first == 2, ExternalData.fileName(bytes) != nil,
          try !ExternalData.isFileMissing(bytes, folder: externalData)
        {
          continue
        }
        rows += 1
        if keys.count < Finding.Evidence.keyLimit { keys.append(statement.int64(0)) }
      }
    }
    return Precondition.Answer(rows: rows, of: total, keys: Self.least(keys))
  }
}
