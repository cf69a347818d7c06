import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import StoreVerification
import Testing

/// Models that change at random, with stores of random rows.
@Suite struct RandomMigrationTests {
  /// The number of histories that one test makes; all of them, one after another, are a thousand.
  private static let batch = Trials.areAll ? 100 : 3

  @Test(arguments: Trials.some(of: 10))
  func `whatever can be planned arrives as it left, counted as the plan says`(number: Int) throws {
    var (planned, arrived) = (0, 0)
    for seed in Array(number * Self.batch..<(number + 1) * Self.batch) + (number == 7 ? [766] : [])
    {
      for plan in try Self.plans(seed) {
        planned += 1
        if try expectArrival(of: plan, seed: seed) { arrived += 1 }
      }
    }
    // The others were refused for what their rows are, and said so.
    #expect(planned >= 2 * Self.batch, "of \(3 * Self.batch) plans there are \(planned)")
    #expect(arrived * 10 > planned * 9, "\(arrived) of \(planned) arrived")
  }

  /// Four versions, each of which Core Data could infer the step to.
  static func history(_ random: inout SeededGenerator) throws -> [ManagedObjectModel] {
    while true {
      var changing = RandomModel(&random)
      guard let first = changing.model, isSupported(first) else { continue }
      var models = [first]
      for _ in 0..<60 where models.count < 4 {
        var next = changing
        next.evolve(&random)
        guard let model = next.model, let last = models.last, isSupported(model),
          !models.contains(where: { $0.entityVersionHashes == model.entityVersionHashes }),
          MappingInference.infer(from: last, to: model).mapping != nil
        else { continue }
        changing = next
        models.append(model)
      }
      if models.count == 4 { return models }
    }
  }

  /// The plans from the first version of a history to each of the others.
  static func plans(_ seed: Int) throws -> [MigrationPlan] {
    var random = SeededGenerator(seed: UInt64(seed) &* 7919 + 1)
    let versions = try history(&random).enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0 + 1)", model: $1)
    }
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
    let source = try #require(graph.nodes.first)
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    planning.acceptUnknown = true
    let planner = MigrationPlanner(graph: graph)
    return graph.nodes.dropFirst().compactMap {
      try? planner.plan(from: source, to: $0, options: planning)
    }
  }

  private static func isSupported(_ model: ManagedObjectModel) -> Bool {
    PhysicalSchema(model: model).unsupported.isEmpty
  }

  /// The run itself compares the result with its source; the result must also stand for itself, and the
  /// account be what was planned and what somebody else counts.
  ///
  /// - Returns: Whether it arrived.
  private func expectArrival(of plan: MigrationPlan, seed: Int) throws -> Bool {
    try TemporaryFolder.with { folder in
      let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
      try StoreGenerator(model: plan.source.model, rows: 40, seed: UInt64(seed)).write(to: before)
      var options = MigrationOptions()
      options.output = after
      options.settings.acceptsUnprovenNames = true
      options.settings.acceptsChangedValues = true
      options.settings.certificate = folder + "/certificate.json"
      // The account of each hop is held against its plan.
      options.settings.fusesHops = false
      let outcome: MigrationOutcome
      do {
        outcome = try StoreMigrator(plan: plan, options: options).migrate(before)
      } catch let error as MigrationError
        where error.code == .failed && error.message.hasPrefix("WS")
      {
        return false  // A condition on the rows does not hold, and the run said so.
      } catch {
        Issue.record("seed \(seed), to \(plan.destination.name): \(error)")
        return false
      }
      try PlainCount.check(outcome, source: before, result: after, folder, "seed \(seed)")
      let counts = try AccountedRun.counts(before, plan.source.model)
      let planned = HopForecast.accounts(of: plan, counts)
      for (account, planned) in zip(outcome.accounts, planned) {
        let misses = account.misses(planned)
        #expect(misses.isEmpty, "seed \(seed), \(account.source): \(misses)")
      }
      let store = try PersistentStore(reading: after)
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
      return true
    }
  }
}
