import ObjectModel
package import StoreMigration
import Synchronization

/// The kind of a context's queue; work runs on the thread that asks in any case.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
  /// The kind that Core Data gave up.
  case confinementConcurrencyType = 0
  /// A queue of the context's own.
  case privateQueueConcurrencyType = 1
  /// The program's main queue.
  case mainQueueConcurrencyType = 2
}

/// The objects of a store: of one that a coordinator opened, or of a migration.
///
/// Its work is done at once, on the thread that asks. In a migration changes are written with the migration's
/// own batches, so that ``save()`` makes them visible to queries and nothing else. Of an opened store they wait
/// for ``save()``, which is one transaction.
open class NSManagedObjectContext: NSObject {
  /// The engine's context of a migration.
  private let migrationContext: ManagedObjectContext?
  /// Whether the objects are of a migration's store.
  var isOfMigration: Bool { migrationContext != nil }
  /// The engine's context of an opened store, and the store; nil before it is first needed.
  private var opened: (context: ManagedObjectContext, store: OpenedStore)?
  /// The first error of calls that cannot throw.
  let pendingError: PendingError
  private weak var migration: MigrationManager?
  /// The context of the migration's other store.
  weak var other: NSManagedObjectContext?
  private let ownModel: NSManagedObjectModel?
  private let lock = NSRecursiveLock()
  /// The objects of a migration's source that the app deleted.
  private var deletedSources: Set<NSManagedObjectID> = []
  /// Whether there are any.
  var hasDeletedSources: Bool { !deletedSources.isEmpty }

  /// Returns whether an object is one of a migration's source that the app deleted.
  func isDeletedSource(_ object: NSManagedObject) -> Bool {
    hasDeletedSources && deletedSources.contains(object.objectID)
  }
  /// The number of saves of all contexts that this one has seen.
  private var seenSaves = 0
  /// The same, for values that fetches read along.
  private var seenSavesOfFetches = 0

  /// The context and its store as its objects name them, which may outlive both.
  final class Place {
    private(set) weak var context: NSManagedObjectContext?
    private(set) weak var store: NSPersistentStore?
    /// Whether the context is gone, or has another store: asked for each value, where the weak reference would take
    /// as long as all else.
    fileprivate(set) var isOver = false

    init(_ context: NSManagedObjectContext) {
      self.context = context
      store = context.persistentStore
    }
  }

  private var ownPlace: Place? {
    willSet { if newValue !== ownPlace { ownPlace?.isOver = true } }
  }

  deinit { ownPlace?.isOver = true }

  /// The context and its store as its objects name them.
  var place: Place {
    if let ownPlace { return ownPlace }
    let place = Place(self)
    ownPlace = place
    return place
  }

  /// The coordinator whose store the objects are of.
  public var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
    didSet { close() }
  }

  /// The kind of the context's queue.
  public let concurrencyType: NSManagedObjectContextConcurrencyType

  /// The treatment of objects that another context saved since they were read.
  public var mergePolicy = NSMergePolicy.error

  /// Whether objects without changes show what other contexts of the coordinator saved.
  public var automaticallyMergesChangesFromParent = false

  /// Whether objects that are fetched show what others saved, where they have no changes.
  public var shouldRefreshRefetchedObjects = false

  /// Makes a context, whose coordinator is set later.
  public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
    self.concurrencyType = concurrencyType
    migrationContext = nil
    ownModel = nil
    pendingError = PendingError()
  }

  /// The kind of a context's queue, in the words of newer code.
  public enum ConcurrencyType: Hashable, Sendable {
    /// The program's main queue.
    case mainQueue
    /// A queue of the context's own.
    case privateQueue
  }

  /// Makes a context, whose coordinator is set later.
  public convenience init(_ type: ConcurrencyType) {
    self.init(
      concurrencyType: type == .mainQueue
        ? .mainQueueConcurrencyType : .privateQueueConcurrencyType
    )
  }

  init(_ stored: ManagedObjectContext, pendingError: PendingError, migration: MigrationManager?) {
    concurrencyType = .privateQueueConcurrencyType
    migrationContext = stored
    self.pendingError = pendingError
    self.migration = migration
    ownModel = NSManagedObjectModel(stored.model)
  }

  /// The engine's context.
  ///
  /// - Throws: An `NSError` where the coordinator has no store.
  package var stored: ManagedObjectContext {
    get throws {
      if let migrationContext { return migrationContext }
      guard let coordinator = persistentStoreCoordinator,
        let store = coordinator.persistentStores.first
      else {
        throw Self.noStore
      }
      if let opened, opened.store === store.opened {
        noticeSaves()
        return opened.context
      }
      let context: ManagedObjectContext
      do { context = try store.opened.context() } catch { throw saveError(error) }
      opened = (context, store.opened)
      ownPlace = nil
      coordinator.note(self)
      seenSaves = coordinator.saves.load(ordering: .acquiring)
      seenSavesOfFetches = seenSaves
      return context
    }
  }

  private static var noStore: NSError {
    NSError.coreData(
      NSPersistentStoreOpenError,
      "The context's coordinator has no store.",
      recovery: "Open one first, and look at the error of that."
    )
  }

  /// Lets go of the store; changes that were not saved are an error of the next save.
  func close() {
    if let opened, !opened.context.isSaved { pendingError.record(Self.noStore) }
    opened = nil
  }

  /// Lets objects without changes be read again, where the app asks for that and another context saved.
  func noticeSaves() {
    guard let saves = persistentStoreCoordinator?.saves.load(ordering: .acquiring),
      saves != seenSavesOfFetches || automaticallyMergesChangesFromParent && saves != seenSaves,
      let opened
    else { return }
    if saves != seenSavesOfFetches {
      seenSavesOfFetches = saves
      opened.context.beginRound()
    }
    guard automaticallyMergesChangesFromParent, saves != seenSaves else { return }
    seenSaves = saves
    opened.context.refresh()
  }

  /// Returns whether an object is of this context's store rather than the migration's other one.
  func owns(_ object: ManagedObject) -> Bool {
    guard let migrationContext else { return true }
    return object.layout.identity.store == migrationContext.configuration.store
  }

  /// The store that a coordinator opened; nil in a migration.
  var persistentStore: NSPersistentStore? {
    migrationContext == nil ? persistentStoreCoordinator?.persistentStores.first : nil
  }

  /// The model of the context's store.
  var managedObjectModel: NSManagedObjectModel {
    ownModel ?? persistentStoreCoordinator?.managedObjectModel ?? NSManagedObjectModel.none
  }

  /// The state of the object whose instance is being made.
  private var arriving: NSManagedObject.State?

  /// Returns that state, once.
  func takeArriving() -> NSManagedObject.State? { arriving.take() }

  /// The objects that fetches with batches gave; nil before the first one.
  var fetchedObjects: FetchedObjects? { opened?.context.unreadObjects as? FetchedObjects }

  /// The name that the app gave the context.
  public var name: String?

  /// The author of the context's changes.
  public var transactionAuthor: String?

  /// Values of the app's own.
  public let userInfo = NSMutableDictionary()

  /// Whether there are changes that are not saved yet.
  public var hasChanges: Bool {
    if let migrationContext { return migrationContext.hasChanges }
    // A change that could not be made is one, too: the save throws its error.
    return pendingError.isThere || opened.map { !$0.context.isSaved } ?? false
  }

  var bridge: ValueBridge { ValueBridge(context: self) }

  var evaluator: ExpressionEvaluator { migration?.evaluator ?? ExpressionEvaluator() }

  /// Returns the only wrapper of an engine's object, made at the first call.
  func wrapper(of object: ManagedObject) -> NSManagedObject {
    if let known = object.counterpart as? NSManagedObject { return known }
    if !owns(object), let other {
      return other.wrapper(of: object)
    }
    if let known = fetchedObjects?.object(of: object) { return known }
    let binding = EntityBinding.of(object.layout, self)
    return instance(of: binding, .stored(binding, object))
  }

  /// Returns a new instance for a row.
  func instance(of binding: EntityBinding, _ state: NSManagedObject.State) -> NSManagedObject {
    arriving = state
    defer { arriving = nil }
    return binding.type.init(entity: binding.entity, insertInto: self)
  }

  /// Returns the result of a call that cannot throw; an error is kept until the callback returns, or the next
  /// save.
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
    if entity.managedObjectModel === managedObjectModel, entity.isOfModel { return entity }
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

  /// Runs a block, while no other thread runs one of this context.
  public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try block()
  }

  /// Runs a block before the call returns, while no other thread runs one of this context.
  public func perform(_ block: @escaping () -> Void) { performAndWait(block) }

  /// The time at which an asynchronous block begins; always at once.
  public enum ScheduledTaskType: Hashable, Sendable {
    /// A beginning at once, where the context's queue is free.
    case immediate
    /// A beginning when the blocks before it are done.
    case enqueued
  }

  /// Runs a block, and returns its result.
  public func perform<Result>(
    schedule: ScheduledTaskType = .immediate,
    _ block: @escaping () throws -> Result
  ) async rethrows -> Result { try performAndWait(block) }
}

extension NSManagedObjectContext {
  /// Inserts an object that is in no context yet.
  public func insert(_ object: NSManagedObject) {
    guard object.managedObjectContext == nil, object.stored == nil else { return }
    reporting {
      let stored = try stored.insert(entityName: object.entity.name ?? "")
      object.enter(self, as: stored)
      object.awakeFromInsert()
    }
  }

  /// Deletes an object, by the delete rules of its relationships.
  ///
  /// A rule that denies it is an error of the next save. The source of a migration stays as it is: later fetches
  /// leave the object out.
  public func delete(_ object: NSManagedObject) {
    guard let row = object.stored else { return }
    object.prepareForDeletion()
    if let migrationContext, migrationContext === migration?.sourceContext {
      deletedSources.insert(object.objectID)
      return
    }
    reporting { try stored.delete(row) }
  }

  /// Saves all changes of an opened store; in a migration it writes them, so that queries see them.
  ///
  /// - Throws: For an opened store an `NSError` of Cocoa's domain, the file is as it was and the changes are
  ///   still there: a rule of the model (1550 to 1680), ``NSManagedObjectMergeError``,
  ///   ``NSManagedObjectConstraintMergeError``, ``NSPersistentStoreTimeoutError``. In a migration an error of
  ///   the store, or one that was kept since the callback began.
  public func save() throws {
    if let migrationContext {
      try pendingError.check()
      return try migrationContext.save()
    }
    do {
      try pendingError.check()
      guard let opened else { return }
      let context = opened.context
      let changed = context.insertedObjects + context.updatedObjects + context.deletedObjects
      let objects = ofAppClasses(changed)
      for object in objects { object.willSave() }
      for object in ofAppClasses(context.insertedObjects) { try object.validateForInsert() }
      for object in ofAppClasses(context.updatedObjects) { try object.validateForUpdate() }
      for object in ofAppClasses(context.deletedObjects) { try object.validateForDelete() }
      try pendingError.check()
      guard !context.isSaved else { return context.releaseChangedInMemory() }
      try context.commit(merging: mergePolicy.rule, now: Date().timeIntervalSinceReferenceDate)
      let count = persistentStoreCoordinator?.saves.add(1, ordering: .releasing)
      if let count, seenSavesOfFetches == count.oldValue { seenSavesOfFetches = count.newValue }
      for object in objects { object.didSave() }
    } catch { throw saveError(error) }
  }

  /// Returns the objects whose classes may have code for a save: the app's own.
  private func ofAppClasses(_ rows: [ManagedObject]) -> [NSManagedObject] {
    rows.compactMap { row in
      if let known = row.counterpart, type(of: known) == NSManagedObject.self { return nil }
      let object = wrapper(of: row)
      return type(of: object) == NSManagedObject.self ? nil : object
    }
  }

  /// Drops all changes that were not saved.
  public func rollback() {
    pendingError.clear()
    if let opened { reporting { try opened.context.rollback() } }
  }

  /// Drops all changes that were not saved, and lets go of all objects.
  public func reset() {
    rollback()
    opened = nil
  }

  /// Returns the object of an identifier.
  public func object(with objectID: NSManagedObjectID) -> NSManagedObject {
    if let object = reporting({ try fault(of: objectID) }) { return object }
    let entity = objectID.entity
    return ManagedObjectClasses.type(of: entity).init(entity: entity, insertInto: nil)
  }

  /// Returns the object of an identifier, nil where this context has not got it.
  public func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
    guard migrationContext == nil else { return try? existingObject(with: objectID) }
    guard let opened, let id = objectID.stored, objectID.isOf(persistentStore) else { return nil }
    if let object = try? opened.context.registered(id) { return wrapper(of: object) }
    guard let layout = try? opened.context.layout(of: id.entityName),
      let object = fetchedObjects?[id.key, layout.tableIndex], object.unread != nil
    else { return nil }
    return object
  }

  /// Returns the object of an identifier; where no row has it, the first use of its values finds that out.
  private func fault(of objectID: NSManagedObjectID) throws -> NSManagedObject {
    guard persistentStore != nil, let id = objectID.stored, objectID.isOf(persistentStore) else {
      return try existingObject(with: objectID)
    }
    let context = try stored
    return wrapper(of: try context.object(with: id) ?? context.fault(with: id))
  }

  /// Returns the object of an identifier.
  ///
  /// - Throws: An `NSError` of Cocoa's domain where there is no such object.
  public func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
    guard let id = objectID.stored, objectID.isOf(persistentStore),
      let object = try stored.object(with: id)
    else {
      throw NSError(domain: NSCocoaErrorDomain, code: NSManagedObjectReferentialIntegrityError)
    }
    return wrapper(of: object)
  }

  /// Gives new objects permanent identifiers before they are saved, in a transaction of its own.
  public func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
    guard let opened, objects.contains(where: { $0.objectID.isTemporaryID }) else { return }
    do { try opened.context.obtainPermanentIDs() } catch { throw saveError(error) }
  }

  /// Lets an object of an opened store be read again when it is next asked for.
  ///
  /// - Parameters:
  ///   - object: The object, which this context has.
  ///   - flag: Whether its own changes stay.
  public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
    guard let opened, let row = object.stored else { return }
    reporting { try opened.context.refresh(row, keepsChanges: flag) }
  }

  /// Lets all objects of an opened store be read again when they are next asked for; changes stay.
  public func refreshAllObjects() { opened?.context.refresh() }

  /// Writes all changes, so that queries see them.
  public func processPendingChanges() { reporting { try stored.save() } }

  /// The objects that the next save writes for the first time.
  public var insertedObjects: Set<NSManagedObject> { wrappers(\.insertedObjects) }
  /// The objects whose changes the next save writes.
  public var updatedObjects: Set<NSManagedObject> { wrappers(\.updatedObjects) }
  /// The objects that the next save deletes.
  public var deletedObjects: Set<NSManagedObject> { wrappers(\.deletedObjects) }

  private func wrappers(
    _ part: KeyPath<ManagedObjectContext, [ManagedObject]>
  ) -> Set<NSManagedObject> {
    Set((opened?.context[keyPath: part] ?? []).map { wrapper(of: $0) })
  }

  /// Contexts of contexts are not there: each is one of a store.
  @available(*, unavailable, message: "Waystone's contexts have no parents; save to the store.")
  public var parent: NSManagedObjectContext? {
    get { nil }
    set {}
  }

  /// Changes cannot be taken back one by one.
  @available(*, unavailable, message: "Waystone's contexts have no undo; use rollback().")
  public func undo() {}
}
