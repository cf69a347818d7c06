import MigrationPlanning
public import ObjectModel
import StoreAccess

/// A migration by a mapping model while it runs, as policies see it.
///
/// Counterpart of `NSMigrationManager`. A table beside the stores keeps the associations of source
/// objects with destination objects, so that memory does not grow with them.
public final class MigrationManager {
  /// The mapping model.
  public let mappingModel: MappingModel
  /// The objects of the store that is migrated; they cannot be changed.
  public let sourceContext: ManagedObjectContext
  /// The objects of the store that the migration makes.
  public let destinationContext: ManagedObjectContext
  /// Values that policies share; saved with each batch, and restored after a resume.
  public var userInfo: [String: AttributeValue] = [:]
  /// The saved part of ``userInfo``.
  var savedUserInfo: [String: AttributeValue] = [:]
  /// The error with which a policy asked to stop.
  package private(set) var cancellationError: (any Error)?
  package let associations: AssociationTable
  /// The seed of the run's UUIDs; the same after a resume.
  var runSeed: [UInt8] = []
  /// The state of a lookup by the value being evaluated: whether it looks up a key, and whether no
  /// object has the key.
  var lookup = (isAsked: false, isMissed: false)
  /// The number of objects of the batch that found nothing by a key, by the property.
  var missed: [String: Int64] = [:]
  /// The property that is being evaluated, and the object that it is evaluated for.
  var evaluated: (place: String, source: ManagedObject?)?
  /// The resolved mapping of the mapping model.
  let resolved: ResolvedMapping
  /// The manager as policies for Apple's framework see it.
  package var counterpart: AnyObject?
  /// The evaluator of expressions.
  package internal(set) var evaluator = ExpressionEvaluator()
  /// Whether the evaluator may hold objects.
  var holdsEvaluated = false
  private let mappingsByName: [String: Int]
  private let mappingsBySource: [String: [Int]]
  /// The entity mapping that is being run object by object.
  var pass: MappingPass?

  /// A manager of one run of a mapping model.
  package init(
    mappingModel: MappingModel,
    sourceContext: ManagedObjectContext,
    destinationContext: ManagedObjectContext,
    associations: AssociationTable
  ) {
    self.mappingModel = mappingModel
    self.sourceContext = sourceContext
    self.destinationContext = destinationContext
    self.associations = associations
    resolved = ResolvedMapping(
      mappingModel,
      from: sourceContext.model,
      to: destinationContext.model
    )
    var byName: [String: Int] = [:]
    var bySource: [String: [Int]] = [:]
    for (index, mapping) in mappingModel.entityMappings.enumerated() {
      if byName[mapping.name] == nil { byName[mapping.name] = index }
      if let source = mapping.sourceEntityName { bySource[source, default: []].append(index) }
    }
    mappingsByName = byName
    mappingsBySource = bySource
    sourceContext.manager = self
    destinationContext.manager = self
    let reference = ManagerReference(source: sourceContext, destination: destinationContext)
    reference.manager = self
    evaluator.variables["manager"] = .object(reference)
    evaluator.functions = MigrationFunctions(manager: self)
  }

  /// The model of the store that is migrated.
  public var sourceModel: ManagedObjectModel { sourceContext.model }

  /// The model of the store that the migration makes.
  public var destinationModel: ManagedObjectModel { destinationContext.model }

  /// The instant that `now()` and `$now` are, in seconds since 2001-01-01T00:00:00Z; the same for
  /// all of a run.
  public var now: Double? {
    guard case .scalar(.date(let seconds))? = evaluator.variables["now"] else { return nil }
    return seconds
  }

  /// The attribute whose value is being evaluated, if one's is.
  package var evaluatedAttribute: AttributeDescription? {
    guard let place = evaluated?.place, let entity = pass?.mapping.destinationEntityName else {
      return nil
    }
    return destinationModel.property(place, of: entity)?.property.attribute
  }

  /// The entity mapping that is being run, if one is.
  public var currentEntityMapping: EntityMapping? { pass?.mapping }
}

// MARK: Associations

extension MigrationManager {
  /// Notes that an entity mapping made a destination object from a source object.
  ///
  /// - Throws: ``MigrationError`` where an object is of the wrong store.
  public func associate(
    sourceInstance: ManagedObject,
    withDestinationInstance destinationInstance: ManagedObject,
    for entityMapping: EntityMapping
  ) throws {
    guard sourceInstance.layout.store == .source,
      destinationInstance.layout.store == .destination
    else {
      throw MigrationError(
        .failed,
        "The entity mapping \(entityMapping.name) associates objects of the wrong stores.",
        recovery: "Give the source instance first, then the destination instance."
      )
    }
    let index: Int
    if let pass, pass.mapping.name == entityMapping.name {
      index = pass.index
    } else {
      index = try mappingIndex(entityMapping.name)
    }
    // Another source object may have it already.
    _ = try associations.settleOrder(mapping: index, mayRepeat: true)
    try associations.insert(
      mapping: index,
      source: sourceInstance.end,
      destination: destinationInstance.end
    )
  }

  /// Returns the destination objects that an entity mapping made from these source objects.
  ///
  /// - Throws: ``MigrationError`` where the mapping model has no such entity mapping.
  public func destinationInstances(
    forEntityMappingName mappingName: String,
    sourceInstances: [ManagedObject]
  ) throws -> [ManagedObject] {
    let index = try mappingIndex(mappingName)
    return try destinations(of: sourceInstances) { _ in [index] }
  }

  /// Returns the destination objects that any entity mapping made from the source objects to which a
  /// relationship led.
  ///
  /// - Throws: ``MigrationError``, or an error of the database.
  public func destinationInstances(
    forSourceRelationshipNamed relationshipName: String,
    sourceInstances: [ManagedObject]
  ) throws -> [ManagedObject] {
    try destinations(of: sourceInstances) { mappingsBySource[$0] ?? [] }
  }

  /// Returns the source objects from which an entity mapping made these destination objects.
  ///
  /// - Throws: ``MigrationError`` where the mapping model has no such entity mapping.
  public func sourceInstances(
    forEntityMappingName mappingName: String,
    destinationInstances: [ManagedObject]
  ) throws -> [ManagedObject] {
    let index = try mappingIndex(mappingName)
    // Without the index each question would read the whole table.
    try associations.createReverseIndex()
    var seen: Set<ObjectIdentifier> = []
    var objects: [ManagedObject] = []
    for instance in destinationInstances {
      for end in try associations.sources(mapping: index, destination: instance.end) {
        guard let object = try sourceContext.object(number: end.entity, key: end.key),
          seen.insert(ObjectIdentifier(object)).inserted
        else { continue }
        objects.append(object)
      }
    }
    return objects
  }

  private func destinations(
    of sources: [ManagedObject],
    mappings: (String) -> [Int]
  ) throws -> [ManagedObject] {
    var seen: Set<ObjectIdentifier> = []
    var objects: [ManagedObject] = []
    for source in sources {
      for index in mappings(source.layout.entity.name) {
        for end in try associations.destinations(mapping: index, source: source.end) {
          guard let object = try destinationContext.object(number: end.entity, key: end.key),
            seen.insert(ObjectIdentifier(object)).inserted
          else { continue }
          objects.append(object)
        }
      }
    }
    return objects
  }

  private func mappingIndex(_ name: String) throws -> Int {
    guard let index = mappingsByName[name] else {
      throw MigrationError(
        .failed,
        "The mapping model has no entity mapping \(name).",
        recovery: "Correct the name in the expression or the policy."
      )
    }
    return index
  }

  /// Stops the migration with an error, as soon as the callback that is running returns.
  public func cancel(with error: any Error) { cancellationError = error }
}

extension ManagedObject {
  /// The object as one end of an association.
  var end: AssociationTable.End { .init(entity: layout.number, key: key) }
}
