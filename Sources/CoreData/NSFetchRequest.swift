import ObjectModel
import StoreMigration

/// The kind of results that a fetch request gives, with Core Data's numbers.
public struct NSFetchRequestResultType: OptionSet, Sendable {
  /// The number.
  public let rawValue: UInt

  /// A kind of a number.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// Managed objects.
  public static let managedObjectResultType = Self([])
  /// Their identifiers.
  public static let managedObjectIDResultType = Self(rawValue: 1)
  /// Dictionaries of the properties to fetch.
  public static let dictionaryResultType = Self(rawValue: 2)
  /// Their number.
  public static let countResultType = Self(rawValue: 4)
}

/// A question for objects of an entity.
open class NSFetchRequest<ResultType>: NSObject {
  /// The name of the entity.
  public private(set) var entityName: String?
  /// The class whose entity is meant, where no name is given.
  var managedObjectClass: NSManagedObject.Type?
  /// The entity; set it where the request was made without a name.
  public var entity: NSEntityDescription? {
    didSet { entityName = entity?.name }
  }
  /// The condition; nil for all objects.
  public var predicate: NSPredicate?
  /// The order; the keys' where nil.
  public var sortDescriptors: [NSSortDescriptor]?
  /// The greatest number of results; 0 for all.
  public var fetchLimit = 0
  /// The number of results that are left out at the beginning.
  public var fetchOffset = 0
  /// The number of objects whose values are read at a time; 0 for those of all results.
  ///
  /// The objects themselves are all made. Where it is not 0, the values of a batch are let go of when the next one
  /// is read, unless they were changed; with an order of the app's own each object's are read when they are asked
  /// for.
  public var fetchBatchSize = 0
  /// Whether objects of entities below the entity count.
  public var includesSubentities = true
  /// Whether changes count that are not saved; they always do.
  public var includesPendingChanges = true
  /// Whether values are read with the objects; where not, each object's are read when they are asked for.
  public var includesPropertyValues = true
  /// Whether values are read when they are asked for; without effect.
  public var returnsObjectsAsFaults = true
  /// The relationships whose objects are read, too; without effect.
  public var relationshipKeyPathsForPrefetching: [String]?
  /// The properties of dictionaries: names or descriptions.
  public var propertiesToFetch: [Any]?
  /// Whether equal dictionaries count once.
  public var returnsDistinctResults = false
  /// The kind of the results.
  public var resultType = NSFetchRequestResultType.managedObjectResultType

  /// Makes a request whose entity is set later.
  override public init() {}

  /// Makes a request for the objects of an entity.
  public init(entityName: String) { self.entityName = entityName }
}

extension NSManagedObjectContext {
  /// Returns the results of a request.
  ///
  /// - Throws: An error of the predicate or of the store.
  /// - Complexity: O(*objects* of the entity), where SQL cannot express the predicate or the order is not
  ///   that of the keys; all results are in memory.
  public func fetch<Result>(_ request: NSFetchRequest<Result>) throws -> [Result] {
    let results = try results(of: request)
    if let fitting = results as? [Result] { return fitting }
    let misfit = (results as? [Any] ?? []).first { !($0 is Result) }
    throw MigrationError(
      .failed,
      "A fetch request asks for \(Result.self) and found an object of"
        + " \(misfit.map { "\(type(of: $0))" } ?? "another class").",
      recovery: "Fetch NSManagedObject, or register the class of the entity."
    )
  }

  /// Returns the number of results of a request.
  ///
  /// - Throws: An error of the predicate or of the store.
  /// - Complexity: The cost of SQLite's `count(*)`, where SQL can express the predicate; else that of the fetch.
  public func count<Result>(for request: NSFetchRequest<Result>) throws -> Int {
    let condition = request.predicate.map { FetchCondition($0, in: self) }
    if condition?.filter == nil,
      let count = try prepared().count(
        entityName: name(of: request),
        choices(of: request, condition, isWhole: true)
      )
    {
      return count
    }
    return try objects(of: request).count
  }

  private func name<Result>(of request: NSFetchRequest<Result>) -> String {
    if let name = request.entityName { return name }
    guard let type = request.managedObjectClass ?? Result.self as? NSManagedObject.Type else {
      return ""
    }
    return entityDescription(of: type).name ?? ""
  }

  private func results<Result>(of request: NSFetchRequest<Result>) throws -> Any {
    switch request.resultType {
    case .countResultType: return [NSNumber(value: try count(for: request))]
    case .managedObjectIDResultType: return try identities(of: request)
    case .dictionaryResultType: return try dictionaries(of: request)
    default: return try objects(of: request)
    }
  }

  /// Returns the engine's context, ready for a fetch.
  private func prepared() throws -> ManagedObjectContext {
    if persistentStore == nil { try pendingError.check() }
    let stored = try stored
    if persistentStore != nil, shouldRefreshRefetchedObjects { stored.refresh() }
    return stored
  }

  /// Returns the choices of a request.
  ///
  /// - Parameter isWhole: Whether they are all of its choices, so that its limit and offset count.
  private func choices<Result>(
    of request: NSFetchRequest<Result>,
    _ condition: FetchCondition?,
    isWhole: Bool
  ) -> FetchChoices {
    var choices = FetchChoices()
    choices.includesSubentities = request.includesSubentities
    choices.predicate = condition?.predicate
    choices.variables = condition?.variables ?? [:]
    choices.readsValues = request.includesPropertyValues && request.fetchBatchSize <= 0
    if isWhole {
      choices.offset = max(0, request.fetchOffset)
      choices.limit = request.fetchLimit > 0 ? request.fetchLimit : nil
    }
    return choices
  }

  private func identities<Result>(
    of request: NSFetchRequest<Result>
  ) throws -> [NSManagedObjectID] {
    let condition = request.predicate.map { FetchCondition($0, in: self) }
    guard request.sortDescriptors?.isEmpty != false, condition?.filter == nil else {
      return try objects(of: request).map(\.objectID)
    }
    var identities: [NSManagedObjectID] = []
    var last: (layout: EntityLayout, space: NSManagedObjectID.Space)?
    let isDone = try prepared().forEachKey(
      entityName: name(of: request),
      choices(of: request, condition, isWhole: true)
    ) { layout, key in
      if last?.layout !== layout { last = (layout, EntityBinding.of(layout, self).identity) }
      if let last { identities.append(NSManagedObjectID(last.space, key: key)) }
    }
    return isDone ? identities : try objects(of: request).map(\.objectID)
  }

  private func dictionaries<Result>(of request: NSFetchRequest<Result>) throws -> [NSDictionary] {
    let objects = try objects(of: request)
    let names =
      try request.propertiesToFetch?.map { property in
        if let name = property as? String { return name }
        if let property = property as? NSPropertyDescription { return property.name }
        throw MigrationError(
          .failed,
          "A fetch request asks for a property that is neither a name nor a description.",
          recovery: "Ask for names of attributes; expressions are not computed here."
        )
      } ?? objects.first.map { Array($0.entity.attributesByName.keys) } ?? []
    var seen: Set<NSDictionary> = []
    return objects.map { object in
      NSDictionary(
        dictionary: Dictionary(
          names.compactMap { name in object.value(forKeyPath: name).map { (name, $0) } }
        ) { $1 }
      )
    }.filter { !request.returnsDistinctResults || seen.insert($0).inserted }
  }

  private func objects<Result>(of request: NSFetchRequest<Result>) throws -> [NSManagedObject] {
    let stored = try prepared()
    let condition = request.predicate.map { FetchCondition($0, in: self) }
    let isSorted = request.sortDescriptors?.isEmpty == false
    let isWhole = !isSorted && condition?.filter == nil
    let offset = max(0, request.fetchOffset)
    let (end, isTooMany) = offset.addingReportingOverflow(request.fetchLimit)
    let wanted = request.fetchLimit > 0 && !isTooMany ? end : .max
    var objects: [NSManagedObject] = []
    try stored.forEach(
      entityName: name(of: request),
      choices(of: request, condition, isWhole: isWhole)
    ) { row in
      let object = wrapper(of: row)
      if let filter = condition?.filter, !filter.evaluate(with: object) { return true }
      objects.append(object)
      return isSorted || objects.count < wanted
    }
    if request.fetchBatchSize > 0, !isSorted {
      try stored.readBatches(
        of: name(of: request),
        objects.compactMap { $0.stored?.key },
        size: request.fetchBatchSize
      )
    }
    if isWhole { return objects }
    if let descriptors = request.sortDescriptors, isSorted {
      objects = objects.enumerated().sorted { left, right in
        for descriptor in descriptors {
          switch descriptor.compare(left.element, to: right.element) {
          case .orderedAscending: return true
          case .orderedDescending: return false
          case .orderedSame: continue
          }
        }
        return left.offset < right.offset
      }.map(\.element)
    }
    return Array(objects.dropFirst(offset).prefix(wanted - offset))
  }
}

extension NSManagedObject {
  /// Returns a request for the objects of the class's entity.
  public class func fetchRequest() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>()
    request.managedObjectClass = self
    return request
  }
}
