import Files

#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A test of whether a process has a store open, by asking the operating system, without changing anything.
///
/// SQLite shows its use of a file by locks on bytes that are never read
/// (sqlite.org/src/file/src/os_unix.c): every WAL connection holds one as long as it is open. In
/// rollback-journal mode only a transaction holds one: an idle connection is not seen. On Linux
/// connections of this process are seen too, on macOS only those of others.
///
/// It opens and closes the files, which drops this process's own locks on them: never use it on a
/// store that this process has open otherwise than as `quiescent`.
package enum QuiescenceProbe {
  /// The answer to whether a lock is held.
  package enum Answer: Hashable, Sendable {
    /// The store has no lock, as far as can be seen.
    case free
    /// A lock is held; with the number of the process where the operating system gives it.
    case held(process: Int32?)
  }

  /// Asks for the store at a path.
  ///
  /// - Throws: ``StoreAccessError``, `missing` or `unreadable`.
  package static func ask(_ path: String) throws(StoreAccessError) -> Answer {
    // PENDING_BYTE, RESERVED_BYTE and the 510 bytes of SHARED_FIRST.
    let main = try ask(path, from: 0x4000_0000, count: 512)
    let sharedMemory = try StoreFiles(store: path).sharedMemory
    let isThere = try asStoreAccess(files: { () throws(FileError) in
      guard let status = try FileSystem.status(sharedMemory, followsLinks: false) else {
        return false
      }
      try FileError.requirePlain(status.kind, sharedMemory)
      return true
    })
    guard main == .free, isThere else { return main }
    // UNIX_SHM_BASE and the eight locks of the write-ahead log, then UNIX_SHM_DMS ("dead man's
    // switch"), which every connection holds shared.
    return try ask(sharedMemory, from: 120, count: 9)
  }

  private static func ask(
    _ path: String,
    from start: Int64,
    count: Int64
  ) throws(StoreAccessError) -> Answer {
    do throws(FileError) {
      let file = try OpenFile(reading: path)
      var lock = flock()
      lock.l_type = Int16(F_WRLCK)
      lock.l_whence = Int16(SEEK_SET)
      lock.l_start = off_t(start)
      lock.l_len = off_t(count)
      #if canImport(Darwin)
        let command = F_GETLK
      #else
        // F_OFD_GETLK of <fcntl.h>, which Swift does not import. Locks of an open file description
        // conflict with this process's POSIX locks too.
        let command: Int32 = 36
      #endif
      let descriptor = file.descriptor
      _ = try FileSystem.retrying("ask for the locks on", path) {
        unsafe fcntl(descriptor, command, &lock)
      }
      if lock.l_type == Int16(F_UNLCK) { return .free }
      return .held(process: lock.l_pid > 0 ? lock.l_pid : nil)
    } catch {
      throw StoreAccessError(error)
    }
  }
}
