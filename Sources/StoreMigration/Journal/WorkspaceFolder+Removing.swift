import Files
import StoreAccess

extension WorkspaceFolder {
  /// Removes all checkpoints, with the files that SQLite may have left beside them.
  ///
  /// - Parameter kept: The file names of checkpoints that are kept, with the files beside them.
  package func removeCheckpoints(except kept: [String] = []) throws {
    for name in try checkpointNames()
    where !kept.contains(where: { Workspace.isName(name, ofDatabase: $0) }) {
      try folder.remove(name)
    }
  }

  /// Returns the names of plain files that are checkpoints or SQLite's files beside them.
  func checkpointNames() throws -> [String] {
    try folder.names().filter {
      try Workspace.content(named: $0) == .checkpoint && folder.status(of: $0)?.kind == .file
    }
  }

  /// Removes a database of the folder, with the files that SQLite may have left beside it.
  func remove(database path: String) throws {
    let database = FileSystem.name(of: path)
    for name in try checkpointNames() where Workspace.isName(name, ofDatabase: database) {
      try folder.remove(name)
    }
  }

  /// Removes the private copies of killed readers, which had to undo a store's rollback journal.
  package func removePrivateCopies() throws {
    for name in try privateCopyNames() { try PrivateCopy.remove(name, in: folder) }
  }

  /// Returns the names of the folders of private copies.
  func privateCopyNames() throws -> [String] {
    try folder.names().filter {
      try Workspace.content(named: $0) == .privateCopy && folder.status(of: $0)?.kind == .folder
    }
  }

  /// Removes the journal.
  func removeJournal() throws {
    try folder.remove(Workspace.journalName)
    try folder.synchronize()
  }

  /// Gives the files that the superuser's run leaves to the owner of the store, who may then roll back and clean.
  ///
  /// That is done only where the folder around is the same owner's: the superuser refuses a workspace of any
  /// other user. The workspace itself comes last, so that its new owner reaches into it only when all is done.
  ///
  /// - Returns: False where the files stay the superuser's.
  func giveToOwner() -> Bool {
    guard FileSystem.effectiveUser == 0 else { return true }
    do {
      guard let store = try place.status(of: destinationName), store.owner != 0 else { return true }
      guard try place.status().owner == store.owner else { return false }
      let names = try folder.names().filter { Workspace.content(named: $0) == .record }
      try Self.give(names, of: folder, to: store)
      if try folder.status(of: Workspace.backupsName) != nil {
        let backups = try folder.folder(Workspace.backupsName)
        try Self.give(try backups.names(), of: backups, to: store)
        try backups.setOwner(like: store)
      }
      try folder.setOwner(like: store)
      return true
    } catch { return false }
  }

  /// Gives files that the superuser made to another owner.
  ///
  /// The store's owner may have had the folder from an earlier run, and put a second name of any file into it:
  /// a file that has other names is left alone, and an original is its owner's already.
  private static func give(
    _ names: [String],
    of folder: Folder,
    to owner: FileStatus
  ) throws(FileError) {
    func isOurs(_ status: FileStatus) -> Bool {
      status.kind == .file && status.owner == 0 && status.linkCount == 1
    }
    for name in names {
      // A look first: a database that is open here must not be opened and closed as a file.
      guard let status = try folder.status(of: name), isOurs(status) else { continue }
      let file = try folder.open(reading: name)
      guard try isOurs(file.status()) else { continue }
      try file.setOwner(like: owner)
    }
  }

  /// Removes the folder unless it holds a journal, an original or a stranger.
  ///
  /// Content that cannot be removed is left for `clean`, which reports the reason.
  package func removeIfIdle() {
    do {
      guard try folder.status(of: Workspace.journalName) == nil else { return }
      try removeCheckpoints()
      try removePrivateCopies()
      try folder.removeFolder(Workspace.backupsName)
      guard try folder.entries().map(\.name) == [Workspace.leaseName] else { return }
      try folder.remove(Workspace.leaseName)
      guard try folder.isInPlace() else { return }
      try place.removeFolder(FileSystem.name(of: workspace.folder))
    } catch {
      // A run's outcome does not depend on the files that it leaves.
    }
  }

  // MARK: Backups

  /// Returns the folder of backups, made where it is not there; its name is on the disk.
  ///
  /// - Throws: ``MigrationError`` with `cannotCreate` where something else has the name.
  func makeBackups() throws -> Folder {
    if try folder.status(of: Workspace.backupsName) == nil {
      try folder.createFolder(Workspace.backupsName)
    }
    try folder.synchronize()
    let backups = try folder.folder(Workspace.backupsName)
    try Self.checkOwner(of: backups, in: folder)
    return backups
  }

  /// Returns the folder of backups; nil where there is none.
  func existingBackups() throws -> Folder? {
    guard try folder.status(of: Workspace.backupsName) != nil else { return nil }
    return try folder.folder(Workspace.backupsName)
  }

  // MARK: Placing

  /// Moves a file of the workspace to the destination's path, replacing the file there in one step.
  func place(_ path: String) throws {
    try folder.rename(FileSystem.name(of: path), to: destinationName, in: place)
  }

  /// Gives the destination's name, which no file has, to a file of the workspace.
  ///
  /// It makes a hard link, which never replaces a file, and synchronizes the folder before it removes
  /// the first name; where the file system has no links, it renames after a check. A call that died in
  /// between can be repeated.
  ///
  /// - Throws: `FileError`; `exists` where another file has the name.
  func placeNew(_ path: String) throws {
    let name = FileSystem.name(of: path)
    do {
      try folder.link(name, to: destinationName, in: place)
    } catch {
      let there = try place.status(of: destinationName)
      if let there, let here = try folder.status(of: name) {
        guard there.isSameFile(as: here) else { throw error }
      } else if there == nil {
        return try place(path)
      }
    }
    try place.synchronize()
    try folder.remove(name)
  }
}
