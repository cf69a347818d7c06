internal import StoreAccess

extension BatchLedger {
  /// Returns the state of the batch in numbers, all read at one moment.
  package func totals() throws -> LedgerTotals {
    try snapshot {
      var totals = LedgerTotals()
      try checkNumbers()
      try addStores(to: &totals)
      totals.causes = try causes()
      let counts = try connection.counts(
        "SELECT (SELECT COUNT(*) FROM oddity), IFNULL(SUM(files), 0), "
          + "IFNULL(SUM(others), 0) + (SELECT COUNT(*) FROM other), COUNT(*) - COUNT(searched) FROM root"
      )
      totals.oddities = Int(counts[0])
      totals.files = Int(counts[1])
      totals.others = Int(counts[2])
      totals.unsearchedRoots = Int(counts[3])
      totals.rate = try rate()
      totals.durations = try durations()
      totals.memory = try connection.integer("SELECT MAX(memory) FROM store")
      return totals
    }
  }

  /// Refuses numbers that no files have, whose sums SQLite does not compute.
  private func checkNumbers() throws {
    for (table, columns) in [("store", ["bytes", "result_bytes"]), ("root", ["files", "others"])] {
      let conditions = columns.map { "IFNULL(MIN(\($0)), 0) >= 0 AND TOTAL(\($0)) < 4e18" }
      let sql = "SELECT \(conditions.joined(separator: " AND ")) FROM \(table)"
      guard try connection.integer(sql) == 1 else { throw damaged("a number in it is too great") }
    }
  }

  private func addStores(to totals: inout LedgerTotals) throws {
    let statement = try connection.prepare(
      "SELECT version, state, COUNT(*), SUM(bytes), IFNULL(SUM(result_bytes), 0), "
        + "IFNULL(SUM(seconds), 0.0) FROM store GROUP BY version, state"
    )
    while try statement.step() {
      guard let state = try statement.text(1).flatMap(StoreState.init) else {
        throw damaged("a store has a state that there is not")
      }
      var sum = LedgerTotals.Sum()
      sum.stores = Int(statement.int64(2))
      sum.bytes = statement.int64(3)
      sum.resultBytes = statement.int64(4)
      sum.seconds = statement.double(5)
      totals.states[state] = (totals.states[state] ?? LedgerTotals.Sum()) + sum
      totals.versions[try statement.text(0), default: [:]][state] = sum
    }
  }

  private func causes() throws -> [LedgerTotals.Cause] {
    let statement = try connection.prepare(
      """
      SELECT g.state, g.code, g.version, g.stores, s.name, s.message, s.recovery
      FROM (SELECT state, code, version, COUNT(*) AS stores, MIN(id) AS first FROM store
        WHERE state IN ('refused', 'damaged', 'failed', 'timed-out', 'skipped')
          OR state = 'migrated' AND code IS NOT NULL
        GROUP BY state, code, version) AS g
      JOIN store AS s ON s.id = g.first
      ORDER BY g.stores DESC, g.state, g.code, g.version
      """
    )
    var causes: [LedgerTotals.Cause] = []
    while try statement.step() {
      guard let state = try statement.text(0).flatMap(StoreState.init),
        let example = try statement.text(4)
      else { throw damaged("a store has no name, or a state that there is not") }
      causes.append(
        LedgerTotals.Cause(
          state: state,
          code: try statement.text(1),
          version: try statement.text(2),
          stores: Int(statement.int64(3)),
          example: example,
          message: try statement.text(5),
          recovery: try statement.text(6)
        )
      )
    }
    return causes
  }

  private func durations() throws -> [Int] {
    let bounds = LedgerTotals.durationBounds
    let cases = bounds.indices.map { "WHEN seconds < \(bounds[$0]) THEN \($0)" }
    let statement = try connection.prepare(
      "SELECT CASE \(cases.joined(separator: " ")) ELSE \(bounds.count) END AS slot, COUNT(*) "
        + "FROM store WHERE seconds IS NOT NULL AND state NOT IN ('waiting', 'running') "
        + "GROUP BY slot"
    )
    var durations = Array(repeating: 0, count: bounds.count + 1)
    while try statement.step() { durations[Int(statement.int64(0))] = Int(statement.int64(1)) }
    return durations
  }

  /// Returns the number of attempts that ended per second, in the five minutes before the end of the last
  /// one.
  ///
  /// Only the time counts in which attempts ran, with pauses of up to two seconds between them: the time
  /// between two runs of a batch is no part of its speed.
  private func rate() throws -> Double? {
    let statement = try connection.prepare(
      """
      WITH ended (begun, at) AS (SELECT started, started + IFNULL(seconds, 0) FROM attempt),
        last (at) AS (SELECT MAX(at) FROM ended),
        recent (begun, at) AS (SELECT MAX(begun, (SELECT at FROM last) - 300), at FROM ended
          WHERE at > (SELECT at FROM last) - 300),
        ordered (begun, at, before) AS (SELECT begun, at, MAX(at) OVER (ORDER BY begun, at
          ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) FROM recent)
      SELECT COUNT(*), SUM(IIF(before IS NULL OR begun > before + 2, at - begun,
        MAX(0, at - before))) FROM ordered
      """
    )
    guard try statement.step(), statement.int64(0) > 0 else { return nil }
    let span = statement.double(1)
    return span > 0 ? Double(statement.int64(0)) / span : nil
  }
}
