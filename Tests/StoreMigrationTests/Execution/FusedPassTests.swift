import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Hops that share a pass, against the same hops one after the other.
@Suite struct FusedPassTests {
  /// The number of histories that one test makes; all of them, one after another, are two thousand.
  private static let batch = Trials.areAll ? 200 : 2

  @Test(arguments: 0..<10)
  func `hops that share a pass make what they make one after the other`(number: Int) throws {
    var (shared, arrived) = (0, 0)
    for seed in number * Self.batch..<(number + 1) * Self.batch {
      guard let plan = try Self.walk(seed) else { continue }
      guard plan.passes(isFused: true).contains(where: \.isFused) else { continue }
      shared += 1
      if try expectSame(plan, seed: seed) { arrived += 1 }
    }
    #expect(
      shared * 3 > Self.batch,
      "\(shared) of \(Self.batch) histories have hops that share one"
    )
    #expect(arrived * 2 > shared, "\(arrived) of \(shared) arrived")
  }

  @Test(arguments: [
    // What v2 computes of its rows is a value that v3 keeps.
    [
      "A { n: Int32; bs ->> B.a } B { a -> A.bs }",
      "A { n: Int32; bs ->> B.a; t: Int64? derived bs.@count } B { a -> A.bs }",
      "A { n: Int32; bs ->> B.a; t: Int64? } B { a -> A.bs }",
    ],
    // What v2 drops begins anew in v3, empty until the app saves.
    [
      "A { n: Int32; t: Date? derived now() }", "A { n: Int32 }",
      "A { n: Int32; s: String?; t: Date? derived now() }",
    ],
    // What v3 keeps came to v2 from the other end, which v3 drops.
    [
      "A { bs ->> B } B { n: Int32 }", "A { b -> B.a was bs } B { n: Int32; a -> A.b }",
      "A { s: String? } B { n: Int32; a -> A }",
    ],
  ])
  func `what a version on the way computes, or drops, is not passed over`(
    sketches: [String]
  ) throws {
    let versions = try sketches.enumerated().map {
      ModelVersion(modelName: "D", name: "v\($0 + 1)", model: try ModelSketch.model($1))
    }
    let plan = try #require(Self.walk(versions))
    #expect(plan.hops.count == 2)
    #expect(plan.passes(isFused: true).map(\.isFused) == [false, false])
    let arrived = try expectSame(plan, seed: 1, isCertified: false)
    #expect(arrived)
  }

  @Test(arguments: [
    ["A { n: Int32? }", "A { n: Int32?; t: Int32? }", "A { n: Int32?; t: Double? }"],
    ["A { n: Int32? }", "A { n: Int32?; t: Int32 = 7 }", "A { n: Int32?; t: Double = 7 }"],
    ["A { n: Int32? }", "A { n: Int32?; t: Int32? }", "A { n: Int32?; t: Int64 = 5 }"],
  ])
  func `a value that is new on the way is converted and filled in the same pass`(
    sketches: [String]
  ) throws {
    let versions = try sketches.enumerated().map {
      ModelVersion(modelName: "N", name: "v\($0 + 1)", model: try ModelSketch.model($1))
    }
    let plan = try #require(Self.walk(versions))
    #expect(plan.passes(isFused: true).map(\.isFused) == [true])
    let arrived = try expectSame(plan, seed: 1)
    #expect(arrived)
  }

  /// The plan that stops at each version of a random history; nil where there is none.
  private static func walk(_ seed: Int) throws -> MigrationPlan? {
    var random = SeededGenerator(seed: UInt64(seed) &* 104_729 + 3)
    return walk(
      try RandomMigrationTests.history(&random).enumerated().map {
        ModelVersion(modelName: "R", name: "v\($0 + 1)", model: $1)
      }
    )
  }

  private static func walk(_ versions: [ModelVersion]) -> MigrationPlan? {
    let graph = VersionGraph(VersionedModel(name: versions[0].modelName, versions: versions))
    var planning = PlanningOptions()
    planning.acceptLoss = .any
    planning.acceptUnknown = true
    planning.followsHistory = true
    guard let first = graph.nodes.first, let last = graph.nodes.last else { return nil }
    return try? MigrationPlanner(graph: graph).plan(from: first, to: last, options: planning)
  }

  /// Runs a plan both ways.
  ///
  /// - Returns: Whether it arrived; it is refused in both ways or in none.
  private func expectSame(
    _ plan: MigrationPlan,
    seed: Int,
    isCertified: Bool = true
  ) throws -> Bool {
    try TemporaryFolder.with { folder in
      let before = folder + "/before.sqlite"
      try StoreGenerator(model: plan.source.model, rows: 40, seed: UInt64(seed)).write(to: before)
      func run(isFused: Bool) throws -> String? {
        let after = folder + (isFused ? "/fused.sqlite" : "/walked.sqlite")
        var options = MigrationOptions()
        options.output = after
        options.settings.acceptsUnprovenNames = true
        options.settings.acceptsChangedValues = true
        options.settings.certifies = isCertified
        options.settings.fusesHops = isFused
        do {
          let outcome = try StoreMigrator(plan: plan, options: options).migrate(before)
          #expect(outcome.passes == plan.passes(isFused: isFused).count)
          #expect(outcome.accounts.count == (isCertified ? outcome.passes : 0))
          return after
        } catch let error as MigrationError
          where error.code == .failed && error.message.hasPrefix("WS")
        {
          return nil  // A condition on the rows does not hold, and the run said so.
        } catch {
          Issue.record("seed \(seed), shared: \(isFused): \(error)")
          return nil
        }
      }
      let (fused, walked) = (try run(isFused: true), try run(isFused: false))
      #expect((fused == nil) == (walked == nil), "seed \(seed)")
      guard let fused, let walked else { return false }
      let contents = try [fused, walked].map(Self.contents)
      for (table, rows) in contents[0] {
        #expect(rows == contents[1][table], "seed \(seed): \(table)")
      }
      #expect(contents[0].count == contents[1].count, "seed \(seed)")
      return true
    }
  }

  /// The rows of all tables of a store, however rows and columns are ordered; its metadata has the time of
  /// the run.
  private static func contents(_ path: String) throws -> [String: [[SQLiteValue]: Int]] {
    let store = try PersistentStore(reading: path)
    let tables = try store.connection.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    )
    var contents: [String: [[SQLiteValue]: Int]] = [:]
    for name in tables.compactMap({ $0[0].text }) where name != "Z_METADATA" {
      let columns = try store.connection.rows(
        "SELECT name FROM pragma_table_info(?) ORDER BY name",
        [.text(name)]
      ).compactMap { $0[0].text.map { SQL.identifier($0) } }
      let rows = try store.connection.rows(
        "SELECT \(columns.joined(separator: ", ")) FROM \(SQL.identifier(name))"
      )
      contents[name] = Dictionary(rows.map { ($0, 1) }, uniquingKeysWith: +)
    }
    return contents
  }
}
