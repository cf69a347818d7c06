private import CSQLite
package import StoreAccess

/// A database as an app has it open: by plain SQLite, with triggers, views and all statements, and
/// with the functions that Core Data registers for its triggers.
///
/// Tests make odd and hostile stores with it, which `SQLiteConnection` would not.
package final class AppDatabase {
  /// An error of SQLite.
  package struct Refusal: Error, CustomStringConvertible {
    package let description: String
  }

  private let handle: OpaquePointer

  /// Opens a file, which is made where there is none.
  ///
  /// - Parameter patience: The milliseconds that a statement waits for a lock of another connection.
  package init(_ path: String, patience: Int32 = 0) throws {
    var opened: OpaquePointer?
    guard
      sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil) == SQLITE_OK,
      let handle = opened
    else {
      defer { sqlite3_close_v2(opened) }
      throw Refusal(description: String(cString: sqlite3_errmsg(opened)))
    }
    self.handle = handle
    sqlite3_busy_timeout(handle, patience)
    for name in [
      "NSCoreDataDATriggerUpdatedAffectedObjectValue",
      "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue",
      "NSCoreDataTriggerUpdateAffectedObjectValue",
    ] {
      sqlite3_create_function(
        handle,
        name,
        5,
        SQLITE_UTF8 | SQLITE_INNOCUOUS,
        nil,
        { context, _, _ in sqlite3_result_null(context) },
        nil,
        nil
      )
    }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Opens a file, runs a script and closes it.
  package static func run(_ path: String, _ script: String) throws {
    try AppDatabase(path).execute(script)
  }

  /// Runs all statements of a script, ignoring rows.
  package func execute(_ script: String) throws {
    guard sqlite3_exec(handle, script, nil, nil, nil) == SQLITE_OK else { throw refusal }
  }

  /// Runs one statement with values for its parameters, in order.
  ///
  /// - Returns: Its rows.
  @discardableResult
  package func execute(_ sql: String, _ values: [SQLiteValue]) throws -> [[SQLiteValue]] {
    var compiled: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &compiled, nil) == SQLITE_OK else { throw refusal }
    defer { sqlite3_finalize(compiled) }
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      switch value {
      case .null: sqlite3_bind_null(compiled, place)
      case .integer(let value): sqlite3_bind_int64(compiled, place, value)
      case .real(let value): sqlite3_bind_double(compiled, place, value)
      case .text(let value):
        sqlite3_bind_text(compiled, place, value, -1, waystone_sqlite_transient())
      case .malformedText(let bytes):
        sqlite3_bind_text(
          compiled,
          place,
          bytes.map { CChar(bitPattern: $0) },
          Int32(bytes.count),
          waystone_sqlite_transient()
        )
      case .blob(let value) where value.isEmpty: sqlite3_bind_zeroblob(compiled, place, 0)
      case .blob(let value):
        sqlite3_bind_blob(compiled, place, value, Int32(value.count), waystone_sqlite_transient())
      }
    }
    var rows: [[SQLiteValue]] = []
    while true {
      switch sqlite3_step(compiled) {
      case SQLITE_ROW:
        rows.append((0..<sqlite3_column_count(compiled)).map { Self.value(compiled, $0) })
      case SQLITE_DONE: return rows
      default: throw refusal
      }
    }
  }

  /// All rows of one statement.
  package func rows(_ sql: String) throws -> [[SQLiteValue]] { try execute(sql, []) }

  /// The first column of the first row.
  package func integer(_ sql: String) throws -> Int64? { try rows(sql).first?.first?.integer }

  /// The first column of the first row.
  package func text(_ sql: String) throws -> String? { try rows(sql).first?.first?.text }

  /// Folds the log into the file.
  package func checkpointTruncating() throws { try execute("PRAGMA wal_checkpoint(TRUNCATE)") }

  /// Leaves the log where it is when the file is closed, as a killed app does.
  package func keepsLog() {
    _ = waystone_sqlite_configure(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }

  /// Rows changed since it was opened, by triggers too.
  package var totalChanges: Int64 { sqlite3_total_changes64(handle) }

  private var refusal: Refusal { Refusal(description: String(cString: sqlite3_errmsg(handle))) }

  private static func value(_ statement: OpaquePointer?, _ column: Int32) -> SQLiteValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT: .text(String(cString: sqlite3_column_text(statement, column)))
    case SQLITE_BLOB:
      .blob(
        [UInt8](
          UnsafeRawBufferPointer(
            start: sqlite3_column_blob(statement, column),
            count: Int(sqlite3_column_bytes(statement, column))
          )
        )
      )
    default: .null
    }
  }
}
