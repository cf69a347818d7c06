#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A folder that is held open, below which names are looked up without following links.
///
/// Each call names one entry of the folder itself, relative to its descriptor (`openat(2)`): neither a
/// link in the entry's place, nor a folder that is renamed or replaced meanwhile, leads it elsewhere.
/// The components of the path by which the folder was opened are followed as usual, but for the last.
package final class Folder: Sendable {
  let descriptor: Int32
  /// The path it was opened by, for messages and for what must be named by a path.
  package let path: String

  /// Opens the folder at a path whose last component is no link.
  ///
  /// - Throws: ``FileError``: `missing` where nothing has the name, `notPlain` where a link, a file or
  ///   anything else has it.
  package convenience init(_ path: String) throws(FileError) {
    try self.init(path, in: AT_FDCWD, name: path)
  }

  /// Opens the folder at a path that the user gave, whose last component may be a link.
  ///
  /// - Throws: ``FileError``; as ``init(_:)``, but for the link.
  package convenience init(following path: String) throws(FileError) {
    try self.init(path, in: AT_FDCWD, name: path, O_DIRECTORY)
  }

  /// Opens a folder in this one.
  ///
  /// - Throws: ``FileError``: `missing` where nothing has the name, `notPlain` where a link, a file or
  ///   anything else has it.
  package func folder(_ name: String) throws(FileError) -> Folder {
    try check(name)
    return try Folder(path(of: name), in: descriptor, name: name)
  }

  private init(
    _ path: String,
    in parent: Int32,
    name: String,
    _ flags: Int32 = O_DIRECTORY | O_NOFOLLOW
  ) throws(FileError) {
    try FileSystem.check(path)
    do throws(FileError) {
      descriptor = try FileSystem.retrying("open the folder", path) {
        unsafe openat(parent, name, O_RDONLY | flags | O_CLOEXEC)
      }
    } catch {
      // A link is ENOTDIR on Linux and ELOOP elsewhere, and so is a loop above the folder.
      guard error.number == ENOTDIR || error.number == ELOOP,
        let there = try Self.status(of: name, in: parent, path), there.kind != .folder
      else { throw error }
      throw FileError(notPlain: there.kind, wanted: "a folder", path: path)
    }
    self.path = path
  }

  deinit { _ = close(descriptor) }

  /// Returns the path of an entry, for messages and for what must be named by a path.
  package func path(of name: String) -> String { "\(path)/\(name)" }

  // MARK: Looking

  /// Returns the status of the folder itself, independent of its present name.
  package func status() throws(FileError) -> FileStatus {
    var status = stat()
    _ = try FileSystem.retrying("examine", path) { unsafe fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// Returns the status of a name in the folder, of a link itself and not its target; nil where it is free.
  ///
  /// - Throws: ``FileError`` where that cannot be known.
  package func status(of name: String) throws(FileError) -> FileStatus? {
    try check(name)
    return try Self.status(of: name, in: descriptor, path(of: name))
  }

  private static func status(
    of name: String,
    in parent: Int32,
    _ path: String
  ) throws(FileError) -> FileStatus? {
    var status = stat()
    do throws(FileError) {
      _ = try FileSystem.retrying("examine", path) {
        unsafe fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW)
      }
    } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
    return FileStatus(status)
  }

  /// Gives the folder itself to the owner and group of another file.
  package func setOwner(like status: FileStatus) throws(FileError) {
    _ = try FileSystem.retrying("give to its owner", path) {
      fchown(descriptor, uid_t(status.owner), gid_t(status.group))
    }
  }

  /// Returns whether the folder still is what its path names, so that paths below it lead here.
  package func isInPlace() throws(FileError) -> Bool {
    let own = try status()
    let there = try Self.status(of: path, in: AT_FDCWD, path)
    return there.map { own.isSameFile(as: $0) } ?? false
  }

  /// Returns all that the folder holds, in the order of the names' bytes.
  package func entries() throws(FileError) -> [Entry] {
    // A description of its own: the position of a listing belongs to all duplicates of one.
    let listed = try FileSystem.retrying("list the folder", path) {
      unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = unsafe fdopendir(listed) else {
      let number = errno
      close(listed)
      throw FileError(number: number, deed: "list the folder", path: path)
    }
    defer { unsafe _ = closedir(stream) }
    return try unsafe Entry.listed(path) { unsafe readdir(stream) }
  }

  /// Returns the names in the folder that are UTF-8, as all are that Waystone and Core Data give.
  package func names() throws(FileError) -> [String] {
    try entries().compactMap(\.name)
  }

  /// Refuses what is no name of one entry, and would lead elsewhere.
  func check(_ name: String) throws(FileError) {
    if name.isEmpty || name == "." || name == ".."
      || name.utf8.contains(where: { $0 == 0x2f || $0 == 0 })
    {
      throw FileError(
        code: .invalidPath,
        message: "\(name.debugDescription) is not the name of a file in \(path)"
      )
    }
  }
}
