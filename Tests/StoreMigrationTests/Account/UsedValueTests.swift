import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Hop files by which values need not arrive, and nothing says that they go.
@Suite struct UsedValueTests {
  private static func hop(_ expression: String) throws -> HopRun {
    try HopRun(
      ["A { x: String?; y: String? }", "A { z: String? }"],
      "entities:\n  - source: A\n    attributes:\n      z: '\(expression)'\n"
    )
  }

  /// The fates of the lines of a hop's account, by place.
  private static func fates(
    _ hop: HopRun,
    _ counts: [String: (values: [String], links: [String: String])]
  ) throws -> [String: HopReconciliation.Fate] {
    let plan = try MigrationPlanner(graph: hop.graph)
      .plan(from: hop.graph.nodes[0], to: hop.graph.nodes[1], options: PlanningOptions())
    var held = StoreCounts()
    for (entity, parts) in counts {
      var own = StoreCounts.Entity(objects: 4)
      for name in parts.values { own.values[name] = 4 }
      for (name, target) in parts.links { own.links[name] = [target: 4] }
      held.entities[entity] = own
    }
    let account = try #require(HopForecast.accounts(of: plan, held).first)
    return Dictionary(
      account.departures.map { (["\($0.entity)"] + ($0.property.map { [$0] } ?? []), $0.fate) }
        .map { ($0.0.joined(separator: "."), $0.1) },
      uniquingKeysWith: { $1 }
    )
  }

  private static let texts = ["UPDATE ZA SET ZX = 'x' || Z_PK, ZY = 'y' || Z_PK"]

  /// Expressions, and the attributes whose values do not come back.
  private static let passing: [(expression: String, lost: [String])] = [
    ("TERNARY($source.x != nil, $source.x, $source.y)", ["y"]),
    ("TERNARY(FALSEPREDICATE, $source.x, $source.y)", ["x"]),
    (#"TERNARY($source.x == "x1", $source.y, "k")"#, ["x", "y"]),
    (#"TERNARY($source.y != nil, FUNCTION($source.x, "substringToIndex:", 1), "k")"#, ["x", "y"]),
  ]

  @Test(arguments: passing)
  func `a value that an expression passes over is never exact`(
    expression: String,
    lost: [String]
  ) throws {
    let hop = try Self.hop(expression)
    let (findings, error) = try hop.run(Self.texts)
    #expect(error == nil)
    let used = findings.filter { $0.code == .valueUsed && $0.evidence?.verdict == .refuted }
    #expect(used.map(\.place.property) == lost)
    #expect(used.allSatisfy { $0.risk == .unknown && $0.severity == .warning })
    // Nobody takes it who accepts no loss.
    var options = PlanningOptions()
    options.acceptLoss = .none
    #expect(throws: PlanningError.self) {
      try MigrationPlanner(graph: hop.graph)
        .plan(from: hop.graph.nodes[0], to: hop.graph.nodes[1], options: options)
    }
  }

  @Test func `values that come back are proven to, and those with more around them are kept`()
    throws
  {
    let chosen = try Self.hop("TERNARY($source.x != nil, $source.x, $source.y)")
    let (findings, _) = try chosen.run(["UPDATE ZA SET ZX = 'a', ZY = NULL"])
    let used = findings.filter { $0.code == .valueUsed }
    #expect(used.count == 2 && used.allSatisfy { $0.risk == .exact }, "\(used)")
    let joined = try Self.hop(
      #"FUNCTION($source.x, "stringByAppendingString:", $source.y)"#
    )
    #expect(try !joined.run(Self.texts).findings.contains { $0.code == .valueUsed })
  }

  @Test func `the account says that an expression uses a value`() throws {
    let hop = try Self.hop("TERNARY($source.x != nil, $source.x, $source.y)")
    let fates = try Self.fates(hop, ["A": (["x", "y"], [:])])
    #expect(fates == ["A": .carried, "A.x": .used, "A.y": .used])
  }

  // MARK: Order

  private static let ordered =
    "A { x: String?; ps ->> P.a ordered } P { y: String?; a -> A.ps }"
  private static let unordered =
    "A { x: String?; ps ->> P.a } P { y: String?; z: String?; a -> A.ps }"

  @Test(arguments: [
    "{source: P, attributes: {z: $source.y}}", "{source: A, relationships: {ps: null}}",
  ])
  func `a hop file hides no loss of order`(_ entity: String) throws {
    let hop = try HopRun([Self.ordered, Self.unordered], "entities:\n  - \(entity)\n")
    let lists = ["UPDATE ZP SET ZA = 1, Z_FOK_A = 9000 - Z_PK"]
    let (findings, error) = try hop.run(lists)
    #expect(error == nil, "\(String(describing: error))")
    let lost = try #require(findings.first { $0.code == .becomesUnordered })
    #expect(lost.risk == .lossy && lost.place.subject == "A.ps" && lost.evidence?.rows == 1)
    let apart = try hop.run(["UPDATE ZP SET ZA = Z_PK, Z_FOK_A = 2048"]).findings
    #expect(apart.first { $0.code == .becomesUnordered }?.risk == .exact)
  }

  @Test func `objects that become one have lists in which no place recurs`() throws {
    let model = "A { x: String?; ps ->> P.as ordered } P { y: String?; as ->> A.ps }"
    let hop = try HopRun(
      [model, model + " New { n: String? }"],
      "entities:\n  - source: A\n    deduplicate: x\n"
    )
    var places: [Int64] = []
    let (_, error) = try hop.run(
      [
        "DELETE FROM Z_1PS", "UPDATE ZA SET ZX = 'k'",
        "INSERT INTO Z_1PS (Z_1AS, Z_2PS, Z_FOK_2PS) SELECT Z_PK, Z_PK, 2048 FROM ZP WHERE Z_PK < 5",
      ],
      inspect: { connection in
        places = try connection.rows("SELECT * FROM Z_1PS").map { $0[2].integer ?? 0 }.sorted()
      }
    )
    #expect(error == nil, "\(String(describing: error))")
    #expect(places == [2048, 3072, 4096, 5120])
  }

  @Test func `links of objects that become one are counted from the side that holds one`() throws {
    let model = "A { k: String?; b -> B.as } B { n: String?; as ->> A.b }"
    let hop = try HopRun(
      [model, model + " New { n: String? }"],
      "entities:\n  - source: A\n    deduplicate: k\n"
    )
    let (findings, error) = try hop.run(["UPDATE ZA SET ZK = 'k', ZB = 1"])
    #expect(error == nil, "\(String(describing: error))")
    let merged = try #require(findings.first { $0.code == .linksMerged })
    #expect(merged.evidence?.verdict == .refuted && merged.severity == .warning, "\(merged)")
    let fates = try Self.fates(hop, ["A": (["k"], ["b": "B"]), "B": ([], ["as": "A"])])
    #expect(
      fates == ["A": .merged, "A.k": .chosen, "A.b": .merged, "B": .carried, "B.as": .merged]
    )
  }

  // MARK: Parts

  @Test func `a split is a split in the account, and its empty parts are counted`() throws {
    let hop = try HopRun(
      ["A { x: String?; y: String? }", "A { x: String? } P { y: String? }"],
      """
      entities:
        - source: A
        - source: A
          destination: P
          name: S
          split: {text: $source.y, separator: ","}
          attributes: {y: $piece}
      """
    )
    let (findings, error) = try hop.run([
      "UPDATE ZA SET ZY = 'a,b'", "UPDATE ZA SET ZY = 'a,,b' WHERE Z_PK < 3",
      "UPDATE ZA SET ZY = ' ' WHERE Z_PK = 3",
    ])
    #expect(error == nil, "\(String(describing: error))")
    let parts = try #require(findings.first { $0.code == .emptyPartsLeftOut })
    #expect(parts.evidence?.keys == [1, 2, 3] && parts.severity == .warning, "\(parts)")
    let fates = try Self.fates(hop, ["A": (["x", "y"], [:])])
    #expect(fates == ["A": .carried, "A.x": .carried, "A.y": .split])
  }

  @Test func `objects without a part are counted where nothing else is made of them`() throws {
    let hop = try HopRun(
      ["A { x: String?; y: String? }", "P { y: String? }"],
      """
      entities:
        - source: A
          destination: P
          split: {text: $source.y, separator: ","}
          attributes: {y: $piece}
      """
    )
    let (findings, error) = try hop.run([
      "UPDATE ZA SET ZY = 'a,b'", "UPDATE ZA SET ZY = ' , ' WHERE Z_PK = 1",
      "UPDATE ZA SET ZY = NULL WHERE Z_PK = 2", "UPDATE ZA SET ZY = '' WHERE Z_PK = 3",
    ])
    #expect(error == nil, "\(String(describing: error))")
    let left = try #require(findings.first { $0.code == .filteredObjects })
    #expect(left.evidence?.keys == [1, 2, 3] && left.severity == .warning, "\(left)")
  }

  // MARK: Numbers

  @Test(arguments: [
    ("$source.x / 3", [1]), ("$source.x + $source.y", [2]), ("$source.x * 2", []),
  ])
  func `results of more digits than a decimal column keeps are counted`(
    expression: String,
    keys: [Int64]
  ) throws {
    let hop = try HopRun(
      ["A { x: Decimal?; y: Decimal? }", "A { x: Decimal?; y: Decimal?; z: Decimal? }"],
      "entities:\n  - source: A\n    attributes:\n      z: \(expression)\n"
    )
    let (findings, error) = try hop.run([
      "UPDATE ZA SET ZX = 3, ZY = 0.2", "UPDATE ZA SET ZX = 1, ZY = 0.2 WHERE Z_PK = 1",
      "UPDATE ZA SET ZX = 461168601842738790, ZY = 0.25 WHERE Z_PK = 2",
    ])
    #expect(error == nil, "\(String(describing: error))")
    let rounded = try #require(findings.first { $0.code == .resultRounded })
    #expect(rounded.evidence?.keys ?? [] == keys, "\(rounded)")
    #expect(rounded.severity == (keys.isEmpty ? .note : .warning))
  }

  /// Texts that no number is, and those that one is.
  @Test(arguments: [
    ("1e400", true), ("1e-400", true), ("9223372036854775809", true),
    ("123456789012345678.5", true), ("0.1", false), ("1.50", false), ("1e3", false), ("-0", false),
    ("100000", false), ("1e22", false),
  ])
  func `a text that is read as another number is counted and refused`(
    text: String,
    isRefused: Bool
  ) throws {
    let hop = try HopRun(
      ["A { x: String?; n: String? }", "A { x: Double?; n: String? }"],
      "entities:\n  - source: A\n    attributes:\n      x: 'CAST($source.x, \"NSNumber\")'\n"
    )
    let (findings, error) = try hop.run(["UPDATE ZA SET ZX = '\(text)'"])
    let finding = try #require(findings.first { $0.code == .expressionDoesNotFit })
    #expect(finding.isRefused == isRefused, "\(finding)")
    #expect((error != nil) == isRefused, "\(String(describing: error))")
  }

  @Test func `rows with which an expression cannot be computed are counted before the run`() throws
  {
    let hop = try Self.hop(#"FUNCTION($source.x, "substringFromIndex:", 3)"#)
    try TemporaryFolder.with { folder in
      let evidence = try StoreEvidence(
        ofStoreMadeAt: folder + "/s.sqlite",
        hop.graph,
        rows: 10,
        seed: 5,
        ["UPDATE ZA SET ZX = 'abcd'", "UPDATE ZA SET ZX = 'a' WHERE Z_PK IN (2, 4)"]
      )
      let plan = try MigrationPlanner(graph: hop.graph).plan(
        from: hop.graph.nodes[0],
        to: hop.graph.nodes[1],
        options: PlanningOptions(),
        evidence: evidence
      )
      let damage = evidence.damage(along: plan)
      #expect(damage.map(\.code) == [.expressionFails])
      #expect(damage.first?.isRefused == true && damage.first?.evidence?.keys == [2, 4])
    }
    let (_, error) = try hop.run(["UPDATE ZA SET ZX = 'a'"])
    #expect(error?.message.hasPrefix("WS428: in A.z") == true, "\(String(describing: error))")
  }
}
