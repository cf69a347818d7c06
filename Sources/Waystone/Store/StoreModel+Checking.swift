package import ObjectModel
internal import StoreAccess
package import StoreMigration

extension StoreModel {
  /// Checks a store against its model: pages, tables, indexes, hashes, keys, references, order.
  ///
  /// - Parameters:
  ///   - location: Its absolute path.
  ///   - shown: What messages call it.
  /// - Throws: ``WaystoneError`` where its model is not known, or `StoreAccessError`.
  package static func verify(
    storeAt location: String,
    shownAs shown: String,
    in archive: ModelArchive,
    level: VerificationLevel
  ) throws -> (found: StoreModel, report: VerificationReport) {
    let open = try PersistentStore(reading: location)
    let found = try StoreModel(of: open, shownAs: shown, in: archive)
    let schema = try StoreSchema(of: open.connection)
    let report = try StoreVerifier.verify(
      open.connection,
      schema: "main",
      model: found.model,
      names: JoinNames(settledBy: schema.columnNames, model: found.model),
      level: level
    )
    try open.checkUnchanged()
    return (found, report)
  }

  /// Holds the objects of a store against their model: required, bounds, lengths, uniqueness.
  ///
  /// - Parameters:
  ///   - location: Its absolute path.
  ///   - shown: What messages call it.
  /// - Throws: ``WaystoneError`` where its model is not known, or `StoreAccessError`.
  package static func validate(
    storeAt location: String,
    shownAs shown: String,
    in archive: ModelArchive
  ) throws -> (found: StoreModel, report: ValidationReport) {
    let open = try PersistentStore(reading: location)
    let found = try StoreModel(of: open, shownAs: shown, in: archive)
    let real = try StoreSchema(of: open.connection)
    let names = JoinNames(settledBy: real.columnNames, model: found.model)
    let schema = PhysicalSchema(model: found.model, names: names)
    try SchemaComparison(predicted: schema, real: real).requireAllColumns(of: shown)
    let report = try StoreValidator(schema: schema).report(on: open.connection)
    try open.checkUnchanged()
    return (found, report)
  }
}
