import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Ordered relationships that are made of several lists.
@Suite struct `Merged lists` {
  private func members(
    _ sketches: [String],
    _ hop: String,
    _ statements: [String],
    _ query: String
  ) throws -> [String] {
    var found: [String] = []
    var places: [Int64?] = []
    let check: (borrowing SQLiteConnection) throws -> Void = { connection in
      let rows = try connection.rows(query)
      found = rows.map { $0[0].text ?? "" }
      places = rows.map { $0[1].integer }
    }
    let (_, error) = try HopRun(sketches, hop).run(statements, inspect: check)
    #expect(error == nil, "\(String(describing: error))")
    #expect(Set(places).count == places.count && !places.contains(nil), "\(places)")
    return found
  }

  @Test func `the list of the first entity stands before that of the second`() throws {
    let found = try members(
      [
        "L { as ->> A.l ordered; bs ->> B.l ordered } A { n: String?; l -> L.as } "
          + "B { n: String?; l -> L.bs }",
        "L { cs ->> C.l ordered } C { n: String?; l -> L.cs }",
      ],
      "entities:\n  - merge: [A, B]\n    destination: C\n  - source: L",
      [
        "UPDATE ZA SET ZN = 'a' || Z_PK, ZL = CASE WHEN Z_PK < 4 THEN 1 END, Z_FOK_L = 5120 - 1024 * Z_PK",
        "UPDATE ZB SET ZN = 'b' || Z_PK, ZL = CASE WHEN Z_PK < 4 THEN 1 END, Z_FOK_L = 5120 - 1024 * Z_PK",
      ],
      "SELECT ZN, Z_FOK_L FROM ZC WHERE ZL IS NOT NULL ORDER BY Z_FOK_L"
    )
    #expect(found == ["a3", "a2", "a1", "b3", "b2", "b1"])
  }

  @Test func `the list of the first object stands before that of another that it becomes`() throws {
    let model = "L { name: String?; as ->> A.l ordered } A { n: String?; l -> L.as }"
    let found = try members(
      [model, model + " Zoo { n: String? }"],
      """
      entities:
        - {source: L, deduplicate: [name], attributes: {name: $source.name}, relationships: {as: {from: as}}}
        - {source: A, relationships: {l: {from: l}}}
      """,
      [
        "UPDATE ZL SET ZNAME = CASE WHEN Z_PK < 3 THEN 'one' ELSE Z_PK END",
        "UPDATE ZA SET ZN = 'a' || Z_PK, ZL = CASE WHEN Z_PK < 4 THEN 2 WHEN Z_PK < 7 THEN 1 END, "
          + "Z_FOK_L = 20480 - 1024 * (Z_PK % 3)",
      ],
      "SELECT ZN, Z_FOK_L FROM ZA WHERE ZL = 1 ORDER BY Z_FOK_L"
    )
    #expect(found == ["a5", "a4", "a6", "a2", "a1", "a3"])
  }

  @Test func `members of two entities in one list keep its order`() throws {
    let found = try members(
      [
        "L { items ->> I.l ordered } abstract I { n: String?; l -> L.items } A : I { a: String? } B : I { b: String? }",
        "L { items ->> I.l ordered } abstract I { n: String?; l -> L.items } A : I { a: String? } B : I { b: String? } "
          + "Zoo { n: String? }",
      ],
      """
      entities:
        - {source: L}
        - {source: A, relationships: {l: {from: l}}}
        - {source: B, relationships: {l: {from: l}}}
      """,
      [
        "UPDATE ZI SET ZN = CASE Z_ENT WHEN 1 THEN 'a' ELSE 'b' END || Z_PK, ZL = CASE WHEN Z_PK % 10 < 2 "
          + "THEN 1 END, Z_FOK_L = 1024 + Z_PK"
      ],
      "SELECT Z_PK || '', Z_FOK_L FROM ZI WHERE ZL = 1 ORDER BY Z_FOK_L"
    )
    #expect(found == found.sorted { (Int($0) ?? 0) < (Int($1) ?? 0) } && found.count > 4)
  }
}
