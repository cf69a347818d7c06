private import CSQLite

/// The permission of the statement that is being compiled or run on a connection.
///
/// Every statement may read and write rows and make and drop objects of the databases that are open.
/// No statement may load code, make a virtual table, or call a function or pragma that is not listed
/// in ``SQLiteCage``. Each of these cases permits more, for the duration of a closure.
enum SQLitePermission: Hashable, Sendable {
  /// A statement that our code made.
  case ordinary
  /// A statement that is a constant of our code: it may set what ``SQLiteCage/settings`` lists.
  case settings
  /// The one statement by which a database is attached or detached.
  case attaching
  /// SQL that the user wrote into a hop file: it may not begin or end transactions either.
  case authored
  /// The pragmas around a change of the schema's own rows, and no other.
  case editingSchema
  /// A CREATE statement that was read from a store, of this kind, name and table, in `main`.
  case creating(SchemaObject.Kind, name: String, tableName: String)
}

extension SQLiteCallbacks {
  /// Answers SQLite's authorizer (sqlite.org/c3ref/c_alter_table.html lists actions and arguments).
  ///
  /// It is asked when a statement is compiled, never for each row.
  func allows(
    _ action: Int32,
    _ first: UnsafePointer<CChar>?,
    _ second: UnsafePointer<CChar>?,
    _ database: UnsafePointer<CChar>?
  ) -> Bool {
    // Nine of ten questions; without making a string.
    if action == SQLITE_READ { return true }
    func text(_ pointer: UnsafePointer<CChar>?) -> String {
      unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }
    let isAllowed: Bool
    let words: String
    switch action {
    case SQLITE_FUNCTION:
      let name = unsafe text(second).lowercased()
      isAllowed = SQLiteCage.functions.contains(name) || functions.contains(name)
      words = "the function \(name)"
    case SQLITE_PRAGMA:
      let name = unsafe text(first).lowercased()
      isAllowed = SQLiteCage.allowsPragma(name, sets: unsafe second != nil, permission)
      words = "PRAGMA \(name)"
    case SQLITE_ATTACH: (isAllowed, words) = (permission == .attaching, "ATTACH")
    case SQLITE_DETACH: (isAllowed, words) = (permission == .attaching, "DETACH")
    case SQLITE_CREATE_VTABLE, SQLITE_DROP_VTABLE: (isAllowed, words) = (false, "a virtual table")
    case SQLITE_TRANSACTION, SQLITE_SAVEPOINT:
      (isAllowed, words) = (permission == .ordinary || permission == .settings, "a transaction")
    default:
      guard case .creating(let kind, let name, let tableName) = permission else { return true }
      isAllowed = unsafe allowsCreation(
        of: (kind, name, tableName),
        action,
        text(first),
        text(second),
        text(database)
      )
      words = "anything but CREATE \(kind.rawValue.uppercased()) \(name)"
    }
    if !isAllowed { refusal = words }
    return isAllowed
  }

  /// Returns whether an action is part of making one object in `main`.
  private func allowsCreation(
    of object: (kind: SchemaObject.Kind, name: String, tableName: String),
    _ action: Int32,
    _ first: String,
    _ second: String,
    _ database: String
  ) -> Bool {
    guard database == "main" || database.isEmpty else { return false }
    switch (action, object.kind) {
    case (SQLITE_CREATE_TABLE, .table):
      // AUTOINCREMENT makes SQLite's own table with the first that asks for it.
      return first == object.name || first == "sqlite_sequence"
    case (SQLITE_CREATE_INDEX, .table):
      return first.hasPrefix("sqlite_autoindex_") && second == object.name
    case (SQLITE_CREATE_INDEX, .index), (SQLITE_CREATE_TRIGGER, .trigger):
      return first == object.name && second == object.tableName
    case (SQLITE_CREATE_VIEW, .view): return first == object.name
    case (SQLITE_REINDEX, .index): return first == object.name
    // Every CREATE writes its row of the schema.
    case (SQLITE_INSERT, _), (SQLITE_UPDATE, _):
      return first == "sqlite_master" || first == "sqlite_schema"
    default: return false
    }
  }
}
