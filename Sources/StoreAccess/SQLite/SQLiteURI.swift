/// The `file:` URI that directs SQLite how to open a file (sqlite.org/uri.html).
enum SQLiteURI {
  /// Returns the URI of the path with these query parameters.
  ///
  /// - Throws: `invalidPath` for a path that is empty (SQLite's name for a temporary database) or
  ///   holds a NUL byte (where SQLite would stop reading).
  static func uri(path: String, _ query: [(String, String)]) throws(SQLiteError) -> String {
    guard !path.isEmpty else {
      throw SQLiteError(code: .invalidPath, message: "The path of the database is empty")
    }
    guard !path.utf8.contains(0) else {
      throw SQLiteError(
        code: .invalidPath,
        message: "The path \(path.debugDescription) holds a NUL character"
      )
    }
    // "./" keeps names such as ":memory:" names, and "/." the empty authority of "//host/path".
    let prefix = !path.hasPrefix("/") ? "./" : path.hasPrefix("//") ? "/." : ""
    let suffix = query.map { "\($0)=\($1)" }.joined(separator: "&")
    return "file:" + escaped(prefix + path) + (suffix.isEmpty ? "" : "?" + suffix)
  }

  /// Returns each byte but letters, digits and `/-._~` as `%XX`.
  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var result: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "-"),
        UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"):
        result.append(byte)
      default:
        result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}

extension SQLiteAccess {
  /// Returns the URI to open the file with.
  func uri(path: String) throws(SQLiteError) -> String {
    switch self {
    case .readOnly: try SQLiteURI.uri(path: path, [("mode", "ro")])
    case .readWrite, .create: try SQLiteURI.uri(path: path, [("mode", "rw")])
    case .quiescent: try SQLiteURI.uri(path: path, try Self.quiescentQuery(path: path))
    case .inMemory: "file::memory:"
    }
  }

  /// Returns the parameters with which SQLite reads a file and leaves no trace.
  ///
  /// Without locks and in exclusive mode SQLite keeps the index of the `-wal` in memory instead of
  /// `-shm`. But where a file in WAL mode has no `-wal`, it would make an empty one; `immutable`
  /// prevents that, and is only allowed where there is nothing in a `-wal` or `-journal` to read
  /// (it ignores both).
  private static func quiescentQuery(path: String) throws(SQLiteError) -> [(String, String)] {
    // A journal of a finished transaction may be there too, as of a writer that was killed.
    do throws(StoreAccessError) {
      let files = try StoreFiles(store: path)
      guard try files.writeAheadLogSize == 0, try !files.hasRollbackJournal else {
        return [("mode", "ro"), ("vfs", "unix-none")]
      }
      return [("mode", "ro"), ("immutable", "1")]
    } catch {
      throw SQLiteError(error)
    }
  }
}
