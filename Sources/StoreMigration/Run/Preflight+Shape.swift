package import MigrationPlanning
import ObjectModel
import StoreAccess

// The checks of a store's tables, for any rows.
extension Preflight {
  /// The tables of a store, and those of each version on the path.
  struct Shape {
    let chain: SchemaSequence
    let real: StoreSchema
    let comparison: SchemaComparison
    let carried: UnmodeledObjects
    /// The objects that a deferred migration left in the store.
    let pending: Leftovers
  }

  /// Returns the reason why a run of a plan refuses a store, for any rows; nil where there is none.
  ///
  /// Unsettled names are not among the reasons, and neither is code that is not registered.
  /// - Parameter path: The store's absolute path.
  /// - Throws: `StoreAccessError` where the store cannot be read.
  package static func refusal(
    ofStoreAt path: String,
    for plan: MigrationPlan
  ) throws -> MigrationError? {
    let store = try PersistentStore(reading: path)
    var settings = RunDescription.Settings()
    settings.acceptsUnprovenNames = true
    let preflight = Preflight(plan: plan, settings: settings, registry: MigrationRegistry())
    do {
      let contents = try StoreContents(reading: store.connection)
      let shape = try preflight.shape(of: store.connection, contents)
      let passes = plan.passes(isFused: settings.fusesHops)
      _ = try preflight.hops(passes, shape.chain, last: (number: 0, mark: 0))
      try store.checkUnchanged()
      return nil
    } catch let error as MigrationError where error.code == .refused {
      return error
    }
  }

  /// Compares a store's tables with those of its version, and predicts those of each hop.
  ///
  /// - Throws: ``MigrationError`` with `refused`; ``StoreAccessError``, `damaged`, where a table or column is
  ///   missing.
  func shape(
    of connection: borrowing SQLiteConnection,
    _ contents: StoreContents
  ) throws -> Shape {
    do { return try predictedShape(of: connection, contents) } catch let error as MigrationError {
      throw error.ofSchema
    }
  }

  private func predictedShape(
    of connection: borrowing SQLiteConnection,
    _ contents: StoreContents
  ) throws -> Shape {
    let real = try StoreSchema(of: connection)
    let chain = try SchemaSequence(
      plan: plan,
      store: real,
      sample: try sampleSchema(),
      acceptsUnprovenNames: settings.acceptsUnprovenNames
    )
    let comparison = SchemaComparison(predicted: chain.schemas[0], real: real)
    try comparison.requireAllColumns(of: connection.path)
    let pending = Leftovers(comparison, markedIn: contents.metadata)
    try checkSchema(comparison, path: connection.path, pending: pending)
    guard
      contents.metadata.versionHashes == plan.source.hashes || comparison.level >= .tolerable
    else {
      throw MigrationError(
        .refused,
        "\(connection.path) cannot be taken for a store of \(plan.source.name): its tables are not "
          + "the same.",
        recovery: "Add the version that the store was made with to the archive."
      )
    }
    let carried = try UnmodeledObjects(contents.schemaObjects, schema: chain.schemas[0])
    try checkCloudKit(carried, chain)
    try checkCarried(carried, chain)
    return Shape(
      chain: chain,
      real: real,
      comparison: comparison,
      carried: carried,
      pending: pending
    )
  }

  /// Compiles the passes.
  ///
  /// - Parameters:
  ///   - last: The numbers that the result has in place of a checkpoint's.
  ///   - leftovers: The objects that an earlier migration left, where ALTER changes the statements that make
  ///     the store's tables as it should; else each hop builds a fresh file.
  /// - Throws: ``MigrationError`` with `refused`.
  func hops(
    _ passes: [Pass],
    _ chain: SchemaSequence,
    last: (number: Int, mark: Int64),
    externalData: String = "",
    altering leftovers: Leftovers? = nil
  ) throws(MigrationError) -> [CompiledHop] {
    let mark = CheckpointIdentity.mark(of: plan.fingerprint)
    var hops: [CompiledHop] = []
    for pass in passes {
      let (hop, isLast) = (pass.hop, pass.end == plan.hops.count)
      do throws(MigrationError) {
        hops.append(
          try CompiledHop(
            source: chain.schemas[pass.start],
            destination: chain.schemas[pass.end],
            mapping: hop.mapping,
            arrivingAt: hop.arrivalModel,
            number: isLast ? last.number : pass.end,
            mark: isLast ? last.mark : mark,
            modelCache: isLast ? SchemaWriter.modelCache(of: hop.destination.model) : nil,
            externalData: externalData,
            isAuthored: hop.isMapped,
            asking: pass.preconditions,
            defersCleanup: settings.defersCleanup,
            altering: leftovers.map { hops.last?.program.leftovers ?? $0 }
          )
        )
      } catch {
        throw error.ofSchema
      }
    }
    return hops
  }

  private func sampleSchema() throws -> StoreSchema? {
    guard let sample = settings.sample else { return nil }
    let store = try PersistentStore(reading: sample)
    guard store.metadata.versionHashes == plan.destination.hashes else {
      throw MigrationError(
        .refused,
        "The sample \(sample) is not a store of \(plan.destination.name).",
        recovery: "Name a store that Core Data made at that version."
      )
    }
    if let guess = store.metadata.guessRefusal(shownAs: sample) {
      throw MigrationError(.refused, guess.message, recovery: guess.recovery)
    }
    return try StoreSchema(of: store.connection)
  }

  /// Throws if the model does not explain the file's tables: their contents are then unknown.
  private func checkSchema(
    _ comparison: SchemaComparison,
    path: String,
    pending: Leftovers
  ) throws(MigrationError) {
    guard comparison.level < .tolerable else { return }
    // Without a hop no row is written anew.
    let generated = plan.hops.isEmpty ? [] : comparison.generatedColumns
    let others =
      comparison.differentTypes.map { "\($0.place.tableName).\($0.place.columnName)" }
      + comparison.differentKeys.map { "the primary key of \($0)" }
      + generated.map { "the generated column \($0.tableName).\($0.columnName)" }
      + comparison.extraTables.filter { !pending.tables.contains($0) }
    guard !others.isEmpty else { return }
    throw MigrationError(
      .refused,
      "The tables of \(path) are not those of its model: \(others.sorted().joined(separator: ", ")).",
      recovery: generated.isEmpty
        ? "Take the store from a backup: the app changes no table when it opens a store."
        : "Core Data makes no generated column. Drop it with the tool that made it."
    )
  }

  /// Refuses to renumber entities under CloudKit's tables, which name them by number.
  private func checkCloudKit(
    _ carried: UnmodeledObjects,
    _ chain: SchemaSequence
  ) throws(MigrationError) {
    guard carried.hasCloudKitTables, let last = chain.schemas.last else { return }
    guard StoreEffects.renumbers(chain.schemas[0].entityNumbers, last.entityNumbers) else { return }
    throw MigrationError(
      .refused,
      "CloudKit mirrors the store, and its tables refer to entities by numbers that the "
        + "plan changes.",
      recovery: "Migrate this store with the app itself."
    )
  }
}

extension MigrationError {
  /// The error with the code of the finding that a refusal of a store's tables becomes in a plan.
  fileprivate var ofSchema: MigrationError {
    guard code == .refused, refusal == nil else { return self }
    var error = self
    error.refusal = FindingCode.schemaDiffers.rawValue
    return error
  }
}
