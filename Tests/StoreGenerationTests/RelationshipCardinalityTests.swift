import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing

/// The numbers of links of the objects of a generated store.
@Suite struct RelationshipCardinalityTests {
  /// The numbers of links of an entity's rows, by a query for one row.
  private func counts(
    _ sketch: String,
    rows: [String: Int],
    in folder: String,
    _ queries: (PhysicalSchema) -> [String]
  ) throws -> [Set<Int64>] {
    let model = try ModelSketch.model(sketch)
    let path = "\(folder)/\(sketch.utf8.reduce(0) { $0 &* 31 &+ Int($1) }).sqlite"
    try StoreGenerator(model: model, rowCounts: rows, seed: 1).write(to: path)
    #expect(try StoreAudit(path, model: model).problems == [])
    let connection = try SQLiteConnection(path: path, access: .readOnly)
    return try queries(PhysicalSchema(model: model)).map { query in
      Set(try connection.rows(query).compactMap { $0.first?.integer })
    }
  }

  /// The same of the two ends of a join table.
  private static func ends(_ schema: PhysicalSchema) -> [String] {
    guard let join = schema.joinTables.first else { return [] }
    let table = SQL.identifier(join.name)
    return [join.ownerColumn.name, join.destinationColumn.name].map { column in
      "SELECT COUNT(*) FROM \(table) GROUP BY \(SQL.identifier(column))"
    }
  }

  private static let sizes: [(owners: Int, others: Int)] = [
    (4, 6), (6, 4), (100, 100), (250, 250), (700, 60), (60, 700), (3000, 40),
  ]

  @Test(arguments: sizes)
  func `owners of none, one, two and many are there`(owners: Int, others: Int) throws {
    try TemporaryFolder.with { folder in
      for sketch in [
        "A { bs ->> B.a } B { a -> A.bs }", "A { bs ->> B.a ordered } B { a -> A.bs }",
        "A { x: String? } B { a -> A }",
      ] {
        let found = try counts(sketch, rows: ["A": owners, "B": others], in: folder) {
          _ in
          ["SELECT (SELECT COUNT(*) FROM ZB WHERE ZB.ZA = ZA.Z_PK) FROM ZA"]
        }
        let wanted: [Int64] = others > 5 ? [0, 1, 2] : [0, 1, 2].filter { $0 <= Int64(others) }
        #expect(found[0].isSuperset(of: wanted), "\(sketch) \(found[0].sorted())")
        if others > 7 { #expect(found[0].contains { $0 > 2 }, "\(sketch)") }
      }
    }
  }

  @Test(arguments: sizes)
  func `both ends of a many-to-many have none, one, two and many`(owners: Int, others: Int) throws {
    guard min(owners, others) > 6 else { return }
    try TemporaryFolder.with { folder in
      for sketch in [
        "A { bs ->> B.as } B { as ->> A.bs }",
        "A { bs ->> B.as ordered } B { as ->> A.bs ordered }",
      ] {
        let found = try counts(
          sketch,
          rows: ["A": owners, "B": others],
          in: folder,
          Self.ends
        )
        for numbers in found {
          #expect(numbers.isSuperset(of: [1, 2]), "\(sketch) \(numbers.sorted())")
          #expect(numbers.contains { $0 > 2 }, "\(sketch)")
        }
      }
    }
  }

  @Test(arguments: [8, 40, 500])
  func `friends have none, one, two and three friends`(rows: Int) throws {
    try TemporaryFolder.with { folder in
      let found = try counts("A { friends ->> A.friends }", rows: ["A": rows], in: folder) {
        schema in
        guard let join = schema.joinTables.first else { return [] }
        let column = SQL.identifier(join.ownerColumn.name)
        return [
          "SELECT (SELECT COUNT(*) FROM \(SQL.identifier(join.name)) j WHERE j.\(column) = ZA.Z_PK) FROM ZA"
        ]
      }
      #expect(found[0] == [0, 1, 2, 3])
    }
  }

  @Test(arguments: [4, 9, 30, 63])
  func `an attribute that may be NULL is NULL in some rows and not in others`(rows: Int) throws {
    try TemporaryFolder.with { folder in
      let sketch = "A { a: String?; b: Int16?; c: Date?; d: Double?; e: Boolean?; f: Binary? }"
      let found = try counts(sketch, rows: ["A": rows], in: folder) { _ in
        ["A", "B", "C", "D", "E", "F"].map { "SELECT Z\($0) IS NULL FROM ZA" }
      }
      #expect(found.allSatisfy { $0 == [0, 1] })
    }
  }
}
