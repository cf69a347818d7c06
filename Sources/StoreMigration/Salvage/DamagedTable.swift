package import StoreAccess

/// A reader of a table's rows around the damage of its file.
///
/// Rows are read upwards until SQLite refuses, then downwards from the end; the range between is
/// halved until each key was asked for or the reader has asked often enough. A page that cannot be
/// read so costs its own rows and no others, as long as the pages above it are whole.
package struct DamagedTable {
  let name: String
  /// The columns to read, in order.
  let columns: [String]
  /// The name by which a row's number can be asked for; nil for a table that has none.
  let number: String?
  /// The times that the reader still asks for unread keys.
  private var patience = 20_000
  private var gaps: [ClosedRange<Int64>] = []
  private var count: Int64 = 0

  /// A table, its columns and the name of its row's number.
  package init(name: String, columns: [String], number: String?) {
    self.name = name
    self.columns = columns
    self.number = number
  }

  /// The result of reading a table.
  package struct Reading {
    /// The rows that could be read.
    package var rows: Int64
    /// The keys between which rows could not.
    package var gaps: [SalvageAccount.Gap]
  }

  /// Reads all rows that can be read, each once, in no certain order.
  ///
  /// - Parameter visit: Called with each row: its number, where it has one, then the columns.
  /// - Throws: ``SQLiteError``, but not for damage; what the closure throws.
  /// - Complexity: One reading of the table, and some microseconds for each key that cannot be read, up
  ///   to about a second.
  package mutating func read(
    on connection: borrowing SQLiteConnection,
    visit: (borrowing SQLiteStatement) throws -> Void
  ) throws -> Reading {
    guard number != nil else {
      let pass = try pass(1...1, isDescending: false, on: connection, visit)
      return Reading(rows: count, gaps: pass.isComplete ? [] : [.init(after: nil, before: nil)])
    }
    var ranges: [ClosedRange<Int64>] = [.min...0, 1 ... .max]
    while let range = ranges.popLast() {
      guard patience > 0 else {
        gaps.append(range)
        continue
      }
      ranges += try read(range, on: connection, visit)
    }
    return Reading(rows: count, gaps: merged)
  }

  /// Reads a range from both ends.
  ///
  /// - Returns: The ranges that are still to be read.
  private mutating func read(
    _ range: ClosedRange<Int64>,
    on connection: borrowing SQLiteConnection,
    _ visit: (borrowing SQLiteStatement) throws -> Void
  ) throws -> [ClosedRange<Int64>] {
    let up = try pass(range, isDescending: false, on: connection, visit)
    if up.isComplete || up.last == range.upperBound { return [] }
    let low = up.last.map { $0 + 1 } ?? range.lowerBound
    let down = try pass(low...range.upperBound, isDescending: true, on: connection, visit)
    if down.isComplete || down.last == low { return [] }
    let high = down.last.map { $0 - 1 } ?? range.upperBound
    // No row is expected there.
    if low == .min {
      gaps.append(low...high)
      return []
    }
    if high == .max { return try leap(from: low, on: connection, visit) }
    guard low < high else {
      gaps.append(low...high)
      return []
    }
    let middle = low + (high - low) / 2
    return [middle + 1...high, low...middle]
  }

  /// Searches readable rows ever farther behind a key, where the end of the table cannot be read.
  private mutating func leap(
    from low: Int64,
    on connection: borrowing SQLiteConnection,
    _ visit: (borrowing SQLiteStatement) throws -> Void
  ) throws -> [ClosedRange<Int64>] {
    for power in 0..<62 {
      let (start, isTooFar) = low.addingReportingOverflow(1 << Int64(power))
      if isTooFar { break }
      let pass = try pass(start ... .max, isDescending: false, on: connection, visit)
      guard let first = pass.first, let last = pass.last else { continue }
      var ranges: [ClosedRange<Int64>] = []
      if !pass.isComplete, last < .max { ranges.append(last + 1 ... .max) }
      if low < first { ranges.append(low...first - 1) }
      return ranges
    }
    gaps.append(low ... .max)
    return []
  }

  private struct Pass {
    var first: Int64?
    var last: Int64?
    /// Whether the range was read to its end.
    var isComplete = false
  }

  /// Reads rows one after the other until one cannot be read, or has a key that cannot be there.
  private mutating func pass(
    _ range: ClosedRange<Int64>,
    isDescending: Bool,
    on connection: borrowing SQLiteConnection,
    _ visit: (borrowing SQLiteStatement) throws -> Void
  ) throws -> Pass {
    patience -= 1
    var pass = Pass()
    let names = (number.map { [$0] } ?? []) + columns.map { SQL.identifier($0) }
    var sql = "SELECT \(names.joined(separator: ", ")) FROM \(SQL.scan("main", name))"
    if let number {
      sql +=
        " WHERE \(number) BETWEEN \(SQL.literal(.integer(range.lowerBound))) "
        + "AND \(SQL.literal(.integer(range.upperBound)))"
        + " ORDER BY \(number)\(isDescending ? " DESC" : "")"
    }
    guard let statement = try Self.spared({ () throws(SQLiteError) in try connection.prepare(sql) })
    else { return pass }
    while let isThere = try Self.spared({ () throws(SQLiteError) in try statement.step() }) {
      guard isThere else {
        pass.isComplete = true
        return pass
      }
      if number != nil {
        let key = statement.int64(0)
        // A page that is in two places, or a tree in disorder, would give rows again.
        if let last = pass.last, isDescending ? key >= last : key <= last { return pass }
        guard range.contains(key) else { return pass }
        pass.first = pass.first ?? key
        pass.last = key
      }
      count += 1
      try visit(statement)
    }
    return pass
  }

  /// Returns the value, or nil where the file is damaged.
  private static func spared<Value: ~Copyable>(
    _ body: () throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value? {
    do throws(SQLiteError) { return try body() } catch {
      guard error.isDamage else { throw error }
      return nil
    }
  }

  /// The ranges that were not read, those that touch as one.
  private var merged: [SalvageAccount.Gap] {
    var merged: [ClosedRange<Int64>] = []
    for range in gaps.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if let last = merged.last, last.upperBound < .max, last.upperBound + 1 == range.lowerBound {
        merged[merged.count - 1] = last.lowerBound...range.upperBound
      } else {
        merged.append(range)
      }
    }
    return merged.map { range in
      SalvageAccount.Gap(
        after: range.lowerBound == .min ? nil : range.lowerBound - 1,
        before: range.upperBound == .max ? nil : range.upperBound + 1
      )
    }
  }
}
