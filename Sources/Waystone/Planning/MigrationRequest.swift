package import MigrationPlanning
internal import ObjectModel
package import StoreMigration

/// A store of a project, with the options of its migration: the request of each verb that plans, of each
/// store of a batch, and of the library.
package struct MigrationRequest: Sendable {
  /// The source and destination versions, with the graph that both are in.
  package let planning: PlanningRequest
  /// The models, mappings and configuration.
  package let project: Project
  /// The options of the plan, the acceptances, and the place of the result.
  package var options: MigrationOptions

  /// A request with the options of its caller, completed by the project's.
  package init(_ planning: PlanningRequest, in project: Project, options: MigrationOptions) {
    self.planning = planning
    self.project = project
    self.options = options
    self.options.models = project.mapped.modelsText
    self.options.settings.assumesSourceVersion = planning.isAssumed
    if let made = planning.store?.conversion { self.options.knowledge.keep(made) }
  }

  /// The request of a program, which has models and no configuration.
  ///
  /// - Throws: ``WaystoneError`` where mappings cannot be read, or the store cannot be led to the version.
  init(
    store path: String,
    to end: VersionName,
    in archive: ModelArchive,
    options: MigrationOptions
  ) throws {
    let mapped = try MappedArchive(archive).binding(options.mappings, options.edges)
    let project = Project(mapped, configuration: nil, folder: WorkingFolder("/"))
    let assumed = options.assumedVersion
    self.init(
      try PlanningRequest(store: path, to: end.text, assuming: assumed, in: project),
      in: project,
      options: options
    )
  }

  /// The store that it is for.
  ///
  /// - Throws: ``WaystoneError``, `badArgument` where it is for versions alone.
  var store: Store {
    get throws {
      if let store = planning.store { return Store(store) }
      throw WaystoneError(
        .badArgument,
        "The plan from \(planning.source.name) to \(planning.destination.name) is for no store.",
        recovery: "Name a store."
      )
    }
  }

  /// Returns the plan for a run, which finds by itself whether it may begin; the store is closed again.
  ///
  /// - Throws: ``PlanningError`` where there is no plan; `StoreAccessError` where the store
  ///   cannot be read or is damaged, which a plan without its answers would not report.
  package func plan() throws -> StorePlan {
    try planning.asking(options) { try StorePlan(planning.plan(options: options, $0), for: self) }
  }

  /// Throws the errors of a run of a plan from before it begins, and writes nothing.
  package func checkBeginning(of plan: MigrationPlan) throws {
    try StorePlan(plan, for: self).checkBeginning(options(for: plan))
  }

  /// Returns the plan with its refusals; the store is closed again.
  ///
  /// - Parameter counts: Whether the plan forecasts the objects of each hop, for which they are counted.
  /// - Throws: As ``plan()``.
  package func checkedPlan(counts: Bool = false) throws -> StorePlan {
    try planning.asking(options) { evidence in
      let plan = try planning.plan(options: options, evidence)
      let check = try check(plan, evidence)
      return try StorePlan(plan, for: self, check, counts ? evidence?.accounts(of: plan) : nil)
    }
  }

  /// Returns the refusals of a run of a plan.
  ///
  /// - Parameter evidence: The answers of the store's rows, where it is open to be asked.
  /// - Throws: `StoreAccessError` where the store cannot be read.
  package func check(_ plan: MigrationPlan, _ evidence: StoreEvidence?) throws -> PlanCheck {
    try PlanCheck(
      plan,
      for: planning,
      in: project.mapped,
      options: options(for: plan),
      settlement: settlement(of: plan),
      evidence: evidence
    )
  }

  /// Returns the options of a run of a plan, completed with the SQL, the names and the sample that the
  /// configuration has.
  ///
  /// - Throws: ``WaystoneError`` where the sample store cannot be read.
  package func options(for plan: MigrationPlan) throws -> MigrationOptions {
    var options = options
    let sample = options.settings.sample
    options.settings.sample = project.samplePath(for: plan.destination, given: sample)
    options.allowedSQL = project.allowedSQL(of: plan, beside: options.allowedSQL)
    let acceptances = project.configuration?.acceptances ?? []
    guard !acceptances.isEmpty else { return options }
    let guesses = try settlement(of: plan).findings
    if !guesses.isEmpty, guesses.allSatisfy({ guess in acceptances.contains { $0.fits(guess) } }) {
      options.settings.acceptsUnprovenNames = true
    }
    return options
  }

  /// Returns the names of join tables that the result of a plan has.
  ///
  /// - Throws: ``WaystoneError`` where the sample store is missing, no store, or of another version.
  private func settlement(of plan: MigrationPlan) throws -> NameSettlement {
    NameSettlement(
      plan: plan,
      store: planning.store?.columnNames,
      sample: try project.sample(for: plan.destination, given: options.settings.sample)
    )
  }
}
