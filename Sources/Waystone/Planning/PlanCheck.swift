package import MigrationPlanning
package import ObjectModel
package import StoreMigration

/// What is to be said of a plan beside its hops, and what a run of it would be refused by.
package struct PlanCheck: Sendable {
  /// What is to be said, whatever is accepted.
  package let findings: [Finding]
  /// Those of the findings that a run stops at.
  package let refused: [Finding]
  /// The policies and handlers that the program does not have, each an error: a run refuses them.
  package let unresolved: [Finding]
  /// The names of join tables that the plan's result has.
  package let settlement: NameSettlement
  /// What the version wanted reads otherwise than a version of the same hashes wrote it.
  package let transformers: [Finding]
  /// Why a run stops at names that nothing settles, in words; none where guesses are accepted.
  package let unprovenNames: [String]
  /// Which SQL may not run, in words.
  package let foreignSQL: [String]

  /// Checks a plan; a store is only read.
  ///
  /// - Parameters:
  ///   - sample: The columns of each table of a store that Core Data made at the end's version.
  /// - Throws: `StoreAccessError` where the store cannot be read.
  package init(
    _ plan: MigrationPlan,
    for request: PlanningRequest,
    in archive: MappedArchive,
    options: MigrationOptions,
    sample: [String: [String]]?
  ) throws {
    unresolved = UnresolvedNames.findings(
      of: plan,
      registry: options.registry,
      name: archive.names.name
    ).map { finding in
      var finding = finding
      finding.severity = .error
      return finding
    }
    settlement = NameSettlement(plan: plan, store: request.store?.columnNames, sample: sample)
    unprovenNames = options.settings.acceptsUnprovenNames ? [] : settlement.reasons
    foreignSQL = plan.hops.compactMap { options.allowedSQL.refusal(of: $0) }
    var findings = request.findings + archive.binding.findings.filter { $0.severity > .note }
    transformers = request.transformers(after: plan)
    findings += unresolved
    var soundness: [Finding] = []
    var shape: [Finding] = []
    if let store = request.store {
      findings += StoreEffects(plan: plan, store: store.schema).findings
      if options.asksRows {
        do {
          (soundness, shape) = try Self.answers(of: store, to: plan, options)
        } catch {
          // A run that accepts damage asks the rows that it could read.
          guard options.settings.acceptsDamagedSource,
            StoreMigrator.damage(of: store.location, cancellation: options.cancellation) != nil
          else { throw error }
        }
      }
    }
    self.findings = findings + soundness + shape
    refused = soundness.filter(\.isRefused) + shape
  }

  /// What the store's rows and its shape say against a run.
  private static func answers(
    of store: StoreInspection,
    to plan: MigrationPlan,
    _ options: MigrationOptions
  ) throws -> (soundness: [Finding], shape: [Finding]) {
    let soundness = try StoreSoundness.findings(
      ofStoreAt: store.location,
      for: plan,
      acceptsLoss: options.settings.acceptsUnexplainedLoss,
      knowledge: options.knowledge
    )
    // A store whose keys or numbers are wrong is refused for that.
    guard !soundness.contains(where: \.isRefused),
      let refusal = try Preflight.refusal(ofStoreAt: store.location, for: plan)
    else { return (soundness, []) }
    let shape = Finding(
      .schemaDiffers,
      .error,
      at: Finding.Place(version: plan.source.name),
      message: refusal.message,
      remedy: refusal.recovery
    )
    return (soundness, [shape])
  }
}
