internal import MigrationReporting
internal import ObjectModel
internal import StoreAccess
internal import Waystone

/// What `digest` and `compare` read of a store.
struct StoreDigest {
  /// The model by which it was read.
  let model: StoreModel
  /// The version hashes of its entities.
  let hashes: [String: VersionHash]
  /// What it says.
  let digest: LogicalDigest

  /// Reads a store without changing it.
  ///
  /// - Throws: ``CommandError`` where its model is not known, and `StoreAccessError` where it cannot
  ///   be read, and where it was changed meanwhile.
  init(of path: String, in loaded: LoadedArchive, console: Console) throws {
    let store = try PersistentStore(reading: console.resolved(path))
    let model = try StoreModel(of: store, shownAs: path, in: loaded.archive)
    let hashes = store.metadata.versionHashes
    // In one snapshot, since a store that an app has open may be written meanwhile.
    digest = try store.connection.transaction(.deferred) {
      guard try StoreMetadata(reading: store.connection, schema: "main").versionHashes == hashes
      else {
        throw StoreAccessError(code: .inUse, message: "\(path) was changed while it was read")
      }
      let real = try StoreSchema(of: store.connection)
      let schema = PhysicalSchema(
        model: model.model,
        names: JoinNames(settledBy: real.columnNames, model: model.model)
      )
      try SchemaComparison(predicted: schema, real: real).requireAllColumns(of: path)
      return try LogicalDigest(
        of: store.connection,
        schema: schema,
        externalData: try StoreFiles(store: store.path).externalData,
        allowsMissingFiles: true
      )
    }
    try store.checkUnchanged()
    self.model = model
    self.hashes = hashes
  }

  /// What reports say of it.
  func side(_ path: String) -> DigestReport {
    DigestReport(
      store: path,
      version: model.label,
      isRecovered: model.isRecovered,
      hash: digest.hash,
      entities: digest.entities.map {
        DigestReport.Entity(
          name: $0.name,
          rows: $0.rowCount,
          hash: $0.hash,
          missingFiles: $0.missingFileCount
        )
      }
    )
  }
}
