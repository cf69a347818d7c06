package import Files

/// The files that a command reads beside stores and models, such as configuration and lock.
///
/// A file that cannot be seen is not taken for absent: without it a command would do something else.
package enum InputFile {
  /// Returns the status of the file at a path, symbolic links followed, or nil where there is none.
  ///
  /// - Parameter shown: The path that messages show.
  /// - Throws: ``WaystoneError``, `missingFile` where it cannot be read.
  package static func status(
    _ path: String,
    shownAs shown: String? = nil
  ) throws(WaystoneError) -> FileStatus? {
    do throws(FileError) {
      return try FileSystem.status(path)
    } catch {
      // A file has nothing below it, as where “Model/v1” names a version beside a file “Model”.
      if error.code == .notAFolder { return nil }
      throw unreadable(shown ?? path, error)
    }
  }

  /// Returns whether there is a file at a path, symbolic links followed.
  ///
  /// - Throws: ``WaystoneError``, as ``status(_:shownAs:)``.
  package static func exists(_ path: String, shownAs shown: String? = nil) throws(WaystoneError)
    -> Bool
  {
    try status(path, shownAs: shown) != nil
  }

  /// Returns the bytes of a plain file, or of the target of a link to one.
  ///
  /// - Parameter limit: The most bytes that are read.
  /// - Throws: ``WaystoneError``: `missingFile` where it cannot be read; `badFile` where it is larger, or
  ///   no file.
  package static func bytes(
    of path: String,
    shownAs shown: String,
    limit: Int
  ) throws(WaystoneError) -> [UInt8] {
    do throws(FileError) {
      let file = try OpenFile(plainFile: FileSystem.resolved(path), limit: Int64(limit))
      return try file.read(count: Int(file.status().size), at: 0)
    } catch {
      guard error.code == .tooLarge || error.code == .notPlain else {
        throw unreadable(shown, error)
      }
      throw WaystoneError(
        .badFile,
        error.code == .notPlain
          ? "\(shown) is not a plain file."
          : "\(shown) is larger than \(limit >> 20) MiB.",
        recovery: error.recovery
      )
    }
  }

  /// Returns the error where a file cannot be read.
  package static func unreadable(_ shown: String, _ error: FileError) -> WaystoneError {
    WaystoneError(
      .missingFile,
      "\(shown) cannot be read: \(error.reason).",
      recovery: error.recovery
    )
  }
}
