#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

extension FileSystem {
  /// Makes a folder where there is none, and brings its name to the disk.
  ///
  /// - Throws: ``FileError``; `exists` where something else has the name.
  package static func ensureFolder(_ path: String) throws(FileError) {
    do throws(FileError) {
      try createFolder(path)
    } catch {
      guard error.code == .exists, try status(path)?.kind == .folder else { throw error }
    }
    // Also where it was there: the process that made it may have died before the disk had its name.
    try synchronize(folder: folder(of: path))
  }

  /// Returns the one absolute path by which a file is known, whether or not it is there yet: without
  /// symbolic links, as far as the folder above it exists.
  ///
  /// - Throws: ``FileError`` where that cannot be known.
  package static func canonical(_ path: String) throws(FileError) -> String {
    if try exists(path) { return try resolved(path) }
    let folder = try resolved(folder(of: path))
    return (folder == "/" ? "" : folder) + "/" + name(of: path)
  }

  /// Gives a file to the owner and group of another, as far as this user may do so.
  package static func setOwner(like status: FileStatus, of path: String) throws(FileError) {
    try check(path)
    let group = unsafe chown(path, uid_t.max, gid_t(status.group))
    let owner = unsafe chown(path, uid_t(status.owner), gid_t.max)
    guard group != 0 || owner != 0 else { return }
    let present = try self.status(path)
    guard present?.owner == status.owner, present?.group == status.group else {
      throw FileError(number: EPERM, deed: "give to its owner", path: path)
    }
  }
}
