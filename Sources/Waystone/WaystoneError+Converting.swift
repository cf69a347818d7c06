internal import Files
internal import MigrationPlanning
internal import ModelImport
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration
internal import SwiftDataImport

extension WaystoneError {
  /// The error of the library that an error of any layer means.
  package init(_ error: any Error) {
    switch error {
    case let error as WaystoneError: self = error
    case let error as ModelImportError:
      let place = error.line.map { "\(error.file):\($0)" } ?? error.file
      self.init(error.code, Self.code(error), "\(place): \(error.message)", error.recovery)
    case let error as SwiftDataImportError:
      self.init(error.code, .badFile, error.message, error.recovery)
    case let error as ModelError:
      self.init(error.code, .badFile, error.message, error.recovery)
    case let error as PlanningError:
      self.init(error.code, Self.code(error.code), error.message, error.recovery)
      findings = error.blockingFindings
    case let error as MigrationError:
      self.init(error.code, Self.code(error.code), error.message, error.recovery)
      (isResumable, isOfLimit) = (error.isResumable, error.isOfLimit)
      take(refusal: error.refusal)
    case let error as StoreAccessError:
      self.init(error.code, Self.code(error.code), error.message, error.recovery)
      isOfLimit = error.isOfLimit
      take(refusal: error.refusal)
    case let error as SQLiteError: self.init(StoreAccessError(error))
    case let error as FileError:
      // Files that are read fail as a store or a model does; this is about files that a run makes.
      self.init(error.code, Self.code(error.code), error.message, error.recovery)
      isOfLimit = error.isOfLimit
    case let error as FormatError:
      let place = error.line > 1 ? "Line \(error.line), column" : "Column"
      self.init(
        .badArgument,
        "\(place) \(error.column) of the query: \(error.message)",
        recovery: error.recovery
      )
      reason = "badQuery"
    case let error as EvaluationError:
      self.init(.badArgument, Self.sentence(error.message), recovery: error.recovery)
    default:
      self.init(
        .inputOutput,
        "\(type(of: error)): \(error)",
        recovery: "Please report this with the message above."
      )
      reason = "unexpected"
    }
  }

  /// Runs a closure, and throws what any layer throws as an error of the library.
  package static func converting<Value>(
    _ body: () throws -> Value
  ) throws(WaystoneError) -> Value {
    do { return try body() } catch { throw WaystoneError(error) }
  }

  /// Returns the message with a full stop, which some layers leave out.
  package static func sentence(_ message: String) -> String {
    message.last.map { ".!?:)".contains($0) } ?? true ? message : message + "."
  }

  private init(_ reason: some Any, _ code: Code, _ message: String, _ recovery: String) {
    self.init(code, Self.sentence(message), recovery: recovery)
    // The name of an enumeration's case, without what it carries.
    self.reason = String("\(reason)".prefix { $0 != "(" })
  }

  private static func code(_ error: ModelImportError) -> Code {
    switch error.code {
    case .missing, .unreadable, .folderLoop: .missingFile
    case .notXML, .hostileXML, .tooLarge, .notAModel, .badValue, .damagedArchive,
      .inconsistentModel, .unsayable, .otherModel, .unreadableVersion, .ignoredVersion,
      .unknownVersion:
      .badFile
    case .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    }
  }

  private static func code(_ code: PlanningError.Code) -> Code {
    if case .unknownStoreVersion = code { .unknownStoreVersion } else { .noPath }
  }

  private static func code(_ code: MigrationError.Code) -> Code {
    switch code {
    case .refused: .blocked
    case .damaged: .badFile
    case .inUse: .inUse
    case .interrupted: .interrupted
    case .unfinishedRun: .unfinishedRun
    case .nothingToDo: .nothingToDo
    case .mismatch: .mismatch
    case .failed: .failed
    case .verificationFailed: .verificationFailed
    case .cannotCreate: .cannotCreate
    case .inputOutput: .inputOutput
    }
  }

  private static func code(_ code: FileError.Code) -> Code {
    switch code {
    case .missing, .denied, .exists, .isDirectory, .notAFolder, .unsupported, .invalidPath:
      .cannotCreate
    case .inUse: .inUse
    case .notPlain, .tooLarge: .badFile
    case .noSpace, .other: .inputOutput
    }
  }

  private static func code(_ code: StoreAccessError.Code) -> Code {
    switch code {
    case .missing, .unreadable: .missingFile
    case .notAStore, .damaged, .nullMetadata, .unsupported: .badFile
    case .inUse: .inUse
    case .cannotCreate: .cannotCreate
    case .diskFull, .inputOutput, .noMemory, .other: .inputOutput
    case .interrupted: .interrupted
    }
  }
}
