private import CSQLite

/// The global state of SQLite.
package enum SQLiteLibrary {
  /// Readies SQLite, once, before the first connection.
  ///
  /// Memory statistics are off, because they take a mutex at each allocation (an eighth of an index
  /// build, measured). Where another part of the process has started SQLite before, that is refused
  /// and nothing is lost.
  static let start: Void = {
    _ = waystone_sqlite_disable_memory_statistics()
    SQLiteSystemCalls.install()
  }()

  /// The version of the SQLite in use, such as "3.40.1".
  package static var version: String { unsafe String(cString: sqlite3_libversion()) }
}
