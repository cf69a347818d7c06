/// The description of a rollback: all that is needed to end it after its process died.
public struct RollbackDescription: Codable, Hashable, Sendable {
  /// The run whose original is put back.
  public var run: String
  /// The name, beside the backup, under which the present store is kept.
  public var kept: String
  /// The identity of the backup.
  public var backup: String
  /// Whether the present store is put away even if it was written to.
  public var isForced: Bool
  /// Whether the present store has left write-ahead-log mode, so that its file alone is the store.
  public var isSettled = false
}

extension RollbackDescription {
  /// Whether names are such as rollbacks write: they become parts of paths.
  var isPlausible: Bool {
    RunDescription.isPlausible(name: run) && kept.hasPrefix(run + "-") && !kept.contains("/")
      && kept.utf8.count < 256
  }
}
