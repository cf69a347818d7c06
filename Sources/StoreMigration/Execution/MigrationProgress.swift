import Synchronization

/// The progress of a run.
public struct MigrationProgress: Hashable, Sendable {
  /// The present stage of the run.
  public var stage: MigrationEvent.Stage
  /// The rows of the version before it that this hop has gone through; 0 in other stages.
  ///
  /// Rows of join tables count too. An inferred hop goes through each once; one that maps objects does
  /// so once to make them, and once for each relationship.
  public var completedRows: Int64
  /// The rows that it will have gone through; nil in other stages, and where a hop writes no rows, as
  /// one that only adds columns.
  public var totalRows: Int64?
}

/// A meter that adds up the events of a run.
final class ProgressMeter: Sendable {
  private let state = Mutex<MigrationProgress?>(nil)

  /// Returns the progress after an event; nil where the event does not change it.
  func take(_ event: MigrationEvent) -> MigrationProgress? {
    state.withLock { state in
      switch event {
      case .began(let stage): state = MigrationProgress(stage: stage, completedRows: 0)
      case .filled(_, let rows):
        // The hop's own count is more exact.
        guard state?.totalRows == nil else { return nil }
        state?.completedRows += rows
      case .progressed(let done, let total):
        // Other stages count pages.
        guard case .hop? = state?.stage else { return nil }
        state?.completedRows = done
        state?.totalRows = total
      case .called, .recorded, .passed, .noted: return nil
      }
      return state
    }
  }
}
