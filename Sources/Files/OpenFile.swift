#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file descriptor with the path it was opened by, closed when its owner lets go of it.
///
/// Never open a database as an ``OpenFile`` while a connection of this process holds a lock on it:
/// POSIX drops all of a process's locks on a file as soon as any descriptor of it is closed.
package struct OpenFile: ~Copyable {
  /// The descriptor for calls that this type does not wrap; never to be closed or kept.
  package let descriptor: Int32
  /// The path it was opened by.
  package let path: String

  /// Opens a file or folder for reading.
  ///
  /// - Throws: ``FileError``.
  package init(reading path: String) throws(FileError) {
    // Without O_NONBLOCK, opening a named pipe would wait for its writer.
    try self.init(path, O_RDONLY | O_NONBLOCK, deed: "open")
  }

  /// Opens a plain file for reading, and nothing that only looks like one.
  ///
  /// A symbolic link is not followed, and a pipe or device is not opened, as opening alone can wait
  /// or act.
  ///
  /// - Parameter limit: The most bytes that the file may have.
  /// - Throws: ``FileError``: `missing`; `notPlain` and `tooLarge`.
  package init(plainFile path: String, limit: Int64 = .max) throws(FileError) {
    self = try Self.plain(path, limit)
  }

  private static func plain(_ path: String, _ limit: Int64) throws(FileError) -> OpenFile {
    guard let there = try FileSystem.status(path, followsLinks: false) else {
      throw FileError(number: ENOENT, deed: "open", path: path)
    }
    try FileError.requirePlain(there.kind, path)
    let file = try unlinked(path)
    let status = try file.status()
    try FileError.requirePlain(status.kind, path)
    guard status.size <= limit else {
      throw FileError(
        code: .tooLarge,
        message: "\(path) has \(status.size) bytes, and such a file has at most \(limit)"
      )
    }
    return file
  }

  /// Opens what has this name itself.
  private static func unlinked(_ path: String) throws(FileError) -> OpenFile {
    do throws(FileError) {
      return try OpenFile(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW, deed: "open")
    } catch {
      // A link that was put there since.
      guard error.number == ELOOP else { throw error }
      throw FileError(notPlain: .link, wanted: "a plain file", path: path)
    }
  }

  /// Opens an existing file for reading and writing.
  ///
  /// - Throws: ``FileError``.
  package init(writing path: String) throws(FileError) {
    try self.init(path, O_RDWR | O_NONBLOCK, deed: "write to")
  }

  /// Opens a file to add to its end, making it where it is absent.
  ///
  /// - Throws: ``FileError``.
  package init(appending path: String, permissions: UInt32 = 0o600) throws(FileError) {
    try self.init(path, O_WRONLY | O_CREAT | O_APPEND, permissions, deed: "write to")
  }

  /// Makes a new file and opens it for reading and writing.
  ///
  /// - Throws: ``FileError``; `exists` where anything has that name.
  package init(creating path: String, permissions: UInt32 = 0o600) throws(FileError) {
    try self.init(path, O_RDWR | O_CREAT | O_EXCL, permissions, deed: "create")
  }

  private init(
    _ path: String,
    _ flags: Int32,
    _ permissions: UInt32 = 0,
    deed: String
  ) throws(FileError) {
    try FileSystem.check(path)
    descriptor = try FileSystem.retrying(deed, path) {
      unsafe open(path, flags | O_CLOEXEC, mode_t(permissions))
    }
    self.path = path
  }

  /// Takes over a descriptor that was just opened.
  init(adopting descriptor: Int32, path: String) {
    self.descriptor = descriptor
    self.path = path
  }

  deinit { _ = close(descriptor) }

  /// Returns the status of the open file, independent of its present name.
  package func status() throws(FileError) -> FileStatus {
    var status = stat()
    _ = try FileSystem.retrying("examine", path) { unsafe fstat(descriptor, &status) }
    return FileStatus(status)
  }

  /// Gives the file to the owner and group of another.
  package func setOwner(like status: FileStatus) throws(FileError) {
    _ = try FileSystem.retrying("give to its owner", path) {
      fchown(descriptor, uid_t(status.owner), gid_t(status.group))
    }
  }

  /// Returns up to `count` bytes from an offset; fewer only at the end of the file.
  package func read(count: Int, at offset: Int64) throws(FileError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    let done = try read(into: &bytes, at: offset)
    return done == bytes.count ? bytes : Array(bytes[..<done])
  }

  /// Fills bytes from an offset on.
  ///
  /// - Returns: The number of bytes read; fewer than there is room for only at the end of the file.
  package func read(into bytes: inout [UInt8], at offset: Int64) throws(FileError) -> Int {
    var done = 0
    while done < bytes.count {
      let got = try FileSystem.retrying("read", path) {
        unsafe bytes.withUnsafeMutableBytes {
          unsafe pread(
            descriptor,
            $0.baseAddress.map { unsafe $0 + done },
            $0.count - done,
            off_t(offset) + off_t(done)
          )
        }
      }
      if got == 0 { break }
      done += got
    }
    return done
  }

  /// Writes all the bytes at the descriptor's position.
  package func write(_ bytes: [UInt8]) throws(FileError) {
    try write(bytes[...])
  }

  /// Writes a part of some bytes at the descriptor's position.
  package func write(_ bytes: ArraySlice<UInt8>) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let count = try FileSystem.retrying("write to", path) {
        unsafe bytes.withUnsafeBytes {
          unsafe sending(descriptor, $0.baseAddress.map { unsafe $0 + done }, $0.count - done)
        }
      }
      // A file system that takes nothing and names no reason would be asked for ever.
      guard count > 0 else { throw FileError(number: EIO, deed: "write to", path: path) }
      done += count
    }
  }

  /// Writes all the bytes from an offset on, wherever the descriptor's position is.
  package func write(_ bytes: [UInt8], at offset: Int64) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let count = try FileSystem.retrying("write to", path) {
        unsafe bytes.withUnsafeBytes {
          unsafe pwrite(
            descriptor,
            $0.baseAddress.map { unsafe $0 + done },
            $0.count - done,
            off_t(offset) + off_t(done)
          )
        }
      }
      guard count > 0 else { throw FileError(number: EIO, deed: "write to", path: path) }
      done += count
    }
  }

  /// Returns when the disk holds the contents; on macOS past the drive's own cache
  /// (`F_FULLFSYNC`).
  package func synchronize() throws(FileError) {
    #if canImport(Darwin)
      if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
    #endif
    _ = try FileSystem.retrying("flush", path) { fsync(descriptor) }
  }

  /// Gives the advisory lock up, also for a copy of the descriptor that a process which is just being
  /// started has for a moment.
  package func unlock() { _ = flock(descriptor, LOCK_UN) }

  /// Waits for the advisory lock on the file, and takes it for this descriptor (`flock(2)`).
  package func lock() throws(FileError) {
    _ = try FileSystem.retrying("lock", path) { flock(descriptor, LOCK_EX) }
  }

  /// Takes the advisory lock on the file for this descriptor (`flock(2)`), which ends with it.
  ///
  /// - Returns: Whether it was free.
  package func tryLock() throws(FileError) -> Bool {
    do throws(FileError) {
      _ = try FileSystem.retrying("lock", path) { flock(descriptor, LOCK_EX | LOCK_NB) }
      return true
    } catch {
      if error.number == EWOULDBLOCK { return false }
      throw error
    }
  }

  /// Cuts or extends the file to this many bytes.
  package func truncate(to size: Int64) throws(FileError) {
    _ = try FileSystem.retrying("resize", path) { ftruncate(descriptor, off_t(size)) }
  }
}

/// Calls `write(2)` under a name that does not clash with the method's.
private func sending(_ descriptor: Int32, _ start: UnsafeRawPointer?, _ count: Int) -> Int {
  unsafe write(descriptor, start, count)
}
