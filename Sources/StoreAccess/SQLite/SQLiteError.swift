/// A refusal or failure of SQLite, named by file and statement and never by a value.
package struct SQLiteError: Error, Hashable, Sendable {
  /// A reason that a caller may branch on; it covers one or more of SQLite's result codes.
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
    /// A write to a database that may not be written (`SQLITE_READONLY`).
    case readOnly
    /// A uniqueness or other constraint does not hold (`SQLITE_CONSTRAINT`).
    case constraint
    /// The progress handler or the backup's caller asked to stop (`SQLITE_INTERRUPT`).
    case interrupted
    /// The statement is wrong, or a function it calls failed (`SQLITE_ERROR`).
    case statement
    /// The statement would do what no statement of its kind may (`SQLITE_AUTH`).
    case denied
    /// The file's schema names a collation, a function or a module that only its app has.
    case foreignSchema
    /// A statement costs more than the size of its files explains.
    case tooMuchWork
    /// The schema changed under a prepared statement (`SQLITE_SCHEMA`).
    case schema
    /// A file of this name, or a journal of it, is already there.
    case exists
    /// The path is empty or holds a NUL byte.
    case invalidPath
    /// There is no memory left (`SQLITE_NOMEM`).
    case noMemory
    /// Another reason, such as `SQLITE_TOOBIG`.
    case other
  }

  /// The reason of the error.
  package var code: Code
  /// SQLite's extended result code, or 0 where SQLite was not asked.
  package var resultCode: Int32
  /// The operating system's error number behind it, or 0 where there is none.
  package var systemErrorNumber: Int32 = 0
  /// The files of the connection: the database's own, and those that were attached.
  package var files: [String] = []
  /// A sentence that names the file and the first words of the statement.
  package var message: String
  /// The user's next step.
  package var recovery: String

  package init(code: Code, resultCode: Int32 = 0, message: String, recovery: String? = nil) {
    self.code = code
    self.resultCode = resultCode
    self.message = message
    self.recovery = recovery ?? code.recovery
  }
}

extension SQLiteError {
  /// Whether the surroundings failed and not what was asked: the same call can succeed later.
  package var isEnvironmental: Bool {
    switch code {
    case .busy, .cantOpen, .full, .ioError, .readOnly, .noMemory, .interrupted: true
    case .notADatabase, .corrupt, .constraint, .statement, .denied, .foreignSchema, .tooMuchWork,
      .schema, .exists, .invalidPath, .other:
      false
    }
  }

  /// Whether the file itself is at fault: its bytes were read, and are not those of a database.
  package var isDamage: Bool { code == .corrupt || code == .notADatabase }

  /// The error for reading a text whose bytes are not UTF-8.
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
    case .noMemory: "Give the process more memory, or end others, then try again."
    case .ioError: "Check the disk and its cables or network, then try again."
    case .readOnly: "Check the permissions of the file and its folder."
    case .constraint: "Look at the rows of the table named, which break a rule of the model."
    case .interrupted: "Run the command again, or resume it."
    case .denied: "Check what the file's schema or the SQL asks for; it was not done."
    case .foreignSchema:
      "The file's schema needs what only its app has. In a copy of the store, drop the index or the "
        + "table that names it with SQLite's shell, and use that copy."
    case .tooMuchWork: "Check where the file comes from: an app's own stores do not do this."
    case .statement, .schema, .other: "Please report this with the message above."
    case .exists: "Choose another name, or remove the file first."
    case .invalidPath: "Give the path of a file."
    }
  }
}
