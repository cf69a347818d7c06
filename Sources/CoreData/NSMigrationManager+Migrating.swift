import MigrationPlanning
import ObjectModel
import StoreMigration
import Waystone

extension NSMigrationManager {
  /// Migrates a store of the source model into a new file, by a mapping model.
  ///
  /// The source keeps its content. The result is verified against it before it takes its place.
  ///
  /// - Parameters:
  ///   - sourceURL: The file of the store, which no coordinator has open.
  ///   - sStoreType: ``NSSQLiteStoreType``.
  ///   - sOptions: ``WaystoneMigrationOptionsKey`` gives acceptances and policies.
  ///   - mappings: The mapping model; nil for the inferred one.
  ///   - dURL: The file of the result, which must be free.
  ///   - dStoreType: ``NSSQLiteStoreType``.
  ///   - dOptions: Nothing is read of them.
  /// - Throws: An `NSError` of Cocoa's domain.
  /// - Complexity: A few passes over the store.
  public func migrateStore(
    from sourceURL: URL,
    sourceType sStoreType: String,
    options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?,
    toDestinationURL dURL: URL,
    destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    try checkCancellation()
    guard sStoreType == NSSQLiteStoreType, dStoreType == NSSQLiteStoreType else {
      throw NSError.coreData(
        NSPersistentStoreInvalidTypeError,
        "Stores of other types than NSSQLiteStoreType are not migrated.",
        recovery: "Migrate a store of that type."
      )
    }
    try OpenPaths.requireClosed(sourceURL, to: "migrated")
    var options =
      (sOptions?[WaystoneMigrationOptionsKey] as? WaystoneMigrationOptions)?.options
      ?? MigrationOptions()
    options.outputURL = dURL
    // The files that a killed migration to the same place left are no result yet.
    options.discardsUnfinishedRun = true
    let archive = NSMappingModel.archive(sourceModel, destinationModel)
    let inferred = MappingInference.infer(from: sourceModel.model, to: destinationModel.model)
    if let mappings, mappings.edge != nil || mappings.stored != inferred.mapping {
      var edge =
        mappings.edge
        ?? AuthoredEdge(source: [:], destination: [:], mapping: mappings.stored, origins: [])
      edge.source = sourceModel.model.entityVersionHashes
      edge.destination = destinationModel.model.entityVersionHashes
      options.edges = [edge]
      AppPolicies.register([edge.mapping], in: &options.registry)
    }
    do {
      let store = try Store(reading: sourceURL)
      guard store.versionHashes == sourceModel.model.entityVersionHashes else {
        throw NSError.coreData(
          NSMigrationMissingSourceModelError,
          "The store is not of the source model's version.",
          recovery: "Make the manager with the model that fits the store's metadata."
        )
      }
      let plan = try archive.plan(
        for: store,
        to: VersionName(archive.models[0].versions[1].qualifiedName),
        options
      )
      guard plan.isSafe else { throw plan.blockers }
      try plan.migrate(store, options)
    } catch { throw StoreUpgrade.error(error) }
  }

  /// Migrates a store of the source model into a new file, as the function with the types' names does.
  public func migrateStore(
    from sourceURL: URL,
    type sourceType: NSPersistentStore.StoreType,
    options sourceOptions: [AnyHashable: Any]? = nil,
    mapping: NSMappingModel,
    to destinationURL: URL,
    type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL,
      sourceType: sourceType.rawValue,
      options: sourceOptions,
      with: mapping,
      toDestinationURL: destinationURL,
      destinationType: destinationType.rawValue,
      destinationOptions: destinationOptions
    )
  }
}
