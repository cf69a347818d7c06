import Files
import StoreAccess

/// The runs recorded in a workspace, oldest first, and whether rollbacks undid them.
struct RunHistory {
  /// A run that replaced the store.
  struct Run {
    let description: RunDescription
    /// Whether the store is the result of the run, or of later ones on top of it.
    var isApplied: Bool
  }

  /// The runs that finished, oldest first.
  private(set) var runs: [Run] = []
  /// The journal of the last run, finished or not; nil where there is none.
  private(set) var journal: CheckpointJournal?
  /// Whether that journal was put away for a later run that left nothing.
  private(set) var isPutAway = false
  /// The paths of journals that cannot be read.
  private(set) var unreadable: [String] = []

  /// Reads the journals of a workspace.
  ///
  /// - Throws: ``MigrationError`` where the present journal cannot be read, `FileError` where the
  ///   folders cannot.
  init(_ files: WorkspaceFolder) throws {
    var journals: [CheckpointJournal] = []
    if let backups = try files.existingBackups() {
      for name in try Self.journalNames(in: backups) {
        do {
          let journal = try CheckpointJournal(name, in: backups)
          if journal.run?.run == Self.runName(ofJournal: name) { journals.append(journal) }
        } catch is MigrationError {
          unreadable.append(backups.path(of: name))
        }
      }
    }
    let present = try CheckpointJournal(Workspace.journalName, in: files.folder)
    if present.run != nil { journals.append(present) }
    isPutAway = present.run == nil && !journals.isEmpty
    journal = journals.last
    for journal in journals { replay(journal) }
  }

  /// Replays the records of one journal.
  private mutating func replay(_ journal: CheckpointJournal) {
    guard let description = journal.run, description.output == nil else { return }
    for record in journal.records {
      switch record.event {
      case .finished: runs.append(Run(description: description, isApplied: true))
      case .rolledBack:
        // The store is as it was before that run, and so before all later ones.
        let target = record.rollback?.run ?? description.run
        guard let first = runs.firstIndex(where: { $0.description.run == target }) else { continue }
        for index in runs[first...].indices { runs[index].isApplied = false }
      default: break
      }
    }
  }

  /// Returns the run of a name, or of the one name that begins so.
  func run(named name: String) -> Run? {
    if let run = runs.first(where: { $0.description.run == name }) { return run }
    let matching = runs.filter { $0.description.run.hasPrefix(name) }
    return matching.count == 1 && !name.isEmpty ? matching[0] : nil
  }

  /// Returns the names of the journals that were put away, oldest first.
  static func journalNames(in backups: Folder) throws -> [String] {
    try backups.names().filter { runName(ofJournal: $0) != nil }
      .sorted { (RunDescription.second(ofRun: $0), $0) < (RunDescription.second(ofRun: $1), $1) }
  }

  /// Returns the name of the run whose journal has a name; nil where that is no such journal's.
  static func runName(ofJournal name: String) -> String? {
    guard name.hasSuffix(Workspace.finishedJournalSuffix) else { return nil }
    let run = String(name.dropLast(Workspace.finishedJournalSuffix.count))
    return RunDescription.isPlausible(name: run) ? run : nil
  }

  /// Returns the second by which the last run is named whose journal was put away; 0 where there is
  /// none.
  static func lastSecond(in files: WorkspaceFolder) throws -> Int {
    let backups = try files.existingBackups()
    let last = try backups.flatMap { try journalNames(in: $0).last }
    return last.map { RunDescription.second(ofRun: $0) } ?? 0
  }
}
