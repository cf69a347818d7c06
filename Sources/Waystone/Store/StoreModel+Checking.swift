package import ObjectModel
internal import StoreAccess
package import StoreMigration

extension StoreModel {
  /// Checks a store against its model: pages, tables, indexes, hashes, keys, references, order.
  ///
  /// - Parameters:
  ///   - location: Its absolute path.
  ///   - shown: The path that messages show.
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
    var report = try StoreVerifier.verify(
      open.connection,
      schema: "main",
      model: found.model,
      names: JoinNames(settledBy: schema.columnNames, model: found.model),
      level: level,
      requiresIndexes: false
    )
    report.append(
      VerificationReport(
        checks: [
          filesCheck(
            try missingFiles(
              of: location,
              open,
              PhysicalSchema(
                model: found.model,
                names: JoinNames(settledBy: schema.columnNames, model: found.model)
              )
            )
          )
        ]
      )
    )
    try open.checkUnchanged()
    return (found, report)
  }

  /// Holds the objects of a store against their model: required, bounds, lengths, uniqueness.
  ///
  /// - Parameters:
  ///   - location: Its absolute path.
  ///   - shown: The path that messages show.
  /// - Throws: ``WaystoneError`` where its model is not known, or `StoreAccessError`.
  package static func validate(
    storeAt location: String,
    shownAs shown: String,
    in archive: ModelArchive
  ) throws -> (found: StoreModel, report: ValidationReport) {
    let open = try StoreModel.open(location, shownAs: shown, in: archive)
    let found = try StoreModel(of: open, shownAs: shown, in: archive)
    let real = try StoreSchema(of: open.connection)
    let names = JoinNames(settledBy: real.columnNames, model: found.model)
    let schema = PhysicalSchema(model: found.model, names: names)
    try SchemaComparison(predicted: schema, real: real).requireAllColumns(of: shown)
    var report = try StoreValidator(schema: schema).report(on: open.connection)
    report.unchecked += try missingFiles(of: location, open, schema).map { missing in
      ValidationReport.Unchecked(
        entity: missing.entity,
        property: missing.attribute,
        reason: missing.predicate
      )
    }
    try open.checkUnchanged()
    return (found, report)
  }

  /// Returns the values whose files are not beside the store.
  private static func missingFiles(
    of location: String,
    _ open: borrowing PersistentStore,
    _ schema: PhysicalSchema
  ) throws -> [ExternalAccount.Missing] {
    try ExternalAccount(
      in: open.connection,
      schema: schema,
      folder: StoreFiles(store: location).externalData
    ).missing
  }

  /// The name of the check of external files.
  package static let filesCheckName = "external-files"

  /// Returns the check that each value kept in a file has that file.
  private static func filesCheck(_ missing: [ExternalAccount.Missing]) -> VerificationReport.Check {
    var check = VerificationReport.Check(
      filesCheckName,
      "values in files have them beside the store",
      code: .externalDataMissing,
      count: Int64(missing.count)
    )
    for values in missing {
      check.fail(
        VerificationReport.Detail(
          entity: values.entity,
          property: values.attribute,
          values.predicate
        )
      )
    }
    return check
  }
}
