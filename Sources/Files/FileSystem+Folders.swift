#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

extension FileSystem {
  /// Makes a folder for the user where there is none, and its missing parents.
  ///
  /// - Throws: ``FileError``; `exists` where something else has a name.
  package static func ensureFolders(_ path: String) throws(FileError) {
    if try status(path)?.kind == .folder { return }
    let parent = folder(of: path)
    if parent != path { try ensureFolders(parent) }
    do throws(FileError) {
      try createFolder(path, permissions: 0o777)
    } catch {
      guard error.code == .exists, try status(path)?.kind == .folder else { throw error }
    }
    try synchronize(folder: parent)
  }

  /// Takes the lock that goes with a descriptor (`flock`), unless another has it.
  ///
  /// - Returns: Whether it is free for this process; also where the file system has no locks.
  static func lockAtOnce(_ descriptor: Int32, _ name: String) throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try retrying("lock", name) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.number == EWOULDBLOCK { return false }
      if error.code == .unsupported || error.number == ENOLCK { return true }
      throw error
    }
  }
}
