import ObjectModel
public import StoreMigration

/// A class of the app's own code that takes part in one entity mapping, as it is written for Apple's
/// framework.
///
/// The callbacks come in Core Data's order. One object serves one entity mapping; an interrupted hop with
/// such a policy starts over when the run is resumed, since Waystone cannot save the policy's memory.
open class NSEntityMigrationPolicy: NSObject {
  /// A policy of one entity mapping.
  override public required init() {}

  /// Called before anything is done for the mapping.
  open func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {}

  /// Makes destination objects from a source object; by default one, as the mapping states.
  open func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    guard let source = sInstance.stored else { return }
    try manager.createDefaultInstance(forSource: source)
  }

  /// Called when all destination objects of the mapping are made.
  open func endInstanceCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {}

  /// Connects a destination object with others; by default as the mapping states.
  open func createRelationships(
    forDestination dInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    guard let destination = dInstance.stored else { return }
    try manager.createDefaultRelationships(forDestination: destination)
  }

  /// Called when all relationships of the mapping's objects are made.
  open func endRelationshipCreation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {}

  /// Throws where the mapping's objects are not as they should be.
  open func performCustomValidation(
    forMapping mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {}

  /// Called when everything is done for the mapping.
  open func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {}

  /// Answers `FUNCTION($entityPolicy, "selector:", …)` of the mapping's expressions.
  ///
  /// Linux has no selectors: `waystone policies` writes an override for the methods that the app marks
  /// with `@objc`.
  ///
  /// - Parameters:
  ///   - selector: The method's name in Objective-C, such as `widthForImage:`.
  ///   - arguments: One value for each colon.
  /// - Throws: ``/Waystone/MigrationError`` for a selector that the policy does not know.
  open func answer(_ selector: String, _ arguments: [Any?]) throws -> Any? {
    throw MigrationError(
      .failed,
      "The policy \(type(of: self)) has no method for the selector \(selector).",
      recovery: "Mark the method with @objc in the app, and build the policies again."
    )
  }

  /// Returns an argument as the type that a method takes.
  ///
  /// Objects of an ordered relationship are an array, too. For no value there is the one that Objective-C gives
  /// where a method takes no optional: an empty text, array, set, dictionary or data, and zero.
  ///
  /// - Throws: ``/Waystone/MigrationError`` where it is of another type.
  public func argument<Value>(_ arguments: [Any?], _ index: Int) throws -> Value {
    let value: Any? = arguments.indices.contains(index) ? arguments[index] : nil
    if let value = value as? Value { return value }
    if let members = (value as? NSOrderedSet)?.array as? Value { return members }
    if value == nil {
      if let empty = (Value.self as? any Emptiable.Type)?.init() as? Value { return empty }
      if let zero = NSNumber(value: 0) as? Value, Value.self is NSNumber.Type { return zero }
    }
    throw MigrationError(
      .failed,
      "A method of the policy \(type(of: self)) takes a \(Value.self) and got"
        + " \(value.map { "a \(type(of: $0))" } ?? "nothing").",
      recovery: "Correct the mapping's expression, or let the method take it."
    )
  }
}

/// A type whose empty value is what Swift makes of nothing that Objective-C hands over.
private protocol Emptiable { init() }

extension String: Emptiable {}
extension Array: Emptiable {}
extension Dictionary: Emptiable {}
extension Set: Emptiable {}
extension Data: Emptiable {}

extension NSMigrationManager {
  func createDefaultInstance(forSource source: ManagedObject) throws {
    try migration.createDefaultInstance(forSource: source)
  }

  func createDefaultRelationships(forDestination destination: ManagedObject) throws {
    try migration.createDefaultRelationships(forDestination: destination)
  }
}

/// A class of policies, by which an object of the very class is made.
protocol MigrationPolicyClass: AnyObject {
  init()
  var asPolicy: NSEntityMigrationPolicy { get }
}

extension NSEntityMigrationPolicy: MigrationPolicyClass {
  var asPolicy: NSEntityMigrationPolicy { self }
}

/// A policy of the app's as the engine calls it.
final class BridgedPolicy<Policy: MigrationPolicyClass>: EntityMigrationPolicy {
  fileprivate let policy = Policy().asPolicy

  // The memory of an app's policy is not known.
  override var state: State { .inMemory }

  /// Runs a callback; an error that it could not throw ends the run.
  private func calling(
    _ manager: MigrationManager,
    _ body: (NSMigrationManager) throws -> Void
  ) throws {
    let manager = NSMigrationManager.of(manager)
    let outer = NSMigrationManager.ofThread
    NSMigrationManager.ofThread = manager
    defer { NSMigrationManager.ofThread = outer }
    do { try body(manager) } catch {
      // The first error explains the one that the policy throws.
      try manager.pendingError.check()
      throw error
    }
    try manager.pendingError.check()
  }

  override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws {
    try calling(manager) { try policy.begin(NSEntityMapping(mapping, of: $0), with: $0) }
  }

  override func createDestinationInstances(
    forSource sInstance: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try calling(manager) {
      try policy.createDestinationInstances(
        forSource: $0.sourceContext.wrapper(of: sInstance),
        in: NSEntityMapping(mapping, of: $0),
        manager: $0
      )
    }
  }

  override func endInstanceCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try calling(manager) {
      try policy.endInstanceCreation(forMapping: NSEntityMapping(mapping, of: $0), manager: $0)
    }
  }

  override func createRelationships(
    forDestination dInstance: ManagedObject,
    in mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try calling(manager) {
      try policy.createRelationships(
        forDestination: $0.destinationContext.wrapper(of: dInstance),
        in: NSEntityMapping(mapping, of: $0),
        manager: $0
      )
    }
  }

  override func endRelationshipCreation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try calling(manager) {
      try policy.endRelationshipCreation(forMapping: NSEntityMapping(mapping, of: $0), manager: $0)
    }
  }

  override func performCustomValidation(
    forMapping mapping: EntityMapping,
    manager: MigrationManager
  ) throws {
    try calling(manager) {
      try policy.performCustomValidation(forMapping: NSEntityMapping(mapping, of: $0), manager: $0)
    }
  }

  override func end(_ mapping: EntityMapping, manager: MigrationManager) throws {
    try calling(manager) { try policy.end(NSEntityMapping(mapping, of: $0), manager: $0) }
  }

  override func call(
    _ selector: String,
    arguments: [ExpressionValue],
    manager: MigrationManager
  ) throws -> ExpressionValue {
    var answer = ExpressionValue.nothing
    try calling(manager) { manager in
      let bridge = manager.destinationContext.bridge
      let value = try policy.answer(
        selector,
        arguments.map { try own($0, manager) ?? bridge.foundation($0) }
      )
      answer = try bridge.stored(value, for: try manager.migration.evaluatedAttribute)
    }
    return answer
  }
}

extension BridgedPolicy {
  /// Returns the object that a variable of the migration's own stands for, such as `$manager`; nil for all else.
  private func own(_ value: ExpressionValue, _ manager: NSMigrationManager) throws -> Any? {
    guard case .object(let object) = value else { return nil }
    switch object {
    case is ManagerReference: return manager
    case is EntityMigrationPolicy: return policy
    case let reference as MappingReference: return NSEntityMapping(reference.mapping, of: manager)
    case let reference as ContextReference:
      let isSource = reference.context === (try manager.migration.sourceContext)
      return isSource ? manager.sourceContext : manager.destinationContext
    default: return nil
    }
  }
}

extension MigrationRegistry {
  /// Registers a policy that is written for Apple's framework, under the name that mapping models mention;
  /// nil for the class's own.
  public mutating func register<Policy: NSEntityMigrationPolicy>(
    _ policy: Policy.Type,
    as className: String? = nil
  ) {
    register(BridgedPolicy<Policy>.self, as: className ?? String(describing: policy))
  }
}
