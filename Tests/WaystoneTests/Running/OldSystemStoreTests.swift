import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// Stores as iOS 6 to 8 left them: without indexes on join tables and without a model cache, and with
/// numbers after join columns that no model predicts.
@Suite struct OldSystemStoreTests {
  /// Works of art, each in albums, shows and places.
  private static func works(_ other: String, _ year: String = "") -> String {
    """
    Album { title: String?; artworks ->> Artwork.albums }
    Artist { title: String? }
    Artwork { title: String?; \(year)
      albums ->> Album.artworks; locations ->> Location.artworks; shows ->> Show.artworks }
    Location { title: String?; artworks ->> Artwork.locations }
    Show { title: String?; artworks ->> Artwork.shows }
    \(other)
    """
  }

  /// Lends a project with a store of the first version as an old system has it.
  private func withOldStore(_ body: (SketchedProject) throws -> Void) throws {
    let zoo = "Zoo { title: String? }"
    try SketchedProject.with(Self.works(""), Self.works(zoo), Self.works(zoo, "year: Int16?")) {
      project in
      try project.store(
        "v1",
        rows: 50,
        """
        DROP INDEX Z_1ARTWORKS_Z_3ARTWORKS_INDEX;
        DROP INDEX Z_3LOCATIONS_Z_4LOCATIONS_INDEX;
        DROP INDEX Z_3SHOWS_Z_5SHOWS_INDEX;
        DROP TABLE Z_MODELCACHE;
        ALTER TABLE Z_3SHOWS RENAME COLUMN Z_3ARTWORKS2 TO Z_3ARTWORKS1;
        ALTER TABLE Z_3LOCATIONS RENAME COLUMN Z_3ARTWORKS1 TO Z_3ARTWORKS2;
        """
      )
      try body(project)
    }
  }

  private func links(_ project: SketchedProject, _ store: String = "s.sqlite") throws -> [Int64?] {
    let database = try AppDatabase("\(project.folder)/\(store)")
    return try [
      "SELECT SUM(Z_3ARTWORKS1 * 100 + Z_5SHOWS) FROM Z_3SHOWS",
      "SELECT SUM(Z_3ARTWORKS2 * 100 + Z_4LOCATIONS) FROM Z_3LOCATIONS",
      "SELECT SUM(Z_3ARTWORKS * 100 + Z_1ALBUMS) FROM Z_1ARTWORKS",
    ].map { try database.integer($0) }
  }

  private func verifies(_ project: SketchedProject, _ store: String = "s.sqlite") throws -> Bool {
    try Store(reading: URL(filePath: "\(project.folder)/\(store)"))
      .verify(in: project.project.models).passed
  }

  @Test func `a store without indexes on join tables is sound, unless one is there`() throws {
    try withOldStore { project in
      #expect(try verifies(project))
      try AppDatabase("\(project.folder)/s.sqlite").execute(
        "CREATE INDEX Z_3SHOWS_Z_5SHOWS_INDEX ON Z_3SHOWS (Z_5SHOWS, Z_3ARTWORKS1);"
      )
      #expect(try !verifies(project))
    }
  }

  /// iOS 9 wrote a uniqueness constraint into the table's statement.
  @Test(arguments: [
    ("a: String?; b: String?", "String", "VARCHAR"), ("b: String?", "String", "VARCHAR"),
    ("a: String?; b: Int32?", "Int16", "INTEGER"),
  ])
  func `a constraint within a table's statement goes with the version`(
    after: String,
    type: String,
    column: String
  ) throws {
    try SketchedProject.with("Note { a: String?; b: \(type)?; unique a }", "Note { \(after) }") {
      project in
      let store = try project.store(
        "v1",
        """
        ALTER TABLE ZNOTE RENAME TO OLD; DROP INDEX Z_Note_UNIQUE_a;
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB \(column),
          ZA VARCHAR UNIQUE );
        INSERT INTO ZNOTE SELECT Z_PK, Z_ENT, Z_OPT, ZB, ZA FROM OLD; DROP TABLE OLD
        """
      )
      try project.migrate(store, to: "o.sqlite")
      let result = try AppDatabase("\(project.folder)/o.sqlite")
      #expect(try result.integer("SELECT COUNT(*) FROM ZNOTE") == 9)
      let constraints =
        "SELECT COUNT(*) FROM sqlite_schema WHERE tbl_name = 'ZNOTE' AND sql LIKE '%UNIQUE%'"
      #expect(try result.integer(constraints) == 0)
    }
  }

  @Test(arguments: ["v1", "v2"])
  func `its links and the names of its columns are kept`(version: String) throws {
    try withOldStore { project in
      let before = try links(project)
      try project.migrate("s.sqlite", version: version, to: "o.sqlite")
      #expect(try links(project, "o.sqlite") == before)
      #expect(before.allSatisfy { $0 ?? 0 > 0 })
      #expect(try verifies(project, "o.sqlite"))
    }
  }

  @Test func `names that a new property leaves open are the store's own, once accepted`() throws {
    try withOldStore { project in
      let before = try links(project)
      #expect(try project.plan("s.sqlite", to: "v3").refusals.contains("WS501"))
      try project.migrate("s.sqlite", version: "v3", to: "o.sqlite") {
        $0.settings.acceptsUnprovenNames = true
      }
      #expect(try links(project, "o.sqlite") == before)
    }
  }
}
