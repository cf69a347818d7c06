import Files

/// The closures of one connection that SQLite calls, and what they left behind.
@safe final class SQLiteCallbacks {
  /// The connection itself, for what is asked while a statement runs.
  let handle: OpaquePointer
  /// Asked every so many instructions whether to go on.
  var progress: (() -> Bool)?
  /// The permission of the statement that is being compiled or run.
  var permission = SQLitePermission.ordinary
  /// The last refusal, in words for an error; taken by the error that follows.
  var refusal: String?
  /// The names, in lower case, of the Swift functions that statements may call.
  var functions: Set<String> = []
  /// The limit of the statements' work, and the work so far.
  var work = SQLiteWork()
  /// The error of a Swift function called from a statement.
  var functionError: (any Error)?
  /// Descriptors that may only be closed after the connection, because that drops its locks.
  var heldFiles: [HeldFile] = []

  init(_ handle: OpaquePointer) { unsafe self.handle = handle }
}

/// An open file with more than one owner.
final class HeldFile {
  let file: OpenFile

  init(_ file: consuming OpenFile) { self.file = file }
}

/// A Swift closure that implements an SQL function.
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
