private import CSQLite
import Files

/// A queue that runs statements later, in their order and on a thread of its own, or, where it has none, at
/// once.
///
/// Code that makes values row by row needs one processor, and SQLite, which writes them, another. The
/// connection stays that of one thread at a time: its users wait first, see ``settle()``.
package final class StatementQueue {
  /// The work of a thread.
  private final class Work {
    /// Statements, with the end of the values of each.
    var parts: [(statement: PreparedStatement, end: Int)] = []
    var values = BoundValues()
    var failure: SQLiteError?

    /// Runs all, and lets go of it.
    func run() {
      var start = 0
      do throws(SQLiteError) {
        for part in parts {
          try part.statement.statement.run(values, start..<part.end)
          start = part.end
        }
      } catch {
        failure = error
      }
      parts.removeAll(keepingCapacity: true)
      values.removeAll()
    }
  }

  /// The bytes of texts and blobs with which a thread is worth its start.
  private static let enoughBytes = 1 << 20
  /// The values with which it is.
  private let enoughValues: Int

  /// Whether statements may run on a thread of their own.
  private let hasThread: Bool
  private var parts: [(statement: PreparedStatement, end: Int)] = []
  private var values = BoundValues()
  /// Whether a thread is worth its start.
  private var isEnough = false
  private let work = Work()
  private var running: WorkThread?
  /// The failure after which no later statement was run.
  private var failure: SQLiteError?

  /// An empty queue.
  ///
  /// - Parameters:
  ///   - hasThread: Whether statements may run on a thread of their own: nothing but what waits for
  ///     ``settle()`` may use their connection.
  ///   - enoughValues: The values with which a thread is worth its start.
  package init(hasThread: Bool, enoughValues: Int) {
    self.hasThread = hasThread && WorkThread.processorCount > 1 && sqlite3_threadsafe() != 0
    self.enoughValues = enoughValues
  }

  /// Adds a run of a statement.
  ///
  /// - Parameter bind: Adds the values of its parameters, in their order.
  package func append(
    _ statement: PreparedStatement,
    _ bind: (inout BoundValues) -> Void
  ) throws(SQLiteError) {
    bind(&values)
    guard hasThread else {
      parts.append((statement, values.count))
      return try settle()
    }
    let (end, byteCount) = (values.count, values.byteCount)
    if let last = parts.indices.last, parts[last].statement === statement {
      parts[last].end = end
    } else {
      parts.append((statement, end))
    }
    guard end >= enoughValues || byteCount >= Self.enoughBytes else { return }
    isEnough = true
    // The caller may be reading earlier writes on this thread.
    guard end >= 4 * enoughValues || byteCount >= 4 * Self.enoughBytes else { return }
    try settle()
  }

  /// Lets a thread run the queue, where it is long enough; the caller must not be reading from the database.
  package func handOver() throws(SQLiteError) {
    guard isEnough else { return }
    try wait()
    take()
    // Until it is joined, no other code touches the work, its statements or their connection.
    running = unsafe WorkThread(lending: work) { $0.run() }
    if running == nil { try runNow() }
  }

  /// Runs what is left, so that the connection is free and has all that was asked for.
  ///
  /// - Throws: ``SQLiteError`` where a statement failed, now or before: nothing was written since.
  package func settle() throws(SQLiteError) {
    if running != nil || failure != nil { try wait() }
    guard !parts.isEmpty else { return }
    take()
    try runNow()
  }

  /// Gives what there is to the work.
  private func take() {
    swap(&parts, &work.parts)
    swap(&values, &work.values)
    isEnough = false
  }

  private func runNow() throws(SQLiteError) {
    work.failure = nil
    work.run()
    guard let found = work.failure else { return }
    // Without a thread, the caller of the statement gets the error, and may run another.
    if hasThread { failure = found }
    throw found
  }

  /// Waits for the thread.
  private func wait() throws(SQLiteError) {
    if let thread = running {
      thread.join()
      running = nil
      failure = work.failure
    }
    if let failure { throw failure }
  }

  deinit { running?.join() }
}
