/// A count of the rows that a hop has read of the checkpoint before it.
///
/// The rows were counted when that checkpoint was recorded, so that the meter costs nothing.
struct RowMeter {
  private let total: Int64
  private var done: Int64 = 0
  private var reported: Int64?

  /// A meter of a hop that has done nothing yet; silent where there are no rows to go through.
  init(total: Int64) { self.total = total }

  /// Adds rows, and reports the progress of the hop.
  mutating func advance(_ rows: Int64, _ onEvent: (MigrationEvent) -> Void) {
    reach(done &+ rows, onEvent)
  }

  /// Reports the progress of the hop, if it changed.
  mutating func reach(_ rows: Int64, _ onEvent: (MigrationEvent) -> Void) {
    done = min(max(rows, 0), total)
    guard total > 0, reported != done else { return }
    reported = done
    onEvent(.progressed(done: done, total: total))
  }
}
