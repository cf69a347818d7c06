package import Files
import StoreAccess

/// The names in the folder `<destination>.waystone`, where a run keeps its files.
///
/// ``WorkspaceFolder`` works in that folder.
package struct Workspace: Hashable, Sendable {
  /// The file that the run brings forth: the output, or the store itself.
  package let destination: String

  /// The workspace of a destination.
  package init(destination: String) { self.destination = destination }

  /// The ending of a workspace's name.
  package static let suffix = ".waystone"

  /// The folder.
  package var folder: String { destination + Self.suffix }
  /// The path of the journal, one JSON object a line.
  package var journal: String { "\(folder)/\(Self.journalName)" }
  /// The file by which a run holds the workspace.
  package var lease: String { "\(folder)/\(Self.leaseName)" }
  /// The folder of originals that were replaced.
  package var backups: String { "\(folder)/\(Self.backupsName)" }

  static let journalName = "journal.ndjson"
  static let leaseName = "lease"
  static let backupsName = "backup"

  /// Returns whether a folder has a run's files: a journal, a lease or backups.
  ///
  /// - Throws: `FileError` where that cannot be known.
  package static func isWorkspace(_ folder: String) throws(FileError) -> Bool {
    for name in marks where try FileSystem.exists("\(folder)/\(name)") { return true }
    return false
  }

  /// The names by which a folder is known for a workspace.
  package static let marks = [journalName, leaseName, backupsName]

  /// Returns the store as it is after a hop; 0 is the working copy.
  package func checkpoint(_ hop: Int) -> String { "\(folder)/\(Self.checkpointName(hop))" }

  static func checkpointName(_ hop: Int) -> String { "hop-\(hop).sqlite" }

  /// Returns the copy of the checkpoint before a hop on which the hop's first actions were taken.
  func prepared(_ hop: Int) -> String { "\(folder)/\(Self.preparedName(hop))" }

  static func preparedName(_ hop: Int) -> String { "hop-\(hop)-prepared.sqlite" }

  /// Returns the copy of a hop's file on which the hop's last actions were taken.
  func completed(_ hop: Int) -> String { "\(folder)/\(Self.completedName(hop))" }

  static func completedName(_ hop: Int) -> String { "hop-\(hop)-completed.sqlite" }

  /// Returns the path of a running authored hop's scratch database.
  func scratch(_ hop: Int) -> String { "\(folder)/hop-\(hop)-scratch.sqlite" }

  /// Returns the path of the original that a run replaced.
  package func backup(run: String) -> String { "\(backups)/\(backupName(run: run))" }

  func backupName(run: String) -> String {
    // A name takes 255 bytes, and the replaced store's ends in more than the backup's.
    let name = FileSystem.name(of: destination)
    return "\(run)-\(name.utf8.count > 180 ? "store" : name)"
  }

  /// The start of the name of a kept log or journal that SQLite does not read.
  static let unreadPrefix = "unread-"

  /// Returns whether a path names such a copy.
  package static func isUnreadCopy(_ path: String) -> Bool {
    FileSystem.name(of: path).hasPrefix(unreadPrefix)
  }

  static let finishedJournalSuffix = ".ndjson"

  static func finishedJournalName(run: String) -> String { run + finishedJournalSuffix }
}

extension Workspace {
  /// A kind of file or folder that a run may have in its folder.
  enum Content: Hashable {
    /// The journal or the lease.
    case record
    /// The folder of backups.
    case backups
    /// A checkpoint, another database of a hop, or a file of SQLite beside one.
    case checkpoint
    /// The folder of a copy that a reader made of a store whose rollback journal it had to undo.
    case privateCopy
  }

  /// Returns the kind of a name in the folder; nil where no run gives it.
  static func content(named name: String) -> Content? {
    switch name {
    case journalName, leaseName: .record
    case backupsName: .backups
    default:
      isCheckpointName(name) ? .checkpoint : PrivateCopy.isName(name) ? .privateCopy : nil
    }
  }

  /// Returns whether a name is that of a database, of a file of SQLite beside it (a super-journal of a
  /// commit of several files included), or of a running hop's seal.
  static func isName(_ name: String, ofDatabase database: String) -> Bool {
    guard name.hasPrefix(database) else { return false }
    let suffix = name.dropFirst(database.count)
    return suffix.isEmpty || suffix == ResumeChecksum.suffix
      || StoreFiles.companionSuffixes.contains(String(suffix))
      || suffix.hasPrefix("-mj") && suffix.count > 3 && suffix.dropFirst(3).allSatisfy(\.isHexDigit)
  }

  private static func isCheckpointName(_ name: String) -> Bool {
    guard name.hasPrefix("hop-") else { return false }
    let number = name.dropFirst(4).prefix { $0.isASCII && $0.isNumber }
    guard !number.isEmpty, number.count < 7 else { return false }
    return ["", "-prepared", "-completed", "-scratch"].contains { part in
      isName(name, ofDatabase: "hop-\(number)\(part).sqlite")
    }
  }
}
