import MigrationPlanning
import ObjectModel
import StoreMigration
import Waystone

/// The option whose value, an ``NSStagedMigrationManager``, migrates a store by stages when it is opened.
public let NSPersistentStoreStagedMigrationManagerOptionKey =
  "NSPersistentStoreStagedMigrationManagerOptionKey"

/// A version of a model that a stage begins or ends with.
open class NSManagedObjectModelReference: NSObject {
  /// The model.
  public let resolvedModel: NSManagedObjectModel
  /// The checksum of the version.
  public let versionChecksum: String

  /// A reference to a model.
  public init(model: NSManagedObjectModel, versionChecksum: String) {
    resolvedModel = model
    self.versionChecksum = versionChecksum
  }

  /// A reference to the model in a file.
  public convenience init(fileURL: URL, versionChecksum: String) {
    self.init(
      model: NSManagedObjectModel(contentsOf: fileURL) ?? NSManagedObjectModel.none,
      versionChecksum: versionChecksum
    )
  }

  /// A reference to the model of a name, which is searched in a bundle, or among the program's; the name
  /// of a version counts, too.
  public convenience init(name: String, in bundle: Bundle?, versionChecksum: String) {
    self.init(in: bundle, versionChecksum) {
      $0.isCalled(name) || $0.model.versionChecksum == versionChecksum
    }
  }

  /// A reference to the version of some hashes, which is searched in a bundle, or among the program's.
  public convenience init(
    entityVersionHashes versionHash: [AnyHashable: Any],
    in bundle: Bundle?,
    versionChecksum: String
  ) {
    let hashes = versionHash as? [String: Data] ?? [:]
    self.init(in: bundle, versionChecksum) { version in
      version.model.entityVersionHashes.mapValues { Data($0.bytes) } == hashes
    }
  }

  private convenience init(
    in bundle: Bundle?,
    _ versionChecksum: String,
    _ isWanted: (ModelVersion) -> Bool
  ) {
    let archive = ModelPlaces.archive(of: bundle.map { [$0] })
    let version = archive.versions.last(where: isWanted)
    self.init(
      model: version.map { NSManagedObjectModel($0.model, of: archive) }
        ?? NSManagedObjectModel.none,
      versionChecksum: versionChecksum
    )
  }
}

/// A stage of a migration.
open class NSMigrationStage: NSObject {
  /// The purpose of the stage.
  public var label: String?
}

/// A stage in which mappings are inferred from version to version.
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, in their order.
  public let versionChecksums: [String]

  /// A stage of versions.
  public init(_ versionChecksums: [String]) { self.versionChecksums = versionChecksums }
}

/// A stage in which code runs before and after a mapping is inferred.
open class NSCustomMigrationStage: NSMigrationStage {
  /// Code of a stage.
  public typealias Handler = (NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void

  /// The version that the stage begins with.
  public let currentModel: NSManagedObjectModelReference
  /// The version that the stage ends with.
  public let nextModel: NSManagedObjectModelReference
  /// Called before the mapping; contexts of the manager's container have objects of the current version.
  public var willMigrateHandler: Handler?
  /// Called after the mapping; contexts of the manager's container have objects of the next version.
  public var didMigrateHandler: Handler?

  /// A stage from one version to another.
  public init(
    migratingFrom currentModel: NSManagedObjectModelReference,
    to nextModel: NSManagedObjectModelReference
  ) {
    self.currentModel = currentModel
    self.nextModel = nextModel
  }

  /// The names of the handlers in a plan and its journal: by versions, so that they stay the same where the app
  /// puts other stages before.
  fileprivate var willName: String { versions + ".will" }
  fileprivate var didName: String { versions + ".did" }
  private var versions: String { "\(currentModel.versionChecksum)..\(nextModel.versionChecksum)" }
}

/// The stages that migrate a store when it is opened.
///
/// A handler's changes are written with the migration's checkpoint; where it throws, the store keeps its content.
open class NSStagedMigrationManager: NSObject {
  /// The stages, in their order.
  public let stages: [NSMigrationStage]
  /// The container whose contexts a handler uses; nil outside of one.
  public private(set) var container: NSPersistentContainer?
  /// The stage whose handler runs.
  public private(set) var currentStage: NSMigrationStage?

  /// A manager of stages.
  public init(_ stages: [NSMigrationStage]) { self.stages = stages }

  /// Returns the models with those that the stages name and that are not among them.
  func archive(beside models: ModelArchive) -> ModelArchive {
    var archive = models
    for stage in stages.compactMap({ $0 as? NSCustomMigrationStage }) {
      for reference in [stage.currentModel, stage.nextModel] {
        let model = reference.resolvedModel.model
        let isKnown = archive.versions.contains {
          $0.model.entityVersionHashes == model.entityVersionHashes
        }
        guard !isKnown, !model.entities.isEmpty else { continue }
        let version = ModelVersion(
          modelName: archive.models.first?.name ?? "stages",
          name: reference.versionChecksum,
          model: model
        )
        if archive.models.isEmpty {
          archive.models.append(VersionedModel(name: "stages", versions: [version]))
        } else {
          archive.models[0].versions.append(version)
        }
      }
    }
    return archive
  }

  /// Adds the stages as edges between versions, and their handlers.
  func add(to options: inout MigrationOptions, _ archive: ModelArchive) throws {
    var described: [MigrationStage] = []
    for stage in stages {
      switch stage {
      case let stage as NSLightweightMigrationStage:
        described.append(.lightweight(versionChecksums: stage.versionChecksums))
      case let stage as NSCustomMigrationStage:
        described.append(
          .custom(
            current: stage.currentModel.versionChecksum,
            next: stage.nextModel.versionChecksum,
            willMigrate: stage.willMigrateHandler == nil ? [] : [.handler(stage.willName)],
            didMigrate: stage.didMigrateHandler == nil ? [] : [.handler(stage.didName)]
          )
        )
        for name in [stage.willName, stage.didName] {
          options.register(handler: name) { try Self.run($0) }
        }
      default: continue
      }
    }
    let manager = try StagedMigrationManager(described, models: archive.models)
    options.edges += manager.edges(origin: .init(name: "stages", path: "", form: .stage))
  }

  private static let key = "waystone.CoreData.stagedMigrationManager"

  /// Runs a migration whose handlers are a manager's.
  static func with<Result>(
    _ manager: NSStagedMigrationManager?,
    _ body: () throws -> Result
  ) rethrows -> Result {
    let outer = Thread.current.threadDictionary[key]
    Thread.current.threadDictionary[key] = manager
    defer { Thread.current.threadDictionary[key] = outer }
    return try body()
  }

  /// Runs the handler that a stage of the engine's names, of the manager whose migration the thread runs.
  private static func run(_ context: StageContext) throws {
    let name = context.handlerName
    guard let manager = Thread.current.threadDictionary[key] as? NSStagedMigrationManager,
      let stage = manager.stages.lazy.compactMap({ $0 as? NSCustomMigrationStage })
        .first(where: { $0.willName == name || $0.didName == name })
    else {
      throw MigrationError(
        .refused,
        "The handlers of a staged migration are not there.",
        recovery: "Open the store again with its NSStagedMigrationManager."
      )
    }
    let container = StageContainer(context.managedObjectContext)
    manager.container = container
    manager.currentStage = stage
    defer {
      manager.container = nil
      manager.currentStage = nil
    }
    let handler = name == stage.willName ? stage.willMigrateHandler : stage.didMigrateHandler
    try handler?(manager, stage)
    try container.checkErrors()
  }
}

/// The container of a stage, whose contexts have the objects of the store that is migrated.
final class StageContainer: NSPersistentContainer {
  private let stored: ManagedObjectContext
  private let pendingError = PendingError()

  init(_ stored: ManagedObjectContext) {
    self.stored = stored
    super.init(name: "stage", managedObjectModel: NSManagedObjectModel(stored.model))
    viewContext = newBackgroundContext()
  }

  override func newBackgroundContext() -> NSManagedObjectContext {
    NSManagedObjectContext(stored, pendingError: pendingError, migration: nil)
  }

  /// Throws the first error of calls that could not.
  func checkErrors() throws { try pendingError.check() }
}
