import ObjectModel
import StoreMigration
import Waystone

// Core Data's numbers of errors in Cocoa's domain.

/// An object lacks a value that its entity requires, or has one that its rules refuse.
public let NSManagedObjectValidationError = 1550
/// Values that must be unique are not.
public let NSManagedObjectConstraintValidationError = 1551
/// Several values are not as the model requires.
public let NSValidationMultipleErrorsError = 1560
/// A required value is missing.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A relationship leads to fewer objects than its model requires.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A relationship leads to more objects than its model allows.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// A delete rule denies a deletion.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above its greatest value.
public let NSValidationNumberTooLargeError = 1610
/// A number is below its least value.
public let NSValidationNumberTooSmallError = 1620
/// A date is after its last.
public let NSValidationDateTooLateError = 1630
/// A date is before its first.
public let NSValidationDateTooSoonError = 1640
/// A date is none.
public let NSValidationInvalidDateError = 1650
/// A text is longer than its model allows.
public let NSValidationStringTooLongError = 1660
/// A text is shorter than its model requires.
public let NSValidationStringTooShortError = 1670
/// A text does not match its regular expression.
public let NSValidationStringPatternMatchingError = 1680
/// An object was saved by another context since it was read.
public let NSManagedObjectMergeError = 133020
/// Values that must be unique are another object's.
public let NSManagedObjectConstraintMergeError = 133021
/// An identifier is of no object.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A store is of a type that is not known.
public let NSPersistentStoreInvalidTypeError = 134000
/// A store is of another type than the program named.
public let NSPersistentStoreTypeMismatchError = 134010
/// A store's tables are not as its model has them.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// Changes could not be saved.
public let NSPersistentStoreSaveError = 134030
/// Objects were saved by another context since they were read.
public let NSPersistentStoreSaveConflictsError = 134050
/// Another error of Core Data.
public let NSCoreDataError = 134060
/// An operation on a store failed.
public let NSPersistentStoreOperationError = 134070
/// A store cannot be opened.
public let NSPersistentStoreOpenError = 134080
/// Another process keeps the store locked for too long.
public let NSPersistentStoreTimeoutError = 134090
/// A request is of a type that the store does not know.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The store's version is not the model's.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// A migration failed.
public let NSMigrationError = 134110
/// A migration was cancelled.
public let NSMigrationCancelledError = 134120
/// No model fits the store.
public let NSMigrationMissingSourceModelError = 134130
/// No mapping model leads on.
public let NSMigrationMissingMappingModelError = 134140
/// The store that is migrated cannot be read.
public let NSMigrationManagerSourceStoreError = 134150
/// The store that a migration makes cannot be written.
public let NSMigrationManagerDestinationStoreError = 134160
/// A policy failed.
public let NSEntityMigrationPolicyError = 134170
/// SQLite reports an error.
public let NSSQLiteError = 134180
/// No mapping model could be inferred.
public let NSInferredMappingModelError = 134190
/// Cocoa's domain of SQLite's errors.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
/// The key of several errors in one.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The key of the object that breaks a rule.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The key of the property that breaks a rule.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The key of the objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjects"

extension NSError {
  /// Returns an error of Core Data with a sentence and advice.
  static func coreData(
    _ code: Int,
    _ message: String,
    recovery: String,
    _ more: [String: Any] = [:]
  ) -> NSError {
    var info: [String: Any] = [
      NSLocalizedDescriptionKey: message, NSLocalizedRecoverySuggestionErrorKey: recovery,
      "reason": message,
    ]
    info.merge(more) { $1 }
    return NSError(domain: NSCocoaErrorDomain, code: code, userInfo: info)
  }

  /// Returns the error of Core Data that an error of any layer is.
  ///
  /// - Parameter code: The code where the error has none that Core Data knows.
  static func coreData(_ error: any Error, code: Int) -> any Error {
    if type(of: error) is NSError.Type { return error }
    let cause = WaystoneError(error)
    return coreData(
      cause.code == .inUse ? NSPersistentStoreTimeoutError : code,
      cause.message,
      recovery: cause.recovery,
      [NSUnderlyingErrorKey: cause]
    )
  }
}

extension NSManagedObjectContext {
  /// Returns the error of Core Data for a save that failed.
  func saveError(_ error: any Error) -> any Error {
    guard let failure = error as? SaveFailure else {
      if let error = error as? MigrationError, error.code == .mismatch {
        return NSError.coreData(error, code: NSPersistentStoreIncompatibleVersionHashError)
      }
      return NSError.coreData(error, code: NSPersistentStoreSaveError)
    }
    func objects(_ ids: [ManagedObjectID]) -> [NSManagedObject] {
      ids.compactMap { try? stored.object(with: $0) }.map { wrapper(of: $0) }
    }
    switch failure.reason {
    case .busy:
      return NSError.coreData(
        NSPersistentStoreTimeoutError,
        "Another process keeps the store locked.",
        recovery: "Save again."
      )
    case .constraint(let message):
      return NSError.coreData(
        NSManagedObjectConstraintMergeError,
        message,
        recovery: "Fetch the object that has the values, and change that."
      )
    case .conflict(let ids):
      return NSError.coreData(
        NSManagedObjectMergeError,
        "\(ids.count) objects were saved by another context since they were read.",
        recovery: "Refresh them, or set a merge policy.",
        [NSAffectedObjectsErrorKey: objects(ids)]
      )
    case .denied(let id, let property):
      return NSError.coreData(
        NSValidationRelationshipDeniedDeleteError,
        "An object of \(id.entityName) cannot be deleted while its \(property) leads to others.",
        recovery: "Clear the relationship first.",
        [NSValidationKeyErrorKey: property, NSAffectedObjectsErrorKey: objects([id])]
      )
    case .invalid(let rules):
      let errors = rules.flatMap { rule -> [NSError] in
        rule.objects.map { id in
          var info: [String: Any] = [NSValidationKeyErrorKey: rule.property]
          info[NSValidationObjectErrorKey] = objects([id]).first
          return NSError.coreData(
            code(of: rule, id.entityName),
            "Objects of \(id.entityName) \(rule.message): \(rule.property).",
            recovery: "Correct the value, then save again.",
            info
          )
        }
      }
      guard errors.count != 1 else { return errors[0] }
      return NSError.coreData(
        NSValidationMultipleErrorsError,
        "Several objects break rules of the model.",
        recovery: "Correct them, then save again.",
        [NSDetailedErrorsKey: errors]
      )
    }
  }

  private func code(of rule: SaveFailure.BrokenRule, _ entity: String) -> Int {
    let property = managedObjectModel.model.property(rule.property, of: entity)?.property
    let isDate = property?.attribute?.attributeType == .date
    return switch rule.code {
    case .requiredValueMissing, .requiredDestinationMissing:
      NSValidationMissingMandatoryPropertyError
    case .tooFewDestinations: NSValidationRelationshipLacksMinimumCountError
    case .tooManyDestinations: NSValidationRelationshipExceedsMaximumCountError
    case .valueTooGreat: isDate ? NSValidationDateTooLateError : NSValidationNumberTooLargeError
    case .valueTooSmall: isDate ? NSValidationDateTooSoonError : NSValidationNumberTooSmallError
    case .textTooLong: NSValidationStringTooLongError
    case .textTooShort: NSValidationStringTooShortError
    case .patternNotMatched: NSValidationStringPatternMatchingError
    default: NSManagedObjectValidationError
    }
  }
}
