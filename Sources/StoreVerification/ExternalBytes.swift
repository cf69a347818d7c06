import Files
import StoreAccess

/// The bytes of values that allow external storage, read for a comparison.
///
/// The column's first byte is a tag: `01` before the bytes themselves, `02` before the name of a file.
/// It shares no code with the run that reads and writes these values. A value that cannot be read is
/// nothing here, so that it differs from the result.
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
    try connection.createFunction(function, argumentCount: 1, isDeterministic: false) { arguments in
      guard let stored = arguments.blob(0) else { return .null }
      switch stored.first {
      case nil: return .blob([])
      case 1: return .blob(Array(stored.dropFirst()))
      case 2:
        let name = String(decoding: stored.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
        guard !name.contains("/"), let file = try ExternalFolder.open(folder)?.file(name),
          case let size = try file.status().size, size <= limit
        else { return .null }
        return .blob(try file.read(count: Int(size), at: 0))
      default: return .null
      }
    }
  }
}
