#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A refusal of the operating system to do something with a file, which it names.
package struct FileError: Error, Hashable, Sendable {
  /// A reason that a caller may branch on.
  package enum Code: Hashable, Sendable {
    /// The name, or a folder above it, does not exist (`ENOENT`, and no other error).
    case missing
    /// A file is where a folder should be (`ENOTDIR`).
    case notAFolder
    /// Permissions forbid it, or the file system can only be read (`EACCES`, `EPERM`, `EROFS`).
    case denied
    /// A file or folder of that name is there (`EEXIST`, `ENOTEMPTY`).
    case exists
    /// Another process makes what is to be made.
    case inUse
    /// A folder is where a file should be (`EISDIR`).
    case isDirectory
    /// A link, a folder, a pipe, a socket or a device is where a plain file or a folder should be.
    case notPlain
    /// The file holds more than anything of its kind can.
    case tooLarge
    /// The disk or the quota is full, or the process may not make so large a file (`ENOSPC`, `EDQUOT`,
    /// `EFBIG`).
    case noSpace
    /// The file system cannot do this, or not across two disks (`EXDEV`, `ENOTSUP`, `EMLINK` …).
    case unsupported
    /// The path is empty, holds a NUL byte, is too long or runs in a circle of links; or the name of
    /// a file in a folder is not UTF-8.
    case invalidPath
    /// Another reason, such as a failing disk (`EIO`).
    case other
  }

  /// The reason of the failure.
  package var code: Code
  /// The operating system's error number, or 0 where it was not asked.
  package var number: Int32
  /// A sentence that names the action and the path.
  package var message: String
  /// The user's next step, as a sentence.
  package var recovery: String

  package init(code: Code, number: Int32 = 0, message: String, recovery: String? = nil) {
    self.code = code
    self.number = number
    self.message = message
    self.recovery = recovery ?? code.recovery
  }

  /// The error for an error number.
  ///
  /// - Parameters:
  ///   - number: `errno`, read right after the call.
  ///   - deed: The operation, as a verb phrase that the path follows: "read", "create the folder".
  package init(number: Int32, deed: String, path: String) {
    self.init(
      code: Code(number: number),
      number: number,
      message: "Cannot \(deed) \(path): \(Self.reason(number))",
      recovery: number == EFBIG ? Self.largerFiles : nil
    )
  }

  /// The operating system's text for the error number, without deed and path.
  package var reason: String { number == 0 ? message : Self.reason(number) }

  /// Whether a symbolic link leads back to itself.
  package var isCircle: Bool { number == ELOOP }

  private static func reason(_ number: Int32) -> String {
    unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
  }

  /// The error for something that is not what it should be.
  ///
  /// - Parameter wanted: The kind that is wanted, such as "a plain file".
  package init(notPlain kind: FileStatus.Kind, wanted: String, path: String) {
    let present =
      switch kind {
      case .file: "a file"
      case .folder: "a folder"
      case .link: "a symbolic link"
      case .other: "a pipe, a socket or a device"
      }
    // SQLite's files beside a database may hold the last writes to it.
    let isOfDatabase = path.hasSuffix("-wal") || path.hasSuffix("-journal")
    self.init(
      code: .notPlain,
      message: "\(path) is \(present), not \(wanted)",
      recovery: kind == .link
        ? isOfDatabase
          ? "Put the file to which it leads in its place: it may hold the last changes."
          : "Put what it leads to in its place, or move it away."
        : nil
    )
  }

  /// Refuses all but plain files.
  package static func requirePlain(_ kind: FileStatus.Kind, _ path: String) throws(FileError) {
    if kind != .file { throw FileError(notPlain: kind, wanted: "a plain file", path: path) }
  }
}

extension FileError {
  /// The advice where a file may not grow.
  package static let largerFiles =
    "Let the process write larger files (`ulimit -f`; of a batch, --file-size), then try again."

  /// Whether the process may not make so large a file, which the same process cannot ever.
  package var isOfLimit: Bool { number == EFBIG }

  /// Whether the disk is at fault and not the path: it is full, or it fails.
  package var isOfDisk: Bool { code == .noSpace || code == .other }
}

extension FileError: CustomStringConvertible {
  /// The message followed by the recovery.
  package var description: String { "\(message). \(recovery)" }
}

extension FileError.Code {
  /// Creates the reason that an error number means.
  init(number: Int32) {
    switch number {
    case ENOENT: self = .missing
    case ENOTDIR: self = .notAFolder
    case EACCES, EPERM, EROFS: self = .denied
    case EEXIST, ENOTEMPTY: self = .exists
    case EISDIR: self = .isDirectory
    case ENOSPC, EDQUOT, EFBIG: self = .noSpace
    case EXDEV, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK, ENOTTY, EINVAL: self = .unsupported
    case ENAMETOOLONG, ELOOP: self = .invalidPath
    default: self = .other
    }
  }

  /// The advice for most failures of this kind.
  var recovery: String {
    switch self {
    case .missing, .notAFolder: "Check the path."
    case .denied: "Check the permissions of the file and of its folder."
    case .exists: "Choose another name, or remove what is there."
    case .inUse: "Wait until it has ended, then try again."
    case .isDirectory: "Give the path of a file."
    case .notPlain, .tooLarge: "Look at what it is, and move it away."
    case .noSpace: "Free some space on the disk, then try again."
    case .unsupported: "Use a folder on another file system."
    case .invalidPath: "Give another path."
    case .other: "Check the disk and its connection, then try again."
    }
  }
}
