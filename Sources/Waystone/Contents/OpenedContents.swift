internal import ObjectModel
internal import StoreAccess
package import StoreMigration

/// A store whose objects are read, in one snapshot.
///
/// It is opened as `inspect` and `plan` open stores: for reading, its `-wal` included, and without a trace
/// where no other process has it open.
package final class OpenedContents {
  /// The reader of the objects.
  package let reader: ObjectReader
  /// The name of the model in reports.
  package let label: String
  /// The absolute path of the store, symbolic links followed.
  package let path: String
  private let opening: StoreOpening

  /// Opens a store.
  ///
  /// - Parameters:
  ///   - location: Its absolute path.
  ///   - shown: The path that messages show.
  /// - Throws: ``WaystoneError`` where its model is not known, and `StoreAccessError` where it cannot be read,
  ///   or lacks a table or a column of its model.
  package init(
    ofStoreAt location: String,
    shownAs shown: String,
    in archive: ModelArchive,
    cancellation: Cancellation = Cancellation()
  ) throws {
    let store = try StoreModel.open(location, shownAs: shown, in: archive)
    let found = try StoreModel(of: store, shownAs: shown, in: archive)
    let hashes = store.metadata.versionHashes
    path = store.path
    opening = store.opening
    let externalData = try StoreFiles(store: store.path).externalData
    let connection = store.intoConnection()
    // A store that an app has open may be written from here on; it is not seen.
    try connection.execute("BEGIN DEFERRED")
    let metadata = try StoreMetadata(reading: connection, schema: "main")
    guard metadata.versionHashes == hashes else {
      throw StoreAccessError(code: .inUse, message: "\(shown) was changed while it was read")
    }
    let real = try StoreSchema(of: connection)
    let schema = PhysicalSchema(
      model: found.model,
      names: JoinNames(settledBy: real.columnNames, model: found.model)
    )
    try SchemaComparison(predicted: schema, real: real).requireAllColumns(of: shown)
    label = found.label
    reader = try ObjectReader(
      connection,
      schema: schema,
      externalData: externalData,
      cancellation: cancellation
    )
  }

  /// Returns what a body reads; a change that a writer made meanwhile is no damage.
  ///
  /// - Throws: `StoreAccessError`, `inUse`; the errors of the body.
  func reading<Value>(_ body: () throws -> Value) throws -> Value { try opening.reading(body) }

  /// Throws if the store was written while it was read, except by a process whose locks were respected.
  ///
  /// - Throws: `StoreAccessError`, `inUse`.
  package func checkUnchanged() throws { try opening.checkUnchanged() }
}
