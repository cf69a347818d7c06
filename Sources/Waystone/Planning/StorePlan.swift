internal import Foundation
public import MigrationPlanning
public import ObjectModel
internal import StoreAccess
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
  /// The reasons why a run of the plan would be refused, or may be, such as that the store's rows were not
  /// read; without findings where ``isSafe`` is true.
  public let blockers: WaystoneError
  /// Whether the store's rows were read, and nothing forbids a run.
  ///
  /// A plan that was made without the store's rows (``MigrationOptions/asksRows``) is not
  /// known to be safe, unless it has no hops; a run reads them all the same, before it writes anything.
  /// Conditions on the rows between two hops are checked by each hop on its own checkpoint: the original is
  /// kept.
  public let isSafe: Bool
  /// The settings that a run is to keep of it.
  package let settings: RunDescription.Settings
  /// The path of the models.
  package let models: String

  /// The hops in their order; none where the store is of the version already.
  public var hops: [Hop] { plan.hops }

  /// 64 hexadecimal digits that differ where plans do.
  public var fingerprint: String { plan.fingerprint }

  /// Plans for a store, with the mappings that the options name or that are beside the models.
  init(
    for store: Store,
    to version: VersionName,
    in archive: ModelArchive,
    options: MigrationOptions
  ) throws {
    try options.checkURLs()
    let path = try store.url.filePath
    let mapped = try MappedArchive(archive).binding(options.mappings, options.edges)
    let request = try PlanningRequest(
      store: path,
      at: path,
      to: version.text,
      assuming: options.assumedVersion,
      in: mapped
    )
    guard request.store?.metadata.versionHashes == store.versionHashes else {
      throw Self.changed(path)
    }
    self = try request.asking(options) { evidence in
      try StorePlan(
        request.plan(options: options, evidence),
        for: store,
        request,
        evidence,
        in: mapped,
        options: options
      )
    }
  }

  private init(
    _ plan: MigrationPlan,
    for store: Store,
    _ request: PlanningRequest,
    _ evidence: StoreEvidence?,
    in mapped: MappedArchive,
    options: MigrationOptions
  ) throws {
    let sample = try options.settings.sample.map {
      try mapped.sampleColumns(ofStoreAt: $0, shownAs: $0, for: plan.destination)
    }
    let check = try PlanCheck(
      plan,
      for: request,
      in: mapped,
      options: options,
      sample: sample,
      evidence: evidence
    )
    self.store = store
    self.plan = plan
    accounts = evidence?.accounts(of: plan) ?? []
    findings =
      plan.findings + check.settlement.findings + check.transformers + check.findings
    models = mapped.modelsText
    var settings = options.settings
    settings.assumesSourceVersion = request.isAssumed
    settings.planning = PlanInputs(plan, for: request, options: options.planning, in: mapped)
    self.settings = settings
    var refused = check.refusals.compactMap(\.finding)
    var reasons = check.refusals.map(\.message)
    let isUnasked = !options.asksRows && !plan.hops.isEmpty
    if isUnasked {
      // Questions that only the rows can answer.
      refused += plan.allFindings.filter { $0.risk == .conditional && $0.evidence == nil }
      reasons.append("The store's rows were not asked whether they allow the plan.")
    }
    isSafe = reasons.isEmpty
    let recovery: String? =
      check.refusals.first { $0.finding == nil }?.remedy
      ?? (isUnasked ? "Plan with MigrationOptions.asksRows." : nil)
    blockers = Self.blockers(refused, reasons, recovery: recovery)
  }

  private static func blockers(
    _ findings: [Finding],
    _ reasons: [String],
    recovery: String?
  ) -> WaystoneError {
    var error = WaystoneError(
      .blocked,
      reasons.isEmpty ? "Nothing stands in the way." : reasons.joined(separator: " "),
      recovery: findings.first { $0.severity == .error }?.remedy ?? recovery
        ?? findings.first?.remedy ?? "Run the plan."
    )
    error.findings = findings
    return error
  }

  static func changed(_ path: String) -> WaystoneError {
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
