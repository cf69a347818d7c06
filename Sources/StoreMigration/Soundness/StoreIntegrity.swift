package import MigrationPlanning
package import ObjectModel
package import StoreAccess

/// The conditions that a store must meet before any hop of any plan.
///
/// `plan` shows violations as findings, and a run refuses to begin, by the same queries.
package struct StoreIntegrity {
  /// Whether the numbers of rows name the model's entities.
  package let numbers: EntityNumberCheck
  /// The contents of the tables beyond the model.
  package let unexplained: UnexplainedContents
  /// The keys that are where no object of the model has them.
  let strayReferences: MisplacedReferences
  /// The rows that share values which the model keeps unique.
  let sharedValues: UniquenessViolations
  /// The keys that are greater than the greatest one issued.
  let greatestKeys: KeyCounterCheck

  /// Asks an open store.
  ///
  /// - Parameters:
  ///   - pending: The objects that a deferred migration left.
  ///   - plan: The plan that is to run on it.
  ///   - proof: The proof of its rows, where they were read already.
  /// - Throws: ``SQLiteError`` where it cannot be read.
  package init(
    _ connection: borrowing SQLiteConnection,
    schema: PhysicalSchema,
    real: StoreSchema,
    comparison: SchemaComparison,
    pending: Leftovers,
    plan: MigrationPlan,
    proof: PageVerification? = nil
  ) throws(SQLiteError) {
    numbers = try EntityNumberCheck(
      connection,
      schema: schema,
      comparison: comparison,
      proof: proof
    )
    strayReferences = try MisplacedReferences(
      connection,
      schema: schema,
      comparison: comparison,
      later: plan.hops.map(\.destination.model)
    )
    sharedValues = try UniquenessViolations(connection, schema: schema, comparison: comparison)
    greatestKeys = try KeyCounterCheck(
      connection,
      schema: schema,
      real: real,
      comparison: comparison
    )
    unexplained = try UnexplainedContents(
      connection,
      schema: schema,
      real: real,
      comparison: comparison,
      pending: pending
    )
  }

  /// Returns the findings against running a plan on a store, which is not changed.
  ///
  /// - Parameters:
  ///   - path: The store's absolute path.
  ///   - acceptsLoss: Whether contents that the model does not explain may go.
  ///   - knowledge: The knowledge of the store, if any.
  /// - Throws: ``StoreAccessError`` where the store cannot be read, lacks a table or column of its
  ///   model, or is not text in UTF-8.
  package static func findings(
    ofStoreAt path: String,
    for plan: MigrationPlan,
    acceptsLoss: Bool,
    knowledge: SourceCache
  ) throws -> [Finding] {
    let soundness = try StoreIntegrity(reading: path, for: plan, knowledge: knowledge)
    let version = plan.source.name
    let always =
      soundness.numbers.findings(version: version)
      + soundness.strayReferences.findings(version: version)
    // Without a hop no table is written anew.
    guard !plan.hops.isEmpty else {
      return always + soundness.greatestKeys.findings(version: version)
    }
    return always + soundness.sharedValues.findings(version: version)
      + soundness.unexplained.findings(version: version, isAccepted: acceptsLoss)
  }

  /// Returns findings on a store that needs no hop, and throws if it is unsound, as a run would.
  ///
  /// - Parameter hashes: The version hashes that the store had when its version was looked up.
  /// - Throws: As ``findings(ofStoreAt:for:acceptsLoss:knowledge:)``, and ``StoreAccessError`` with
  ///   `damaged`; with `inUse` where another store has its path since, for example after a rollback.
  package static func requireUnmigrated(
    _ path: String,
    of hashes: [String: VersionHash],
    for plan: MigrationPlan,
    knowledge: SourceCache
  ) throws -> [Finding] {
    do {
      let soundness = try StoreIntegrity(reading: path, for: plan, knowledge: knowledge)
      try soundness.require(of: path, migrates: false)
      return soundness.greatestKeys.findings(version: plan.source.name)
    } catch let error as StoreAccessError where error.code == .damaged {
      let present = try? PersistentStore(reading: path).metadata.versionHashes
      guard let present, present != hashes else { throw error }
      throw StoreAccessError(code: .inUse, message: "\(path) was replaced while it was read")
    }
  }

  /// Asks a store of a plan's first version, which is not changed.
  private init(reading path: String, for plan: MigrationPlan, knowledge: SourceCache) throws {
    let store = try PersistentStore(reading: path)
    try Self.requireTextEncoding(store.connection)
    let real = try StoreSchema(of: store.connection)
    let model = plan.source.model
    let schema = PhysicalSchema(
      model: model,
      names: JoinNames(settledBy: real.columnNames, model: model)
    )
    let comparison = SchemaComparison(predicted: schema, real: real)
    try comparison.requireAllColumns(of: path)
    try self.init(
      store.connection,
      schema: schema,
      real: real,
      comparison: comparison,
      pending: Leftovers(comparison, markedIn: store.metadata),
      plan: plan,
      proof: knowledge.proof(of: store.identity)
    )
    try store.checkUnchanged()
  }

  /// Throws if no hop can read the store's rows as its model defines them.
  ///
  /// - Parameter migrates: Whether there is a hop, which makes indexes anew.
  /// - Throws: ``StoreAccessError``, `damaged`; ``MigrationError`` with `failed` where rows share a
  ///   value that must be unique.
  func require(of path: String, migrates: Bool) throws {
    try numbers.require(of: path)
    let stray = strayReferences.findings()
    guard stray.isEmpty else { throw EntityNumberCheck.error(of: path, stray) }
    if migrates, let shared = sharedValues.findings().first {
      throw MigrationError(.failed, shared.code, shared.message, recovery: shared.remedy)
    }
  }

  /// Throws if a database keeps text in another encoding than the stores of Core Data.
  ///
  /// SQLite does not read two databases of different encodings together, and text would be converted.
  ///
  /// - Throws: ``StoreAccessError``, `unsupported`.
  package static func requireTextEncoding(
    _ connection: borrowing SQLiteConnection
  ) throws {
    let encoding = try connection.text("PRAGMA encoding") ?? ""
    guard encoding != "UTF-8" else { return }
    throw StoreAccessError(
      code: .unsupported,
      message: "\(connection.path) keeps its text in \(encoding), and Core Data makes stores in "
        + "UTF-8 only",
      recovery: "Copy its content into a database in UTF-8 with the tool that made it, then try "
        + "again."
    )
  }
}
