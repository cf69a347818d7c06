import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreGeneration
import StoreMigration
import Synchronization
import Testing

/// The progress that a run reports.
@Suite struct `Progress in rows` {
  /// The reports, in order.
  private final class Log: Sendable {
    private let contents = Mutex<[MigrationProgress]>([])

    var all: [MigrationProgress] { contents.withLock { $0 } }

    func append(_ progress: MigrationProgress) { contents.withLock { $0.append(progress) } }
  }

  /// The reports of one hop, in order.
  private struct Hop {
    let number: Int
    let isInPlace: Bool
    var rows: [Int64] = []
    var totals: Set<Int64?> = []
  }

  /// Runs a plan, and gives what was told of each hop; of other stages no rows are told.
  private func hops(
    of plan: MigrationPlan,
    _ options: MigrationOptions,
    _ store: String
  ) throws -> [Hop] {
    let log = Log()
    var options = options
    options.onProgress = { log.append($0) }
    _ = try StoreMigrator(plan: plan, options: options).migrate(store)
    var hops: [Hop] = []
    for progress in log.all {
      guard case .hop(let numbers, _, _, _, let isInPlace) = progress.stage else {
        #expect(progress.completedRows == 0 && progress.totalRows == nil)
        continue
      }
      let number = numbers.upperBound
      if hops.last?.number != number { hops.append(Hop(number: number, isInPlace: isInPlace)) }
      hops[hops.count - 1].rows.append(progress.completedRows)
      if hops[hops.count - 1].rows.count > 1 {
        hops[hops.count - 1].totals.insert(progress.totalRows)
      }
    }
    return hops
  }

  /// Expects that the rows of a hop grow from none to the total.
  private func expectGrowth(_ hop: Hop, steps: Int, total: Int64) {
    #expect(hop.totals == [total], "hop \(hop.number)")
    #expect(hop.rows.first == 0 && hop.rows.last == total, "hop \(hop.number): \(hop.rows)")
    #expect(hop.rows == hop.rows.sorted(), "hop \(hop.number): \(hop.rows)")
    #expect(Set(hop.rows).count >= steps, "hop \(hop.number): \(hop.rows)")
  }

  @Test func `grow table by table where a hop builds a fresh file`() throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/store.sqlite"
      try Journey.makeStore(store)
      let hops = try hops(of: Journey.plan(), Journey.migrator().options, store)
      #expect(hops.map(\.number) == [1, 2, 3, 4])
      for hop in hops {
        let known = hop.totals.compactMap { $0 }
        let total = try #require(known.first)
        #expect(total > 40)
        // Rows that stay where they are, as where a column is added, count too.
        expectGrowth(hop, steps: hop.isInPlace ? 2 : 4, total: total)
      }
      #expect(hops.map(\.isInPlace) == [true, true, false, true])
    }
  }

  @Test func `grow table by table where a hop writes rows in place`() throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/store.sqlite"
      let models = try [
        "Note { title: String; draft: String? } Tag { name: String; color: String? } Plain { a: String? }",
        "Note { title: String } Tag { name: String } Plain { a: String? }",
      ].map(ModelSketch.model)
      try StoreGenerator(model: models[0], rows: 90, seed: 5).write(to: store)
      let versions = models.enumerated().map {
        ModelVersion(modelName: "Notes", name: "v\($0 + 1)", model: $1)
      }
      let graph = VersionGraph(VersionedModel(name: "Notes", versions: versions))
      let plan = try MigrationPlanner(graph: graph).plan(
        from: #require(graph.node(named: "v1")),
        to: #require(graph.node(named: "v2")),
        options: PlanningOptions()
      )
      let hops = try hops(of: plan, MigrationOptions(), store)
      #expect(hops.map(\.isInPlace) == [true])
      let hop = try #require(hops.first)
      expectGrowth(hop, steps: 4, total: 90)
    }
  }

  @Test func `grow batch by batch where a hop maps objects, by SQL and by code`() throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/store.sqlite"
      try AuthoredJourney.makeStore(store)
      let options = try AuthoredJourney.migrator(batchSize: 4).options
      let hops = try hops(of: AuthoredJourney.plan(), options, store)
      let authored = try #require(hops.first { $0.number == 2 })
      // Notes by code, with two relationships; categories and tags by SQL.
      let known = authored.totals.compactMap { $0 }
      let total = try #require(known.first)
      #expect(total >= 30 * 3 + 30)
      expectGrowth(authored, steps: 20, total: total)
    }
  }

  @Test func `are known to a resumed run too`() throws {
    try TemporaryFolder.with { folder in
      let store = folder + "/store.sqlite"
      try Journey.makeStore(store)
      try StoppedRun.stop(store, at: .hop)
      let log = Log()
      var options = MigrationOptions()
      options.onProgress = { log.append($0) }
      _ = try StoreMigrator(plan: Journey.plan(), options: options).resume(store)
      let ends = log.all.filter { $0.totalRows != nil && $0.completedRows == $0.totalRows }
      #expect(ends.count == 3)
    }
  }
}
