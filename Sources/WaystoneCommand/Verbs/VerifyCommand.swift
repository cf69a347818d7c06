internal import ArgumentParser
internal import MigrationPlanning
internal import MigrationReporting
internal import ModelCoding
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

/// `waystone verify`.
struct VerifyCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a store against its model.",
    discussion: """
      SQLite's own check of the file, then tables, columns, indexes and entity numbers against \
      those that Core Data would make, hashes, row counts, references, inverse relationships and \
      order. The model is the archived version that the store's hashes name; where there is none, \
      the one that the store carries. The store is not changed. Status 1 where a check fails.
      """
  )

  @Argument(help: "The store.")
  var store: String

  @Flag(help: "Run SQLite's integrity_check too, which reads every index entry.")
  var full = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let loaded = try session.archiveIfAny()
    let open = try PersistentStore(reading: session.console.resolved(store))
    let (model, name) = try model(of: open, in: loaded)
    let schema = try StoreSchema(of: open.connection)
    let level: VerificationLevel = full ? .full : .standard
    let verification = try StoreVerifier.verify(
      open.connection,
      schema: "main",
      model: model,
      names: JoinNames(settledBy: schema.columnNames, model: model),
      level: level
    )
    try open.checkUnchanged()
    let report = VerifiedStoreReport(
      store: store,
      version: name,
      level: level,
      verification: verification
    )
    try session.print(report, as: format.format)
    guard !verification.passed else { return .success }
    session.explain(
      .answerIsNo,
      "verificationFailed",
      "\(store) is not as its model says: \(verification.summary)",
      "Take the store from a backup, or look at the checks that failed."
    )
    return .answerIsNo
  }

  /// The archived model with the store's hashes, else the store's own.
  private func model(
    of open: borrowing PersistentStore,
    in loaded: LoadedArchive
  ) throws -> (ManagedObjectModel, String) {
    let hashes = open.metadata.versionHashes
    let versions = loaded.archive.versions
    if let version = versions.last(where: { $0.model.entityVersionHashes == hashes }) {
      return (version.model, loaded.names.name(of: version))
    }
    if let cache = open.modelCache, let decoded = try? ModelCache.decode(cache),
      decoded.model.entityVersionHashes == hashes
    {
      return (decoded.model, "the model in the store")
    }
    throw CommandError(
      .unknownStoreVersion,
      "No archived version has the hashes of \(store), and the store carries no model of its own.",
      recovery: "Add the version that the store was made with to the archive."
    )
  }
}
