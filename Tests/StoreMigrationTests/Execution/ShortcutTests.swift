import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Equivalent shortcuts do to a store what the walk does, which is why plans may take them.
@Suite struct ShortcutTests {
  @Test(arguments: Trials.some(of: 100))
  func `an equivalent shortcut gives the store that the walk gives`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed) &* 6_364_136_223 &+ 99)
    let graph = Self.graph(&random)
    let shortcuts = Self.shortcuts(in: graph) { $0 == .equivalent }
    guard let entry = shortcuts.randomElement(using: &random) else { return }
    let digests = try digests(entry, in: graph, seed: seed)
    let differences = digests.map { $0.walk.differences(from: $0.straight) } ?? []
    #expect(
      digests?.walk.hash == digests?.straight.hash,
      "seed \(seed), v\(entry.source + 1) to v\(entry.destination + 1): \(differences.prefix(3))"
    )
  }

  @Test func `enough histories have an equivalent shortcut`() {
    let count = (0..<100).count { seed in
      var random = SeededGenerator(seed: UInt64(seed) &* 6_364_136_223 &+ 99)
      return !Self.shortcuts(in: Self.graph(&random)) { $0 == .equivalent }.isEmpty
    }
    #expect(count > 30)
  }

  @Test(arguments: [
    ["A { x: Int16?; y: String? }", "A { x: Int16? }", "A { x: Int16?; y: String?; z: Date? }"],
    ["A { x: Date? }", "A { x: Date?; y: Int16? = 1 }", "A { x: Date?; y: Int16? = 2; z: Date? }"],
  ])
  func `a not equivalent shortcut gives another store`(sketches: [String]) throws {
    let versions = try sketches.enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0 + 1)", model: try ModelSketch.model($1))
    }
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
    let entries = Self.shortcuts(in: graph) { $0 != .equivalent }
    #expect(entries.count == sketches.count - 2)
    for entry in entries {
      let digests = try #require(try digests(entry, in: graph, seed: 5))
      #expect(digests.walk.hash != digests.straight.hash)
    }
  }

  /// Five versions that change at random.
  private static func graph(_ random: inout SeededGenerator) -> VersionGraph {
    var changing = RandomModel(&random)
    var models = [changing.model].compactMap(\.self)
    for _ in 0..<4 {
      changing.evolve(&random)
      models += [changing.model].compactMap(\.self)
    }
    let versions = models.enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0 + 1)", model: $1)
    }
    return VersionGraph(VersionedModel(name: "R", versions: versions))
  }

  /// The longer edges with a verdict, between versions that stores can be made of.
  private static func shortcuts(
    in graph: VersionGraph,
    where condition: (EdgeVerdict) -> Bool
  ) -> [EdgeSummary] {
    graph.survey().entries.filter { entry in
      !entry.isConsecutive && entry.verdict.map(condition) == true
        && graph.nodes[entry.source...entry.destination].allSatisfy {
          PhysicalSchema(model: $0.model).unsupported.isEmpty
        }
    }
  }

  /// Returns the store's digest after the history and after the edge straight there; nil where the data refuse.
  private func digests(
    _ entry: EdgeSummary,
    in graph: VersionGraph,
    seed: Int
  ) throws -> (walk: LogicalDigest, straight: LogicalDigest)? {
    let (source, destination) = (graph.nodes[entry.source], graph.nodes[entry.destination])
    let planner = MigrationPlanner(graph: graph)
    var straight = PlanningOptions()
    straight.acceptLoss = .any
    straight.avoided = graph.nodes[(entry.source + 1)..<entry.destination].map(\.name)
    straight.acceptedShortcuts = [.init(source: source.name, destination: destination.name)]
    var walking = PlanningOptions.walking
    walking.acceptLoss = .any
    let short = try planner.plan(from: source, to: destination, options: straight)
    let walk = try planner.plan(from: source, to: destination, options: walking)
    #expect(short.hops.count == 1 && walk.hops.count == entry.destination - entry.source)
    var result: (walk: LogicalDigest, straight: LogicalDigest)?
    try TemporaryFolder.with { folder in
      let before = folder + "/before.sqlite"
      try StoreGenerator(model: source.model, rows: 30, seed: UInt64(seed)).write(to: before)
      if let first = try digest(walk, before, folder + "/walk.sqlite"),
        let second = try digest(short, before, folder + "/short.sqlite")
      {
        result = (first, second)
      }
    }
    return result
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
      externalData: try StoreFiles(store: store.path).externalData
    )
  }
}
