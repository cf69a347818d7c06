#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A file that the user keeps: a lock, a configuration, a report, a hop file.
///
/// However the process ends, the path names the old text or the whole new one: the new one is written
/// beside it, flushed to the disk and renamed.
package enum AtomicFile {
  /// The contents that the path may have before a write.
  package enum Purpose: Hashable, Sendable {
    /// A new file; an existing one is never overwritten.
    case newFile
    /// A new file, or the replacement of an existing one.
    case replacement
  }

  /// Writes a text, and returns when the disk holds it and its name.
  ///
  /// A symbolic link is followed, and what it leads to replaced, as editors do. A replaced file keeps
  /// its permissions and, as far as this user may give it away, its owner. A pipe or a device, such as
  /// `/dev/stdout`, is written to as it is.
  ///
  /// - Throws: ``FileError``, which names the path: `exists` for a new file where the path exists already;
  ///   `inUse` while another process writes it; `noSpace`; `isDirectory`; `missing` where its folder is not
  ///   there, or a link leads nowhere.
  package static func write(
    _ text: String,
    to path: String,
    as purpose: Purpose = .replacement
  ) throws(FileError) {
    let bytes = Array(text.utf8)
    try write(to: path, purpose) { (file) throws(FileError) in try file.write(bytes) }
  }

  /// Writes bytes that a closure hands over piece by piece, and so never has whole in memory.
  ///
  /// An error of the closure ends it: the path then names the same file as before.
  ///
  /// - Parameter permissions: The permissions of a new file, before the process takes some away (`umask`).
  /// - Throws: ``FileError``, as ``write(_:to:as:)`` does, or what the closure throws.
  package static func write(
    to path: String,
    as purpose: Purpose = .replacement,
    permissions: UInt32 = 0o666,
    by body: (([UInt8]) throws -> Void) throws -> Void
  ) throws {
    var reason: (any Error)?
    do throws(FileError) {
      try write(to: path, purpose, permissions) { (file) throws(FileError) in
        do {
          try body { try file.write($0) }
        } catch let error as FileError {
          throw error
        } catch {
          reason = error
          throw FileError(code: .other, message: "\(path) was not finished")
        }
      }
    } catch {
      throw reason ?? error
    }
  }

  private static func write(
    to path: String,
    _ purpose: Purpose,
    _ permissions: UInt32 = 0o666,
    by fill: (borrowing OpenFile) throws(FileError) -> Void
  ) throws(FileError) {
    do throws(FileError) {
      try put(at: path, purpose, permissions, by: fill)
    } catch {
      guard error.number != 0 else { throw error }
      // The error names the path that the user gave, not the file beside it.
      throw FileError(number: error.number, deed: "write", path: path)
    }
  }

  private static func put(
    at path: String,
    _ purpose: Purpose,
    _ permissions: UInt32,
    by fill: (borrowing OpenFile) throws(FileError) -> Void
  ) throws(FileError) {
    let old = try present(path, purpose)
    switch old?.kind {
    case nil, .file: break
    case .folder: throw FileError(number: EISDIR, deed: "write", path: path)
    case .link, .other:
      return try fill(OpenFile(stream: path))
    }
    let target = try FileSystem.canonical(path)
    let folder = try Folder(FileSystem.folder(of: target))
    try put(into: folder, as: FileSystem.name(of: target), old, purpose, permissions, by: fill)
  }

  /// Returns the status of the file that a path leads to, or nil where the name is free.
  ///
  /// - Throws: ``FileError``: `exists` where nothing may have it; `missing` for a link that leads nowhere,
  ///   which no other process is about to fill.
  private static func present(
    _ path: String,
    _ purpose: Purpose
  ) throws(FileError) -> FileStatus? {
    let linked = try FileSystem.status(path, followsLinks: false)
    let old = try FileSystem.status(path)
    if let linked, linked.kind == .link, old == nil {
      throw FileError(
        code: .missing,
        message: "\(path) is a symbolic link that leads nowhere",
        recovery: "Remove the link, or make what it leads to."
      )
    }
    if linked != nil, purpose == .newFile {
      throw FileError(number: EEXIST, deed: "write", path: path)
    }
    return old
  }

  private static func put(
    into folder: borrowing Folder,
    as name: String,
    _ old: FileStatus?,
    _ purpose: Purpose,
    _ permissions: UInt32,
    by fill: (borrowing OpenFile) throws(FileError) -> Void
  ) throws(FileError) {
    let staging = StagingName.of(name)
    let file = try held(staging, for: name, in: folder, permissions: permissions)
    do throws(FileError) {
      try file.truncate(to: 0)
      try fill(file)
      if let old { file.takeAccess(of: old) }
      try file.synchronize()
      switch purpose {
      case .replacement: try folder.rename(staging, to: name)
      case .newFile: try folder.move(staging, toNewName: name)
      }
    } catch {
      _ = try? folder.remove(staging)
      throw error
    }
    try folder.synchronize()
  }

  /// Makes a new file by a closure, which is given the path of an empty one to fill.
  ///
  /// For databases: what SQLite leaves beside the file is removed with it.
  ///
  /// - Throws: ``FileError``, as ``write(_:to:as:)`` does, or what the closure throws.
  package static func create(
    _ path: String,
    permissions: UInt32 = 0o600,
    by body: (String) throws -> Void
  ) throws {
    _ = try present(path, .newFile)
    let target = try FileSystem.canonical(path)
    let folder = try Folder(FileSystem.folder(of: target))
    let name = FileSystem.name(of: target)
    let staging = StagingName.of(name)
    let file = try held(staging, for: name, in: folder, permissions: permissions)
    do {
      try removeCompanions(of: staging, in: folder)
      try file.truncate(to: 0)
      try body(folder.path(of: staging))
      try requireWhole(staging, as: path, in: folder)
      try file.synchronize()
      try folder.move(staging, toNewName: name)
    } catch {
      try? removeCompanions(of: staging, in: folder)
      _ = try? folder.remove(staging)
      throw error
    }
    try folder.synchronize()
  }

  /// Throws if a database has content in a log or journal beside it, which a move would leave behind: on a
  /// full disk SQLite can fail to write it back, and closing the database does not report that.
  private static func requireWhole(
    _ name: String,
    as path: String,
    in folder: borrowing Folder
  ) throws(FileError) {
    for suffix in ["-wal", "-journal"] {
      guard let size = try FileSystem.size(of: folder.path(of: name + suffix)), size > 0 else {
        continue
      }
      throw FileError(number: ENOSPC, deed: "complete", path: path)
    }
  }

  private static func removeCompanions(
    of name: String,
    in folder: borrowing Folder
  ) throws(FileError) {
    for suffix in ["-wal", "-shm", "-journal"] { try folder.remove(name + suffix) }
  }

  /// Opens the file under its staging name, with a lock that distinguishes a running writer from a killed
  /// one.
  private static func held(
    _ staging: String,
    for name: String,
    in folder: borrowing Folder,
    permissions: UInt32 = 0o666
  ) throws(FileError) -> OpenFile {
    while true {
      let file = try folder.open(appending: staging, permissions: permissions)
      guard try FileSystem.lockAtOnce(file.descriptor, staging) else {
        throw StagingName.isTaken(folder.path(of: name))
      }
      let status = try file.status()
      // The writer before may have renamed it between the two calls.
      guard let there = try folder.status(of: staging), there.isSameFile(as: status) else {
        continue
      }
      // A second name of the file would be overwritten too.
      guard status.linkCount == 1 else {
        throw FileError(
          code: .exists,
          message: "\(folder.path(of: staging)) is in the way: it has a second name",
          recovery: "Remove it."
        )
      }
      return file
    }
  }
}

extension OpenFile {
  /// Opens a pipe, a socket or a device for writing, unless it would wait for a reader.
  fileprivate init(stream path: String) throws(FileError) {
    let descriptor = try FileSystem.retrying("write to", path) {
      unsafe open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    }
    // From here on a slow reader is waited for.
    _ = fcntl(descriptor, F_SETFL, 0)
    self.init(adopting: descriptor, path: path)
  }

  /// Gives the file the permissions of another, and its owner as far as this user may.
  fileprivate func takeAccess(of other: FileStatus) {
    _ = fchown(descriptor, uid_t.max, gid_t(other.group))
    _ = fchown(descriptor, uid_t(other.owner), gid_t.max)
    _ = fchmod(descriptor, mode_t(other.permissions & 0o777))
  }
}
