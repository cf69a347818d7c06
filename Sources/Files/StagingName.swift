/// The temporary name of an output file or folder until it is complete.
///
/// It is hidden, beside its place, and always the same for one place: the next writer finds and reuses the
/// remains of a killed process. `waystone.lock` is made as `.waystone.lock.waystone-new`.
enum StagingName {
  private static let suffix = ".waystone-new"

  /// A name takes 255 bytes on the file systems in use.
  private static let greatestLength = 255

  /// Returns the name for making something of a name.
  static func of(_ name: String) -> String {
    let room = greatestLength - suffix.utf8.count - 1
    var name = name[...]
    while name.utf8.count > room { name = name.dropLast() }
    return ".\(name)\(suffix)"
  }

  /// Returns the error where another process makes the same thing at this moment.
  static func isTaken(_ path: String) -> FileError {
    FileError(
      code: .inUse,
      message: "\(path) is being written by another process",
      recovery: FileError.Code.inUse.recovery
    )
  }
}
