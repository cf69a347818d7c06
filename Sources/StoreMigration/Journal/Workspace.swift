package import StoreAccess

/// The folder `<destination>.waystone`, where a run keeps its files.
package struct Workspace: Hashable, Sendable {
  /// The file that the run brings forth: the output, or the store itself.
  package let destination: String

  /// The workspace of a destination.
  package init(destination: String) { self.destination = destination }

  /// The folder.
  package var folder: String { destination + ".waystone" }
  /// The record of what was done, one JSON object a line.
  package var journal: String { folder + "/journal.ndjson" }
  /// The file by which a run holds the workspace.
  package var lease: String { folder + "/lease" }
  /// The folder of originals that were replaced.
  package var backups: String { folder + "/backup" }

  /// The store as it is after a hop; 0 is the working copy.
  package func checkpoint(_ hop: Int) -> String { "\(folder)/hop-\(hop).sqlite" }

  /// Where the original is kept that a run replaced.
  package func backup(run: String) -> String {
    "\(backups)/\(run)-\(FileSystem.name(of: destination))"
  }

  /// Where the journal of a finished run is kept once another begins.
  package func finishedJournal(run: String) -> String { "\(backups)/\(run).ndjson" }

  /// Removes all checkpoints, with what SQLite may have left beside them.
  ///
  /// - Parameter kept: The file name of one that stays.
  package func removeCheckpoints(except kept: String? = nil) throws(FileError) {
    guard FileSystem.exists(folder) else { return }
    for name in try FileSystem.names(inFolder: folder) where name.hasPrefix("hop-") {
      if let kept, name.hasPrefix(kept) { continue }
      try FileSystem.remove("\(folder)/\(name)")
    }
  }
}
