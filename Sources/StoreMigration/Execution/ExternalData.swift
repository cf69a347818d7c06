import Files
package import StoreAccess

/// The encoding of attributes that allow external storage.
///
/// The column's first byte is a tag: `01` before the bytes themselves, `02` before the name of a
/// file in the store's support folder, which is 36 characters of a UUID and a NUL. Measured on 163
/// values of stores of public apps.
package enum ExternalData {
  /// The SQL function that puts the tag `01` before a value.
  static let tagFunction = "waystone_external_tag"
  /// The SQL function that gives a tagged value's bytes, read from the file where they are in one.
  static let untagFunction = "waystone_external_untag"

  /// The largest file that is read into a column; SQLite's own limit is a billion bytes.
  private static let greatestSize: Int64 = 1_000_000_000

  /// Makes both functions callable on a connection.
  ///
  /// - Parameter folder: The folder of external files, as `StoreFiles.externalData` gives it.
  package static func register(
    on connection: borrowing SQLiteConnection,
    folder: String
  ) throws(SQLiteError) {
    try connection.createFunction(tagFunction, argumentCount: 1) { arguments in
      guard let bytes = arguments.blob(0) else { return .null }
      return .blob([1] + bytes)
    }
    try connection.createFunction(
      untagFunction,
      argumentCount: 1,
      isDeterministic: false
    ) { arguments in
      guard let bytes = arguments.blob(0) else { return .null }
      return .blob(try untagged(bytes, folder: folder))
    }
  }

  /// Returns the bytes of a tagged value, read from its file where they are in one.
  ///
  /// - Throws: ``MigrationError`` where the tag is unknown or the file is missing.
  static func untagged(_ bytes: [UInt8], folder: String) throws -> [UInt8] {
    guard let tag = bytes.first else { return [] }
    if tag == 1 { return Array(bytes.dropFirst()) }
    guard tag == 2, let name = fileName(bytes) else {
      throw MigrationError(
        .failed,
        "A value of external storage has an unknown tag.",
        recovery: "Open the store with the app that wrote it, and save it again."
      )
    }
    guard let file = try ExternalFolder.open(folder)?.file(name) else {
      throw MigrationError(
        .failed,
        "The external file \(folder)/\(name) is missing.",
        recovery: "Put the store's support folder beside it."
      )
    }
    let size = try file.status().size
    guard size <= greatestSize else {
      throw MigrationError(
        .failed,
        "The external file \(folder)/\(name) is too large for a value: \(size) bytes.",
        recovery: "Look at the file; no value of SQLite takes more than \(greatestSize) bytes."
      )
    }
    return try file.read(count: Int(size), at: 0)
  }

  /// Returns whether a value names a file that is not there, or is no plain file.
  static func isFileMissing(_ bytes: [UInt8], folder: String) throws(FileError) -> Bool {
    guard bytes.first == 2, let name = fileName(bytes) else { return false }
    return try ExternalFolder.open(folder)?.hasFile(name) != true
  }

  /// Returns the file's name in a value with tag `02`, or nil where it is no UUID.
  static func fileName(_ bytes: [UInt8]) -> String? {
    let name = bytes.dropFirst().prefix { $0 != 0 }
    let isUUID =
      name.count == 36
      && name.allSatisfy { byte in
        switch byte {
        case 0x2d, 0x30...0x39, 0x41...0x46, 0x61...0x66: true
        default: false
        }
      }
    return isUUID ? String(decoding: name, as: UTF8.self) : nil
  }
}
