package import MigrationPlanning
internal import ModelCoding
package import ObjectModel
package import StoreAccess

/// The model that a store's tables are read with.
package struct StoreModel: Sendable {
  /// The model, whose entities have exactly the store's hashes.
  package let model: ManagedObjectModel
  /// The model's name in reports.
  package let label: String
  /// Whether it is the one that the store itself carries.
  package let isRecovered: Bool
  /// Whether the store waits for the cleanup that a migration deferred.
  package var isCleanupPending = false

  /// Finds the model of a store at an absolute path, which is not changed.
  ///
  /// - Throws: ``WaystoneError`` where there is none, or `StoreAccessError`.
  package init(ofStoreAt path: String, shownAs store: String, in archive: ModelArchive) throws {
    let open = try PersistentStore(reading: path)
    try self.init(of: open, shownAs: store, in: archive)
    isCleanupPending = open.metadata.isCleanupPending
    try open.checkUnchanged()
  }

  /// Finds the archived version with the store's hashes, else the model that the store carries,
  /// else the archived versions, or the part of one, that have them together.
  ///
  /// - Throws: ``WaystoneError`` where there is none.
  package init(
    of open: borrowing PersistentStore,
    shownAs store: String,
    in archive: ModelArchive
  ) throws {
    let hashes = open.metadata.versionHashes
    let names = VersionNames(archive)
    let found = try VersionIdentification(storeHashes: hashes, versions: archive.versions)
      .settled(by: StoreSchema(of: open.connection))
    let isWhole = found.match == .exact || found.match == .equalVersions
    if isWhole, let version = found.versions.last {
      self.init(model: version.model, label: names.name(of: version), isRecovered: false)
      return
    }
    if let cache = open.modelCache, let carried = try? ModelCache.decode(cache).model,
      carried.entityVersionHashes == hashes
    {
      self.init(model: carried, label: "the model in the store", isRecovered: true)
      return
    }
    if let model = try? Self.assembled(found, entities: Set(hashes.keys)),
      model.entityVersionHashes == hashes
    {
      // The last one represents all versions that have the same part.
      let shown = found.match == .merged ? found.versions[...] : found.versions.suffix(1)
      let label = shown.map { names.name(of: $0) }.joined(separator: ", ")
      self.init(model: model, label: label, isRecovered: false)
      return
    }
    throw WaystoneError(
      .unknownStoreVersion,
      "No archived version has the hashes of \(store), and the store carries no model of its own.",
      recovery: "Add the version that the store was made with to the archive."
    )
  }

  /// Returns a plan that stays at the model, for runs that change nothing of the rows.
  package func planWithoutHops() throws -> MigrationPlan {
    let version = ModelVersion(modelName: "", name: label, model: model)
    let graph = VersionGraph(VersionedModel(name: "", versions: [version]))
    let node = graph.nodes[0]
    return try MigrationPlanner(graph: graph).plan(from: node, to: node, options: PlanningOptions())
  }

  private init(model: ManagedObjectModel, label: String, isRecovered: Bool) {
    self.model = model
    self.label = label
    self.isRecovered = isRecovered
  }

  /// Returns the version that a store is of, the union of several models' versions, or the part of one, that
  /// it holds; nil where no version has its hashes.
  static func assembled(
    _ found: VersionIdentification,
    entities: Set<String>
  ) throws -> ManagedObjectModel? {
    switch found.match {
    case .exact, .equalVersions: found.versions.last?.model
    case .merged: try ManagedObjectModel.merging(found.versions.map(\.model))
    case .configuration: try found.versions.last?.model.restricted(to: entities)
    case .nearest, .none: nil
    }
  }

  /// Opens a store; one of the XML kind through a copy of the SQLite kind that is made of it, where a version
  /// has its hashes.
  ///
  /// - Throws: `StoreAccessError` where it cannot be read, and for a store of the XML kind of no known version
  ///   ``WaystoneError``.
  static func open(
    _ path: String,
    shownAs store: String,
    in archive: ModelArchive
  ) throws -> PersistentStore {
    guard try OtherStoreKind(ofFileAt: path) == .xml else {
      return try PersistentStore(reading: path)
    }
    let hashes = try XMLStoreReader(path).head().metadata.versionHashes
    let found = VersionIdentification(storeHashes: hashes, versions: archive.versions)
    guard let model = try assembled(found, entities: Set(hashes.keys)) else {
      throw WaystoneError(
        .unknownStoreVersion,
        "No archived version has the hashes of \(store), and a store of the XML kind carries no model.",
        recovery: "Add the version that the store was made with to the archive."
      )
    }
    return try PersistentStore.open(path, by: model)
  }
}
