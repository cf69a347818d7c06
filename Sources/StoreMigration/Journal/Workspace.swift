package import Files

/// The folder `<destination>.waystone`, where a run keeps its files.
package struct Workspace: Hashable, Sendable {
  /// The file that the run brings forth: the output, or the store itself.
  package let destination: String

  /// The workspace of a destination.
  package init(destination: String) { self.destination = destination }

  /// What a workspace's name ends in.
  static let suffix = ".waystone"

  /// The folder.
  package var folder: String { destination + Self.suffix }
  /// The record of what was done, one JSON object a line.
  package var journal: String { folder + "/journal.ndjson" }
  /// The file by which a run holds the workspace.
  package var lease: String { folder + "/lease" }
  /// The folder of originals that were replaced.
  package var backups: String { folder + "/backup" }

  /// The store as it is after a hop; 0 is the working copy.
  package func checkpoint(_ hop: Int) -> String { "\(folder)/\(Self.checkpointName(hop))" }

  static func checkpointName(_ hop: Int) -> String { "hop-\(hop).sqlite" }

  /// The copy of the checkpoint before a hop on which the hop's first actions were taken.
  func prepared(_ hop: Int) -> String { "\(folder)/\(Self.preparedName(hop))" }

  static func preparedName(_ hop: Int) -> String { "hop-\(hop)-prepared.sqlite" }

  /// The copy of a hop's file on which the hop's last actions were taken.
  func completed(_ hop: Int) -> String { "\(folder)/\(Self.completedName(hop))" }

  static func completedName(_ hop: Int) -> String { "hop-\(hop)-completed.sqlite" }

  /// The database of an authored hop that is under way.
  func scratch(_ hop: Int) -> String { "\(folder)/hop-\(hop)-scratch.sqlite" }

  /// Where the original is kept that a run replaced.
  package func backup(run: String) -> String {
    // A name takes 255 bytes, and the replaced store's ends in more than the backup's.
    let name = FileSystem.name(of: destination)
    return "\(backups)/\(run)-\(name.utf8.count > 180 ? "store" : name)"
  }

  /// Where the journal of a finished run is kept once another begins.
  package func finishedJournal(run: String) -> String { "\(backups)/\(run).ndjson" }

  /// The journal of the latest finished run that was put away, or nil.
  package func latestFinishedJournal() throws(FileError) -> String? {
    guard try FileSystem.exists(backups) else { return nil }
    return try FileSystem.entries(ofFolder: backups).compactMap(\.name).last {
      $0.hasSuffix(".ndjson")
    }.map { "\(backups)/\($0)" }
  }

  /// Removes all checkpoints, with what SQLite may have left beside them.
  ///
  /// - Parameter kept: The file names of those that stay, with what lies beside them.
  package func removeCheckpoints(except kept: [String] = []) throws(FileError) {
    guard try FileSystem.exists(folder) else { return }
    for name in try FileSystem.entries(ofFolder: folder).compactMap(\.name)
    where name.hasPrefix("hop-") {
      if kept.contains(where: { name == $0 || name.hasPrefix($0 + "-") }) { continue }
      try FileSystem.remove("\(folder)/\(name)")
    }
  }

  /// Removes a database of the folder, with what SQLite may have left beside it.
  func remove(database path: String) throws(FileError) {
    let name = FileSystem.name(of: path)
    for other in try FileSystem.entries(ofFolder: folder).compactMap(\.name)
    where other == name || other.hasPrefix(name + "-") {
      try FileSystem.remove("\(folder)/\(other)")
    }
  }

  /// Removes what a killed reader of a store left whose rollback journal it had to undo.
  package func removePrivateCopies() throws(FileError) {
    for name in try FileSystem.entries(ofFolder: folder).compactMap(\.name)
    where name.hasPrefix("waystone-") {
      for file in try FileSystem.names(inFolder: "\(folder)/\(name)") {
        try FileSystem.remove("\(folder)/\(name)/\(file)")
      }
      try FileSystem.removeFolder("\(folder)/\(name)")
    }
  }

  /// Removes the folder where it holds neither a journal nor an original; the lease is held.
  package func removeIfIdle() {
    guard let hasJournal = try? FileSystem.exists(journal), !hasJournal else { return }
    try? removeCheckpoints()
    try? removePrivateCopies()
    try? FileSystem.removeFolder(backups)
    guard let hasBackups = try? FileSystem.exists(backups), !hasBackups else { return }
    _ = try? FileSystem.remove(lease)
    try? FileSystem.removeFolder(folder)
  }
}
