#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension Folder {
  /// An item of a folder, by its name.
  package struct Entry: Hashable, Sendable {
    /// The name as the file system has it: any bytes but NUL and the slash.
    package let bytes: [UInt8]

    /// The name, or nil where its bytes are no UTF-8.
    package var name: String? { String(validating: bytes, as: UTF8.self) }

    /// The name for display: invalid UTF-8 replaced, control characters escaped.
    package var shownName: String {
      ShownName.of(String(decoding: bytes, as: UTF8.self))
    }
  }
}

extension Folder.Entry {
  /// Returns all entries but `.` and `..`, in the order of the names' bytes.
  ///
  /// - Parameter next: Gives one entry of the open folder after another (`readdir`).
  /// - Throws: ``FileError``, also where only a part could be listed.
  static func listed(
    _ path: String,
    _ next: () -> UnsafeMutablePointer<dirent>?
  ) throws(FileError) -> [Folder.Entry] {
    var entries: [Folder.Entry] = []
    let offset = MemoryLayout<dirent>.offset(of: \.d_name) ?? 0
    while true {
      // The end of the folder and a failure differ by the error number alone.
      errno = 0
      guard let entry = unsafe next() else {
        let number = errno
        guard number == 0 else {
          throw FileError(number: number, deed: "list the folder", path: path)
        }
        return entries.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
      }
      // The record may be shorter than its declared type, so the name is read in place.
      let start = unsafe UnsafeRawPointer(entry).advanced(by: offset)
        .assumingMemoryBound(to: CChar.self)
      let name = unsafe UnsafeRawBufferPointer(start: start, count: strlen(start))
      let bytes = unsafe Array(name)
      if bytes != [0x2e] && bytes != [0x2e, 0x2e] { entries.append(Folder.Entry(bytes: bytes)) }
    }
  }
}

extension FileSystem {
  /// Returns the entries of a folder, without `.` and `..`, in the order of the names' bytes; links to the
  /// folder are followed.
  ///
  /// - Throws: ``FileError``, also where only a part could be listed.
  package static func entries(ofFolder path: String) throws(FileError) -> [Folder.Entry] {
    try check(path)
    guard let folder = unsafe opendir(path) else {
      throw FileError(number: errno, deed: "list the folder", path: path)
    }
    defer { unsafe _ = closedir(folder) }
    return try unsafe Folder.Entry.listed(path) { unsafe readdir(folder) }
  }

  /// Returns the names in a folder, in byte order.
  ///
  /// - Throws: ``FileError``; `invalidPath` where a name is not UTF-8, for callers whose answer would
  ///   be wrong without it. ``entries(ofFolder:)`` is for those that can do without.
  package static func names(inFolder path: String) throws(FileError) -> [String] {
    let entries = try entries(ofFolder: path)
    let names = entries.compactMap(\.name)
    guard names.count < entries.count, let odd = entries.first(where: { $0.name == nil }) else {
      return names
    }
    throw FileError(
      code: .invalidPath,
      message: "The folder \(path) holds “\(odd.shownName)”, a name that is not UTF-8",
      recovery: "Rename it, or move it away."
    )
  }
}
