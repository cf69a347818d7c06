import ObjectModel
import StoreMigration

/// The objects of one store of a migration.
///
/// Its work is done at once, on the thread that asks: a migration has one. Changes are written with the
/// migration's own batches, so that ``save()`` makes them visible to queries and nothing else.
public final class NSManagedObjectContext: NSObject {
  let stored: ManagedObjectContext
  /// The model of the context's store.
  let managedObjectModel: NSManagedObjectModel
  /// The first error of the callback at hand.
  let pendingError: PendingError
  private weak var migration: MigrationManager?
  /// The context of the migration's other store.
  weak var other: NSManagedObjectContext?

  init(_ stored: ManagedObjectContext, pendingError: PendingError, migration: MigrationManager?) {
    self.stored = stored
    self.pendingError = pendingError
    self.migration = migration
    managedObjectModel = NSManagedObjectModel(stored.model)
  }

  /// The stored object whose instance is being made.
  private var arriving: ManagedObject?

  /// The name that the app gave the context.
  public var name: String?

  /// The author of the context's changes.
  public var transactionAuthor: String?

  /// Values of the app's own.
  public let userInfo = NSMutableDictionary()

  /// Whether there are changes that are not saved yet.
  public var hasChanges: Bool { stored.hasChanges }

  var bridge: ValueBridge { ValueBridge(context: self) }

  var evaluator: ExpressionEvaluator { migration?.evaluator ?? ExpressionEvaluator() }

  /// Returns the only wrapper of an engine's object, made at the first call.
  func wrapper(of object: ManagedObject) -> NSManagedObject {
    if let known = object.counterpart as? NSManagedObject { return known }
    if object.objectID.store != stored.configuration.store, let other {
      return other.wrapper(of: object)
    }
    let entity = managedObjectModel.entity(named: object.entity.name)
    arriving = object
    defer { arriving = nil }
    return ManagedObjectClasses.type(of: entity).init(entity: entity, insertInto: self)
  }

  /// Returns the result of a call that cannot throw; an error is kept until the callback returns.
  @discardableResult
  func reporting<Result>(_ body: () throws -> Result) -> Result? {
    do { return try body() } catch {
      pendingError.record(error)
      return nil
    }
  }

  /// Returns the model's own of an entity that may be known by its class alone.
  func entityDescription(
    like entity: NSEntityDescription,
    of type: NSManagedObject.Type
  ) -> NSEntityDescription {
    let name = entity.name ?? ""
    guard managedObjectModel.model[name] == nil else {
      return managedObjectModel.entity(named: name)
    }
    return entityDescription(of: type)
  }

  func entityDescription(of type: NSManagedObject.Type) -> NSEntityDescription {
    managedObjectModel.entity(
      named: ManagedObjectClasses.entityName(of: type, in: managedObjectModel)
    )
  }
}

extension NSManagedObjectContext {
  /// Inserts an object that is in no context yet.
  public func insert(_ object: NSManagedObject) {
    guard object.stored == nil else { return }
    if let row = arriving {
      arriving = nil
      object.enter(self, as: row)
      return object.awakeFromFetch()
    }
    reporting {
      let stored = try stored.insert(entityName: object.entity.name ?? "")
      object.enter(self, as: stored)
      object.awakeFromInsert()
    }
  }

  /// Deletes an object, by the delete rules of its relationships.
  public func delete(_ object: NSManagedObject) {
    guard let row = object.stored else { return }
    reporting { try stored.delete(row) }
  }

  /// Writes all changes, so that queries see them.
  ///
  /// - Throws: An error of the store, or one that was kept since the callback began.
  public func save() throws {
    try pendingError.check()
    try stored.save()
  }

  /// Returns the object of an identifier.
  public func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    if let object = reporting({ try existingObject(with: objectID) }) { return object }
    let entity = objectID.entity
    return ManagedObjectClasses.type(of: entity).init(entity: entity, insertInto: nil)
  }

  /// Returns the object of an identifier, nil where this context has not got it.
  public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    try? existingObject(with: objectID)
  }

  /// Returns the object of an identifier.
  ///
  /// - Throws: An `NSError` of Cocoa's domain where there is no such object.
  public func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    guard let id = objectID.stored, let object = try stored.object(with: id) else {
      throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError)
    }
    return wrapper(of: object)
  }

  /// Gives objects permanent identifiers, which they have from the beginning.
  public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {}

  /// Leaves an object as it is: values are read when they are asked for.
  public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {}

  /// Writes all changes.
  public func processPendingChanges() { reporting { try stored.save() } }

  /// Runs a block.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    try block()
  }

  /// Runs a block, at once.
  public func perform(_ block: () -> Void) { block() }
}

/// The first error of calls that cannot throw, until the callback of the app's policy returns.
final class PendingError {
  private var error: (any Error)?

  /// The one of the callback that the thread runs.
  static var ofThread: PendingError? { NSMigrationManager.ofThread?.pendingError }

  /// Records that only objects of contexts can be asked.
  static func recordUnsupported(_ what: String) {
    ofThread?.record(
      MigrationError(
        .failed,
        "\(what) that is no managed object of a context.",
        recovery: "Filter and sort other values in Swift."
      )
    )
  }

  func record(_ error: any Error) { self.error = self.error ?? error }

  /// Throws the error, which stays: nothing of the run is to be kept.
  func check() throws {
    if let error { throw error }
  }
}
