import Files

extension SQLiteError {
  /// Creates the error for opening a database whose files the operating system refused to find.
  init(_ error: FileError) {
    let code: Code =
      switch error.code {
      case .missing, .denied, .unsupported, .isDirectory, .notAFolder: .cantOpen
      case .notPlain: .notADatabase
      case .tooLarge: .corrupt
      case .exists: .exists
      case .inUse: .busy
      case .noSpace: .full
      case .invalidPath: .invalidPath
      case .other: .ioError
      }
    self.init(code: code, message: error.message, recovery: error.recovery)
    systemErrorNumber = error.number
  }

  /// The same for what was asked of a store's files.
  init(_ error: StoreAccessError) {
    switch error.cause {
    case .file(let error): self.init(error)
    case .sqlite(let error): self = error
    case .propertyList, nil:
      self.init(code: .other, message: error.message, recovery: error.recovery)
    }
  }
}
