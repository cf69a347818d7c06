import Files

/// The closures of one connection that SQLite calls, and what they left behind.
final class SQLiteCallbacks {
  /// Asked every so many instructions whether to go on.
  var progress: (() -> Bool)?
  /// What a Swift function called from a statement threw.
  var functionError: (any Error)?
  /// Descriptors that may only be closed after the connection, because that drops its locks.
  var heldFiles: [HeldFile] = []
}

/// An open file with more than one owner.
final class HeldFile {
  let file: OpenFile

  init(_ file: consuming OpenFile) { self.file = file }
}

/// A Swift closure that stands behind an SQL function.
final class SQLiteFunction {
  let name: String
  let body: (borrowing SQLiteArguments) throws -> SQLiteValue
  /// Weak, because SQLite may keep the function longer than the connection lives.
  weak var callbacks: SQLiteCallbacks?

  init(
    name: String,
    callbacks: SQLiteCallbacks,
    body: @escaping (borrowing SQLiteArguments) throws -> SQLiteValue
  ) {
    self.name = name
    self.callbacks = callbacks
    self.body = body
  }
}
