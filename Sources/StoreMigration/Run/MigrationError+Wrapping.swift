import Files
import ObjectModel
import StoreAccess

extension MigrationError {
  /// An error of an expression of one of some entity mappings.
  init(_ error: EvaluationError, of mappings: [String]) {
    let place = mappings.isEmpty ? "" : "\(mappings.joined(separator: ", ")): "
    self.init(.failed, .expressionFails, place + error.message, recovery: error.recovery)
  }

  /// Makes an error of a run from an error of the layers below.
  ///
  /// - Parameter deed: The action, for the message: “the hop from v1 to v2”.
  package init(_ error: any Error, during deed: String) {
    switch error {
    case let error as MigrationError: self = error
    case let error as SQLiteError where error.isDamage && Self.isOwn(error.files):
      // A file that the run itself wrote, not the user's store.
      self.init(
        nil,
        error.message,
        "The original is intact. Check the disk, then start anew with migrate.",
        deed
      )
    case let error as SQLiteError:
      let code: Code? =
        switch error.code {
        case .interrupted: .interrupted
        case .full, .ioError, .cantOpen, .readOnly, .noMemory: .inputOutput
        case .busy: .inUse
        case .corrupt, .notADatabase: .damaged
        case .tooMuchWork, .foreignSchema: .damaged
        case .constraint, .statement, .denied, .schema, .exists, .invalidPath, .other: nil
        }
      self.init(code, error.message, error.recovery, deed)
      isOfLimit = error.isOfLimit
    case let error as FileError: self.init(StoreAccessError(error), during: deed)
    case let error as StoreAccessError:
      if case .sqlite(let cause) = error.cause, cause.isDamage {
        self.init(cause, during: deed)
        return
      }
      let code: Code? =
        switch error.code {
        case .interrupted: .interrupted
        case .diskFull, .inputOutput, .noMemory, .missing, .unreadable: .inputOutput
        case .inUse: .inUse
        case .cannotCreate: .cannotCreate
        case .damaged, .notAStore, .nullMetadata: .damaged
        case .unsupported, .other: nil
        }
      self.init(code, error.message, error.recovery, deed)
      isOfLimit = error.isOfLimit
      refusal = error.refusal
    default: self.init(nil, "\(error)", "Please report this with the message above.", deed)
    }
  }

  private init(_ code: Code?, _ message: String, _ recovery: String, _ deed: String) {
    if code == .interrupted {
      self = Cancellation.interrupted
      return
    }
    self.init(code ?? .failed, "During \(deed): \(message).", recovery: recovery)
  }

  /// Returns whether files are such as a run makes in its workspace.
  private static func isOwn(_ files: [String]) -> Bool {
    !files.isEmpty
      && files.allSatisfy { FileSystem.folder(of: $0).hasSuffix(Workspace.suffix) }
  }

  /// Whether the same run would fail again with the same error, so that no file of it is worth keeping.
  ///
  /// A full disk, a missing permission or a busy file can be fixed; the cause of a mismatch is for the
  /// user to judge.
  package var wouldComeAgain: Bool {
    switch code {
    case .refused, .damaged, .failed, .verificationFailed: true
    case .inUse, .interrupted, .unfinishedRun, .nothingToDo, .mismatch, .cannotCreate,
      .inputOutput:
      false
    }
  }
}
