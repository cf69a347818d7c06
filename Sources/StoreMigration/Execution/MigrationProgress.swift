import Synchronization

/// How far a run is.
public struct MigrationProgress: Hashable, Sendable {
  /// What the run does at present.
  public var stage: MigrationEvent.Stage
  /// The rows that this hop has written so far, those of join tables included; 0 in other stages.
  public var completedRows: Int64
  /// The rows that it will have written, where that is known; an inferred hop does not count before.
  public var totalRows: Int64?
}

/// Adds up what a run tells.
final class ProgressMeter: Sendable {
  private let state = Mutex<MigrationProgress?>(nil)

  /// How far the run is after an event; nil where the event says nothing of that.
  func take(_ event: MigrationEvent) -> MigrationProgress? {
    state.withLock { state in
      switch event {
      case .began(let stage): state = MigrationProgress(stage: stage, completedRows: 0)
      case .filled(_, let rows): state?.completedRows += rows
      case .progressed(let done, let total):
        state?.completedRows = done
        state?.totalRows = total
      case .called, .recorded, .passed, .noted: return nil
      }
      return state
    }
  }
}
