/// An event that a run reports.
public enum MigrationEvent: Hashable, Sendable {
  /// A stage begins.
  case began(Stage)
  /// A hop has read this many of all rows of the version before it; while the store is checked, these
  /// are pages.
  case progressed(done: Int64, total: Int64)
  /// A table is filled.
  case filled(table: String, rows: Int64)
  /// The policy of an entity mapping was called with so many source objects.
  case called(policy: String, objects: Int64)
  /// A line of the journal is on the disk.
  case recorded(JournalRecord)
  /// An action is done that has no line of the journal yet.
  case passed(Milestone)
  /// A note for the user that stops nothing.
  case noted(String)

  /// An action between two lines of the journal.
  public enum Milestone: String, Hashable, Sendable, CaseIterable {
    /// A batch of an authored hop is committed, with its position.
    case batchWritten
    /// A hop's file is written, and not yet brought to the disk.
    case hopWritten
    /// The external files are beside the output.
    case externalFilesCopied
    /// The original has its second name.
    case originalKept
    /// The result has taken its place.
    case resultPlaced
    /// The checkpoints are gone.
    case checkpointsRemoved
    /// A rollback gave the present store its second name.
    case presentKept
    /// A rollback put the backup into the store's place.
    case backupPlaced
  }

  /// A part of a run that takes time.
  public enum Stage: Hashable, Sendable {
    /// The pages and indexes of the store are checked, before anything is made of it.
    case checking
    /// The store is queried for the preconditions of the plan and its hops.
    case asking
    /// The working copy is made.
    case copying
    /// A pass of hops; numbers count from 1.
    case hop(numbers: ClosedRange<Int>, of: Int, from: String, to: String, inPlace: Bool)
    /// The result is verified.
    case verifying
    /// The result takes its place.
    case swapping
  }
}
