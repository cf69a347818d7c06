import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Numbers that no double has, computed and stored by a hop.
@Suite struct `Exact numbers` {
  private static let before =
    "A { bs ->> B.a } B { d: Decimal?; n: Int64?; x: Double?; s: String?; a -> A.bs }"

  /// A hop that computes a new attribute of a type.
  private func run(
    _ type: String,
    _ expression: String,
    _ statements: [String] = [],
    accepting: Bool = false
  ) throws -> (value: SQLiteValue?, findings: [Finding], error: MigrationError?) {
    let hop = try HopRun(
      [Self.before, Self.before.replacing("s: String?", with: "s: String?; r: \(type)?")],
      "entities:\n  - source: A\n  - source: B\n    attributes: {r: '\(expression)'}"
    )
    var value: SQLiteValue?
    let all = [
      "UPDATE ZB SET ZD = 9007199254740993, ZN = 9007199254740993, ZX = 0.1, ZA = 1, "
        + "ZS = '9007199254740993.0'"
    ]
    let check: (borrowing SQLiteConnection) throws -> Void = { connection in
      value = try connection.rows("SELECT ZR FROM ZB WHERE Z_PK = 1")[0][0]
    }
    let (findings, error) = try hop.run(all + statements, accepting: accepting, inspect: check)
    return (value, findings, error)
  }

  @Test(
    arguments: [
      ("Decimal", "$source.d * 1", .integer(9_007_199_254_740_993)),
      ("Decimal", "$source.d + $source.n", .integer(18_014_398_509_481_986)),
      ("Decimal", "CAST($source.s, \"NSDecimalNumber\")", .integer(9_007_199_254_740_993)),
      ("Int64", "$source.d - 1", .integer(9_007_199_254_740_992)),
      ("Int64", "$source.n * 4096 / 4096", .integer(9_007_199_254_740_993)),
      ("Int64", "FUNCTION($source.d, \"integerValue\")", .integer(9_007_199_254_740_993)),
      ("Boolean", "TERNARY($source.d == 9007199254740992, YES, NO)", .integer(0)),
      ("Decimal", "$source.a.bs.@max.d", .integer(9_007_199_254_740_993)),
      ("Decimal", "$source.a.bs.@avg.d", .integer(9_007_199_254_740_993)),
      ("Int64", "$source.a.bs.@avg.n", .integer(9_007_199_254_740_993)),
      ("Double", "$source.d * $source.x", .real(900_719_925_474_099.3)),
      ("String", "CAST($source.d, \"NSString\")", .text("9007199254740993")),
      ("String", "CAST($source.n * 1024, \"NSString\")", .text("9223372036854776832")),
    ] as [(String, String, SQLiteValue)]
  )
  func `a value is what it is worth`(type: String, expression: String, value: SQLiteValue) throws {
    let found = try run(type, expression)
    #expect(found.error == nil, "\(String(describing: found.error))")
    #expect(found.value == value)
    #expect(!found.findings.contains { $0.severity == .error }, "\(found.findings)")
  }

  @Test(arguments: [
    ("Int64", "$source.d + 0.5"), ("Int64", "$source.n * 1024"), ("Double", "$source.d * 1"),
    ("Decimal", "$source.n * 1024 + 1"), ("Int32", "$source.d * 1"),
    ("Int64", "-9223372036854775807 - $source.n"),
  ])
  func `what a type cannot hold exactly is counted and refused`(
    type: String,
    expression: String
  ) throws {
    let found = try run(type, expression)
    #expect(found.error != nil)
    let refused = found.findings.filter { $0.code == .expressionDoesNotFit }
    #expect(refused.contains { $0.evidence?.verdict == .refuted }, "\(found.findings)")
  }

  @Test func `a default of a decimal has all its digits`() throws {
    let model = "B { s: String? }"
    let hop = try HopRun(
      [model, "B { s: String?; d: Decimal = 9007199254740993 }"],
      "entities:\n  - source: B"
    )
    var values: [SQLiteValue] = []
    let check: (borrowing SQLiteConnection) throws -> Void = { connection in
      values = try connection.rows("SELECT DISTINCT ZD FROM ZB").map { $0[0] }
    }
    let (_, error) = try hop.run([], inspect: check)
    #expect(error == nil && values == [.integer(9_007_199_254_740_993)])
  }

  @Test func `objects are one only where their decimal keys are equal`() throws {
    let hop = try HopRun(
      ["B { d: Decimal?; s: String? }", "B { d: Decimal?; s: String? } Zoo { s: String? }"],
      """
      entities:
        - source: B
          deduplicate: [d]
          attributes: {d: 'TERNARY($source.s == "x", $source.d * 1, $source.d)', s: $source.s}
      """
    )
    var count: Int64?
    let statements = [
      "UPDATE ZB SET ZD = 9007199254740991 + Z_PK % 3, ZS = CASE Z_PK % 2 WHEN 0 THEN 'x' END"
    ]
    let check: (borrowing SQLiteConnection) throws -> Void = { connection in
      count = try connection.count("SELECT COUNT(*) FROM ZB")
    }
    let (_, error) = try hop.run(statements, inspect: check)
    #expect(error == nil && count == 3)
  }
}
