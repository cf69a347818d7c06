/// What a run tells about its progress.
public enum MigrationEvent: Hashable, Sendable {
  /// A stage begins.
  case began(Stage)
  /// So much of the current stage is done, of so much in all (pages, or rows).
  case progressed(done: Int64, total: Int64)
  /// A table is filled.
  case filled(table: String, rows: Int64)
  /// A line of the journal is on the disk.
  case recorded(JournalRecord)
  /// Something that the person should know and that stops nothing.
  case noted(String)

  /// A part of a run that takes time.
  public enum Stage: Hashable, Sendable {
    /// The working copy is made.
    case copying
    /// A hop runs; numbers count from 1.
    case hop(number: Int, of: Int, from: String, to: String, inPlace: Bool)
    /// The result is verified.
    case verifying
    /// The result takes its place.
    case swapping
  }
}
