private import CSQLite
private import Synchronization

#if os(Linux)
  private import Glibc
#endif

/// The system calls of SQLite's `unix` file systems that Waystone replaces
/// (`sqlite3_vfs.xSetSystemCall`).
///
/// SQLite takes some errors of `read` (`EIO`, `ENXIO`, `ERANGE`) for damage, and forgets the error
/// number (`SQLITE_IOERR_CORRUPTFS` becomes `SQLITE_CORRUPT` in `sqlite3VdbeExec`); a failing disk would
/// then be reported as a damaged store. So failed reads are noted. `unlink` and `fcntl` are made again
/// where a signal interrupts them, which SQLite does for most other calls itself.
enum SQLiteSystemCalls {
  /// The error number of the last failed read of each thread; only failing reads touch it.
  private static let failedReads = Mutex<[UInt: Int32]>([:])

  /// Puts the calls into place; before the first connection, as SQLite reads them without a lock.
  static func install() {
    #if os(Linux)
      guard let files = unsafe sqlite3_vfs_find("unix") else { return }
      unsafe replace("read", unsafe unsafeBitCast(readNoting, to: sqlite3_syscall_ptr.self), files)
      unsafe replace(
        "pread",
        unsafe unsafeBitCast(readAtNoting, to: sqlite3_syscall_ptr.self),
        files
      )
      unsafe replace(
        "pread64",
        unsafe unsafeBitCast(readAtNoting, to: sqlite3_syscall_ptr.self),
        files
      )
      unsafe replace(
        "unlink",
        unsafe unsafeBitCast(unlinkAgain, to: sqlite3_syscall_ptr.self),
        files
      )
      unsafe replace(
        "fcntl",
        unsafe unsafeBitCast(controlAgain, to: sqlite3_syscall_ptr.self),
        files
      )
    #endif
  }

  /// Returns the error number of the last read of this thread that failed since the last call, or nil.
  ///
  /// A connection belongs to one thread at a time, and its errors are reported where they happen.
  static func takeFailedRead() -> Int32? {
    #if os(Linux)
      let thread = UInt(pthread_self())
      return failedReads.withLock { $0.removeValue(forKey: thread) }
    #else
      return nil
    #endif
  }

  #if os(Linux)
    /// Notes the error number of a read, and leaves it as it is.
    fileprivate static func note(_ number: Int32) {
      let thread = UInt(pthread_self())
      failedReads.withLock { $0[thread] = number }
      errno = number
    }

    private static func replace(
      _ name: String,
      _ call: sqlite3_syscall_ptr?,
      _ files: UnsafeMutablePointer<sqlite3_vfs>
    ) {
      // A build of SQLite has the calls that it makes, and null for the others.
      guard unsafe files.pointee.xGetSystemCall?(files, name) != nil else { return }
      unsafe _ = files.pointee.xSetSystemCall?(files, name, call)
    }
  #endif
}

#if os(Linux)
  private let readNoting: @convention(c) (Int32, UnsafeMutableRawPointer?, Int) -> Int = {
    let count = unsafe read($0, $1, $2)
    if count < 0, errno != EINTR { SQLiteSystemCalls.note(errno) }
    return count
  }

  private let readAtNoting: @convention(c) (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int = {
    let count = unsafe pread($0, $1, $2, $3)
    if count < 0, errno != EINTR { SQLiteSystemCalls.note(errno) }
    return count
  }

  private let unlinkAgain: @convention(c) (UnsafePointer<CChar>?) -> Int32 = { path in
    guard let path = unsafe path else { return -1 }
    while true {
      let result = unsafe unlink(path)
      if result == 0 || errno != EINTR { return result }
    }
  }

  /// `fcntl` has one argument more for the commands that SQLite gives: a number or a pointer, which
  /// Linux passes alike.
  private let controlAgain: @convention(c) (Int32, Int32, UnsafeMutableRawPointer?) -> Int32 = {
    descriptor,
    command,
    argument in
    while true {
      let result: Int32
      if let argument = unsafe argument {
        result = unsafe fcntl(descriptor, command, argument)
      } else {
        result = fcntl(descriptor, command, 0)
      }
      if result != -1 || errno != EINTR { return result }
    }
  }
#endif
