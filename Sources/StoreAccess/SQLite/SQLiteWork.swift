private import CSQLite
import Files

/// The limit of the work of one connection's statements, in instructions of SQLite's virtual machine.
///
/// A store decides how many rows a statement reads, and must not decide that it reads for ever. So
/// each run of a statement has a limit that grows with the files it reads; 100 million instructions
/// take about a second.
struct SQLiteWork {
  /// The purpose of a statement.
  enum Kind: Hashable, Sendable {
    /// Reads Core Data's metadata beside the rows, with a limit that does not depend on the file's size.
    case metadata
    /// Passes over rows.
    case pass

    /// Returns the greatest number of instructions of one run over files of so many bytes.
    ///
    /// A row of ten bytes takes some 50 instructions of a pass; an honest pass over a table without
    /// the index that it wants takes the square of its rows.
    func limit(bytes: Int64) -> UInt64 {
      switch self {
      case .metadata: 50_000_000
      case .pass: 500_000_000 + 5_000 * UInt64(clamping: bytes)
      }
    }
  }

  /// The files that are open, as given.
  var paths: [String] = []
  /// The purpose of the statements.
  var kind = Kind.pass
  /// Instructions between two questions.
  var interval: UInt64 = 100_000
  /// Whether the limit was what stopped the last statement that was stopped.
  var isExceeded = false
  /// A number of instructions known not to exceed the limit.
  private var known: UInt64 = 0
  private var counts: [UInt: Count] = [:]
  /// Instructions since a counter was last seen to move: SQLite adds to it when a step is over.
  private var unseen: UInt64 = 0

  /// The counters of one run of a statement.
  private struct Count {
    /// The number of the run, since the statement was compiled.
    let run: Int32
    /// The statement's counter of instructions, which wraps around.
    var steps: UInt32
    /// The instructions since the run was first seen.
    var total: UInt64 = 0
  }

  /// Starts with a kind of statement whose limit is not known.
  mutating func begin(_ kind: Kind) {
    self.kind = kind
    known = 0
  }

  /// Counts one interval of a connection.
  ///
  /// - Returns: Whether what runs stays below its limit.
  mutating func count(_ handle: OpaquePointer) -> Bool {
    var present: [UInt: Count] = [:]
    var hasMoved = false
    var statement = unsafe sqlite3_next_stmt(handle, nil)
    while let current = unsafe statement {
      defer { unsafe statement = sqlite3_next_stmt(handle, current) }
      guard unsafe sqlite3_stmt_busy(current) != 0 else { continue }
      let key = UInt(bitPattern: current)
      let run = unsafe sqlite3_stmt_status(current, SQLITE_STMTSTATUS_RUN, 0)
      let steps = unsafe UInt32(
        bitPattern: sqlite3_stmt_status(current, SQLITE_STMTSTATUS_VM_STEP, 0)
      )
      var count = counts[key] ?? Count(run: run, steps: steps)
      let hasWrapped = count.steps > 0xc000_0000 && steps < 0x4000_0000
      // Another statement may have the address of a finished one.
      let isSame = counts[key] != nil && count.run == run && (steps >= count.steps || hasWrapped)
      if !isSame { count = Count(run: run, steps: steps) }
      if !isSame || steps != count.steps { hasMoved = true }
      count.total += UInt64(steps &- count.steps)
      count.steps = steps
      present[key] = count
    }
    unseen = hasMoved ? 0 : unseen + interval
    counts = present
    let greatest = (counts.values.map(\.total).max() ?? 0) + unseen
    if greatest <= known { return true }
    // The files are asked for their size only here, since a file that is written grows.
    known = kind.limit(
      bytes: paths.reduce(0) { $0 + Self.size(of: $1) + Self.size(of: $1 + "-wal") }
    )
    isExceeded = greatest > known
    return !isExceeded
  }

  /// Returns the size of a file, or 0 where it is not known: the limit is then the least.
  private static func size(of path: String) -> Int64 {
    guard let status = try? FileSystem.status(path) else { return 0 }
    return status.size
  }
}

extension SQLiteConnection {
  /// Runs the closure with a small limit on what each statement may cost.
  ///
  /// - Throws: The error of the closure; `tooMuchWork` from the statement that exceeds the limit.
  package func readingMetadata<Value, Failure: Error>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let before = callbacks.work.kind
    callbacks.work.begin(.metadata)
    defer { callbacks.work.begin(before) }
    return try body()
  }
}
