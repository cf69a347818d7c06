import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Faithful shortcuts do to a store what the walk does, which is why plans may take them.
@Suite struct ShortcutTests {
  /// `WAYSTONE_SEEDS` tries more than usual.
  private static let seeds =
    0..<(ProcessInfo.processInfo.environment["WAYSTONE_SEEDS"]
    .flatMap { Int($0) } ?? 100)

  @Test(arguments: seeds)
  func `a faithful shortcut gives the store that the walk gives`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 6_364_136_223 &+ 99)
    var changing = RandomModel(&random)
    var models = [changing.model].compactMap(\.self)
    for _ in 0..<4 {
      changing.evolve(&random)
      models += [changing.model].compactMap(\.self)
    }
    let versions = models.enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0 + 1)", model: $1)
    }
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
    let shortcuts = graph.survey().entries.filter { !$0.isConsecutive && $0.verdict == .faithful }
    guard let entry = shortcuts.randomElement(using: &random) else { return }
    try expectAgreement(on: entry, in: graph, seed: seed)
  }

  private func expectAgreement(
    on entry: EdgeSurvey.Entry,
    in graph: VersionGraph,
    seed: Int
  ) throws {
    let (source, destination) = (graph.nodes[entry.source], graph.nodes[entry.destination])
    let between = graph.nodes[(entry.source + 1)..<entry.destination]
    guard PhysicalSchema(model: source.model).unsupported.isEmpty,
      between.allSatisfy({ PhysicalSchema(model: $0.model).unsupported.isEmpty }),
      PhysicalSchema(model: destination.model).unsupported.isEmpty
    else { return }
    let planner = MigrationPlanner(graph: graph)
    var straight = PlanningOptions()
    straight.acceptLoss = .any
    straight.avoided = between.map(\.name)
    var walking = PlanningOptions()
    walking.acceptLoss = .any
    walking.walksEveryVersion = true
    let short = try planner.plan(from: source, to: destination, options: straight)
    let walk = try planner.plan(from: source, to: destination, options: walking)
    #expect(short.hops.count == 1 && walk.hops.count == entry.destination - entry.source)
    try TemporaryFolder.with { folder in
      let before = folder + "/before.sqlite"
      try StoreGenerator(model: source.model, rows: 30, seed: UInt64(seed)).write(to: before)
      guard let first = try digest(walk, before, folder + "/walk.sqlite"),
        let second = try digest(short, before, folder + "/short.sqlite")
      else { return }  // A condition on the rows does not hold, and the run said so.
      let differences = first.differences(from: second)
      #expect(
        first.hash == second.hash,
        "seed \(seed), \(source.name) to \(destination.name): \(differences.prefix(3))"
      )
    }
  }

  /// The digest of a store after a migration; nil where it is refused because of the data.
  private func digest(
    _ plan: MigrationPlan,
    _ before: String,
    _ after: String
  ) throws -> LogicalDigest? {
    var options = MigrationOptions()
    options.output = after
    options.settings.acceptsUnprovenNames = true
    options.settings.acceptsChangedValues = true
    do {
      _ = try StoreMigrator(plan: plan, options: options).migrate(before)
    } catch let error as MigrationError
      where error.code == .failed && error.message.hasPrefix("WS")
    {
      return nil
    }
    let store = try PersistentStore(reading: after)
    let model = plan.destination.model
    let names = JoinNames(
      settledBy: try StoreSchema(of: store.connection).columnNames,
      model: model
    )
    return try LogicalDigest(
      of: store.connection,
      schema: PhysicalSchema(model: model, names: names),
      externalData: StoreFiles(store: store.path).externalData
    )
  }
}
