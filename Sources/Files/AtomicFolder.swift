#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A new output folder for the user, with files and folders of files in it.
///
/// It is made beside its place and moved there by one rename when it is complete and on the disk. The
/// next writer of the same folder reuses the remains of a killed process.
package struct AtomicFolder: ~Copyable {
  private let parent: Folder
  private let staging: Folder
  private let name: String
  private let path: String
  private let permissions: UInt32

  /// Begins a folder.
  ///
  /// - Parameter permissions: The folder's permissions, before the process takes some away (`umask`); its files have
  ///   the same without that to execute.
  /// - Throws: ``FileError``; `exists` where the path exists already, or while another process
  ///   makes the same folder.
  package init(at path: String, permissions: UInt32 = 0o777) throws(FileError) {
    guard try !FileSystem.exists(path) else {
      throw FileError(number: EEXIST, deed: "create the folder", path: path)
    }
    let target = try FileSystem.canonical(path)
    let parent = try Folder(FileSystem.folder(of: target))
    let name = FileSystem.name(of: target)
    let staging = try Self.held(StagingName.of(name), for: name, in: parent, permissions)
    self.init(
      parent: parent,
      staging: staging,
      name: name,
      path: path,
      permissions: permissions
    )
  }

  private init(
    parent: consuming Folder,
    staging: consuming Folder,
    name: String,
    path: String,
    permissions: UInt32
  ) {
    self.parent = parent
    self.staging = staging
    self.name = name
    self.path = path
    self.permissions = permissions
  }

  /// Makes a folder inside.
  package borrowing func createFolder(_ name: String) throws(FileError) {
    try staging.createFolder(name, permissions: permissions)
  }

  /// Writes a file inside, or in a folder inside, and returns when the disk holds it.
  package borrowing func write(
    _ text: String,
    to name: String,
    inFolder folder: String? = nil
  ) throws(FileError) {
    if let folder {
      try write(text, to: name, in: staging.folder(folder))
    } else {
      try write(text, to: name, in: staging)
    }
  }

  /// Writes a file inside by a closure that hands its bytes over piece by piece.
  ///
  /// - Throws: ``FileError``, or what the closure throws.
  package borrowing func write(
    to name: String,
    by body: (([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let file = try staging.open(creating: name, permissions: permissions & 0o666)
    try body { try file.write($0) }
    try file.synchronize()
  }

  /// Writes bytes as a file inside, which is on the disk when the folder is finished.
  package borrowing func write(_ bytes: [UInt8], to name: String) throws(FileError) {
    let file = try staging.open(creating: name, permissions: permissions & 0o666)
    try file.write(bytes)
    try file.synchronize()
  }

  private borrowing func write(
    _ text: String,
    to name: String,
    in folder: borrowing Folder
  ) throws(FileError) {
    let file = try folder.open(creating: name, permissions: permissions & 0o666)
    try file.write(Array(text.utf8))
    try file.synchronize()
    try folder.synchronize()
  }

  /// Moves the folder to its place, and returns when the disk holds its name.
  package borrowing func finish() throws(FileError) {
    try staging.synchronize()
    // A rename replaces an empty folder.
    guard try parent.status(of: name) == nil else {
      throw FileError(number: EEXIST, deed: "create the folder", path: path)
    }
    try parent.rename(StagingName.of(name), to: name)
    try parent.synchronize()
  }

  /// Removes what was made, as far as that can be done.
  package borrowing func discard() {
    try? Self.empty(staging)
    _ = try? parent.removeFolder(StagingName.of(name))
  }

  /// Opens the folder under its staging name, alone and empty.
  private static func held(
    _ staging: String,
    for name: String,
    in parent: borrowing Folder,
    _ permissions: UInt32
  ) throws(FileError) -> Folder {
    do throws(FileError) {
      try parent.createFolder(staging, permissions: permissions)
    } catch {
      guard error.code == .exists else { throw error }
    }
    let folder = try parent.folder(staging)
    guard try FileSystem.lockAtOnce(folder.descriptor, staging) else {
      throw StagingName.isTaken(parent.path(of: name))
    }
    try empty(folder)
    return folder
  }

  /// Removes files, and folders of files: what such a folder is made of, and nothing else.
  private static func empty(_ folder: borrowing Folder, isOutermost: Bool = true) throws(FileError)
  {
    for name in try folder.names() {
      switch try folder.status(of: name)?.kind {
      case nil: continue
      case .file: try folder.remove(name)
      case .folder where isOutermost:
        try empty(folder.folder(name), isOutermost: false)
        try folder.removeFolder(name)
      case .folder, .link, .other:
        throw FileError(
          code: .exists,
          message: "\(folder.path(of: name)) is in the way",
          recovery: "Remove it."
        )
      }
    }
  }
}

extension Folder {
  /// Gives a file of the folder a new name that nothing has yet, and takes the old one away.
  ///
  /// By a hard link, so that nothing is ever replaced; where the file system has no links, by a rename
  /// after a look.
  ///
  /// - Throws: ``FileError``; `exists` where anything has the name.
  borrowing func move(_ name: String, toNewName newName: String) throws(FileError) {
    do throws(FileError) {
      try link(name, to: newName, in: self)
    } catch {
      guard error.code != .exists, try status(of: newName) == nil else { throw error }
      return try rename(name, to: newName)
    }
    // Before the old name goes, the disk has the new one.
    try synchronize()
    try remove(name)
  }
}
