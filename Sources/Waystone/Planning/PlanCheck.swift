package import MigrationPlanning
package import ObjectModel
package import StoreMigration

/// The findings about a plan beside those of its hops, and the refusals of a run of it.
///
/// Each verb, the library and a batch take the refusals from here; a run checks them in the same order.
package struct PlanCheck: Sendable {
  /// The findings beside those of the hops, accepted ones included.
  package let findings: [Finding]
  /// The reasons for which a run does not begin, in the order of its checks.
  package let refusals: [Refusal]
  /// The names of join tables that the plan's result has.
  package let settlement: NameSettlement
  /// The findings about values that the version wanted reads otherwise than a version of the same hashes
  /// wrote them.
  package let transformers: [Finding]

  /// Checks a plan; a store is only read.
  ///
  /// - Parameters:
  ///   - settlement: The names of join tables that the plan's result has.
  ///   - evidence: The answers of the store's rows; nil where they are not asked.
  /// - Throws: `StoreAccessError` where the store cannot be read.
  package init(
    _ plan: MigrationPlan,
    for request: PlanningRequest,
    in archive: MappedArchive,
    options: MigrationOptions,
    settlement: NameSettlement,
    evidence: StoreEvidence?
  ) throws {
    let damage = evidence?.damage(along: plan) ?? []
    let unresolved = UnresolvedNames.findings(
      of: plan,
      registry: options.registry,
      name: archive.names.name
    ).map { finding in
      var finding = finding
      finding.severity = .error
      return finding
    }
    self.settlement = settlement
    transformers = request.transformers(after: plan)
    // A store that no hop is needed for has the columns of a version that hashes like the one wanted.
    let columns =
      request.store == nil || !plan.hops.isEmpty
      ? [] : transformers.filter { $0.code == .derivedColumnDiffers }.map { Refusal($0) }
    let obstacles = plan.obstacles
    let unread = archive.binding.unreadMappings(along: plan)
    var findings =
      obstacles + damage + request.findings + request.findings(of: archive.binding, besides: unread)
      + unread + unresolved
    var soundness: [Finding] = []
    var shape: [Finding] = []
    if let store = request.store {
      findings += StoreEffects(plan: plan, store: store.schema).findings
      if options.asksRows && columns.isEmpty && obstacles.isEmpty {
        do {
          (soundness, shape) = try Self.answers(of: store, to: plan, options)
        } catch {
          // A run that accepts damage asks the rows that it could read.
          guard options.settings.acceptsDamagedSource,
            StoreMigrator.damage(of: store.readable, cancellation: options.cancellation) != nil
          else { throw error }
        }
      }
    }
    self.findings = findings + soundness + shape
    var rows = (plan.allFindings + damage).filter(\.isRefused)
    if options.settings.acceptsChangedValues { rows.removeAll(where: \.isAcceptable) }
    var names: [Refusal] = []
    if !options.settings.acceptsUnprovenNames {
      names = zip(settlement.findings, settlement.reasons).map { Refusal(unprovenName: $0, $1) }
      // Names of a store of the XML kind are the result's, where no hop follows.
      let guesses = plan.hops.isEmpty ? request.findings.filter { $0.code == .unprovenName } : []
      names += guesses.map { Refusal(unprovenName: $0, $0.message, remedy: $0.remedy) }
    }
    refusals =
      plan.hops.compactMap { options.allowedSQL.refusal(of: $0) }.map(Refusal.init(foreignSQL:))
      + unread.map(Refusal.init(unreadMapping:)) + obstacles.map { Refusal($0, isOfPlan: true) }
      + names
      + (shape + soundness.filter(\.isRefused)).map { Refusal($0) }
      + unresolved.map { Refusal($0, isOfPlan: true) } + columns + rows.map { Refusal($0) }
  }

  /// Returns the findings about the store's rows and its shape that forbid a run.
  private static func answers(
    of store: StoreInspection,
    to plan: MigrationPlan,
    _ options: MigrationOptions
  ) throws -> (soundness: [Finding], shape: [Finding]) {
    let soundness = try StoreIntegrity.findings(
      ofStoreAt: store.readable,
      for: plan,
      acceptsLoss: options.settings.acceptsUnexplainedLoss,
      knowledge: options.knowledge
    )
    guard let refusal = try Preflight.refusal(ofStoreAt: store.readable, for: plan) else {
      return (soundness, [])
    }
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

extension PlanningRequest {
  /// Returns the findings about mappings that the plan does not take, which do not refuse it.
  ///
  /// A mapping that leads from or to a version outside the plan's ends is left to `check`.
  ///
  /// - Parameter others: The findings that refuse it, which are reported apart.
  fileprivate func findings(of binding: MappingBinding, besides others: [Finding]) -> [Finding] {
    let between =
      source.index <= destination.index
      ? graph.order.between(source.index, destination.index)
      : graph.order.between(destination.index, source.index)
    let passed = Set(between).union([source.index, destination.index])
    func isOutside(_ hashes: [String: VersionHash]) -> Bool {
      graph.node(hashes: hashes).map { !passed.contains($0.index) } ?? false
    }
    let outside = binding.edges.filter { isOutside($0.source) || isOutside($0.destination) }
      .flatMap(\.refusals)
    return binding.findings.filter {
      $0.severity > .note && !outside.contains($0) && !others.contains($0)
    }.map { finding in
      var finding = finding
      finding.severity = .warning
      return finding
    }
  }
}

extension MappingBinding {
  /// Returns the findings on mapping models that cannot be read, or fit several pairs of versions, one of which
  /// may be for a step of a plan that is inferred; none where no step is.
  package func unreadMappings(along plan: MigrationPlan) -> [Finding] {
    let inferred = plan.hops.filter { $0.kind != .authored }
    guard !inferred.isEmpty else { return [] }
    let sources = Set(inferred.map(\.source.hashes))
    let others = undecided.filter { $0.sources.isDisjoint(with: sources) }.map(\.finding)
    return findings.filter { $0.isOfUnreadMapping && !others.contains($0) }
  }
}

extension Finding {
  /// Whether it reports, among those of a plan, a mapping that cannot be read, or whose versions are not known.
  var isOfUnreadMapping: Bool {
    severity == .error && place.version == nil
      && [.unreadableForm, .ambiguousMapping].contains(code)
  }
}
