/// A difference between two versions of a model.
public struct ModelChange: Hashable, Sendable {
  /// The kind of thing that changes; raw values are used in JSON.
  public enum Subject: String, Codable, Hashable, Sendable, CaseIterable {
    /// The model as a whole.
    case model
    /// An entity.
    case entity
    /// An attribute.
    case attribute
    /// A relationship.
    case relationship
    /// A fetched property.
    case fetchedProperty
    /// A fetch request that the model carries.
    case fetchRequest
    /// A configuration.
    case configuration
    /// A composite.
    case composite
  }

  /// The kind of change; raw values are used in JSON.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// An item that is only in the later version.
    case added
    /// An item that is only in the earlier version.
    case removed
    /// An item with another name, as its renaming identifier states.
    case renamed
    /// An item that is removed while a similar one is added: perhaps a rename without identifier.
    case suspectedRename
    /// An entity has another parent, or a property is declared by an ancestor or descendant.
    case moved
    /// An item that differs in one aspect.
    case changed
  }

  /// The kind of change.
  public var action: Action
  /// The kind of thing that changes.
  public var subject: Subject
  /// The entity: by its later name, unless it is removed.
  public var entityName: String?
  /// The property, or the thing of the model: by its later name, unless it is removed.
  public var name: String?
  /// The aspect that differs, where one does.
  public var aspect: ModelAspect?
  /// The earlier value, name or place, as text.
  public var old: String?
  /// The later value, name or place, as text.
  public var new: String?
  /// The likeness of the two sides of a suspected rename, from 0 to 1.
  public var similarity: Double?
  /// Whether the version hash of the entity changes with it.
  public var changesHash: Bool
  /// Whether the change only follows from a rename, or is the identifier that declares one: reports omit it.
  public var isConsequence = false

  init(
    _ action: Action,
    _ subject: Subject,
    entity: String? = nil,
    name: String? = nil,
    aspect: ModelAspect? = nil,
    old: String? = nil,
    new: String? = nil,
    changesHash: Bool
  ) {
    self.action = action
    self.subject = subject
    entityName = entity
    self.name = name
    self.aspect = aspect
    self.old = old
    self.new = new
    self.changesHash = changesHash
  }
}

/// An aspect of an entity or property that can differ; raw values are used in JSON.
public enum ModelAspect: String, Codable, CodingKeyRepresentable, Hashable, Sendable, CaseIterable {
  /// Whether an entity is abstract.
  case isAbstract = "abstract"
  /// An entity's parent.
  case superentity
  /// An entity's uniqueness constraints.
  case uniquenessConstraints
  /// An entity's indexes, in any form, or whether a property is indexed.
  case indexes
  /// The class of an entity's objects, or of an attribute's values.
  case className
  /// The form of the code generated for an entity.
  case codeGeneration
  /// Whether an entity took part in Sync Services.
  case isSyncable = "syncable"
  /// Text that changes the version hash and nothing else.
  case versionHashModifier
  /// The name that it had in an earlier version.
  case renamingIdentifier
  /// Annotations.
  case userInfo
  /// An attribute's type.
  case type
  /// Whether a value may be missing.
  case isOptional = "optional"
  /// Whether stores leave it out.
  case isTransient = "transient"
  /// The default value of a new object.
  case defaultValue
  /// Least, greatest and pattern.
  case validation
  /// Whether large values may live in files beside the store.
  case externalStorage
  /// Whether a deleted row's value stays in the history.
  case historyPreservation
  /// Whether CloudKit encrypts the value.
  case cloudEncryption
  /// The transformer of a transformable attribute.
  case valueTransformer
  /// Whether generated code uses a scalar type.
  case scalarType
  /// The derivation of a derived attribute.
  case derivation
  /// Whether Spotlight indexes it, or kept it in external records.
  case spotlight
  /// The composite of an attribute, or the attributes of a composite.
  case composite
  /// The entity that a relationship leads to.
  case destination
  /// The relationship back.
  case inverse
  /// Whether a relationship leads to one or many.
  case cardinality
  /// The least number of destinations.
  case minCount
  /// The greatest number of destinations.
  case maxCount
  /// Whether destinations have an order.
  case isOrdered = "ordered"
  /// The effect on destinations when the owner is deleted.
  case deletionRule
  /// The request of a fetched property, or a stored fetch request.
  case fetchRequest
  /// The members of a configuration.
  case members
  /// The marks of the model's author.
  case versionIdentifiers
  /// Whether it is an attribute, a relationship or a fetched property.
  case kind
  /// The configurations that an entity is a member of.
  case configurations
  /// An entity's version hash as a whole, where nothing that is known explains its change.
  case versionHash
}
