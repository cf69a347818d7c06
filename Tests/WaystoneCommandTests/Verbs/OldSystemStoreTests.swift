import MigrationTestSupport
import Testing
import WaystoneCommand

/// Stores as iOS 6 to 8 left them: without indexes on join tables and without a model cache, and with
/// numbers after join columns that no model predicts.
@Suite struct OldSystemStoreTests {
  private static func entity(
    _ name: String,
    _ links: [(name: String, destination: String, inverse: String)],
    _ attributes: String = ""
  ) -> String {
    let relationships = links.map { link in
      #"<relationship name="\#(link.name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
        + #"destinationEntity="\#(link.destination)" inverseName="\#(link.inverse)" "#
        + #"inverseEntity="\#(link.destination)"/>"#
    }
    return """
      <entity name="\(name)" syncable="YES">
      <attribute name="title" optional="YES" attributeType="String"/>\(attributes)
      \(relationships.joined(separator: "\n"))
      </entity>
      """
  }

  /// Works of art, each in albums, shows and places.
  private static func works(_ other: String, _ attributes: String = "") -> String {
    [
      entity("Album", [("artworks", "Artwork", "albums")]), entity("Artist", []),
      entity(
        "Artwork",
        [
          ("albums", "Album", "artworks"), ("locations", "Location", "artworks"),
          ("shows", "Show", "artworks"),
        ],
        attributes
      ),
      entity("Location", [("artworks", "Artwork", "locations")]),
      entity("Show", [("artworks", "Artwork", "shows")]), other,
    ].joined(separator: "\n")
  }

  private static let year = #"<attribute name="year" optional="YES" attributeType="Integer 16"/>"#

  /// Runs a body in a folder with a store of the first version as an old system has it.
  private func withOldStore(_ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [
          ("v1", Self.works("")), ("v2", Self.works(Self.entity("Zoo", []))),
          ("v3", Self.works(Self.entity("Zoo", []), Self.year)),
        ],
        into: folder + "/ModelArchive"
      )
      let made = CommandRun("generate", "v1", "--rows", "50", "-o", "s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        folder + "/s.sqlite",
        """
        DROP INDEX Z_1ARTWORKS_Z_3ARTWORKS_INDEX;
        DROP INDEX Z_3LOCATIONS_Z_4LOCATIONS_INDEX;
        DROP INDEX Z_3SHOWS_Z_5SHOWS_INDEX;
        DROP TABLE Z_MODELCACHE;
        ALTER TABLE Z_3SHOWS RENAME COLUMN Z_3ARTWORKS2 TO Z_3ARTWORKS1;
        ALTER TABLE Z_3LOCATIONS RENAME COLUMN Z_3ARTWORKS1 TO Z_3ARTWORKS2;
        """
      )
      try body(folder)
    }
  }

  private func links(_ store: String) throws -> [Int64?] {
    let database = try AppDatabase(store)
    return try [
      "SELECT SUM(Z_3ARTWORKS1 * 100 + Z_5SHOWS) FROM Z_3SHOWS",
      "SELECT SUM(Z_3ARTWORKS2 * 100 + Z_4LOCATIONS) FROM Z_3LOCATIONS",
      "SELECT SUM(Z_3ARTWORKS * 100 + Z_1ALBUMS) FROM Z_1ARTWORKS",
    ].map { try database.integer($0) }
  }

  @Test func `a store without indexes on join tables is sound, with a note`() throws {
    try withOldStore { folder in
      let run = CommandRun("verify", "s.sqlite", in: folder)
      #expect(run.status == .success, "\(run.output)")
      #expect(run.words.contains("is an index that systems before iOS 9 did not make"))
      try AppDatabase.run(
        folder + "/s.sqlite",
        "CREATE INDEX Z_3SHOWS_Z_5SHOWS_INDEX ON Z_3SHOWS (Z_5SHOWS, Z_3ARTWORKS1);"
      )
      let some = CommandRun("verify", "s.sqlite", in: folder)
      #expect(some.status == .answerIsNo, "where one is there, the others were dropped")
    }
  }

  /// iOS 9 wrote a uniqueness constraint into the table's statement.
  @Test(arguments: [
    AwkwardStore.attribute("a", "String") + AwkwardStore.attribute("b", "String"),
    AwkwardStore.attribute("b", "String"),
    AwkwardStore.attribute("a", "String") + AwkwardStore.attribute("b", "Integer 32"),
  ])
  func `a constraint within a table's statement goes with the version`(after: String) throws {
    try TemporaryFolder.with { folder in
      let unique =
        "<uniquenessConstraints><uniquenessConstraint><constraint value=\"a\"/>"
        + "</uniquenessConstraint></uniquenessConstraints>"
      let before =
        AwkwardStore.attribute("a", "String")
        + AwkwardStore.attribute("b", after.contains("Integer") ? "Integer 16" : "String")
      try SketchedModel.write(
        [
          ("v1", AwkwardStore.entity("Note", before, unique)),
          ("v2", AwkwardStore.entity("Note", after)),
        ],
        into: folder + "/ModelArchive"
      )
      let made = CommandRun("generate", "v1", "--rows", "9", "-o", "s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let type = after.contains("Integer") ? "INTEGER" : "VARCHAR"
      try AppDatabase.run(
        folder + "/s.sqlite",
        """
        ALTER TABLE ZNOTE RENAME TO OLD; DROP INDEX Z_Note_UNIQUE_a;
        CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZB \(type),
          ZA VARCHAR UNIQUE );
        INSERT INTO ZNOTE SELECT Z_PK, Z_ENT, Z_OPT, ZB, ZA FROM OLD; DROP TABLE OLD;
        PRAGMA wal_checkpoint(TRUNCATE);
        """
      )
      let run = CommandRun("migrate", "s.sqlite", "--output", "t.sqlite", in: folder)
      #expect(run.status == .success, "\(run.output)\(run.errors)")
      let result = try AppDatabase(folder + "/t.sqlite")
      #expect(try result.integer("SELECT COUNT(*) FROM ZNOTE") == 9)
      let constraints =
        "SELECT COUNT(*) FROM sqlite_schema WHERE tbl_name = 'ZNOTE' AND sql LIKE '%UNIQUE%'"
      #expect(try result.integer(constraints) == 0)
    }
  }

  @Test(arguments: ["v1", "v2"])
  func `its links and the names of its columns are kept`(version: String) throws {
    try withOldStore { folder in
      let before = try links(folder + "/s.sqlite")
      let run = CommandRun(
        "migrate",
        "s.sqlite",
        "--to",
        version,
        "--output",
        "t.sqlite",
        in: folder
      )
      #expect(run.status == .success, "\(run.errors)")
      #expect(try links(folder + "/t.sqlite") == before)
      #expect(before.allSatisfy { $0 ?? 0 > 0 })
      #expect(CommandRun("verify", "t.sqlite", in: folder).status == .success)
    }
  }

  @Test func `names that a new property leaves open are the store's own, once accepted`() throws {
    try withOldStore { folder in
      let before = try links(folder + "/s.sqlite")
      func run(_ more: String...) -> CommandRun {
        CommandRun(
          ["migrate", "s.sqlite", "--to", "v3", "--output", "t.sqlite"] + more,
          in: folder
        )
      }
      #expect(run().errors.contains("does not say all names"))
      let accepted = run("--accept-unproven-names")
      #expect(accepted.status == .success, "\(accepted.errors)")
      #expect(try links(folder + "/t.sqlite") == before)
    }
  }
}
