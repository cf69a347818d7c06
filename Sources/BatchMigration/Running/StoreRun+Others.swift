internal import Files
internal import StoreAccess

extension StoreOutcome {
  /// The code of a database that is something else's: it has tables, and none of Core Data's.
  package static let otherDatabase = "otherDatabase"

  /// Whether the file is a database of something else.
  var isOfOtherDatabase: Bool { code == Self.otherDatabase }
}

extension StoreRun {
  /// Returns whether a file that is no store is a database of something else, such as an app's cache.
  ///
  /// A database without any table is not: it may be a store that lost its `-wal`. Nor is one with a table
  /// that is named as Core Data's are (`ZNOTE`, `Z_METADATA`), with a folder of large values beside it, or
  /// one that cannot be read.
  static func isOther(_ path: String) -> Bool {
    do {
      let files = try StoreFiles(store: path)
      guard try !FileSystem.exists(files.support) else { return false }
      let connection = try SQLiteConnection(path: files.store, access: .quiescent)
      let counts = try connection.counts(
        "SELECT COUNT(*), IFNULL(SUM(name GLOB 'Z*'), 0) FROM sqlite_schema "
          + "WHERE type = 'table' AND name NOT GLOB 'sqlite_*'"
      )
      return counts[0] > 0 && counts[1] == 0
    } catch {
      return false
    }
  }
}
