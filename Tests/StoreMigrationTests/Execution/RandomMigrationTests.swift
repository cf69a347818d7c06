import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Models that change at random, with stores of random rows.
@Suite struct RandomMigrationTests {
  @Test(arguments: Trials.some(of: 150))
  func `whatever can be planned arrives as it left`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 7919 + 1)
    var changing = RandomModel(&random)
    guard var models = changing.model.map({ [$0] }) else { return }
    for _ in 0..<3 {
      changing.evolve(&random)
      models += [changing.model].compactMap(\.self)
    }
    let versions = models.enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0 + 1)", model: $1)
    }
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
    let source = try #require(graph.nodes.first)
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    planning.acceptUndecided = true
    let planner = MigrationPlanner(graph: graph)
    let plans = graph.nodes.dropFirst().compactMap {
      try? planner.plan(from: source, to: $0, options: planning)
    }
    for plan in plans { try expectArrival(of: plan, seed: seed) }
  }

  /// The run itself compares the result with its source; the result must also stand for itself.
  private func expectArrival(of plan: MigrationPlan, seed: Int) throws {
    guard PhysicalSchema(model: plan.source.model).unsupported.isEmpty,
      PhysicalSchema(model: plan.destination.model).unsupported.isEmpty
    else { return }
    try TemporaryFolder.with { folder in
      let before = folder + "/before.sqlite"
      try StoreGenerator(model: plan.source.model, rows: 40, seed: UInt64(seed)).write(to: before)
      var options = MigrationOptions()
      options.output = folder + "/after.sqlite"
      options.settings.acceptsUnprovenNames = true
      options.settings.acceptsChangedValues = true
      do {
        _ = try StoreMigrator(plan: plan, options: options).migrate(before)
      } catch let error as MigrationError
        where error.code == .failed && error.message.hasPrefix("WS")
      {
        return  // A condition on the rows does not hold, and the run said so.
      }
      let account = try AccountedRun(plan, before: before, after: folder + "/after.sqlite").account
      #expect(account.isBalanced, "seed \(seed): \(account.broken) \(account.unnamed)")
      let store = try PersistentStore(reading: folder + "/after.sqlite")
      let report = try StoreVerifier.verify(
        store.connection,
        schema: "main",
        model: plan.destination.model,
        names: JoinNames(
          settledBy: StoreSchema(of: store.connection).columnNames,
          model: plan.destination.model
        ),
        level: .full
      )
      let warnings = report.warnings.map(\.name).filter { $0 != "leftovers" }
      #expect(report.passed && warnings.isEmpty, "seed \(seed): \(warnings) \(report.summary)")
    }
  }
}
