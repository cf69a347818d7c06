/// An entity as a model declares it: its own properties, not the inherited ones.
///
/// Counterpart of `NSEntityDescription`. Properties are kept in byte order of their names, so that two
/// spellings of one model are equal. The ``ManagedObjectModel`` has the facts that depend on other
/// entities (inheritance, subentities, version hashes).
public struct EntityDescription: Hashable, Sendable {
  /// The name, unique in the model.
  public var name: String
  /// The class of its objects, where the model names one.
  public var managedObjectClassName: String?
  /// The parent's name, where there is one.
  public var superentityName: String?
  /// Whether it has no objects of its own.
  public var isAbstract = false
  /// The name that the entity had in an earlier version (XML `elementID`).
  public var renamingIdentifier: String?
  /// Text that changes the version hash and nothing else.
  public var versionHashModifier: String?
  /// Groups of properties whose values occur once among the entity's objects, in declared order.
  public var uniquenessConstraints: [[String]] = []
  /// The indexes since iOS 11, in byte order of their names.
  public var indexes: [FetchIndexDescription] = [] {
    didSet { indexes.sort { ByteOrder.precedes($0.name, $1.name) } }
  }
  /// The indexes over several properties in the form of before iOS 11.
  public var compoundIndexes: [[String]] = []
  /// Free annotations of the app's author.
  public var userInfo: [String: String] = [:]
  /// The form of the generated code (`class`, `category`); nil where the model does not state it.
  public var codeGenerationType: String?
  /// Whether the entity took part in Sync Services; nil where the model does not state it.
  public var isSyncable: Bool?
  /// The own attributes, in byte order of their names.
  public var attributes: [AttributeDescription] = [] {
    didSet { attributes.sort { ByteOrder.precedes($0.name, $1.name) } }
  }
  /// The own relationships, in byte order of their names.
  public var relationships: [RelationshipDescription] = [] {
    didSet { relationships.sort { ByteOrder.precedes($0.name, $1.name) } }
  }
  /// The own fetched properties, in byte order of their names.
  public var fetchedProperties: [FetchedPropertyDescription] = [] {
    didSet { fetchedProperties.sort { ByteOrder.precedes($0.name, $1.name) } }
  }

  /// A concrete entity without properties.
  public init(name: String) { self.name = name }

  /// The name under which versions match: the renaming identifier, else the name.
  public var canonicalName: String { renamingIdentifier ?? name }
}
