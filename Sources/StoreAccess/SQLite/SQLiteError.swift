/// A refusal or failure of SQLite, named by file and statement and never by a value.
package struct SQLiteError: Error, Hashable, Sendable {
  /// Reasons a caller may branch on; each stands for one or more of SQLite's result codes.
  package enum Code: Hashable, Sendable {
    /// Another connection holds a lock (`SQLITE_BUSY`, `SQLITE_LOCKED`, `SQLITE_PROTOCOL`).
    case busy
    /// The bytes are not a database, or are encrypted (`SQLITE_NOTADB`).
    case notADatabase
    /// The file is damaged (`SQLITE_CORRUPT`).
    case corrupt
    /// The file or one of its companions cannot be opened (`SQLITE_CANTOPEN`, `SQLITE_PERM`).
    case cantOpen
    /// The disk is full (`SQLITE_FULL`).
    case full
    /// The operating system reported an error while reading or writing (`SQLITE_IOERR`).
    case ioError
    /// Something would have been written that may not be (`SQLITE_READONLY`).
    case readOnly
    /// A uniqueness or other constraint does not hold (`SQLITE_CONSTRAINT`).
    case constraint
    /// The progress handler or the backup's caller asked to stop (`SQLITE_INTERRUPT`).
    case interrupted
    /// The statement is wrong, or a function it calls failed (`SQLITE_ERROR`).
    case statement
    /// The schema changed under a prepared statement (`SQLITE_SCHEMA`).
    case schema
    /// A file of this name, or a journal of it, is already there.
    case exists
    /// The path is empty or holds a NUL byte.
    case invalidPath
    /// Anything else, such as `SQLITE_NOMEM` or `SQLITE_TOOBIG`.
    case other
  }

  /// Which reason applies.
  package var code: Code
  /// SQLite's extended result code, or 0 where SQLite was not asked.
  package var resultCode: Int32
  /// One sentence naming the file and the first words of the statement.
  package var message: String
  /// What the person can do next.
  package var recovery: String

  package init(code: Code, resultCode: Int32 = 0, message: String, recovery: String? = nil) {
    self.code = code
    self.resultCode = resultCode
    self.message = message
    self.recovery = recovery ?? code.recovery
  }
}

extension SQLiteError {
  /// What is said where somebody asks for a text whose bytes are none.
  static let malformedText = SQLiteError(
    code: .corrupt,
    message: "A text in the database is not UTF-8, so that it cannot be read"
  )
}

extension SQLiteError: CustomStringConvertible {
  /// The message followed by the recovery.
  package var description: String { "\(message). \(recovery)" }
}

extension SQLiteError.Code {
  /// The sentence that fits most failures of this kind.
  var recovery: String {
    switch self {
    case .busy: "Close the app or tool that has the store open, then try again."
    case .notADatabase: "Check that the file is an unencrypted SQLite database."
    case .corrupt: "Restore the store from a backup, or recover it with SQLite's own `.recover`."
    case .cantOpen: "Check that the file exists and that you may read it and its folder."
    case .full: "Free some space on the disk, then try again."
    case .ioError: "Check the disk and its cables or network, then try again."
    case .readOnly: "Check the permissions of the file and its folder."
    case .constraint: "Look at the rows of the table named, which break a rule of the model."
    case .interrupted: "Run the command again, or resume it."
    case .statement, .schema, .other: "Please report this with the message above."
    case .exists: "Choose another name, or remove the file first."
    case .invalidPath: "Give the path of a file."
    }
  }
}
