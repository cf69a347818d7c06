package import Files
package import PropertyLists

/// An error that reports why a store cannot be read, locked or copied.
package struct StoreAccessError: Error, Hashable, Sendable {
  /// A reason that a caller may branch on.
  package enum Code: Hashable, Sendable {
    /// There is no such file.
    case missing
    /// The file or its folder cannot be read.
    case unreadable
    /// The file is not a database (a folder and a file of zero bytes included), is encrypted, or is a
    /// database that is no Core Data store.
    case notAStore
    /// The database, or what Core Data keeps in it, contradicts itself or is cut off.
    case damaged
    /// The store's metadata is NULL, which happens in a store that only Apple's own code can read.
    case nullMetadata
    /// Another process, or another connection, holds the store.
    case inUse
    /// A valid store that this version of Waystone does not handle.
    case unsupported
    /// A file cannot be made or replaced where it should be.
    case cannotCreate
    /// The disk is full.
    case diskFull
    /// The operating system reported an error while reading or writing.
    case inputOutput
    /// There is no memory left.
    case noMemory
    /// The caller asked to stop.
    case interrupted
    /// Another reason.
    case other
  }

  /// The failure underneath, where there is one.
  package enum Cause: Hashable, Sendable {
    case sqlite(SQLiteError)
    case file(FileError)
    case propertyList(PropertyListError)
  }

  /// The reason of the error.
  package var code: Code
  /// A sentence that names the file and the place in it.
  package var message: String
  /// The user's next step.
  package var recovery: String
  /// The failure underneath.
  package var cause: Cause?
  /// The code by which `plan` refuses the same store for the same reason; nil where no finding has it.
  package var refusal: String?

  package init(code: Code, message: String, recovery: String? = nil, cause: Cause? = nil) {
    self.code = code
    self.message = message
    self.recovery = recovery ?? code.recovery
    self.cause = cause
  }

  /// Creates the error for a store that SQLite refused.
  package init(_ error: SQLiteError) {
    let code: Code =
      switch error.code {
      case .busy: .inUse
      case .notADatabase: .notAStore
      case .corrupt, .denied, .foreignSchema, .tooMuchWork: .damaged
      case .cantOpen, .invalidPath: .unreadable
      case .full: .diskFull
      case .ioError: .inputOutput
      case .readOnly, .exists: .cannotCreate
      case .interrupted: .interrupted
      case .noMemory: .noMemory
      case .constraint, .statement, .schema, .other: .other
      }
    self.init(
      code: code,
      message: error.message,
      recovery: error.recovery,
      cause: .sqlite(error)
    )
  }

  /// Creates the error for a store whose file the operating system refused to read.
  package init(_ error: FileError) {
    let code: Code =
      switch error.code {
      case .missing: .missing
      case .denied, .invalidPath, .notAFolder, .unsupported: .unreadable
      case .isDirectory, .notPlain: .notAStore
      case .tooLarge: .damaged
      case .exists: .cannotCreate
      case .inUse: .inUse
      case .noSpace: .diskFull
      case .other: .inputOutput
      }
    self.init(code: code, message: error.message, recovery: error.recovery, cause: .file(error))
  }
}

extension StoreAccessError {
  /// Whether the process may not make so large a file, which the same process cannot ever.
  package var isOfLimit: Bool {
    switch cause {
    case .sqlite(let error): error.isOfLimit
    case .file(let error): error.isOfLimit
    case .propertyList, nil: false
    }
  }

  /// Whether the file's contents are at fault, so that reading it again fails again.
  package var isOfContents: Bool {
    switch code {
    case .notAStore, .damaged, .nullMetadata, .unsupported: true
    case .missing, .unreadable, .inUse, .cannotCreate, .diskFull, .inputOutput, .noMemory,
      .interrupted, .other:
      false
    }
  }
}

extension StoreAccessError: CustomStringConvertible {
  /// The message followed by the recovery.
  package var description: String { "\(message). \(recovery)" }
}

extension StoreAccessError.Code {
  /// The advice for most failures of this kind.
  var recovery: String {
    switch self {
    case .missing: "Check the path."
    case .unreadable: "Check the permissions of the file and of its folder."
    case .notAStore: "Give the path of a Core Data store of the SQLite kind."
    case .damaged: "Take the store, with its “-wal” file, from a backup."
    case .nullMetadata: "Open the store once with the app that made it, then try again."
    case .inUse: "Close the app or tool that has the store open, then try again."
    case .unsupported, .other: "Please report this with the message above."
    case .cannotCreate: "Check the permissions of the folder, or choose another place."
    case .noMemory: "Give the process more memory, or end others, then try again."
    case .diskFull: "Free some space on the disk, then try again."
    case .inputOutput: "Check the disk and its connection, then try again."
    case .interrupted: "Run the command again, or resume it."
    }
  }
}

/// Runs code that may throw SQLite's errors, and throws them as the store's.
///
/// - Throws: ``StoreAccessError``, made of the error that the code throws.
package func asStoreAccess<Value: ~Copyable>(
  _ body: () throws(SQLiteError) -> Value
) throws(StoreAccessError) -> Value {
  do throws(SQLiteError) { return try body() } catch { throw StoreAccessError(error) }
}

/// Runs code that may throw the file system's errors, and throws them as the store's.
package func asStoreAccess<Value: ~Copyable>(
  files body: () throws(FileError) -> Value
) throws(StoreAccessError) -> Value {
  do throws(FileError) { return try body() } catch { throw StoreAccessError(error) }
}
