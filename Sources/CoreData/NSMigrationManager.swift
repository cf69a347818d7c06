import ObjectModel
import StoreMigration

/// The name of the migration manager among the variables of expressions.
public let NSMigrationManagerKey = "manager"
/// The name of the source object among the variables of expressions.
public let NSMigrationSourceObjectKey = "source"
/// The name of the destination object among the variables of expressions.
public let NSMigrationDestinationObjectKey = "destination"
/// The name of the entity mapping among the variables of expressions.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The name of the property mapping among the variables of expressions.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The name of the policy among the variables of expressions.
public let NSMigrationEntityPolicyKey = "entityPolicy"

/// A migration while it runs, as policies see it.
///
/// One that a program makes migrates a store by ``migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)``;
/// the policies of that migration see another one, which has its objects.
open class NSMigrationManager: NSObject {
  /// The engine's migration; nil in one that a program made.
  private weak var running: MigrationManager?
  /// The first error of calls that cannot throw.
  let pendingError = PendingError()
  /// The objects of the store that is migrated; they cannot be changed.
  public let sourceContext: NSManagedObjectContext
  /// The objects of the store that the migration makes.
  public let destinationContext: NSManagedObjectContext
  /// The model of the store that is migrated.
  public let sourceModel: NSManagedObjectModel
  /// The model of the store that the migration makes.
  public let destinationModel: NSManagedObjectModel
  /// Values of the app's own; they end with the migration, which starts over when it is resumed.
  public var userInfo: [AnyHashable: Any]?

  /// The error by which the program cancelled a migration before it began.
  private var cancellation: (any Error)?

  /// Makes a manager that migrates stores of one model to another.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    sourceContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    destinationContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
  }

  private init(_ stored: MigrationManager) {
    running = stored
    sourceContext = NSManagedObjectContext(
      stored.sourceContext,
      pendingError: pendingError,
      migration: stored
    )
    destinationContext = NSManagedObjectContext(
      stored.destinationContext,
      pendingError: pendingError,
      migration: stored
    )
    sourceModel = sourceContext.managedObjectModel
    destinationModel = destinationContext.managedObjectModel
    super.init()
    sourceContext.other = destinationContext
    destinationContext.other = sourceContext
  }

  private static let key = "waystone.CoreData.migrationManager"

  /// The manager whose callback the thread runs.
  static var ofThread: NSMigrationManager? {
    get { Thread.current.threadDictionary[key] as? NSMigrationManager }
    set { Thread.current.threadDictionary[key] = newValue }
  }

  /// Returns the one manager of a migration.
  static func of(_ stored: MigrationManager) -> NSMigrationManager {
    if let known = stored.counterpart as? NSMigrationManager { return known }
    let manager = NSMigrationManager(stored)
    stored.counterpart = manager
    return manager
  }

  /// The engine's migration.
  ///
  /// - Throws: ``MigrationError`` outside of one.
  var migration: MigrationManager {
    get throws {
      if let running { return running }
      throw MigrationError(
        .failed,
        "A migration manager was asked about objects while no migration runs.",
        recovery: "Ask the manager that a policy is called with."
      )
    }
  }

  /// The mapping model; without mappings outside of a migration.
  public var mappingModel: NSMappingModel {
    NSMappingModel(running?.mappingModel ?? MappingModel(entityMappings: []), of: self)
  }

  /// Whether the engine may migrate by its own means, as it does in any case.
  public var usesStoreSpecificMigrationManager = true

  /// Does nothing, as nothing is kept after a migration.
  open func reset() { cancellation = nil }

  /// The entity mapping that is being run.
  public var currentEntityMapping: NSEntityMapping {
    let none = EntityMapping(mappingType: .undefined, source: nil, destination: nil)
    return NSEntityMapping(running?.currentEntityMapping ?? none, of: self)
  }

  /// The done part of the migration; not known to a policy.
  public var migrationProgress: Float { 0 }

  /// Returns the source entity of a mapping.
  public func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// Returns the destination entity of a mapping.
  public func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Stops the migration with an error when the callback returns.
  open func cancelMigrationWithError(_ error: any Error) {
    if let running { running.cancel(with: error) } else { cancellation = error }
  }

  /// Throws the error by which the program cancelled the migration before it began.
  func checkCancellation() throws { if let cancellation { throw cancellation } }
}

extension NSMigrationManager {
  /// Notes that an entity mapping made a destination object from a source object.
  public func associate(
    sourceInstance: NSManagedObject,
    withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    guard let source = sourceInstance.stored, let destination = destinationInstance.stored else {
      return PendingError.recordUnsupported("An association was made of something")
    }
    destinationContext.reporting {
      try migration.associate(
        sourceInstance: source,
        withDestinationInstance: destination,
        for: entityMapping.stored
      )
    }
  }

  /// Returns the destination objects that an entity mapping made: from some source objects, or of all.
  public func destinationInstances(
    forEntityMappingName mappingName: String,
    sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    destinationContext.reporting {
      guard let sourceInstances else { return try allInstances(of: mappingName, inSource: false) }
      return try migration.destinationInstances(
        forEntityMappingName: mappingName,
        sourceInstances: sourceInstances.compactMap(\.stored)
      ).map { destinationContext.wrapper(of: $0) }
    } ?? []
  }

  /// Returns the source objects from which an entity mapping made some destination objects, or all.
  public func sourceInstances(
    forEntityMappingName mappingName: String,
    destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    destinationContext.reporting {
      guard let destinationInstances else {
        return try allInstances(of: mappingName, inSource: true)
      }
      return try migration.sourceInstances(
        forEntityMappingName: mappingName,
        destinationInstances: destinationInstances.compactMap(\.stored)
      ).map { sourceContext.wrapper(of: $0) }
    } ?? []
  }

  /// Returns all objects at one end of the associations of an entity mapping.
  private func allInstances(of mappingName: String, inSource: Bool) throws -> [NSManagedObject] {
    guard let mapping = mappingModel.entityMappingsByName[mappingName]?.stored,
      let entityName = mapping.sourceEntityName
    else {
      throw MigrationError(
        .failed,
        "The mapping model has no entity mapping \(mappingName) of source objects.",
        recovery: "Correct the name in the policy."
      )
    }
    let sources = try migration.sourceContext.fetch(
      entityName: entityName,
      includesSubentities: false
    )
    let made = try sources.map { source in
      (
        source,
        try migration.destinationInstances(
          forEntityMappingName: mappingName,
          sourceInstances: [source]
        )
      )
    }
    return inSource
      ? made.filter { !$0.1.isEmpty }.map { sourceContext.wrapper(of: $0.0) }
      : made.flatMap(\.1).map { destinationContext.wrapper(of: $0) }
  }
}
