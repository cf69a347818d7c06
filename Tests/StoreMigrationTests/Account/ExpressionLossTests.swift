import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreMigration
import Testing

/// Expressions that make nothing of a value which nothing else carries.
@Suite struct ExpressionLossTests {
  private static let sketches = [
    "P { age: String?; name: String? }", "P { age: Int16?; name: String? }",
  ]
  private static let cast =
    "entities:\n  - source: P\n    attributes:\n      age: 'CAST($source.age, \"NSNumber\")'\n"
  private static let texts = [
    "UPDATE ZP SET ZAGE = '12'", "UPDATE ZP SET ZAGE = 'abc' WHERE Z_PK <= 3",
    "UPDATE ZP SET ZAGE = NULL WHERE Z_PK = 4",
  ]

  @Test func `a text that is no number is refused, and a line of its own where it is accepted`()
    throws
  {
    let hop = try HopRun(Self.sketches, Self.cast)
    let (findings, error) = try hop.run(Self.texts)
    let finding = try #require(findings.first { $0.code == .expressionGivesNothing })
    #expect(finding.isRefused && finding.evidence?.rows == 3, "\(finding)")
    #expect(
      error?.message.hasPrefix("WS424: in P.age, 3 rows") == true,
      "\(String(describing: error))"
    )
    #expect(try hop.run(Self.texts, accepting: true).error == nil)
    let proven = try hop.run(["UPDATE ZP SET ZAGE = '12'"])
    #expect(proven.error == nil)
    #expect(proven.findings.first { $0.code == .expressionGivesNothing }?.risk == .exact)
  }

  @Test
  func `a condition that gives nothing is refused, and a value that is carried as well is not`()
    throws
  {
    let condition = "TERNARY($source.age == \"a\", $source.name, nil)"
    let other = try HopRun(
      [Self.sketches[0], "P { age: String?; name: String?; z: String? }"],
      "entities:\n  - source: P\n    attributes:\n      name: '\(condition)'\n"
    )
    let error = try other.run(["UPDATE ZP SET ZAGE = 'b', ZNAME = 'n'"]).error
    #expect(error?.message.hasPrefix("WS424: in P.name") == true, "\(String(describing: error))")
    let both = try HopRun(
      [Self.sketches[0], "P { age: String?; name: String?; z: String? }"],
      "entities:\n  - source: P\n    attributes:\n      z: '\(condition)'\n"
    )
    #expect(try both.run(["UPDATE ZP SET ZAGE = 'b', ZNAME = 'n'"]).error == nil)
  }

  @Test func `a number that its attribute cannot hold is counted before the run`() throws {
    let hop = try HopRun(Self.sketches, Self.cast)
    let (findings, error) = try hop.run([
      "UPDATE ZP SET ZAGE = '1'", "UPDATE ZP SET ZAGE = '70000' WHERE Z_PK <= 2",
    ])
    let finding = try #require(findings.first { $0.code == .expressionDoesNotFit })
    #expect(finding.isRefused && finding.evidence?.keys == [1, 2], "\(finding)")
    #expect(
      error?.message.hasPrefix("WS426: in P.age, 2 rows") == true,
      "\(String(describing: error))"
    )
  }

  @Test func `objects that become one with different links are counted before the run`() throws {
    let models = [
      "P { name: String?; boss -> B.ps } B { ps ->> P.boss }",
      "P { name: String?; z: String?; boss -> B.ps } B { ps ->> P.boss }",
    ]
    let hop = try HopRun(models, "entities:\n  - source: P\n    deduplicate: name\n")
    let linked = [
      "UPDATE ZP SET ZNAME = 'n' || Z_PK, ZBOSS = (SELECT MIN(Z_PK) FROM ZB)",
      "UPDATE ZP SET ZNAME = 'Ann', ZBOSS = (SELECT MIN(b.Z_PK) FROM ZB b) + Z_PK WHERE Z_PK <= 2",
    ]
    let (findings, error) = try hop.run(linked)
    let finding = try #require(findings.first { $0.code == .becomesToOne })
    #expect(finding.isRefused && finding.evidence?.rows == 2, "\(finding)")
    #expect(error?.message.hasPrefix("WS317: in P.boss") == true, "\(String(describing: error))")
    let apart = try hop.run([linked[0]])
    #expect(apart.error == nil)
  }

  @Test func `a hop that runs SQL is never exact`() throws {
    let hop = try HopRun(
      ["A { x: String? }", "A { x: String?; m: String? }"],
      "sql:\n  after:\n    - UPDATE ZA SET ZX = NULL\n"
    )
    let edge = try #require(hop.graph.consecutiveEdges.first)
    #expect(edge.findings.compactMap(\.risk).max() == .unknown)
    #expect(edge.findings.contains { $0.code == .unseenEffect && $0.risk == .unknown })
  }
}
