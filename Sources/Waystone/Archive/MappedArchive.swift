package import MigrationPlanning
package import ObjectModel
internal import StoreAccess

/// The models of an archive with the authored mappings between their versions.
package struct MappedArchive: Sendable {
  /// The models, in the order that counts.
  package var archive: ModelArchive { didSet { names = VersionNames(archive) } }
  /// The names by which the versions are called.
  package private(set) var names: VersionNames
  /// The absolute paths of mappings that the caller named, where any was.
  package var givenMappings: [String] = []
  /// Whether the project lists its mappings, so that none is looked for beside the models.
  package var listsMappings = false
  /// The absolute paths of the files of mappings that were bound.
  package var mappingPaths: [String] = []
  /// The mappings that were read for binding, by the absolute paths of their files.
  package var readMappings: [String: [AuthoredMapping]] = [:]
  /// The mappings bound to the versions; none unless they were asked for.
  package var binding = MappingBinding([], to: [])
  /// The authored edges: of mappings, and of custom stages.
  package var authored: [AuthoredEdge] = []
  /// The edges of mapping models that Core Data itself would take.
  package var bundled: [AuthoredEdge] = []
  /// The staged migrations, each with its file.
  package var stagedMigrations: [StagedMigration] = []
  /// The versions that Swift sources declare; nil where none does.
  var sources: SourceVersions?
  /// The cache of planning, where many stores are planned for.
  package var planners: PlannerCache?

  /// The stages of a file.
  package struct StagedMigration: Sendable {
    /// The stages, in their order.
    package let manager: StagedMigrationManager
    /// The places where they were found.
    package let origin: AuthoredEdge.Origin
  }

  /// An archive without mappings.
  package init(_ archive: ModelArchive) {
    self.archive = archive
    names = VersionNames(archive)
  }

  /// The absolute paths of the models; never none.
  package var modelsPaths: [String] {
    let paths = (try? ModelsPath.list(archive.path))?.map(\.path) ?? []
    return paths.isEmpty ? [archive.path] : paths
  }

  /// The absolute path of the models, of several the first.
  package var modelsPath: String { modelsPaths[0] }

  /// The absolute path of the models with the commits at which they are read, from which they can be read
  /// again; of several, one a line.
  package var modelsText: String { archive.path }

  /// Returns the model that has a version.
  ///
  /// - Throws: ``WaystoneError``, `unknownVersion` where none has it.
  func model(of version: ModelVersion) throws(WaystoneError) -> VersionedModel {
    if let model = archive.models.first(where: { $0.versions.contains(version) }) { return model }
    throw WaystoneError(
      .unknownVersion,
      "No model has the version \(version.qualifiedName).",
      recovery: "Look at `waystone versions`."
    )
  }

  /// Returns the columns of each table of a store that Core Data made at a version, which settle the
  /// names that the model leaves open.
  ///
  /// - Parameters:
  ///   - path: The store's absolute path.
  ///   - shown: Its text in messages.
  /// - Throws: ``WaystoneError`` where the store is of another version.
  package func sampleColumns(
    ofStoreAt path: String,
    shownAs shown: String,
    for node: VersionGroup
  ) throws -> [String: [String]] {
    let sample = try StoreInspection(of: shown, at: path, versions: [], rows: .never)
    guard sample.metadata.versionHashes == node.hashes else {
      throw WaystoneError(
        .badArgument,
        "\(shown) is no store of \(names.name(of: node.version)), so it cannot settle its names.",
        recovery: "Give a store that Core Data made at that very version."
      )
    }
    if let guess = sample.metadata.guessRefusal(shownAs: shown) {
      throw WaystoneError(.badArgument, guess.message, recovery: guess.recovery)
    }
    return sample.columnNames
  }
}
