import ObjectModel
import StoreMigration

/// A model, which cannot be changed: entities with their attributes and relationships.
public final class NSManagedObjectModel: NSObject {
  let model: ManagedObjectModel
  /// The models that the model was read with: its versions, from which stores are migrated.
  let archive: ModelArchive?

  init(_ model: ManagedObjectModel, of archive: ModelArchive? = nil) {
    self.model = model
    self.archive = archive
  }

  /// The entities, by their names.
  public var entitiesByName: [String: NSEntityDescription] {
    Dictionary(entities.map { ($0.name ?? "", $0) }) { $1 }
  }

  /// The entities.
  public var entities: [NSEntityDescription] { model.entities.map { entity(named: $0.name) } }

  /// The identifiers that the developer gave the version.
  public var versionIdentifiers: Set<AnyHashable> { Set(model.versionIdentifiers) }

  /// The hashes by which stores name their version, by the entities' names.
  public var entityVersionHashesByName: [String: Data] {
    model.entityVersionHashes.mapValues { Data($0.bytes) }
  }

  /// The checksum by which stages of a migration name the version.
  public var versionChecksum: String { model.versionChecksum }

  /// The names of the configurations.
  public var configurations: [String] { model.configurations.keys.sorted() }

  /// Returns the entities of a configuration; nil where the model has no such one.
  public func entities(forConfigurationName configuration: String?) -> [NSEntityDescription]? {
    guard let configuration else { return entities }
    return model.configurations[configuration]?.map { entity(named: $0) }
  }

  /// Returns an entity; of a name that the model lacks, one without properties.
  func entity(named name: String) -> NSEntityDescription {
    NSEntityDescription(model[name] ?? EntityDescription(name: name), in: self)
  }
}

/// An entity of a model.
public final class NSEntityDescription: NSObject {
  let stored: EntityDescription
  /// The entity's model.
  public let managedObjectModel: NSManagedObjectModel

  /// Whether the model has an entity of the name.
  let isOfModel: Bool

  init(_ stored: EntityDescription, in model: NSManagedObjectModel) {
    self.stored = stored
    managedObjectModel = model
    isOfModel = model.model[stored.name] != nil
  }

  /// The name.
  public var name: String? { stored.name }

  /// The name of the class of the entity's objects.
  public var managedObjectClassName: String { stored.managedObjectClassName ?? "NSManagedObject" }

  /// Whether the entity has no objects of its own.
  public var isAbstract: Bool { stored.isAbstract }

  /// The Renaming ID, else the name.
  public var renamingIdentifier: String? { stored.canonicalName }

  /// The notes that the model's author left.
  public var userInfo: [AnyHashable: Any]? { stored.userInfo }

  /// The hash of the entity in its version.
  public var versionHash: Data {
    Data(managedObjectModel.model.entityVersionHashes[stored.name]?.bytes ?? [])
  }

  /// The entity above this one.
  public var superentity: NSEntityDescription? {
    stored.superentityName.map { managedObjectModel.entity(named: $0) }
  }

  /// The entities right below this one.
  public var subentities: [NSEntityDescription] {
    managedObjectModel.model.subentityNames(of: stored.name)
      .map { managedObjectModel.entity(named: $0) }
  }

  /// All properties, inherited ones included.
  public var properties: [NSPropertyDescription] {
    managedObjectModel.model.properties(of: stored.name).map { declared in
      switch declared.property {
      case .attribute(let attribute): NSAttributeDescription(attribute, of: self)
      case .relationship(let relationship): NSRelationshipDescription(relationship, of: self)
      case .fetchedProperty(let property): NSPropertyDescription(named: property.name, of: self)
      }
    }
  }

  /// All properties by their names.
  public var propertiesByName: [String: NSPropertyDescription] {
    Dictionary(properties.map { ($0.name, $0) }) { $1 }
  }

  /// The attributes by their names.
  public var attributesByName: [String: NSAttributeDescription] {
    propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
  }

  /// The relationships by their names.
  public var relationshipsByName: [String: NSRelationshipDescription] {
    propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
  }

  /// Returns the relationships that lead to an entity.
  public func relationships(
    forDestination entity: NSEntityDescription
  ) -> [NSRelationshipDescription] {
    relationshipsByName.values.filter { $0.destinationEntity == entity }.sorted {
      $0.name < $1.name
    }
  }

  /// Returns whether the entity is another one, or below it.
  public func isKindOf(entity: NSEntityDescription) -> Bool {
    managedObjectModel.model.isKind(stored.name, of: entity.stored.name)
  }

  override public func isEqual(_ object: Any?) -> Bool {
    (object as? NSEntityDescription)?.stored == stored
  }

  override public var hash: Int { stored.name.hashValue }
}

extension NSManagedObjectModel {
  /// A model without entities, where none was found.
  static var none: NSManagedObjectModel {
    guard let model = try? ManagedObjectModel(entities: []) else {
      preconditionFailure("a model without entities is a model")
    }
    return NSManagedObjectModel(model)
  }
}

extension NSEntityDescription {
  /// Returns an entity that is known by its name alone, as where no model is at hand.
  static func named(_ name: String) throws -> NSEntityDescription {
    NSManagedObjectModel(try ManagedObjectModel(entities: [])).entity(named: name)
  }

  /// Returns the entity of a name in a context's model.
  public static func entity(
    forEntityName entityName: String,
    in context: NSManagedObjectContext
  ) -> NSEntityDescription? {
    context.managedObjectModel.entitiesByName[entityName]
  }

  /// Returns a new object of an entity, in a context.
  public static func insertNewObject(
    forEntityName entityName: String,
    into context: NSManagedObjectContext
  ) -> NSManagedObject {
    if let layout = try? context.stored.layout(of: entityName) {
      let binding = EntityBinding.of(layout, context)
      return binding.type.init(entity: binding.entity, insertInto: context)
    }
    let entity = context.managedObjectModel.entity(named: entityName)
    return ManagedObjectClasses.type(of: entity).init(entity: entity, insertInto: context)
  }
}

/// A property of an entity.
public class NSPropertyDescription: NSObject {
  /// The name.
  public let name: String
  /// The entity that has the property.
  public let entity: NSEntityDescription

  init(named name: String, of entity: NSEntityDescription) {
    self.name = name
    self.entity = entity
  }

  /// Whether an object may have no value.
  public var isOptional: Bool { true }

  /// Whether stores do not keep the property.
  public var isTransient: Bool { true }

  /// The Renaming ID, else the name.
  public var renamingIdentifier: String? { name }

  /// The notes that the model's author left.
  public var userInfo: [AnyHashable: Any]? { [:] }

  override public func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSPropertyDescription else { return false }
    return name == other.name && entity == other.entity
  }

  override public var hash: Int { name.hashValue }
}

/// An attribute of an entity.
public final class NSAttributeDescription: NSPropertyDescription {
  let stored: AttributeDescription

  init(_ stored: AttributeDescription, of entity: NSEntityDescription) {
    self.stored = stored
    super.init(named: stored.name, of: entity)
  }

  override public var isOptional: Bool { stored.isOptional }
  override public var isTransient: Bool { stored.isTransient }
  override public var renamingIdentifier: String? { stored.canonicalName }
  override public var userInfo: [AnyHashable: Any]? { stored.userInfo }

  /// The type of the values.
  public var attributeType: NSAttributeType {
    NSAttributeType(rawValue: UInt(stored.attributeType.rawValue)) ?? .undefinedAttributeType
  }

  /// The value of a new object.
  public var defaultValue: Any? { stored.defaultValue.flatMap { ValueBridge.foundation($0) } }

  /// The name of the class of the values.
  public var attributeValueClassName: String? { stored.attributeValueClassName }

  /// The name of the transformer of a transformable attribute.
  public var valueTransformerName: String? { stored.valueTransformerName }

  /// Whether large values are kept in files of their own.
  public var allowsExternalBinaryDataStorage: Bool { stored.allowsExternalBinaryDataStorage }
}

/// A relationship of an entity.
public final class NSRelationshipDescription: NSPropertyDescription {
  let stored: RelationshipDescription

  init(_ stored: RelationshipDescription, of entity: NSEntityDescription) {
    self.stored = stored
    super.init(named: stored.name, of: entity)
  }

  override public var isOptional: Bool { stored.isOptional }
  override public var isTransient: Bool { stored.isTransient }
  override public var renamingIdentifier: String? { stored.canonicalName }
  override public var userInfo: [AnyHashable: Any]? { stored.userInfo }

  /// The entity of the objects that the relationship leads to.
  public var destinationEntity: NSEntityDescription? {
    entity.managedObjectModel.entity(named: stored.destinationEntityName)
  }

  /// The relationship back.
  public var inverseRelationship: NSRelationshipDescription? {
    stored.inverseName.flatMap { destinationEntity?.relationshipsByName[$0] }
  }

  /// Whether there can be more than one object.
  public var isToMany: Bool { stored.isToMany }

  /// Whether the objects have an order.
  public var isOrdered: Bool { stored.isOrdered }

  /// The least number of objects.
  public var minCount: Int { Int(stored.minCount) }

  /// The greatest number of objects; 0 for any.
  public var maxCount: Int { Int(stored.maxCount) }

  /// The effect of a deletion on the objects that the relationship leads to.
  public var deleteRule: NSDeleteRule {
    NSDeleteRule(rawValue: UInt(stored.deletionRule.rawValue)) ?? .noActionDeleteRule
  }
}

/// The type of an attribute's values, with Core Data's numbers.
public enum NSAttributeType: UInt, Sendable {
  /// None.
  case undefinedAttributeType = 0
  /// Whole numbers of 16 bits.
  case integer16AttributeType = 100
  /// Whole numbers of 32 bits.
  case integer32AttributeType = 200
  /// Whole numbers of 64 bits.
  case integer64AttributeType = 300
  /// Decimal numbers.
  case decimalAttributeType = 400
  /// Numbers of 64 bits.
  case doubleAttributeType = 500
  /// Numbers of 32 bits.
  case floatAttributeType = 600
  /// Text.
  case stringAttributeType = 700
  /// True or false.
  case booleanAttributeType = 800
  /// Instants.
  case dateAttributeType = 900
  /// Bytes.
  case binaryDataAttributeType = 1000
  /// UUIDs.
  case UUIDAttributeType = 1100
  /// URLs.
  case URIAttributeType = 1200
  /// Objects that a transformer makes bytes of.
  case transformableAttributeType = 1800
  /// Identifiers of objects.
  case objectIDAttributeType = 2000
  /// Several attributes as one.
  case compositeAttributeType = 2100
}

/// The effect of a deletion on the objects that a relationship leads to, with Core Data's numbers.
public enum NSDeleteRule: UInt, Sendable {
  /// None.
  case noActionDeleteRule = 0
  /// Objects lose their link.
  case nullifyDeleteRule = 1
  /// Objects are deleted, too.
  case cascadeDeleteRule = 2
  /// There must be none.
  case denyDeleteRule = 3
}
