internal import Files
public import Foundation
internal import MigrationPlanning
public import ObjectModel
internal import StoreAccess
public import StoreMigration
internal import SwiftDataImport

/// A project that a team ships: models with the mappings between them, the configuration in `waystone.yml`, and
/// the lock of the versions that users have.
public struct Project: Sendable {
  /// The folder to which paths are relative; findings name files from here.
  package let folder: WorkingFolder
  /// The models, with the configured order and current version, and the mappings between them.
  package private(set) var mapped: MappedArchive
  /// The configuration in `waystone.yml`, where its models are the ones in use.
  package let configuration: Configuration?
  /// The migrator of users' stores that a release depends on.
  package var reliance: Reliance { configuration?.reliance ?? .app }
  /// The absolute path of the lock: beside `waystone.yml`, else with the models, where it stays if there
  /// is one.
  package var lockPath: String
  /// The policies and handlers that mappings name.
  public var registry = MigrationRegistry()
  /// The versions that Swift sources declare; nil where none does.
  package var sources: SourceVersions? { mapped.sources }
  /// The forms of Swift types that stores show.
  package private(set) var lessons = StoreLessons()

  /// Models with a configuration, where there is one.
  package init(_ mapped: MappedArchive, configuration: Configuration?, folder: WorkingFolder) {
    self.mapped = mapped
    self.configuration = configuration
    self.folder = folder
    lockPath = ""
    lockPath = "\(configuration?.folder ?? modelsFolder)/\(LockFile.fileName)"
  }

  /// Reads the `waystone.yml` in a folder, with the models and mappings that it names; without one, the
  /// models at or below the folder with the mappings there.
  ///
  /// - Parameters:
  ///   - url: The folder, or an `.xcdatamodeld` or `.momd`.
  ///   - mappings: Mappings, or folders of them, that count instead.
  /// - Throws: ``WaystoneError``, which names the file and line that cannot be read.
  /// - Complexity: O(*n*) in the bytes of the models and mappings.
  public init(at url: URL, mappings: [URL] = []) throws(WaystoneError) {
    self = try WaystoneError.converting {
      let path = try url.filePath
      let folder = WorkingFolder(Self.isModel(path) ? FileSystem.folder(of: path) : path)
      let file = "\(path)/\(Configuration.fileName)"
      let configuration = try InputFile.exists(file) ? Configuration.read(file) : nil
      let project =
        try configuration.map { try Project.load($0, in: folder) }
        ?? Project.load(models: path, configuration: nil, in: folder)
      let environment = ProcessInfo.processInfo.environment
      return try project.answering(environment).withMappings(mappings.map { try $0.filePath })
    }
  }

  /// The models, in the order that counts.
  public var models: ModelArchive { mapped.archive }

  /// The path of the lock: beside `waystone.yml`, else with the models.
  public var lockURL: URL { URL(filePath: lockPath) }

  /// Takes another file for the lock.
  ///
  /// - Throws: ``WaystoneError``, `badArgument` where the URL is of no file.
  public mutating func takeLock(at url: URL) throws(WaystoneError) { lockPath = try url.filePath }
}

extension Project {
  /// The models, in the order that counts.
  package var archive: ModelArchive { mapped.archive }
  /// The names by which the versions are called.
  package var names: VersionNames { mapped.names }
  /// The mappings bound to the versions.
  package var binding: MappingBinding { mapped.binding }
  /// The authored edges.
  package var authored: [AuthoredEdge] { mapped.authored }

  /// Returns a graph without unfinished hop files: they do not define their step yet, so that the app
  /// is compared with the inferred step.
  func finished(_ graph: VersionGraph) -> VersionGraph {
    let open = Set(
      binding.findings.filter { $0.code == .unfinishedMapping }.compactMap(\.place.file)
    )
    let edges = graph.authored.filter { edge in !edge.origins.contains { open.contains($0.path) } }
    guard edges.count < graph.authored.count else { return graph }
    return VersionGraph(graph.versionedModel, authored: edges)
  }

  /// Reads the models that the command line names, else those of the configuration, else those in
  /// the default folder.
  package static func load(models: String?, in folder: WorkingFolder) throws -> Project {
    guard let project = try loadIfAny(models: models, in: folder) else {
      throw WaystoneError(
        .missingFile,
        "There is no \(Configuration.fileName) here or above, and no folder "
          + "\(Configuration.defaultModels).",
        recovery: "Name the models: --models PATH."
      )
    }
    return project
  }

  /// Returns the same project; nil where nothing names models, and there is no default folder.
  package static func loadIfAny(models: String?, in folder: WorkingFolder) throws -> Project? {
    if let models {
      let paths = ModelsPath.lines(models).map(folder.resolved)
      return try load(models: ModelsPath.text(paths), configuration: nil, in: folder)
    }
    if let configuration = try Configuration.find(from: folder.path) {
      return try load(configuration, in: folder)
    }
    let path = folder.resolved(Configuration.defaultModels)
    guard try InputFile.exists(path) else { return nil }
    return try load(models: path, configuration: nil, in: folder)
  }

  /// Reads the models of the configuration in a file.
  package static func load(configuration path: String, in folder: WorkingFolder) throws -> Project {
    try load(Configuration.read(folder.resolved(path)), in: folder)
  }

  /// Reads the models of a configuration.
  private static func load(
    _ configuration: Configuration,
    in folder: WorkingFolder
  ) throws -> Project {
    let paths =
      configuration.models.isEmpty
      ? ["\(configuration.folder)/\(Configuration.defaultModels)"]
      : configuration.models.map(configuration.resolved)
    return try load(
      models: ModelsPath.text(paths),
      configuration: configuration,
      in: folder
    )
  }

  /// Reads models at an absolute path, or at several, one a line, and puts them in the order of their
  /// configuration.
  package static func load(
    models path: String,
    configuration: Configuration?,
    in folder: WorkingFolder,
    learningFrom stores: [String] = []
  ) throws -> Project {
    let options = try configuration?.swiftDataOptions ?? SwiftDataOptions()
    var read = try read(path, options, in: folder)
    let lessons = try lessons(from: stores, read, options, configuration, in: folder) { options in
      try self.read(path, options, in: folder)
    }
    if lessons.types != options.types {
      var options = options
      options.types = lessons.types
      read = try self.read(path, options, in: folder)
    }
    var archive = read.archive
    archive = try configuration?.arrange(archive) ?? archive
    for index in archive.findings.indices
    where archive.findings[index].place.file == configuration?.path {
      archive.findings[index].place.file = configuration.map { folder.shortened($0.path) }
    }
    archive.path = read.archive.path
    let arranged = archive
    archive.reviewOrder(
      isOrdered: { configuration?.orders($0, in: arranged) == true },
      knowsCurrent: { configuration?.namesCurrent(of: $0) == true }
    )
    var mapped = MappedArchive(archive)
    mapped.listsMappings = configuration?.mappings != nil
    mapped.sources = read.sources
    var project = Project(mapped, configuration: configuration, folder: folder)
    project.lessons = lessons
    try project.findLock()
    return project
  }

  /// Returns the project with answers to questions that its models leave open: drafts of an order from
  /// the history of git, and from samples and sources whether the app opens stores by configuration.
  ///
  /// Only planning and checking need them.
  ///
  /// - Parameter environment: Its `PATH` leads to git.
  /// - Complexity: Git reads all commits where an order is unknown; where an entity leaves a
  ///   configuration, all sources are read unless `waystone.yml` or a sample gives the answer.
  package func answering(_ environment: [String: String]) -> Project {
    var project = self
    var archive = archive
    archive.draftOrders(environment: environment, resolved: folder.resolved)
    for index in archive.models.indices {
      archive.models[index].questions.configurationUse = configurationUse(of: archive.models[index])
    }
    project.mapped.archive = archive
    return project
  }

  /// Returns the evidence of whether the app opens stores of a model by configuration.
  package func configurationUse(of model: VersionedModel) -> ConfigurationUse {
    guard let configuration else { return .unknown }
    return ConfigurationEvidence(configuration: configuration, versions: archive.versions)
      .use(of: model)
  }

  /// Takes the lock beside the models where there is none beside `waystone.yml`: it was written before
  /// that file.
  private mutating func findLock() throws(WaystoneError) {
    let own = "\(modelsFolder)/\(LockFile.fileName)"
    if configuration != nil, try !InputFile.exists(lockPath), try InputFile.exists(own) {
      lockPath = own
    }
  }

  /// Returns the project with its authored mappings, bound to its versions.
  ///
  /// - Parameter given: The paths that the caller names, which replace those in the configuration;
  ///   where neither names any, the files beside the models count.
  /// - Throws: An error that names the file for the first mapping that cannot be read.
  package func withMappings(_ given: [String]) throws -> Project {
    var project = self
    project.mapped = try mapped.binding(
      mappings: given.map(folder.resolved),
      listed: given.isEmpty ? configuration?.mappingPaths() : nil,
      shown: folder.shortened
    )
    return project
  }

  /// Keeps what planning finds out for the next store.
  package mutating func keepPlanners() { mapped.planners = PlannerCache() }

  /// Returns the name of the model that has a version of these hashes.
  package func modelName(of hashes: [String: VersionHash]) -> String? {
    archive.versions.last { $0.model.entityVersionHashes == hashes }?.modelName
  }

  /// Returns a store's own facts, with the version that it is of.
  ///
  /// - Parameter path: The path as the user wrote it.
  /// - Throws: `StoreAccessError` where it cannot be read.
  package func inspection(
    of path: String,
    rows: StoreInspection.RowCounting = .never
  ) throws -> StoreInspection {
    try StoreInspection(
      of: path,
      at: folder.resolved(path),
      versions: archive.versions,
      rows: rows
    )
  }

  /// Returns the SQL of a plan that the caller or the configuration allows.
  package func allowedSQL(
    of plan: MigrationPlan,
    beside given: SQLAllowance
  ) -> SQLAllowance {
    guard let configuration else { return given }
    let paths = plan.hops.flatMap(\.origins).map(\.path)
    return given.adding(
      Set(paths.filter { configuration.allowsSQL(ofFileAt: folder.resolved($0)) })
    )
  }

  /// Returns the models below some paths, one a line, their own paths shown from the folder.
  private static func read(
    _ text: String,
    _ options: SwiftDataOptions,
    in folder: WorkingFolder
  ) throws -> ReadModels {
    var read = try ReadModels(text, options: options)
    // Files below a folder that is written as `.` are named without the dot.
    let paths = try ModelsPath.list(text).map(\.path).map {
      $0.hasSuffix("/.") ? String($0.dropLast()) : $0
    }
    func show(_ text: String) -> String {
      paths.contains(where: text.hasPrefix) ? folder.shortened(text) : text
    }
    for model in read.archive.models.indices {
      read.archive.models[model].path = show(read.archive.models[model].path)
      for version in read.archive.models[model].versions.indices {
        let full = read.archive.models[model].versions[version].path
        read.archive.models[model].versions[version].path = show(full)
      }
    }
    for index in read.archive.findings.indices {
      let file = read.archive.findings[index].place.file
      read.archive.findings[index].place.file = file.map(show)
    }
    return read
  }
}
