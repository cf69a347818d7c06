import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// One-to-ones whose two sides disagree, in hops that make objects anew.
@Suite struct DisagreeingLinkTests {
  private static let hop = """
    entities:
      - source: A
      - source: B
        attributes: {z: $source.y}

    """

  private func run() throws -> HopRun {
    try HopRun(
      [
        "A { x: String?; one -> B.back } B { y: String?; back -> A.one }",
        "A { x: String?; one -> B.back } B { z: String?; back -> A.one }",
      ],
      Self.hop
    )
  }

  /// All links go; then two are made.
  private static let pairs = [
    "UPDATE ZA SET ZONE = NULL", "UPDATE ZB SET ZBACK = NULL",
    "UPDATE ZA SET ZONE = Z_PK WHERE Z_PK < 3", "UPDATE ZB SET ZBACK = Z_PK WHERE Z_PK < 3",
  ]

  @Test(arguments: [
    // The second object leads to what the first has.
    ["UPDATE ZA SET ZONE = 1 WHERE Z_PK = 2"],
    // The far ends are crossed.
    ["UPDATE ZB SET ZBACK = 3 - Z_PK WHERE Z_PK < 3"],
    ["UPDATE ZB SET ZBACK = 1 WHERE Z_PK = 3"],
  ])
  func `a plan tells of sides that disagree, and a run stops before it copies`(
    _ statements: [String]
  ) throws {
    let run = try run()
    let (_, error) = try run.run(Self.pairs + statements)
    #expect(error?.code == .failed, "\(error as Any)")
    #expect(error?.message.hasPrefix("WS508: in A.one") == true, "\(error as Any)")
    let accepted = try run.run(Self.pairs + statements, accepting: true).error
    #expect(accepted == nil)
    let damage = try TemporaryFolder.with { folder in
      let evidence = try StoreEvidence(
        ofStoreMadeAt: folder + "/s.sqlite",
        run.graph,
        rows: 40,
        seed: 5,
        Self.pairs + statements
      )
      let plan = try MigrationPlanner(graph: run.graph)
        .plan(
          from: run.graph.nodes[0],
          to: run.graph.nodes[1],
          options: PlanningOptions(),
          evidence: evidence
        )
      return evidence.damage(along: plan)
    }
    #expect(damage.contains { $0.code == .inverseDisagrees && $0.isRefused }, "\(damage)")
  }

  @Test func `a side that holds nothing gets the link of the other`() throws {
    let (_, error) = try run().run(
      Self.pairs + ["UPDATE ZB SET ZBACK = NULL WHERE Z_PK = 1"],
      inspect: {
        let back = try $0.integer("SELECT ZBACK FROM ZB WHERE Z_PK = 1")
        #expect(back == 1)
      }
    )
    #expect(error == nil)
  }
}
