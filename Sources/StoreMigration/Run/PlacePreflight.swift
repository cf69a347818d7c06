import Files
import StoreAccess

/// The checks, before anything is copied, of the folder in which a result will be placed.
///
/// Without them the swap would fail, after all hops.
struct PlacePreflight {
  let files: WorkspaceFolder

  /// Makes sure of what can be known before there is a workspace: that files can be made and replaced here.
  ///
  /// - Throws: ``MigrationError`` with `cannotCreate`.
  static func check(_ workspace: Workspace, isInPlace: Bool) throws {
    do {
      let place = try Folder(FileSystem.folder(of: workspace.destination))
      try place.checkWritable()
      try checkSticky(place, workspace)
      let folder = FileSystem.name(of: workspace.folder)
      if try place.status(of: folder) != nil {
        try WorkspaceFolder.checkOwner(of: place.folder(folder), in: place)
      }
      if isInPlace { try place.checkWritable(FileSystem.name(of: workspace.destination)) }
    } catch let error as FileError {
      throw MigrationError(unusable: error)
    }
  }

  /// Makes sure that the result can take its place, and the original its second name.
  ///
  /// - Throws: ``MigrationError`` with `cannotCreate`.
  func check(isInPlace: Bool) throws {
    do {
      try files.place.checkWritable()
      try Self.checkSticky(files.place, files.workspace)
      try files.folder.checkRenaming(to: files.place)
      guard isInPlace, let backups = try files.existingBackups() else { return }
      try files.place.checkRenaming(to: backups)
    } catch let error as FileError {
      guard error.code == .unsupported else { throw MigrationError(unusable: error) }
      throw MigrationError(
        .cannotCreate,
        "\(files.workspace.folder) does not lie on the file system of the folder around it: "
          + "\(error.message).",
        recovery: "Unmount what is mounted there, or choose another output."
      )
    }
  }

  /// Throws if the file to replace is another user's, and only owners may (the sticky bit).
  private static func checkSticky(_ place: Folder, _ workspace: Workspace) throws {
    let (folder, user) = (try place.status(), FileSystem.effectiveUser)
    let name = FileSystem.name(of: workspace.destination)
    guard folder.permissions & 0o1000 != 0, user != 0, folder.owner != user,
      let there = try place.status(of: name), there.owner != user
    else { return }
    throw MigrationError(
      .cannotCreate,
      "\(workspace.destination) belongs to another user (number \(there.owner)), and in its "
        + "folder only owners may replace a file.",
      recovery: "Run the command as that user, or write the result elsewhere with --output."
    )
  }
}
