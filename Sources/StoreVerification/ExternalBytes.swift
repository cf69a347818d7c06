import Files
import StoreAccess

/// The bytes of values that allow external storage, read for a comparison.
///
/// The column's first byte is a tag: `01` before the bytes themselves, `02` before the name of a file.
/// It shares no code with the run that reads and writes these values. Where a value cannot be read, the
/// comparison fails: nothing in the result would pass for its copy.
enum ExternalBytes {
  /// The SQL function that gives a tagged value's bytes.
  static let function = "waystone_external_bytes"
  /// The greatest length of a value that SQLite can hold.
  private static let limit: Int64 = 1_000_000_000

  /// Makes the function callable on a connection.
  ///
  /// - Parameter folder: The folder of external files, as `StoreFiles.externalData` gives it.
  static func register(
    on connection: borrowing SQLiteConnection,
    folder: String
  ) throws(SQLiteError) {
    func unreadable(_ fact: String) -> StoreAccessError {
      StoreAccessError(
        code: .damaged,
        message: "A value of external storage cannot be compared: \(fact).",
        recovery: "Put the store's support folder beside it, as the app left it."
      )
    }
    try connection.createFunction(function, argumentCount: 1, isDeterministic: false) { arguments in
      guard let stored = arguments.blob(0) else { return .null }
      switch stored.first {
      case nil: return .blob([])
      case 1: return .blob(Array(stored.dropFirst()))
      case 2:
        let name = String(decoding: stored.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        guard !name.contains("/"), let file = try ExternalFolder.open(folder)?.file(name) else {
          throw unreadable("its file is not in \(folder)")
        }
        let size = try file.status().size
        guard size <= limit else { throw unreadable("its file in \(folder) is too large") }
        return .blob(try file.read(count: Int(size), at: 0))
      default: throw unreadable("its first byte is no known tag")
      }
    }
  }
}
