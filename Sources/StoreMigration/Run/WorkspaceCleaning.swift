import Files
import StoreAccess

/// A rule for the files of a workspace that may be removed.
public struct CleaningRule: Hashable, Sendable {
  /// The number of last runs that keep all their files.
  public var kept = 0
  /// The second since 1970 before which files must be last written to be removed; nil for any age.
  public var before: Int?

  /// A rule.
  public init(kept: Int = 0, before: Int? = nil) {
    self.kept = kept
    self.before = before
  }
}

/// The files that a cleaning of a workspace removes, or would remove.
public struct WorkspaceCleaning: Hashable, Sendable {
  /// A file of the workspace.
  public struct Item: Hashable, Sendable {
    /// The purpose of a file.
    public enum Kind: String, Hashable, Sendable {
      /// The original that a run replaced.
      case backup
      /// A store that a rollback replaced.
      case replaced
      /// The journal of a finished run.
      case journal
      /// A file of a run that ended without removing it.
      case leftover
      /// A file from which an unfinished run goes on.
      case checkpoint
    }

    /// The path.
    public var path: String
    /// The purpose of the file.
    public var kind: Kind
    /// The size of the file.
    public var bytes: Int64
    /// The run that it is of; nil for a leftover.
    public var run: String?
  }

  /// An operation that was begun and has not ended.
  public enum Unfinished: String, Hashable, Sendable {
    /// A run, which `resume` ends.
    case run
    /// A rollback, which is ended by repeating it.
    case rollback
  }

  /// The removed files, oldest run first.
  public var removed: [Item] = []
  /// The kept files, by the rule or because a run or a rollback still needs them.
  public var kept: [Item] = []
  /// The paths of entries that no run has made, which are left alone.
  public var strangers: [String] = []
  /// The operation that has not ended, and so needs some of the kept files; nil for none.
  public var unfinished: Unfinished?

  /// Makes an empty cleaning.
  public init() {}
}

extension StoreMigrator {
  /// Removes backups, replaced stores and journals of finished runs, and then an empty workspace.
  ///
  /// Files of an unfinished run or rollback are never removed.
  ///
  /// - Parameters:
  ///   - store: The store, or the output, that runs worked on.
  ///   - isTrial: Whether files are only listed, and none is removed.
  /// - Throws: ``MigrationError``; `inUse` where a run works on the store.
  package static func clean(
    _ store: String,
    _ rule: CleaningRule = CleaningRule(),
    isTrial: Bool
  ) throws -> WorkspaceCleaning {
    try withWorkspace(of: store, for: "the cleaning up after runs of") { files in
      guard let files else { return WorkspaceCleaning() }
      let inventory = try WorkspaceInventory(files)
      let cleaning = try inventory.cleaning(rule)
      if !isTrial { try inventory.remove(cleaning) }
      return cleaning
    }
  }
}

/// The files of a workspace, by the runs that they belong to.
private struct WorkspaceInventory {
  private let files: WorkspaceFolder
  private let backups: Folder?
  private let journal: CheckpointJournal
  /// The files of each run, and when the last of them was written, in seconds since 1970.
  private var groups: [String: (items: [WorkspaceCleaning.Item], second: Int)] = [:]
  private var strangers: [String]

  init(_ files: WorkspaceFolder) throws {
    self.files = files
    backups = try files.existingBackups()
    journal = try CheckpointJournal(Workspace.journalName, in: files.folder)
    strangers = files.strangers
    for entry in try backups?.entries() ?? [] {
      guard let backups, let name = entry.name, let run = Self.run(ofFile: name),
        let status = try backups.status(of: name), status.kind == .file
      else {
        strangers.append("\(files.workspace.backups)/\(entry.shownName)")
        continue
      }
      add(backups.path(of: name), kind(of: name, run), status, run)
    }
    if let run = journal.run?.run, journal.isFinished,
      let status = try files.folder.status(of: Workspace.journalName)
    {
      add(journal.path, .journal, status, run)
    }
  }

  private mutating func add(
    _ path: String,
    _ kind: WorkspaceCleaning.Item.Kind,
    _ status: FileStatus,
    _ run: String
  ) {
    var group = groups[run] ?? ([], RunDescription.second(ofRun: run))
    group.items.append(.init(path: path, kind: kind, bytes: status.size, run: run))
    group.second = max(group.second, Int(status.modified / 1_000_000_000))
    groups[run] = group
  }

  /// Returns the run that a file of the folder of backups is of: its name begins with the run's three
  /// parts.
  private static func run(ofFile name: String) -> String? {
    if let run = RunHistory.runName(ofJournal: name) { return run }
    let parts = name.split(separator: "-", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 4, !parts[3].isEmpty, RunDescription.second(ofRun: name) > 0 else {
      return nil
    }
    let run = parts[..<3].joined(separator: "-")
    return RunDescription.isPlausible(name: run) ? run : nil
  }

  private func kind(of name: String, _ run: String) -> WorkspaceCleaning.Item.Kind {
    if RunHistory.runName(ofJournal: name) != nil { return .journal }
    let backup = files.workspace.backupName(run: run)
    return Workspace.isName(name, ofDatabase: backup) ? .backup : .replaced
  }

  /// Returns the files to remove and to keep by a rule.
  func cleaning(_ rule: CleaningRule) throws -> WorkspaceCleaning {
    var cleaning = WorkspaceCleaning()
    cleaning.strangers = strangers
    let isFinished = journal.run == nil || journal.isFinished
    let needed = isFinished ? [] : [journal.run?.run, journal.unfinishedRollback?.run]
    let runs = groups.keys.sorted {
      (RunDescription.second(ofRun: $0), $0) < (RunDescription.second(ofRun: $1), $1)
    }
    let last = Set(runs.suffix(max(0, rule.kept)))
    for run in runs {
      guard let group = groups[run] else { continue }
      let isOld = rule.before.map { group.second < $0 } ?? true
      if isOld, !last.contains(run), !needed.contains(run) {
        cleaning.removed += group.items
      } else {
        cleaning.kept += group.items
      }
    }
    if !isFinished { cleaning.unfinished = journal.unfinishedRollback == nil ? .run : .rollback }
    for name in try files.checkpointNames() + files.privateCopyNames() {
      let item = WorkspaceCleaning.Item(
        path: files.folder.path(of: name),
        kind: isFinished ? .leftover : .checkpoint,
        bytes: try files.folder.status(of: name)?.size ?? 0,
        run: isFinished ? nil : journal.run?.run
      )
      if isFinished { cleaning.removed.append(item) } else { cleaning.kept.append(item) }
    }
    return cleaning
  }

  /// Removes the files: stores before the journals that describe them.
  func remove(_ cleaning: WorkspaceCleaning) throws {
    if cleaning.removed.contains(where: { $0.kind == .leftover }) {
      try files.removeCheckpoints()
      try files.removePrivateCopies()
    }
    let own = cleaning.removed.filter { $0.run != nil && $0.path != journal.path }
    for item in own where item.kind != .journal { try backups?.remove(name(item)) }
    try backups?.synchronize()
    for item in own where item.kind == .journal { try backups?.remove(name(item)) }
    if cleaning.removed.contains(where: { $0.path == journal.path }) { try files.removeJournal() }
  }

  private func name(_ item: WorkspaceCleaning.Item) -> String { FileSystem.name(of: item.path) }
}
