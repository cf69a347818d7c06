internal import Foundation
public import MigrationPlanning
public import ObjectModel
package import StoreMigration

/// A plan for a store: its hops, the findings on the store's rows, and the blockers of a run.
///
/// It is a value: equal plans do the same to the same store. Encoded it is its inputs; decoding makes the
/// plan again from the models and the store, and fails where that gives another plan.
public struct StorePlan: Hashable, Sendable {
  /// The store that it is for.
  public let store: Store
  /// The hops, and what they do to the data.
  public let plan: MigrationPlan
  /// The findings on the store, and on its rows beyond the findings of the hops.
  public let findings: [Finding]
  /// The number of objects, values and links that each hop drops, carries and makes; empty where the store's
  /// rows do not decide them.
  public let accounts: [HopForecast]
  /// The reasons for which a run does not begin, in the order of its checks.
  package let refusals: [Refusal]
  /// Whether the refusals that the store's rows decide were looked for, where there can be any.
  private let isAsked: Bool
  /// The settings that a run is to keep of it.
  package let settings: RunDescription.Settings
  /// The path of the models.
  package let models: String

  /// The hops in their order; none where the store is of the version already.
  public var hops: [Hop] { plan.hops }

  /// 64 hexadecimal digits that differ where plans do.
  public var fingerprint: String { plan.fingerprint }

  /// Whether the store's rows were read, and nothing forbids a run.
  ///
  /// A plan that was made without the store's rows (``MigrationOptions/asksRows``) is not
  /// known to be safe, unless it has no hops; a run reads them all the same, before it writes anything.
  /// Conditions on the rows between two hops are checked by each hop on its own checkpoint: the original is
  /// kept.
  public var isSafe: Bool { isAsked && refusals.isEmpty }

  /// The reasons why a run of the plan would be refused, or may be, such as that the store's rows were not
  /// read; without findings where ``isSafe`` is true.
  public var blockers: WaystoneError {
    var found = refusals.compactMap(\.finding)
    var reasons = refusals.map(\.message)
    var recovery = refusals.first { $0.finding == nil }?.remedy
    if !isAsked {
      // Questions that only the rows can answer.
      found += plan.allFindings.filter { $0.risk == .conditional && $0.evidence == nil }
      reasons.append("The store's rows were not asked whether they allow the plan.")
      recovery = recovery ?? "Plan with MigrationOptions.asksRows."
    }
    var error = WaystoneError(
      .blocked,
      reasons.isEmpty ? "Nothing stands in the way." : reasons.joined(separator: " "),
      recovery: found.first { $0.severity == .error }?.remedy ?? recovery
        ?? found.first?.remedy ?? "Run the plan."
    )
    error.findings = found
    return error
  }

  /// Plans for a store, with the mappings that the options name or that are beside the models.
  init(
    for store: Store,
    to version: VersionName,
    in archive: ModelArchive,
    options: MigrationOptions
  ) throws {
    try options.checkURLs()
    let request = try MigrationRequest(
      store: store.location,
      to: version,
      in: archive,
      options: options
    )
    guard request.planning.store?.versionHashes == store.versionHashes else {
      throw Self.changed(store.location)
    }
    self = try request.checkedPlan(counts: true)
  }

  /// The plan of a request, with what a check found; without one, for a run, which checks by itself.
  init(
    _ plan: MigrationPlan,
    for request: MigrationRequest,
    _ check: PlanCheck? = nil,
    _ accounts: [HopForecast]? = nil
  ) throws {
    var settings = request.options.settings
    settings.planning = PlanInputs(plan, for: request)
    self.init(
      plan,
      for: try request.store,
      settings: settings,
      models: request.options.models,
      findings: check.map { $0.settlement.findings + $0.transformers + $0.findings }
        ?? request.planning.transformers(after: plan)
        + request.project.binding.unreadMappings(along: plan),
      accounts: accounts ?? [],
      refusals: check?.refusals ?? [],
      isAsked: check != nil && (request.options.asksRows || plan.hops.isEmpty)
    )
  }

  /// A plan that was made for a store already.
  ///
  /// - Parameter findings: The findings beside those of the plan.
  init(
    _ plan: MigrationPlan,
    for store: Store,
    settings: RunDescription.Settings = RunDescription.Settings(),
    models: String,
    findings: [Finding] = [],
    accounts: [HopForecast] = [],
    refusals: [Refusal] = [],
    isAsked: Bool = false
  ) {
    self.store = store
    self.plan = plan
    self.findings = plan.findings + findings
    self.accounts = accounts
    self.refusals = refusals
    self.isAsked = isAsked
    self.settings = settings
    self.models = models
  }

  /// A plan without hops that removes the leftovers of a deferred cleanup; nil where a store has none.
  ///
  /// - Throws: ``WaystoneError`` where the store cannot be read, or its model is not known.
  package init?(finishing path: String, shownAs shown: String, in archive: ModelArchive) throws {
    let found = try StoreModel(ofStoreAt: path, shownAs: shown, in: archive)
    guard found.isCleanupPending else { return nil }
    var settings = RunDescription.Settings()
    settings.finishesCleanup = true
    self.init(
      try found.planWithoutHops(),
      for: try Store(at: path),
      settings: settings,
      models: archive.path
    )
  }

  /// Returns the error where a store was migrated, or changed, after it was read.
  package static func changed(_ path: String) -> WaystoneError {
    WaystoneError(
      .inUse,
      "\(path) is of another version than when it was read.",
      recovery: "Read the store again."
    )
  }
}

extension StorePlan: CustomStringConvertible {
  /// The names of the source and the destination, and the number of hops.
  public var description: String {
    "\(plan.source.version.qualifiedName) to \(plan.destination.version.qualifiedName) in "
      + "\(hops.count) \(hops.count == 1 ? "hop" : "hops")"
  }
}
