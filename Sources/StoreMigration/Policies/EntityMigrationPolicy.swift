public import ObjectModel

/// A policy: the app's own code that takes part in one entity mapping.
///
/// Counterpart of `NSEntityMigrationPolicy`, with its callbacks in its order. For each entity
/// mapping, in the order of the mapping model: ``begin(_:with:)``, then
/// ``createDestinationInstances(forSource:in:manager:)`` for each source object in order of its
/// key, then ``endInstanceCreation(forMapping:manager:)``. When all mappings are that far, again
/// for each: ``createRelationships(forDestination:in:manager:)`` for each object that the mapping
/// made, then ``endRelationshipCreation(forMapping:manager:)``. At last
/// ``performCustomValidation(forMapping:manager:)`` and ``end(_:manager:)``.
///
/// One policy object serves one entity mapping. Its memory is lost when a run is resumed; ``state``
/// declares whether it matters.
open class EntityMigrationPolicy {
  /// The memory of a policy from one callback to the next.
  public enum State: Hashable, Sendable {
    /// The policy has no memory; the run can continue after any batch.
    case none
    /// The policy's state is in memory only; an interrupted hop starts over.
    case inMemory
    /// The bytes of ``EntityMigrationPolicy/saveState()``, kept with each batch.
    case checkpointed
  }

  /// A policy of one entity mapping.
  public required init() {}

  /// The kind of state that the policy has; none, unless a class overrides it.
  open var state: State { .none }

  /// Returns the bytes that ``restoreState(_:)`` needs to continue; called after each batch, where
  /// ``state`` is checkpointed.
  open func saveState() throws -> [UInt8] { [] }

  /// Restores the bytes that ``saveState()`` returned before the run was interrupted.
  open func restoreState(_ state: [UInt8]) throws {}

  /// Begins the mapping; called before anything is done for it.
  open func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {}

  /// Makes destination objects from a source object.
  ///
  /// By default one: with the values that the attribute mappings give, and associated with the
  /// source object. An override associates the objects that it makes.
  open func createDestinationInstances(
    forSource sInstance: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try manager.createDefaultInstance(forSource: sInstance)
  }

  /// Ends the creation of objects; called when all destination objects of the mapping are made.
  open func endInstanceCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// Connects a destination object that the mapping made with others.
  ///
  /// By default its relationships get the values of the relationship mappings.
  open func createRelationships(
    forDestination dInstance: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try manager.createDefaultRelationships(forDestination: dInstance)
  }

  /// Ends the creation of relationships; called when all those of the mapping's objects are made.
  open func endRelationshipCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// Throws where the mapping's objects are not as they should be.
  open func performCustomValidation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {}

  /// Ends the mapping; called when everything is done for it.
  open func end(_ mapping: EntityMapping, manager: MigrationManager) throws {}

  /// Answers `FUNCTION($entityPolicy, "selector:", …)` of the mapping's expressions.
  ///
  /// By default no selector is known.
  ///
  /// - Parameters:
  ///   - selector: The method's name in Objective-C, such as `widthForImage:`.
  ///   - arguments: One value for each colon.
  /// - Throws: ``MigrationError`` for a selector that the policy does not know.
  open func call(
    _ selector: String,
    arguments: [ExpressionValue],
    manager: MigrationManager
  ) throws -> ExpressionValue {
    throw MigrationError(
      .failed,
      "The policy \(type(of: self)) has no method for the selector \(selector).",
      recovery: "Override call(_:arguments:manager:) and answer the selector there."
    )
  }
}

extension EntityMigrationPolicy: KeyValueObject {
  /// The identity of the policy, which differs from that of all other policies of its migration.
  public var identity: ObjectIdentity {
    ObjectIdentity(store: "migration", entity: String(reflecting: type(of: self)), key: 0)
  }

  /// Refuses every key: expressions call methods of policies.
  ///
  /// - Throws: ``MigrationError``.
  public func value(forKey key: String) throws -> ExpressionValue {
    throw MigrationError(
      .failed,
      "The policy \(type(of: self)) has no value for the key \(key).",
      recovery: "Call a method of the policy by FUNCTION instead."
    )
  }
}
