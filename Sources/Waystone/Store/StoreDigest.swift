package import MigrationPlanning
package import ObjectModel
package import StoreAccess
internal import StoreMigration

/// What a store says, as a digest, whatever its file looks like.
package struct StoreDigest: Sendable {
  /// The model by which it was read.
  package let model: StoreModel
  /// The version hashes of its entities.
  package let hashes: [String: VersionHash]
  /// What it says.
  package let digest: LogicalDigest
  /// How much it holds, where that was asked for.
  package let counts: StoreCounts?

  /// Reads a store without changing it.
  ///
  /// - Parameters:
  ///   - location: Its absolute path.
  ///   - path: What messages call it.
  ///   - isCounted: Whether objects, values and links are counted too, in a few more passes.
  /// - Throws: ``WaystoneError`` where its model is not known, and `StoreAccessError` where it cannot
  ///   be read, and where it was changed meanwhile.
  package init(
    ofStoreAt location: String,
    shownAs path: String,
    in archive: ModelArchive,
    isCounted: Bool = false
  ) throws {
    let store = try PersistentStore(reading: location)
    let model = try StoreModel(of: store, shownAs: path, in: archive)
    let hashes = store.metadata.versionHashes
    // In one snapshot, since a store that an app has open may be written meanwhile.
    (digest, counts) = try store.connection.transaction(.deferred) {
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
      let digest = try LogicalDigest(
        of: store.connection,
        schema: schema,
        externalData: try StoreFiles(store: store.path).externalData,
        allowsMissingFiles: true
      )
      return (digest, isCounted ? try StoreCounts(of: store.connection, schema: schema) : nil)
    }
    try store.checkUnchanged()
    self.model = model
    self.hashes = hashes
  }
}
