import MigrationPlanning
import ObjectModel
import StoreMigration

/// A mapping of the entities of one version to those of another, which cannot be changed.
public final class NSMappingModel: NSObject {
  let stored: MappingModel
  /// The edge between two versions that the mapping is of; nil for an inferred one.
  let edge: AuthoredEdge?
  private weak var manager: NSMigrationManager?

  init(
    _ stored: MappingModel,
    of manager: NSMigrationManager? = nil,
    edge: AuthoredEdge? = nil
  ) {
    self.stored = stored
    self.manager = manager
    self.edge = edge
  }

  // Apple declares it so: code unwraps it, or not.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
  /// The entity mappings, in their order.
  public var entityMappings: [NSEntityMapping]! {
    stored.entityMappings.map { NSEntityMapping($0, of: manager) }
  }

  /// The entity mappings by their names.
  public var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary(stored.entityMappings.map { NSEntityMapping($0, of: manager) }.map { ($0.name, $0) })
    { first, _ in first }
  }
}

/// The kind of an entity mapping, with Core Data's numbers.
public enum NSEntityMappingType: UInt, Sendable {
  /// Not known.
  case undefinedEntityMappingType = 0
  /// A policy of the app's maps it.
  case customEntityMappingType = 1
  /// The destination entity is new.
  case addEntityMappingType = 2
  /// The source entity is gone.
  case removeEntityMappingType = 3
  /// The entity does not change.
  case copyEntityMappingType = 4
  /// Properties change.
  case transformEntityMappingType = 5
}

/// A mapping of one entity.
public final class NSEntityMapping: NSObject {
  let stored: EntityMapping
  private weak var manager: NSMigrationManager?

  init(_ stored: EntityMapping, of manager: NSMigrationManager?) {
    self.stored = stored
    self.manager = manager
  }

  /// The name, such as `NoteToNote`.
  public var name: String { stored.name }

  /// The kind.
  public var mappingType: NSEntityMappingType {
    NSEntityMappingType(rawValue: UInt(stored.mappingType.rawValue)) ?? .undefinedEntityMappingType
  }

  /// The name of the entity whose objects are mapped.
  public var sourceEntityName: String? { stored.sourceEntityName }

  /// The name of the entity of the objects that are made.
  public var destinationEntityName: String? { stored.destinationEntityName }

  /// The hash of the source entity.
  public var sourceEntityVersionHash: Data? {
    stored.sourceEntityVersionHash.map { Data($0.bytes) }
  }

  /// The hash of the destination entity.
  public var destinationEntityVersionHash: Data? {
    stored.destinationEntityVersionHash.map { Data($0.bytes) }
  }

  /// The class of the policy.
  public var entityMigrationPolicyClassName: String? { stored.entityMigrationPolicyClassName }

  /// The mappings of attributes.
  public var attributeMappings: [NSPropertyMapping]? {
    stored.attributeMappings.map { NSPropertyMapping($0, of: manager) }
  }

  /// The mappings of relationships.
  public var relationshipMappings: [NSPropertyMapping]? {
    stored.relationshipMappings.map { NSPropertyMapping($0, of: manager) }
  }

  /// The notes of the mapping's author.
  public var userInfo: [AnyHashable: Any]? { stored.userInfo }

  override public func isEqual(_ object: Any?) -> Bool {
    (object as? NSEntityMapping)?.stored == stored
  }

  override public var hash: Int { stored.name.hashValue }
}

/// A mapping of one property.
public final class NSPropertyMapping: NSObject {
  let stored: PropertyMapping
  private weak var manager: NSMigrationManager?

  init(_ stored: PropertyMapping, of manager: NSMigrationManager?) {
    self.stored = stored
    self.manager = manager
  }

  /// The destination property's name.
  public var name: String? { stored.name }

  /// The value.
  public var valueExpression: NSExpression? {
    stored.valueExpression.map { NSExpression($0, of: manager) }
  }

  /// The notes of the mapping's author.
  public var userInfo: [AnyHashable: Any]? { stored.userInfo }
}

/// An expression of a mapping model.
public final class NSExpression: NSObject {
  let stored: ObjectModel.Expression
  private weak var manager: NSMigrationManager?

  init(_ stored: ObjectModel.Expression, of manager: NSMigrationManager?) {
    self.stored = stored
    self.manager = manager
  }

  /// Returns the expression's value.
  ///
  /// - Parameters:
  ///   - object: The object that paths without a beginning mean.
  ///   - context: The values of variables, such as `source` and `manager`.
  public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
    guard let destination = manager?.destinationContext else { return nil }
    return destination.reporting {
      var evaluator = destination.evaluator
      for (key, value) in context ?? [:] {
        guard let name = key as? String else { continue }
        // `$manager`, `$entityPolicy` and `$entityMapping` are the engine's.
        guard value is NSManagedObject || ValueBridge.scalar(value) != nil else { continue }
        evaluator.variables[name] = try destination.bridge.stored(value)
      }
      let operand: ExpressionValue =
        object is NSManagedObject ? try destination.bridge.stored(object) : .nothing
      return try destination.bridge.value(of: stored, with: operand, evaluator)
    } ?? nil
  }

  override public var description: String { "\(stored)" }
}
