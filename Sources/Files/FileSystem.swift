#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The calls that examine and move files, each failing with an error that names its path.
///
/// Nothing else in the package asks the operating system about files. A file is absent where the
/// system reports `ENOENT`; every other refusal is an error, because a file that a failing disk hides
/// may hold what a store must not lose.
package enum FileSystem {
  /// Refuses a path the operating system would read as another one.
  package static func check(_ path: String) throws(FileError) {
    if path.isEmpty { throw FileError(code: .invalidPath, message: "The path is empty") }
    if path.utf8.contains(0) {
      throw FileError(
        code: .invalidPath,
        message: "The path \(path.debugDescription) holds a NUL character"
      )
    }
  }

  /// Makes a call that returns -1 on failure, again while a signal interrupts it.
  package static func retrying<Result: SignedInteger>(
    _ deed: String,
    _ path: String,
    _ call: () -> Result
  ) throws(FileError) -> Result {
    while true {
      let result = call()
      if result != -1 { return result }
      let number = errno
      if number != EINTR { throw FileError(number: number, deed: deed, path: path) }
    }
  }

  /// Returns the status of the file at a path, or nil where there is none.
  ///
  /// - Parameter followsLinks: Whether a symbolic link is replaced by its target; a link that leads
  ///   nowhere then gives nil.
  /// - Throws: ``FileError`` where that cannot be known, as below a folder that may not be searched.
  package static func status(
    _ path: String,
    followsLinks: Bool = true
  ) throws(FileError) -> FileStatus? {
    try check(path)
    var status = stat()
    do throws(FileError) {
      _ = try retrying("examine", path) {
        unsafe followsLinks ? stat(path, &status) : lstat(path, &status)
      }
    } catch {
      if error.code == .missing { return nil }
      throw error
    }
    return FileStatus(status)
  }

  /// Returns whether anything has this name, a dangling symbolic link included.
  ///
  /// - Throws: ``FileError`` where that cannot be known.
  package static func exists(_ path: String) throws(FileError) -> Bool {
    try status(path, followsLinks: false) != nil
  }

  /// Returns the bytes of a file, or nil where there is none.
  ///
  /// - Throws: ``FileError`` where that cannot be known.
  package static func size(of path: String) throws(FileError) -> Int64? {
    try status(path)?.size
  }

  /// Gives a file another name, replacing what had it, in one step; not across file systems.
  package static func rename(_ path: String, to newPath: String) throws(FileError) {
    try check(path)
    try check(newPath)
    _ = try retrying("rename to \(newPath) the file", path) { renaming(path, newPath) }
  }

  /// Gives a file a second name (a hard link).
  ///
  /// - Throws: ``FileError``; `unsupported` or `denied` where the file system has no links, `exists`
  ///   where the name is taken.
  package static func link(_ path: String, to newPath: String) throws(FileError) {
    try check(path)
    try check(newPath)
    _ = try retrying("link to \(newPath) the file", path) { linking(path, newPath) }
  }

  /// Takes a file's name away.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  package static func remove(_ path: String) throws(FileError) -> Bool {
    try check(path)
    do throws(FileError) {
      _ = try retrying("remove", path) { unsafe unlink(path) }
      return true
    } catch {
      if error.code == .missing { return false }
      throw error
    }
  }

  /// Makes a folder, whose parent must be there.
  package static func createFolder(
    _ path: String,
    permissions: UInt32 = 0o700
  ) throws(FileError) {
    try check(path)
    _ = try retrying("create the folder", path) { unsafe mkdir(path, mode_t(permissions)) }
  }

  /// Removes an empty folder.
  package static func removeFolder(_ path: String) throws(FileError) {
    try check(path)
    _ = try retrying("remove the folder", path) { unsafe rmdir(path) }
  }

  /// Sets the permission bits.
  package static func setPermissions(_ permissions: UInt32, of path: String) throws(FileError) {
    try check(path)
    _ = try retrying("set the permissions of", path) { unsafe chmod(path, mode_t(permissions)) }
  }

  /// Returns the number of bytes that this user may still write to the file system of the path.
  package static func freeSpace(at path: String) throws(FileError) -> Int64 {
    try check(path)
    var status = statvfs()
    _ = try retrying("ask for the free space at", path) { unsafe statvfs(path, &status) }
    let (bytes, overflow) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// Returns when the disk holds a file's contents.
  package static func synchronize(_ path: String) throws(FileError) {
    try OpenFile(reading: path).synchronize()
  }

  /// Returns when the disk holds a folder's names, and so a file made, renamed or removed in it.
  package static func synchronize(folder path: String) throws(FileError) {
    do throws(FileError) {
      try OpenFile(reading: path).synchronize()
    } catch {
      // Some file systems cannot flush a folder, and then order names themselves.
      if error.code != .unsupported { throw error }
    }
  }

  /// The folder for files that need not outlive the process (`TMPDIR`, else `/tmp`).
  package static var temporaryFolder: String {
    let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
    guard named.hasPrefix("/") else { return "/tmp" }
    return named.count > 1 && named.hasSuffix("/") ? String(named.dropLast()) : named
  }

  /// Returns the path without symbolic links, or unchanged where no file has it.
  ///
  /// - Throws: ``FileError`` where that cannot be known.
  package static func resolved(_ path: String) throws(FileError) -> String {
    try check(path)
    guard let buffer = unsafe realpath(path, nil) else {
      let number = errno
      if number == ENOENT { return path }
      throw FileError(number: number, deed: "examine", path: path)
    }
    defer { unsafe free(buffer) }
    guard let text = unsafe String(validatingCString: buffer) else {
      throw FileError(
        code: .invalidPath,
        message: "\(path) lies in a folder whose name is not UTF-8",
        recovery: "Rename that folder, or move what it holds."
      )
    }
    return text
  }

  /// Returns the folder that contains a path.
  package static func folder(of path: String) -> String {
    // The slash is searched by bytes, as the system reads it: a combining character may follow.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Returns the last component of a path.
  package static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/")).map { slash in
      String(path[path.utf8.index(after: slash)...])
    } ?? path
  }
}

private func renaming(_ path: String, _ newPath: String) -> Int32 { unsafe rename(path, newPath) }
private func linking(_ path: String, _ newPath: String) -> Int32 { unsafe link(path, newPath) }
