import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// Library and People, by hop files and by a policy.
@Suite struct HopSampleTests {
  private static let categories = """
    UPDATE ZNOTE SET ZCATEGORY = CASE Z_PK % 6 WHEN 0 THEN NULL WHEN 1 THEN 'Work' WHEN 2 THEN ''
    WHEN 3 THEN 'Cooking' WHEN 4 THEN 'work' ELSE 'Café 🌍' END
    """

  @Test func `a hop file and a policy make the same categories`() throws {
    try SampleWalk.with { walk in
      try walk.generate("Library/v1", rows: 600, as: "L.sqlite", Self.categories)
      try walk.run("migrate", "L.sqlite", "--to", "Library/v2", "-o", "Hop.sqlite")
      try walk.run(
        "migrate",
        "L.sqlite",
        "--to",
        "Library/v2",
        "-o",
        "Policy.sqlite",
        "--mappings",
        SampleWalk.examples
      )
      for store in ["Hop.sqlite", "Policy.sqlite"] {
        try walk.check(store)
        let names = try walk.rows(store, "SELECT ZNAME FROM ZCATEGORY ORDER BY ZNAME")
        #expect(names == [["Café 🌍"], ["Cooking"], ["Work"], ["work"]])
        let notes = try walk.rows(
          store,
          "SELECT c.ZNAME, COUNT(*) FROM ZNOTE n LEFT JOIN ZCATEGORY c ON c.Z_PK = n.ZCATEGORY "
            + "GROUP BY 1 ORDER BY 1"
        )
        #expect(notes.map { $0[1] } == [200, 100, 100, 100, 100])
        #expect(
          try walk.rows(store, "SELECT Z_PK, ZTITLE FROM ZNOTE ORDER BY 1")
            == walk.rows("L.sqlite", "SELECT Z_PK, ZTITLE FROM ZNOTE ORDER BY 1")
        )
      }
      try walk.run("compare", "Hop.sqlite", "Policy.sqlite")
    }
  }

  @Test func `a full name becomes surnames and a name`() throws {
    try SampleWalk.with { walk in
      let names = [
        "García Márquez, Gabriel", "Vargas Llosa, Mario", "Voltaire", "Ó Cadhain, Máirtín", "",
        "Le Guin, Ursula K.",
      ]
      let cases = names.enumerated().map { "WHEN \($0) THEN '\($1)'" }.joined(separator: " ")
      try walk.generate(
        "People/v1",
        as: "P.sqlite",
        "UPDATE ZPERSON SET ZFULLNAME = CASE Z_PK % 6 \(cases) END"
      )
      try walk.run("migrate", "P.sqlite", "--to", "People/v2", "-o", "Q.sqlite")
      try walk.check("Q.sqlite")
      let found = try walk.rows(
        "Q.sqlite",
        "SELECT DISTINCT Z_PK % 6, ZSURNAMES, ZNAME FROM ZPERSON ORDER BY 1"
      )
      #expect(
        found == [
          [0, "García Márquez", "Gabriel"], [1, "Vargas Llosa", "Mario"], [2, nil, "Voltaire"],
          [3, "Ó Cadhain", "Máirtín"], [4, nil, ""], [5, "Le Guin", "Ursula K."],
        ]
      )
      #expect(try walk.count("Q.sqlite", "SELECT COUNT(*) FROM ZPERSON") == 60)
      let dates = "SELECT Z_PK, ZBORN FROM ZPERSON ORDER BY 1"
      #expect(try walk.rows("Q.sqlite", dates) == walk.rows("P.sqlite", dates))
    }
  }
}
