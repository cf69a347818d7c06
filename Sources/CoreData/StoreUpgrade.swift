import MigrationPlanning
import ObjectModel
import StoreMigration
import Waystone

/// A migration of a store that is opened, along the safe path of the versions that the model was read with.
struct StoreUpgrade {
  private let file: URL
  private let model: ManagedObjectModel
  private let archive: ModelArchive
  private var options = MigrationOptions()
  private let mayInfer: Bool
  private let staged: NSStagedMigrationManager?

  init(
    _ file: URL,
    to model: ManagedObjectModel,
    of whole: NSManagedObjectModel,
    _ options: [AnyHashable: Any]?
  ) throws {
    self.file = file
    self.model = model
    staged = options?[NSPersistentStoreStagedMigrationManagerOptionKey] as? NSStagedMigrationManager
    mayInfer =
      staged != nil
      || NSPersistentStoreCoordinator.flag(options, NSInferMappingModelAutomaticallyOption)
    if let given = options?[WaystoneMigrationOptionsKey] as? WaystoneMigrationOptions {
      self.options = given.options
    }
    var archive = whole.archive ?? ModelPlaces.archive(of: nil)
    if let staged { archive = staged.archive(beside: archive) }
    // Versions that the coordinator's model alone has come last.
    if !archive.versions.contains(where: {
      $0.model.entityVersionHashes == model.entityVersionHashes
    }) {
      let version = ModelVersion(modelName: "", name: "model of the coordinator", model: model)
      if archive.models.count == 1 {
        archive.models[0].versions.append(version)
      } else {
        archive.models.append(VersionedModel(name: "coordinator", versions: [version]))
      }
    }
    self.archive = archive
  }

  /// Migrates the store.
  ///
  /// - Throws: An `NSError` of Cocoa's domain; the store has its content then.
  func run() throws {
    do {
      var options = options
      if let staged { try staged.add(to: &options, archive) }
      let mapped = try MappedArchive(archive)
        .binding(mappings: options.mappingURLs.map(\.path))
      AppPolicies.register(mapped.authored.map(\.mapping), in: &options.registry)
      // One that was killed goes on from its last checkpoint, unless the store or the plan changed since: then
      // it is begun anew.
      do {
        let run = try Run(resuming: file, with: archive)
        if try isOurs(run) {
          _ = try NSStagedMigrationManager.with(staged) { try run.resume(options) }
        } else {
          options.discardsUnfinishedRun = true
        }
      } catch let error as WaystoneError {
        // The result of a run that is placed is the store.
        guard error.isOfOutdatedRun, try !StoreMigrator.mayBePlaced(at: file.path) else {
          throw error
        }
        options.discardsUnfinishedRun = true
      }
      let store = try Store(reading: file)
      guard store.versionHashes != model.entityVersionHashes else { return }
      let plan = try plan(for: store, options)
      guard plan.isSafe else { throw plan.blockers }
      if !mayInfer, let hop = plan.hops.first(where: { $0.kind != .authored }) {
        throw NSError.coreData(
          NSMigrationMissingMappingModelError,
          "No mapping model leads from \(hop.source.version.name) to \(hop.destination.version.name).",
          recovery: "Add one, or set NSInferMappingModelAutomaticallyOption."
        )
      }
      _ = try NSStagedMigrationManager.with(staged) { try plan.migrate(store, options) }
    } catch { throw Self.error(error) }
  }

  /// Returns whether an unfinished run may do no more than this caller's, or only has to end.
  private func isOurs(_ run: Run) throws -> Bool {
    guard let settings = run.description?.settings else { return true }
    let (begun, wanted) = (settings.planning.options, options.planning)
    let isAccepted =
      mayInfer && begun.acceptLoss == wanted.acceptLoss
      && begun.acceptUnknown == wanted.acceptUnknown
      && begun.acceptedShortcuts == wanted.acceptedShortcuts
      && settings.acceptsChangedValues == options.settings.acceptsChangedValues
    return try isAccepted || StoreMigrator.mayBePlaced(at: file.path)
  }

  private func plan(for store: Store, _ options: MigrationOptions) throws -> StorePlan {
    let hashes = model.entityVersionHashes
    let version = archive.versions.last { $0.model.entityVersionHashes == hashes }
    return try archive.plan(
      for: store,
      to: VersionName(version?.qualifiedName ?? ""),
      options
    )
  }

  static func error(_ error: any Error) -> any Error {
    guard let cause = error as? WaystoneError else {
      return NSError.coreData(error, code: NSMigrationError)
    }
    let code =
      switch cause.code {
      case .unknownStoreVersion: NSMigrationMissingSourceModelError
      case .noPath: NSMigrationMissingMappingModelError
      case .interrupted: NSMigrationCancelledError
      default: NSMigrationError
      }
    return NSError.coreData(cause, code: code)
  }
}
