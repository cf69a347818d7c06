import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// A mapping means one thing, whoever runs it.
@Suite struct CarriedByCodeTests {
  private static let first = "N { t: String?; n: Int32?; d: Double?; b: Boolean? }"
  private static let second = "N { t: String = none; n: Int16 = 3; d: Float?; b: Int16? }"
  private static let rows = """
    DELETE FROM ZN;
    INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT, ZT, ZN, ZD, ZB) VALUES
      (1, 1, 1, 'a', 5, 0.1, 1), (2, 1, 1, NULL, NULL, NULL, NULL), (3, 1, 1, '', -7, 1e30, 0)
    """
  private static let query = "SELECT Z_PK, ZT, ZN, ZD, ZB FROM ZN ORDER BY Z_PK"
  private static let names = ["t", "n", "d", "b"]

  @Test func `code carries attributes as SQL does`() throws {
    var bySQL: [[SQLiteValue]] = []
    try ObjectHopTests.run(
      Self.first,
      Self.second,
      [
        AuthoredStep.mapping(
          "N",
          "N",
          attributes: Dictionary(uniqueKeysWithValues: Self.names.map { ($0, .source($0)) })
        )
      ],
      rows: 1,
      prepare: { try $0.execute(Self.rows) },
      body: { bySQL = try $0.rows(Self.query) }
    )
    #expect(bySQL[0] == [.integer(1), .text("a"), .integer(5), .real(0.1), .integer(1)])
    #expect(bySQL[1] == [.integer(2), .text("none"), .integer(3), .null, .null])
    try TemporaryFolder.with { folder in
      let source = try ModelSketch.model(Self.first)
      try StoreGenerator(model: source, rows: 1, seed: 5).write(to: folder + "/before.sqlite")
      try AppDatabase(folder + "/before.sqlite").execute(Self.rows)
      let hop = try PolicyHop(
        PolicyHop.mapping(
          [("N", "N", nil)],
          attributes: Dictionary(uniqueKeysWithValues: Self.names.map { ($0, $0) })
        ),
        from: source,
        to: ModelSketch.model(Self.second),
        in: folder
      )
      try hop.run()
      #expect(try hop.rows(Self.query) == bySQL)
    }
  }

  @Test func `code keeps what a derived attribute holds as SQL does`() throws {
    let first = "N { t: String?; d: Date? derived now() }"
    let second = "N { t: String?; u: String?; d: Date? derived now() }"
    let rows =
      "DELETE FROM ZN; INSERT INTO ZN (Z_PK, Z_ENT, Z_OPT, ZT, ZD) "
      + "VALUES (1, 1, 1, 'a', 700000000.5), (2, 1, 1, 'b', NULL)"
    try TemporaryFolder.with { folder in
      let (source, destination) = (try ModelSketch.model(first), try ModelSketch.model(second))
      try StoreGenerator(model: source, rows: 1, seed: 5).write(to: folder + "/before.sqlite")
      try AppDatabase(folder + "/before.sqlite").execute(rows)
      let mapping = try #require(MappingInference.infer(from: source, to: destination).mapping)
      let hop = try PolicyHop(mapping, from: source, to: destination, in: folder)
      try hop.run()
      let expected: [[SQLiteValue]] = [
        [.integer(1), .text("a"), .real(700_000_000.5)], [.integer(2), .text("b"), .null],
      ]
      #expect(try hop.rows("SELECT Z_PK, ZT, ZD FROM ZN ORDER BY Z_PK") == expected)
    }
  }

  @Test(arguments: ["ZN = 100000", "ZN = -32769", "ZD = 1e300", "ZN = 2.5"])
  func `a number that does not fit is refused where a policy is given it`(change: String) throws {
    try TemporaryFolder.with { folder in
      let source = try ModelSketch.model(Self.first)
      try StoreGenerator(model: source, rows: 1, seed: 5).write(to: folder + "/before.sqlite")
      try AppDatabase(folder + "/before.sqlite").execute(
        Self.rows + "; UPDATE ZN SET \(change) WHERE Z_PK = 1"
      )
      let hop = try PolicyHop(
        PolicyHop.mapping(
          [("N", "N", "Any")],
          attributes: Dictionary(uniqueKeysWithValues: Self.names.map { ($0, $0) })
        ),
        from: source,
        to: ModelSketch.model(Self.second),
        in: folder
      )
      let error = #expect(throws: MigrationError.self) { try hop.run() }
      #expect(error?.message.contains("cannot hold") == true, "\(String(describing: error))")
    }
  }

  @Test func `a number that does not fit is bounded where no policy takes part, as by SQL`() throws
  {
    try TemporaryFolder.with { folder in
      let source = try ModelSketch.model(Self.first)
      try StoreGenerator(model: source, rows: 1, seed: 5).write(to: folder + "/before.sqlite")
      try AppDatabase(folder + "/before.sqlite").execute(
        Self.rows + "; UPDATE ZN SET ZN = 100000 WHERE Z_PK = 1"
      )
      let hop = try PolicyHop(
        PolicyHop.mapping([("N", "N", nil)], attributes: ["n": "n"]),
        from: source,
        to: ModelSketch.model(Self.second),
        in: folder
      )
      try hop.run()
      #expect(try hop.rows("SELECT ZN FROM ZN WHERE Z_PK = 1") == [[.integer(32_767)]])
    }
  }

  @Test(arguments: [
    (AttributeType.integer16, SQLiteValue.real(-40_000.5), SQLiteValue.integer(-32_768)),
    (.integer64, .real(1e30), .integer(.max)), (.integer32, .real(2.9), .integer(2)),
    (.boolean, .real(0.5), .integer(1)), (.double, .integer(3), .real(3)),
  ])
  func `a number that does not fit becomes what SQL makes of it`(
    type: AttributeType,
    number: SQLiteValue,
    expected: SQLiteValue
  ) throws {
    let old = AttributeDescription(name: "n", attributeType: .decimal)
    let new = AttributeDescription(name: "n", attributeType: type)
    let conversion = ValueConversion(.carrying(old, into: new), from: old, to: new)
    #expect(try conversion.value(number, folder: "") == expected)
    try TemporaryFolder.with { folder in
      let connection = try SQLiteConnection(path: folder + "/n.sqlite", access: .create)
      let sql = conversion.sql(SQL.literal(number))
      #expect(try connection.rows("SELECT \(sql)") == [[expected]])
    }
  }
}
