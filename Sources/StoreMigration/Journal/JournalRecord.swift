public import MigrationPlanning

/// A line of a run's journal.
public struct JournalRecord: Codable, Hashable, Sendable {
  /// The step of a run that was complete when the line was written.
  public enum Event: String, Codable, Hashable, Sendable, CaseIterable {
    /// The run began; nothing was changed yet.
    case begun
    /// The working copy is whole.
    case copied
    /// The actions of an authored hop that come before its mapping are done.
    case prepared
    /// The objects of an authored hop are mapped, and its later actions are not done yet.
    case mapped
    /// A hop's checkpoint is whole.
    case hop
    /// The last checkpoint is verified.
    case verified
    /// The result is about to take its place.
    case swapping
    /// The result has taken its place.
    case swapped
    /// The run is over, and the checkpoints are gone.
    case finished
    /// An original is about to be put back.
    case rollingBack
    /// The original was put back.
    case rolledBack
  }

  /// The number of the line, from 1.
  public var sequence: Int
  /// The step that is complete.
  public var event: Event
  /// The description of the run; only in the first line.
  public var run: RunDescription?
  /// The hops done so far.
  public var hop: Int?
  /// The checkpoint's file name.
  public var file: String?
  /// The identity of the file at that time; for the last two events that of the store, or nil where
  /// it has none.
  public var identity: String?
  /// The description of a rollback, for the last two events.
  public var rollback: RollbackDescription?
  /// The account of the hop's objects, values and links, where it was counted.
  public var account: HopReconciliation?
  /// The certificate, where one was asked for; in the record of the verification, without the
  /// accounts of hops, which are in records of their own.
  public var certificate: MigrationCertificate?
}

extension JournalRecord {
  /// Whether names and numbers are such as runs write: they become parts of paths and indexes.
  var isPlausible: Bool {
    if let run, !run.hasPlausibleName { return false }
    if let rollback, !rollback.isPlausible { return false }
    if event == .rollingBack, rollback == nil { return false }
    if let hop, !(0...Self.greatestHop).contains(hop) { return false }
    guard let file else { return true }
    let hop = hop ?? 0
    // A hop that has begun has a file of its own already.
    switch event {
    case .prepared: return file == Workspace.preparedName(hop + 1)
    case .mapped: return file == Workspace.checkpointName(hop + 1)
    default:
      return (0...hop).contains {
        file == Workspace.checkpointName($0) || file == Workspace.completedName($0)
      }
    }
  }

  private static let greatestHop = 100_000
}
