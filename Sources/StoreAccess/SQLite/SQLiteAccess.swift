/// The mode of opening a database file, and so the effects on the file.
package enum SQLiteAccess: Hashable, Sendable {
  /// Reading under SQLite's own locks; in WAL mode it may write `-shm` and leave an empty `-wal`.
  case readOnly
  /// Reading and writing an existing file; closing the last such connection folds the `-wal` in.
  case readWrite
  /// A new file of mode 0600; refused where it, or a journal of that name, exists.
  case create
  /// Reading without a lock and without touching the file, its `-wal` or its `-shm`.
  ///
  /// Only where no other process writes meanwhile. A `-wal` is in force; a hot `-journal`, which only a
  /// writer could roll back, is refused. Closing it drops the locks that other connections of this
  /// process hold on the file.
  case quiescent
  /// A database without a file.
  case inMemory

  /// Whether an existing file is opened, and so perhaps files beside it.
  var opensExistingFile: Bool {
    switch self {
    case .readOnly, .readWrite, .quiescent: true
    case .create, .inMemory: false
    }
  }
}
