/// The outcome of a rollback.
public struct RollbackOutcome: Hashable, Sendable {
  /// The run before which the store is again.
  public var run: RunDescription
  /// The path under which the store is kept that was replaced; nil where there was none.
  public var replaced: String?
}

/// A run that replaced a store, as `rollback` can undo it.
public struct FinishedRun: Hashable, Sendable {
  /// The description of the run.
  public var description: RunDescription
  /// Whether the store is the result of this run, or of later ones on top of it.
  public var isApplied: Bool
  /// The path of the original that it replaced.
  public var backup: String
  /// The size of that file in bytes; nil where it is not there any more.
  public var backupSize: Int64?
}

/// The runs that a workspace remembers.
public struct RunList: Hashable, Sendable {
  /// The runs that finished, oldest first.
  public var runs: [FinishedRun] = []
  /// The run that a rollback, which was interrupted, goes back before.
  public var unfinishedRollback: String?
  /// The paths of journals that cannot be read.
  public var unreadable: [String] = []
}
