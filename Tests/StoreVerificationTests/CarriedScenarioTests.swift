import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Sound results of many kinds of change, none of which the comparison may call wrong.
@Suite struct CarriedScenarioTests {
  /// Two or more versions, and the rows of the first.
  struct Scenario: Sendable, CustomTestStringConvertible {
    let name: String
    let sketches: [String]
    let rows: String
    /// A change of the result, and the check that finds it.
    let mutation: (check: String, statements: String)
    var testDescription: String { name }
  }

  static let scenarios = [
    Scenario(
      name: "a one-to-many becomes a one-to-one",
      sketches: [
        "A { n: Int32; bs ->> B.a } B { n: Int32; a -> A.bs }",
        "A { n: Int32; b -> B.a was bs } B { n: Int32; a -> A.b }",
      ],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 1), (2, 1, 1, 2);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN, ZA) VALUES (1, 2, 1, 1, 1), (2, 2, 1, 1, 1), (3, 2, 1, 1, 2)
        """,
      mutation: ("carried-links", "UPDATE ZB SET ZA = 1 WHERE Z_PK = 3")
    ),
    Scenario(
      name: "a one-to-one that disagrees becomes a many-to-many, and then ordered",
      sketches: [
        "A { n: Int32; b -> B.a } B { n: Int32; a -> A.b }",
        "A { n: Int32; b ->> B.a } B { n: Int32; a ->> A.b }",
        "A { n: Int32; b ->> B.a ordered } B { n: Int32; a ->> A.b }",
      ],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN, ZB) VALUES (1, 1, 1, 1, 1), (2, 1, 1, 2, NULL);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN, ZA) VALUES (1, 2, 1, 1, 1), (2, 2, 1, 1, 2)
        """,
      mutation: ("carried-links", "DELETE FROM Z_1B WHERE Z_1A = 2")
    ),
    Scenario(
      name: "a one-to-one that disagrees stays",
      sketches: [
        "A { n: Int32; b -> B.a } B { n: Int32; a -> A.b }",
        "A { m: Int64 was n; b -> B.a } B { n: Int32; a -> A.b }",
      ],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN, ZB) VALUES (1, 1, 1, 1, 1), (2, 1, 1, 2, 1);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN, ZA) VALUES (1, 2, 1, 1, 1), (2, 2, 1, 1, 2)
        """,
      mutation: ("carried-references", "UPDATE ZA SET ZB = NULL WHERE Z_PK = 2")
    ),
    Scenario(
      name: "a to-many without inverse gets an order, and then an inverse",
      sketches: [
        "A { n: Int32; bs ->> B } B { n: Int32 }",
        "A { n: Int32; bs ->> B ordered } B { n: Int32 }",
        "A { n: Int32; bs ->> B.a ordered } B { n: Int32; a -> A.bs }",
      ],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 1), (2, 1, 1, 2);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN, Z1BS) VALUES (1, 2, 1, 1, 1), (2, 2, 1, 1, 1), (3, 2, 1, 1, 2)
        """,
      mutation: ("carried-references", "UPDATE ZB SET ZA = 1 WHERE Z_PK = 3")
    ),
    Scenario(
      name: "a to-many without inverse stays",
      sketches: [
        "B { n: Int32 } M { n: Int32; bs ->> B ordered }",
        "B { n: Int32; k: String? } L { x: Int32 } M { n: Int32; bs ->> B ordered }",
      ],
      rows: """
        INSERT INTO ZM (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 2, 1, 1), (2, 2, 1, 2);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN, Z2BS, Z_FOK_2BS)
        VALUES (1, 1, 1, 1, 1, 3072), (2, 1, 1, 1, 1, 2048), (3, 1, 1, 1, 2, 2048)
        """,
      mutation: ("carried-order", "UPDATE ZB SET Z_FOK_3BS = 1 WHERE Z_PK = 1")
    ),
    Scenario(
      name: "a many-to-many with itself stays",
      sketches: [
        "P { n: Int32; friends ->> P.friends } Q { n: Int32 }",
        "O { n: Int32 } P { n: Int32; friends ->> P.friends }",
      ],
      rows: """
        INSERT INTO ZP (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 1), (2, 1, 1, 2), (3, 1, 1, 2);
        INSERT INTO Z_1FRIENDS VALUES (1, 2), (2, 1), (3, 1)
        """,
      mutation: ("carried-links", "DELETE FROM Z_2FRIENDS WHERE REFLEXIVE = 1 AND Z_2FRIENDS = 3")
    ),
    Scenario(
      name: "attributes are derived",
      sketches: [
        "A { n: Int32; bs ->> B.a; t: Int64? derived bs.@count } B { n: Int32; a -> A.bs }",
        """
        A { n: Int32; bs ->> B.a; t: Int64? derived bs.@count } B {
          n: Int32; a -> A.bs; m: Int32? derived a.n
        }
        """,
      ],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 1), (2, 1, 1, 2);
        INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT, ZN, ZA) VALUES (1, 2, 1, 1, 1), (2, 2, 1, 1, 1), (3, 2, 1, 1, 2)
        """,
      mutation: ("derived-attributes", "UPDATE ZA SET ZT = 5 WHERE Z_PK = 2")
    ),
    Scenario(
      name: "values leave external storage and enter it",
      sketches: [
        "A { x: Binary? external; y: Binary? }", "A { x: Binary?; y: Binary? external }",
      ],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX, ZY) VALUES (1, 1, 1, x'01aabb', x'cc'), (2, 1, 1, NULL, NULL)
        """,
      mutation: ("carried-attributes", "UPDATE ZA SET ZY = x'cc' WHERE Z_PK = 1")
    ),
    Scenario(
      name: "numbers change their types twice",
      sketches: [
        "A { x: Int64?; y: Double?; z: Decimal? }", "A { x: Int16?; y: Int32?; z: Float? }",
        "A { x: Boolean = YES; y: Double?; z: Int16? }",
      ],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZX, ZY, ZZ)
        VALUES (1, 1, 1, 99999, 2.5, 1.25), (2, 1, 1, NULL, NULL, NULL), (3, 1, 1, 0, -1e12, 3)
        """,
      mutation: ("carried-attributes", "UPDATE ZA SET ZY = 3 WHERE Z_PK = 1")
    ),
    Scenario(
      name: "properties move up and entities get a parent",
      sketches: [
        "A { n: Int32; c -> C.as } B : A { k: Int32? } C { as ->> A.c }",
        "A { n: Int32; k: Int32?; c -> C.as } B : A { j: Int32? } C { as ->> A.c } D : C { z: Int32 }",
      ],
      rows: """
        INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN, ZK, ZC) VALUES (1, 1, 1, 1, NULL, 1), (2, 2, 1, 2, 8, 9);
        INSERT INTO ZC (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1)
        """,
      mutation: ("carried-references", "UPDATE ZA SET Z3_C = 4 WHERE Z_PK = 1")
    ),
  ]

  @Test(arguments: scenarios, [false, true])
  func `a sound result passes and a changed one does not`(
    _ scenario: Scenario,
    inPlace: Bool
  ) throws {
    try TemporaryFolder.with { folder in
      let run = try SketchedRun(
        scenario.sketches,
        rows: scenario.rows,
        in: folder,
        altersInPlace: inPlace
      )
      let report = try run.compare()
      #expect(report.passed, "\(report.failures)")
      try SketchedStore.damage(run.result, scenario.mutation.statements)
      let failures = try run.compare().failures.map(\.name)
      #expect(failures.contains(scenario.mutation.check), "\(failures)")
    }
  }

  @Test(arguments: [false, true])
  func `gaps get the default of the version where the step arrives`(inPlace: Bool) throws {
    try TemporaryFolder.with { folder in
      // The last two hash alike, so that they are one version for a store.
      let run = try SketchedRun(
        [
          "A { n: Int16? }", "A { n: Int16 = 7; m: Int16 = 1 }", "A { n: Int16 = 8; m: Int16 = 2 }",
        ],
        rows: "INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT, ZN) VALUES (1, 1, 1, 5), (2, 1, 1, NULL)",
        in: folder,
        altersInPlace: inPlace
      )
      #expect(run.plan.hops.count == 1)
      let rows = try SQLiteConnection(path: run.result, access: .quiescent)
        .rows("SELECT ZN, ZM FROM ZA ORDER BY Z_PK")
      #expect(rows == [[.integer(5), .integer(1)], [.integer(7), .integer(1)]])
      let report = try run.compare()
      #expect(report.passed, "\(report.failures)")
    }
  }
}
