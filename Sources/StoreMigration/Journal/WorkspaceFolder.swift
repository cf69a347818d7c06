import Files
import StoreAccess

/// The folder of a workspace, held by its descriptor and by its lease: the only owner of its content.
///
/// The folder, its `backup` and the files of a run in them are reached below held descriptors, without
/// following links. Only plain files of names that runs give are removed, and folders only when they
/// are empty; anything else is kept and reported (``strangers``).
package final class WorkspaceFolder: Sendable {
  /// The names.
  package let workspace: Workspace
  /// The folder that contains the destination.
  let place: Folder
  /// The workspace's own folder.
  let folder: Folder
  /// The paths of entries that no run has put into the folder, for a report.
  package let strangers: [String]
  private let lease: Lease

  /// The name of the destination in its folder.
  var destinationName: String { FileSystem.name(of: workspace.destination) }

  /// Opens the workspace of a destination, making it where it is not there, and takes its lease.
  ///
  /// - Throws: ``MigrationError``: `inUse` where another process holds it, `cannotCreate` where
  ///   something else has its name or is in it, or where it belongs to another user.
  package static func make(_ workspace: Workspace) throws -> WorkspaceFolder {
    try usable {
      let place = try Folder(FileSystem.folder(of: workspace.destination))
      let name = FileSystem.name(of: workspace.folder)
      do throws(FileError) {
        try place.createFolder(name)
      } catch {
        guard error.code == .exists else { throw error }
      }
      // Also where it was there: its maker may have died before the disk had its name.
      try place.synchronize()
      return try WorkspaceFolder(workspace, place, try place.folder(name))
    }
  }

  /// Opens the workspace of a destination and takes its lease; nil where there is none.
  ///
  /// - Throws: ``MigrationError`` as ``make(_:)``.
  package static func existing(_ workspace: Workspace) throws -> WorkspaceFolder? {
    try usable {
      let name = FileSystem.name(of: workspace.folder)
      do {
        let place = try Folder(FileSystem.folder(of: workspace.destination))
        let folder = try place.folder(name)
        return try WorkspaceFolder(workspace, place, folder)
      } catch let error as FileError where error.code == .missing {
        return nil
      }
    }
  }

  private init(_ workspace: Workspace, _ place: Folder, _ folder: Folder) throws {
    try Self.checkOwner(of: folder, in: place)
    let lease = try Lease(folder, destination: workspace.destination)
    self.workspace = workspace
    self.place = place
    self.folder = folder
    self.lease = lease
    strangers = try Self.checkContents(of: folder, workspace, in: place)
    guard try folder.isInPlace() else {
      throw MigrationError(
        .inUse,
        "\(workspace.folder) was replaced by another process.",
        recovery: "Look at who works on \(workspace.destination), then try again."
      )
    }
  }

  private static func usable<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let error as FileError { throw MigrationError(unusable: error) }
  }

  /// Runs a body that needs the lease, which lives at least as long.
  package func whileHeld<Value>(_ body: (WorkspaceFolder) throws -> Value) rethrows -> Value {
    try withExtendedLifetime(self) { try body(self) }
  }

  // MARK: Checking

  /// Refuses a folder that another user controls.
  ///
  /// Its owner must be this user, the superuser, or a user who could replace it anyway: the owner of
  /// the folder around it, or any user where that is open to all. Other users may write to it only
  /// where they may write to the folder around it, as on file systems that keep no permissions.
  static func checkOwner(of folder: Folder, in parent: Folder) throws {
    let (own, around) = (try folder.status(), try parent.status())
    let isSticky = around.permissions & 0o1000 != 0
    let isOpen = around.permissions & 0o002 != 0 && !isSticky
    guard isOpen || [FileSystem.effectiveUser, 0, around.owner].contains(own.owner) else {
      throw MigrationError(
        .cannotCreate,
        "\(folder.path) belongs to another user (number \(own.owner)).",
        recovery: "Look at what it holds, and move it away; or run the command as that user."
      )
    }
    let writers = own.permissions & 0o022
    guard writers == 0 || writers & ~around.permissions == 0 && !isSticky else {
      throw MigrationError(
        .cannotCreate,
        "Other users can write to \(folder.path).",
        recovery: "Look at what it holds, then take that permission away (chmod go-w)."
      )
    }
  }

  /// Throws if an entry has the name of a run's file and is none: a run would read or change it, or
  /// could not make its own.
  ///
  /// - Returns: The paths of all entries that no run has made, which are left alone.
  private static func checkContents(
    of folder: Folder,
    _ workspace: Workspace,
    in place: Folder
  ) throws -> [String] {
    let destination = try place.status(of: FileSystem.name(of: workspace.destination))
    var strangers: [String] = []
    for entry in try folder.entries() {
      guard let name = entry.name, let content = Workspace.content(named: name) else {
        strangers.append(folder.path(of: entry.shownName))
        continue
      }
      guard let status = try folder.status(of: name) else { continue }
      switch content {
      case .backups: try checkOwner(of: folder.folder(name), in: folder)
      case .privateCopy: if status.kind != .folder { strangers.append(folder.path(of: name)) }
      case .record, .checkpoint:
        try requirePlain(status, folder.path(of: name))
        // The result has two names while it takes its place.
        guard status.linkCount < 2 || destination?.isSameFile(as: status) == true else {
          throw MigrationError(
            .cannotCreate,
            "\(folder.path(of: name)) is a file that has other names too (hard links).",
            recovery: "Move it away: a run would change what stands under those names."
          )
        }
      }
    }
    return strangers
  }

  /// Throws if an entry is no plain file.
  static func requirePlain(_ status: FileStatus, _ path: String) throws(MigrationError) {
    guard status.kind != .file else { return }
    throw MigrationError(
      unusable: FileError(notPlain: status.kind, wanted: "a plain file", path: path)
    )
  }
}

extension MigrationError {
  /// The error for a workspace that cannot be used as it is.
  init(unusable error: FileError) {
    self.init(
      error.isOfDisk ? .inputOutput : .cannotCreate,
      error.message + ".",
      recovery: error.recovery
    )
  }
}
