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
  /// The objects themselves are all made, each with its key alone. Where it is not 0, the values of a batch
  /// are let go of when the next one is read, unless they were changed. The context lets go of a result that no code
  /// holds when it does of other objects, which is not at once.
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
  /// - Complexity: O(*results* + *offset*), and a sorting where the request asks for an order, as SQLite does it; where
  ///   SQL cannot express the predicate or the order, O(*objects* of the entity), which are in memory meanwhile.
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
    if condition?.filter == nil, !hasDeletedSources,
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
    order: FetchOrder? = nil,
    isWhole: Bool
  ) -> FetchChoices {
    var choices = FetchChoices()
    choices.order = order
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
    let order = try order(of: request)
    guard order != nil || request.sortDescriptors?.isEmpty != false, condition?.filter == nil,
      !hasDeletedSources
    else { return try objects(of: request).map(\.objectID) }
    var identities: [NSManagedObjectID] = []
    var last: (layout: EntityLayout, space: NSManagedObjectID.Space)?
    let isDone = try prepared().forEachKey(
      entityName: name(of: request),
      choices(of: request, condition, order: order, isWhole: true)
    ) { layout, key, _ in
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
    let order = try order(of: request)
    let isSorted = order == nil && request.sortDescriptors?.isEmpty == false
    let isWhole = !isSorted && condition?.filter == nil && !hasDeletedSources
    var choices = choices(of: request, condition, order: order, isWhole: isWhole)
    let isInBatches = request.fetchBatchSize > 0 && persistentStore != nil
    if isInBatches, isWhole {
      choices.readsVersions = true
      if let results = try results(of: request, choices, stored) { return results }
      choices.readsVersions = false
    }
    // Code that compares all objects would read a batch for nearly each of them.
    if persistentStore != nil, !isWhole { try stored.endBatches(of: name(of: request)) }
    let offset = max(0, request.fetchOffset)
    let (end, isTooMany) = offset.addingReportingOverflow(request.fetchLimit)
    let wanted = request.fetchLimit > 0 && !isTooMany ? end : .max
    var objects: [NSManagedObject] = []
    let fetched = isInBatches ? batchObjects(of: stored) : nil
    try stored.forEach(entityName: name(of: request), choices) { row in
      let object = fetched?.object(fetched: row, self) ?? wrapper(of: row)
      if let filter = condition?.filter, !filter.evaluate(with: object) { return true }
      if isDeletedSource(object) { return true }
      objects.append(object)
      return isSorted || objects.count < wanted
    }
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
    if !isWhole { objects = Array(objects.dropFirst(offset).prefix(wanted - offset)) }
    if isInBatches {
      try stored.readBatches(
        of: name(of: request),
        objects.map(\.key),
        size: request.fetchBatchSize
      )
      stored.trim()
    }
    return objects
  }

  /// Returns the results of a request whose values are read in batches; nil where SQL cannot express it.
  private func results<Result>(
    of request: NSFetchRequest<Result>,
    _ choices: FetchChoices,
    _ stored: ManagedObjectContext
  ) throws -> [NSManagedObject]? {
    let fetched = batchObjects(of: stored)
    var (objects, keys): ([NSManagedObject], [Int64]) = ([], [])
    let isDone = try stored.forEachKey(entityName: name(of: request), choices) {
      layout,
      key,
      version in
      guard let object = fetched.object(layout, key, version: version, stored, self) else { return }
      objects.append(object)
      keys.append(key)
    }
    guard isDone else { return nil }
    try stored.readBatches(of: name(of: request), keys, size: request.fetchBatchSize)
    return objects
  }

  private func batchObjects(of stored: ManagedObjectContext) -> FetchedObjects {
    if let fetchedObjects { return fetchedObjects }
    let fetched = FetchedObjects(tableCount: stored.tableCount)
    stored.unreadObjects = fetched
    return fetched
  }

  /// Returns the order of a request in SQL; nil for none, and where SQL cannot express it.
  private func order<Result>(of request: NSFetchRequest<Result>) throws -> FetchOrder? {
    let descriptors = request.sortDescriptors ?? []
    let keys = descriptors.compactMap(\.sortKey)
    guard !keys.isEmpty, keys.count == descriptors.count else { return nil }
    return try stored.order(of: name(of: request), by: keys)
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
