package import MigrationPlanning
package import ObjectModel
import StoreAccess
import StoreVerification

/// A checker that answers the questions of a plan from a store, which is not changed.
///
/// The store is open as long as this exists; ``checkUnchanged()`` throws at the end if it was
/// written to meanwhile.
package final class StorePreconditionChecker: PreconditionOracle {
  /// A question, the same for every caller.
  private struct Question: Hashable {
    let kind: Precondition.Kind
    let subjects: [Precondition.Subject]
  }

  private let store: PersistentStore
  private var queries: PreconditionQueries
  private let knowledge: SourceCache
  /// Whether values are summed up, for the verification of a run.
  private let sums: Bool
  private let onEvent: (MigrationEvent) -> Void
  private var isRead = false
  private let acceptsDamage: Bool
  private let cancellation: Cancellation
  /// The reason why no question can be answered; nil where the store is as its model predicts.
  private let doubt: String?
  /// The reason why the store could not be read: an I/O failure, or damage.
  private var failure: StoreAccessError?
  private var answers: [Question: Precondition.Answer] = [:]
  private lazy var sizes: StoreSizes = {
    read()
    return StoreSizes(queries.schema, store.connection, queries.proof)
  }()

  /// Opens a store for reading.
  ///
  /// - Parameters:
  ///   - path: The store's absolute path.
  ///   - model: The model whose entities have the store's hashes.
  ///   - acceptsDamage: Whether questions to rows that cannot be read are left without an answer.
  ///   - knowledge: Receives the proof that is read from the store, for its run.
  ///   - sums: Whether values are summed up, for the verification of a run.
  ///   - cancellation: Stops the check of the pages.
  ///   - onEvent: Called when the store is checked and queried, on the thread of the question.
  /// - Throws: `StoreAccessError` where the store cannot be read.
  package init(
    reading path: String,
    model: ManagedObjectModel,
    acceptsDamage: Bool = false,
    knowledge: SourceCache = SourceCache(),
    sums: Bool = false,
    cancellation: Cancellation = Cancellation(),
    onEvent: @escaping (MigrationEvent) -> Void = { _ in }
  ) throws {
    self.acceptsDamage = acceptsDamage
    self.knowledge = knowledge
    self.sums = sums
    self.cancellation = cancellation
    self.onEvent = onEvent
    store = try PersistentStore(reading: path)
    let real = try StoreSchema(of: store.connection)
    try ExpressionFunctions.register(on: store.connection)
    let schema = PhysicalSchema(
      model: model,
      names: JoinNames(settledBy: real.columnNames, model: model)
    )
    let externalData = try StoreFiles(store: path).externalData
    queries = PreconditionQueries(
      schema: schema,
      database: "main",
      externalData: externalData,
      columns: real.columnNames.mapValues(Set.init)
    )
    // A second opening and its end would drop the locks of the first where others have the store open.
    if store.access == .quiescent {
      let evaluator = RowEvaluator(
        path: store.path,
        schema: schema,
        externalData: externalData,
        cancellation: cancellation
      )
      try evaluator.register(on: store.connection)
      queries.evaluator = evaluator
    }
    doubt = Self.doubt(schema, real)
  }

  package func answer(to precondition: Precondition) -> Precondition.Answer {
    if let doubt { return .unknown(doubt) }
    let question = Question(kind: precondition.kind, subjects: precondition.subjects)
    if let known = answers[question] { return known }
    read()
    let answer: Precondition.Answer
    do { answer = try queries.ask(precondition, on: store.connection) } catch {
      note(error)
      answer = queries.unknown(error)
    }
    answers[question] = answer
    return answer
  }

  /// Reads the store's pages once, as a run does before its first hop: most questions are answered by that,
  /// and damage makes ``checkUnchanged()`` throw.
  package func read() {
    guard !isRead else { return }
    isRead = true
    let known = knowledge.proof(of: store.identity)
    queries.proof = known ?? provenPages()
    onEvent(.began(.asking))
    checkIndexes()
    guard known == nil, let proof = queries.proof, store.access == .quiescent else { return }
    do {
      try store.checkUnchanged()
      knowledge.keep(proof, of: store.identity)
    } catch {
      // ``checkUnchanged()`` reports it at the end.
    }
  }

  /// Keeps as the failure that an index which the pages show to be wrong has entries without a row, which a run
  /// refuses.
  private func checkIndexes() {
    guard !acceptsDamage, let proof = queries.proof, !proof.wrongIndexes.isEmpty else { return }
    let check = IndexCheck(database: "main")
    do {
      for fault in try check.run(on: store.connection, proof: proof).faults {
        let entries = try check.entriesWithoutRow(fault, on: store.connection)
        guard entries == 0 else {
          failure = failure ?? IndexCheck.refusal(fault, entries, of: store.path)
          return
        }
      }
    } catch {
      note(error)
    }
  }

  /// Returns the proof of the pages; damage is kept as the failure, and makes all answers
  /// worthless, as for a run.
  private func provenPages() -> PageVerification? {
    let check = SourceCheck(level: .standard, cancellation: cancellation, onEvent: onEvent)
    let interest = queries.schema.interest(sums: sums)
    do {
      guard !acceptsDamage else {
        return try check.faults(of: store.connection, interest: interest).proof
      }
      return try check.require(store.connection, path: store.path, interest: interest)
    } catch let error as StoreAccessError {
      failure = failure ?? error
    } catch {
      note(error)
    }
    return nil
  }

  package func makesObjects(_ hop: Hop) -> Bool {
    let shape = WriteStrategy.of(
      hop.mapping,
      from: hop.source.model,
      to: hop.destination.model,
      isAuthored: hop.isMapped
    )
    if case .mapped? = shape { return true }
    return false
  }

  package func size(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    _ mapping: MappingModel,
    isAuthored: Bool,
    after composed: ComposedMapping?
  ) -> HopSize? {
    guard doubt == nil, let composed else { return nil }
    return sizes.size(
      from: source,
      to: destination,
      mapping,
      isAuthored: isAuthored,
      after: composed
    )
  }

  package func counts() -> StoreCounts? {
    guard doubt == nil else { return nil }
    do {
      return StoreCounts(try StoreCensus(of: store.connection, schema: queries.schema))
    } catch {
      note(error)
      return nil
    }
  }

  /// Keeps an error that is not the answer to a question, but a reason not to believe any.
  private func note(_ error: any Error) {
    guard let error = error as? SQLiteError,
      error.isEnvironmental || error.isDamage && !acceptsDamage
    else { return }
    failure = failure ?? StoreAccessError(error)
  }

  /// Throws if the store could not be read, or was written to since it was opened.
  /// - Throws: `StoreAccessError`, with `inUse` where it was written to.
  package func checkUnchanged() throws {
    // A change that a writer made meanwhile is no damage.
    try store.checkUnchanged()
    if let failure { throw failure }
  }

  /// Returns the reason why the model cannot distinguish the store's rows; nil where it can.
  private static func doubt(_ schema: PhysicalSchema, _ real: StoreSchema) -> String? {
    for row in real.entityRows {
      guard let number = schema.entityNumber(row.name) else { continue }
      if Int64(number) != row.entityNumber {
        return "the store numbers its entities in another way than its model"
      }
    }
    return nil
  }
}
