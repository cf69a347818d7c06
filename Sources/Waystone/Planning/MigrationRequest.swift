package import MigrationPlanning
internal import ObjectModel
package import StoreMigration

/// A store of a project, with the options of its migration: the request of `migrate`, and of each store of a
/// batch.
package struct MigrationRequest: Sendable {
  /// The source and destination versions, with the graph that both are in.
  package let planning: PlanningRequest
  /// The models, mappings and configuration.
  package let project: Project
  /// The options of the plan, the acceptances, and the place of the result.
  package var options: MigrationOptions
  /// Whether the SQL of all hop files and stages may run, rather than that which the configuration allows.
  package var allowsAllSQL = false
  /// The path of a store that Core Data made at the version wanted, as the caller wrote it; else the
  /// configuration's counts.
  package var sample: String?

  /// A request with the options of its caller, completed by the project's.
  package init(_ planning: PlanningRequest, in project: Project, options: MigrationOptions) {
    self.planning = planning
    self.project = project
    self.options = options
    self.options.models = project.mapped.modelsText
    self.options.settings.assumesSourceVersion = planning.isAssumed
    if let made = planning.store?.conversion { self.options.knowledge.keep(made) }
  }

  /// Returns the plan, decided by the store's rows; the store is closed again.
  ///
  /// - Throws: ``PlanningError`` where there is no plan; `StoreAccessError` where the store
  ///   cannot be read or is damaged, which a plan without its answers would not report; ``WaystoneError`` with
  ///   `refused` where no hop is needed and the store's columns are not those wanted.
  package func plan() throws -> MigrationPlan {
    let plan = try planning.asking(options) { try planning.plan(options: options, $0) }
    if let refusal = planning.columnRefusals(after: plan).first { throw refusal.error }
    return plan
  }

  /// Returns the SQL of a plan that may run.
  package func allowedSQL(of plan: MigrationPlan) -> SQLAllowance {
    allowsAllSQL ? .all : project.allowedSQL(of: plan)
  }

  /// Returns the options, completed with the sample and the inputs of the plan.
  ///
  /// - Throws: ``WaystoneError`` where the sample store cannot be read.
  package func options(for plan: MigrationPlan) throws -> MigrationOptions {
    var options = try accepting(plan)
    options.settings.sample = project.samplePath(for: plan.destination, given: sample)
    options.settings.planning = PlanInputs(
      plan,
      for: planning,
      options: options.planning,
      in: project.mapped
    )
    options.settings.planning.configuration = project.configuration?.path
    return options
  }

  /// Returns the plan with its refusals; the store is closed again.
  ///
  /// - Throws: As ``plan()``.
  package func checkedPlan() throws -> (plan: MigrationPlan, check: PlanCheck) {
    try planning.asking(options) { evidence in
      let plan = try planning.plan(options: options, evidence)
      return (plan, try check(plan, evidence))
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
      options: accepting(plan),
      sample: project.sample(for: plan.destination, given: sample),
      evidence: evidence
    )
  }

  /// Returns the options with the SQL and the names that the configuration accepts for a plan.
  private func accepting(_ plan: MigrationPlan) throws -> MigrationOptions {
    var options = options
    options.allowedSQL = allowedSQL(of: plan)
    if try project.acceptsGuesses(of: plan, for: planning, like: sample) {
      options.settings.acceptsUnprovenNames = true
    }
    return options
  }
}
