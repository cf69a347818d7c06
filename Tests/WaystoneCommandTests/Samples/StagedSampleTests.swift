import Foundation
import MigrationTestSupport
import StoreAccess
import StoreMigration
import Testing
import WaystoneCommand

/// Aircraft v1 to v3 as a staged migration: recordings become objects before their attribute goes.
@Suite struct StagedSampleTests {
  private static let recordings = """
    UPDATE ZAIRCRAFT SET ZFLIGHTDATA = CASE Z_PK % 4 WHEN 0 THEN NULL
    ELSE CAST('recording ' || Z_PK AS BLOB) END
    """
  private static let before = """
    SELECT Z_PK, ZFLIGHTDATA FROM ZAIRCRAFT WHERE ZFLIGHTDATA IS NOT NULL ORDER BY 1
    """
  private static let after = "SELECT ZAIRCRAFT, ZDATA FROM ZFLIGHTDATA ORDER BY 1"
  private static let columns = "SELECT name FROM pragma_table_info('ZAIRCRAFT')"

  private func walk(_ body: (SampleWalk, [[SQLiteValue]]) throws -> Void) throws {
    try SampleWalk.with { walk in
      try walk.generate("Aircraft/v1", as: "A.sqlite", Self.recordings)
      let wanted = try walk.rows("A.sqlite", Self.before)
      #expect(wanted.count == 45)
      try body(walk, wanted)
    }
  }

  @Test func `each recording becomes an object of its aircraft`() throws {
    try walk { walk, wanted in
      try walk.run("migrate", "A.sqlite", "--to", "Aircraft/v3", "-o", "B.sqlite", "--allow-sql")
      try walk.check("B.sqlite")
      #expect(try walk.rows("B.sqlite", Self.after) == wanted)
      #expect(try !walk.rows("B.sqlite", Self.columns).contains(["ZFLIGHTDATA"]))
      #expect(
        try walk.count("B.sqlite", "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'FlightData'")
          == 45
      )
      let aircraft = "SELECT Z_PK, ZREGISTRATION, ZSEATS FROM ZAIRCRAFT ORDER BY 1"
      #expect(try walk.rows("B.sqlite", aircraft) == walk.rows("A.sqlite", aircraft))
    }
  }

  @Test func `the old attribute can wait for a cleanup`() throws {
    try walk { walk, wanted in
      try walk.run("migrate", "A.sqlite", "--to", "Aircraft/v3", "-o", "B.sqlite", "--allow-sql")
      let run = try walk.run(
        "migrate",
        "A.sqlite",
        "--to",
        "Aircraft/v3",
        "--defer-cleanup",
        "--allow-sql"
      )
      #expect(run.output.contains("left for `waystone finish`: ZAIRCRAFT.ZFLIGHTDATA"))
      try walk.check("A.sqlite")
      try walk.run("compare", "A.sqlite", "B.sqlite")
      #expect(try walk.rows("A.sqlite", Self.after) == wanted)
      #expect(try walk.rows("A.sqlite", Self.columns).contains(["ZFLIGHTDATA"]))
      #expect(try walk.run("inspect", "A.sqlite").output.contains("pending"))
      try walk.run("finish", "A.sqlite")
      try walk.check("A.sqlite")
      #expect(try !walk.rows("A.sqlite", Self.columns).contains(["ZFLIGHTDATA"]))
      try walk.run("compare", "A.sqlite", "B.sqlite")
    }
  }

  @Test func `a handler in Swift does the same`() throws {
    try walk { walk, wanted in
      try """
      stages:
        - lightweight: [Aircraft/v1]
        - custom: {from: Aircraft/v2, to: Aircraft/v3}
          will: {handlers: [copyFlightData]}
      """.write(
        toFile: walk.folder + "/Handler.staged.yml",
        atomically: true,
        encoding: .utf8
      )
      try walk.run("migrate", "A.sqlite", "--to", "Aircraft/v3", "-o", "B.sqlite", "--allow-sql")
      try walk.run(
        "migrate",
        "A.sqlite",
        "--to",
        "Aircraft/v3",
        "-o",
        "C.sqlite",
        "--mappings",
        "Handler.staged.yml"
      )
      try walk.check("C.sqlite")
      #expect(try walk.rows("C.sqlite", Self.after) == wanted)
      try walk.run("compare", "B.sqlite", "C.sqlite")
    }
  }

  @Test func `mappings of other models beside the one in use do not matter`() throws {
    try SampleWalk.with { walk in
      let models = SampleArchive.root + "/Letters.xcdatamodeld"
      try walk.run("plan", "v1", "--to", "v4", "--models", models)
    }
  }
}
