#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The metadata that the operating system has of a file, obtained without reading it.
package struct FileStatus: Hashable, Sendable {
  /// The kind of file at a path.
  package enum Kind: Hashable, Sendable {
    case file, folder
    /// A symbolic link, seen only where links are not followed.
    case link
    /// A pipe, a socket or a device.
    case other
  }

  /// The kind of file at the path; a link only where links were not followed.
  package var kind: Kind
  /// Bytes.
  package var size: Int64
  /// The time of the last change of the contents, in nanoseconds since 1970.
  package var modified: Int64
  /// The number that, with the device, identifies the file however it is named.
  package var inode: UInt64
  /// The file system's number.
  package var device: UInt64
  /// The permission bits, such as `0o644`.
  package var permissions: UInt32
  /// The owner's number.
  package var owner: UInt32
  /// The group's number.
  package var group: UInt32
  /// The number of names that the file has.
  package var linkCount: UInt64

  init(_ status: stat) {
    kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .link
      default: .other
      }
    size = Int64(status.st_size)
    #if canImport(Darwin)
      let time = status.st_mtimespec
    #else
      let time = status.st_mtim
    #endif
    modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    inode = UInt64(status.st_ino)
    device = UInt64(truncatingIfNeeded: status.st_dev)
    permissions = UInt32(status.st_mode) & 0o7777
    owner = UInt32(status.st_uid)
    group = UInt32(status.st_gid)
    linkCount = UInt64(status.st_nlink)
  }

  /// Returns whether both are of one file, however it is named.
  package func isSameFile(as other: FileStatus) -> Bool {
    inode == other.inode && device == other.device
  }
}
