#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

extension Folder {
  // MARK: Opening

  /// Opens a plain file of the folder for reading.
  ///
  /// - Throws: ``FileError``: `missing` where nothing has the name, `notPlain` where a link, a folder,
  ///   a pipe, a socket or a device has it, which is not opened.
  package func open(reading name: String) throws(FileError) -> OpenFile {
    try openPlain(name, O_RDONLY, deed: "open")
  }

  /// Opens a plain file of the folder for reading and writing.
  ///
  /// - Throws: ``FileError``; `missing` and `notPlain` as for reading.
  package func open(writing name: String) throws(FileError) -> OpenFile {
    try openPlain(name, O_RDWR, deed: "write to")
  }

  /// Opens a plain file of the folder to add to its end, making it where nothing has the name.
  ///
  /// - Throws: ``FileError``; `notPlain` as for reading.
  package func open(
    appending name: String,
    permissions: UInt32 = 0o600
  ) throws(FileError) -> OpenFile {
    try openPlain(name, O_RDWR | O_CREAT | O_APPEND, permissions, deed: "write to")
  }

  /// Opens a plain file of the folder for reading and writing, making it where nothing has the name;
  /// what it holds stays.
  ///
  /// - Throws: ``FileError``; `notPlain` as for reading.
  package func open(
    updating name: String,
    permissions: UInt32 = 0o600
  ) throws(FileError) -> OpenFile {
    try openPlain(name, O_RDWR | O_CREAT, permissions, deed: "write to")
  }

  /// Makes a new file in the folder and opens it for reading and writing.
  ///
  /// - Throws: ``FileError``; `exists` where anything has that name, a link included.
  package func open(
    creating name: String,
    permissions: UInt32 = 0o600
  ) throws(FileError) -> OpenFile {
    try check(name)
    let path = path(of: name)
    return OpenFile(
      adopting: try FileSystem.retrying("create", path) {
        unsafe openat(
          descriptor,
          name,
          O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
          mode_t(permissions)
        )
      },
      path: path
    )
  }

  private func openPlain(
    _ name: String,
    _ flags: Int32,
    _ permissions: UInt32 = 0,
    deed: String
  ) throws(FileError) -> OpenFile {
    let path = path(of: name)
    // Before it is opened: that alone moves a tape, or waits for a pipe's other end.
    if let there = try status(of: name) { try FileError.requirePlain(there.kind, path) }
    let file = OpenFile(
      adopting: try FileSystem.retrying(deed, path) {
        // O_NONBLOCK for what may have taken the name since.
        unsafe openat(
          descriptor,
          name,
          flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
          mode_t(permissions)
        )
      },
      path: path
    )
    try FileError.requirePlain(try file.status().kind, path)
    return file
  }

  // MARK: Changing

  /// Takes away the name of a file or of a link.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``FileError``; for a folder too.
  @discardableResult
  package func remove(_ name: String) throws(FileError) -> Bool {
    try unlink(name, 0, deed: "remove")
  }

  /// Removes an empty folder.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``FileError``; `exists` where it holds something.
  @discardableResult
  package func removeFolder(_ name: String) throws(FileError) -> Bool {
    try unlink(name, AT_REMOVEDIR, deed: "remove the folder")
  }

  private func unlink(
    _ name: String,
    _ flags: Int32,
    deed: String
  ) throws(FileError) -> Bool {
    try check(name)
    do throws(FileError) {
      _ = try FileSystem.retrying(deed, path(of: name)) { unsafe unlinkat(descriptor, name, flags) }
      return true
    } catch {
      if error.number == ENOENT { return false }
      throw error
    }
  }

  /// Makes a folder in this one.
  ///
  /// - Throws: ``FileError``; `exists` where anything has that name, a link included.
  package func createFolder(
    _ name: String,
    permissions: UInt32 = 0o700
  ) throws(FileError) {
    try check(name)
    _ = try FileSystem.retrying("create the folder", path(of: name)) {
      unsafe mkdirat(descriptor, name, mode_t(permissions))
    }
  }

  /// Gives an entry another name, in this folder or another of the file system, in one step.
  ///
  /// An earlier item of the new name is gone. A link is renamed itself.
  package func rename(
    _ name: String,
    to newName: String,
    in folder: Folder
  ) throws(FileError) {
    try naming(name, newName, in: folder, deed: "rename to") { from, to in
      unsafe renameat(from, name, to, newName)
    }
  }

  /// Gives an entry another name in this folder; an earlier item of that name is gone.
  package func rename(_ name: String, to newName: String) throws(FileError) {
    try rename(name, to: newName, in: self)
  }

  /// Gives a file a second name (a hard link), in this folder or another of the file system.
  ///
  /// The second name of a link is one of the link itself.
  ///
  /// - Throws: ``FileError``; `unsupported` or `denied` where the file system has no links, `exists`
  ///   where the name is taken.
  package func link(
    _ name: String,
    to newName: String,
    in folder: Folder
  ) throws(FileError) {
    try naming(name, newName, in: folder, deed: "link to") { from, to in
      unsafe linkat(from, name, to, newName, 0)
    }
  }

  /// Makes a call that gives an entry a name in a folder, with the descriptors of both folders.
  private func naming(
    _ name: String,
    _ newName: String,
    in folder: Folder,
    deed: String,
    _ call: (_ from: Int32, _ to: Int32) -> Int32
  ) throws(FileError) {
    try check(name)
    try folder.check(newName)
    let (from, to) = (descriptor, folder.descriptor)
    let deed = "\(deed) \(folder.path(of: newName)) the file"
    _ = try FileSystem.retrying(deed, path(of: name)) { call(from, to) }
  }

  /// Returns when the disk holds the folder's names, and so a file made, renamed or removed in it.
  package func synchronize() throws(FileError) {
    do throws(FileError) {
      _ = try FileSystem.retrying("flush", path) { fsync(descriptor) }
    } catch {
      // Some file systems cannot flush a folder, and then order names themselves.
      if error.code != .unsupported { throw error }
    }
  }

  // MARK: What may be done in it

  /// Makes sure that this process may write to a file of the folder.
  ///
  /// - Throws: ``FileError``; `denied` where it may not, or where the file system can only be read.
  package func checkWritable(_ name: String) throws(FileError) {
    _ = try FileSystem.retrying("write to", path(of: name)) {
      unsafe faccessat(descriptor, name, W_OK, AT_EACCESS)
    }
  }

  /// Makes sure that this process may give and take names in the folder.
  ///
  /// - Throws: ``FileError``; `denied` where it may not, or where the file system can only be read.
  package func checkWritable() throws(FileError) {
    _ = try FileSystem.retrying("write to the folder", path) {
      unsafe faccessat(descriptor, ".", W_OK | X_OK, AT_EACCESS)
    }
  }

  /// Makes sure that a file can be renamed from this folder to another: that both are of one file
  /// system, and on Linux of one mount of it.
  ///
  /// - Throws: ``FileError``; `unsupported` where they are not.
  package func checkRenaming(to folder: Folder) throws(FileError) {
    let deed = "move files to \(folder.path) from"
    guard try status().device == folder.status().device else {
      throw FileError(number: EXDEV, deed: deed, path: path)
    }
    // Linux compares the mounts before it looks for the file, which is not there.
    let (from, to) = (descriptor, folder.descriptor)
    let name = "waystone-probe-\(String(UInt64.random(in: .min ... .max), radix: 36))"
    do throws(FileError) {
      _ = try FileSystem.retrying(deed, path) { unsafe renameat(from, name, to, name) }
    } catch {
      if error.number != ENOENT { throw error }
    }
  }
}

extension FileSystem {
  /// The number of the user on whose behalf this process works.
  package static var effectiveUser: UInt32 { UInt32(geteuid()) }
}
