// Core Data's numbers of errors in Cocoa's domain.

/// An object lacks a value that its entity requires, or has one that its rules refuse.
public let NSManagedObjectValidationError = 1550
/// Several values are not as the model requires.
public let NSValidationMultipleErrorsError = 1560
/// A required value is missing.
public let NSValidationMissingMandatoryPropertyError = 1570
/// An identifier is of no object.
public let NSManagedObjectReferentialIntegrityError = 133000
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
/// No mapping model could be inferred.
public let NSInferredMappingModelError = 134190
/// Cocoa's domain of SQLite's errors.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
