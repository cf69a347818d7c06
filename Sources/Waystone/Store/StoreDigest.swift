package import MigrationPlanning
package import ObjectModel
package import StoreAccess
package import StoreMigration

/// A digest of a store's contents, which does not depend on the bytes of its file.
package struct StoreDigest: Sendable {
  /// The model that it was read with.
  package let model: StoreModel
  /// The version hashes of its entities.
  package let hashes: [String: VersionHash]
  /// The digest of the contents.
  package let digest: LogicalDigest
  /// The facts about the store that no digest of its objects covers.
  package let identity: StoreIdentity
  /// The counts of its rows.
  package let counts: StoreCounts

  /// Reads a store without changing it.
  ///
  /// - Parameters:
  ///   - location: Its absolute path.
  ///   - path: The path that messages show.
  /// - Throws: ``WaystoneError`` where its model is not known, and `StoreAccessError` where it cannot
  ///   be read, and where it was changed meanwhile.
  package init(
    ofStoreAt location: String,
    shownAs path: String,
    in archive: ModelArchive
  ) throws {
    let store = try StoreModel.open(location, shownAs: path, in: archive)
    let model = try StoreModel(of: store, shownAs: path, in: archive)
    let hashes = store.metadata.versionHashes
    // In one snapshot, since a store that an app has open may be written meanwhile.
    (digest, counts, identity) = try store.connection.transaction(.deferred) {
      let metadata = try StoreMetadata(reading: store.connection, schema: "main")
      guard metadata.versionHashes == hashes else {
        throw StoreAccessError(code: .inUse, message: "\(path) was changed while it was read")
      }
      let real = try StoreSchema(of: store.connection)
      let schema = PhysicalSchema(
        model: model.model,
        names: JoinNames(settledBy: real.columnNames, model: model.model)
      )
      try SchemaComparison(predicted: schema, real: real).requireAllColumns(of: path)
      let census = try StoreCensus(
        of: store.connection,
        schema: schema,
        digesting: .init(
          externalData: try StoreFiles(store: store.path).externalData,
          allowsMissingFiles: true
        )
      )
      guard let digest = census.digest else {
        throw StoreAccessError(code: .other, message: "\(path) was not digested")
      }
      let identity = try StoreIdentity(metadata, real, schema, of: store.connection)
      return (digest, StoreCounts(census), identity)
    }
    try store.checkUnchanged()
    self.model = model
    self.hashes = hashes
  }
}
