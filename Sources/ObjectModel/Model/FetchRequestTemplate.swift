/// A fetch request that a model carries, by itself or inside a fetched property.
///
/// Counterpart of `NSFetchRequest` as Xcode's model editor writes it.
public struct FetchRequestTemplate: Hashable, Sendable {
  /// The kind of a fetch's results; raw values are Apple's.
  public enum ResultType: Int, Hashable, Sendable {
    /// Managed objects.
    case managedObjects = 0
    /// Their identifiers.
    case managedObjectIDs = 1
    /// Dictionaries of some properties.
    case dictionaries = 2
    /// Their number.
    case count = 4
  }

  /// The name of the template.
  public var name: String
  /// The entity fetched.
  public var entityName: String
  /// The predicate's format string, where there is one.
  public var predicate: String?
  /// The kind of the results.
  public var resultType = ResultType.managedObjects
  /// The greatest number of results, 0 for all.
  public var fetchLimit = 0
  /// The number of objects whose values are read at once, 0 for all.
  public var fetchBatchSize = 0
  /// Whether subentities are fetched too; nil where the model does not state it.
  public var includesSubentities: Bool?
  /// Whether values are read at once; nil where the model does not state it.
  public var includesPropertyValues: Bool?
  /// Whether unsaved changes count; nil where the model does not state it.
  public var includesPendingChanges: Bool?
  /// Whether objects come as faults; nil where the model does not state it.
  public var returnsObjectsAsFaults: Bool?
  /// Whether equal dictionaries come once; nil where the model does not state it.
  public var returnsDistinctResults: Bool?

  /// A template without predicate or bounds.
  public init(name: String, entityName: String) {
    self.name = name
    self.entityName = entityName
  }
}

/// A property whose value is the result of a fetch; never stored, never hashed.
///
/// Counterpart of `NSFetchedPropertyDescription`.
public struct FetchedPropertyDescription: Hashable, Sendable {
  /// The name, unique among the entity's properties.
  public var name: String
  /// Whether the result may be empty.
  public var isOptional = false
  /// The fetch.
  public var fetchRequest: FetchRequestTemplate
  /// The name that the property had in an earlier version (XML `elementID`).
  public var renamingIdentifier: String?
  /// Free annotations of the app's author.
  public var userInfo: [String: String] = [:]

  /// A fetched property of a name and fetch.
  public init(name: String, fetchRequest: FetchRequestTemplate) {
    self.name = name
    self.fetchRequest = fetchRequest
  }
}
