import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import Testing

@testable import StoreVerification

/// A run's result held against its source, and each check made to fail.
@Suite struct ResultComparisonTests {
  /// Numbers of the first version: Folder 1, Note 2, Photo 3, Scrap 4, Tag 5.
  static let first = """
    Folder { name: String; notes ->> Note.folder ordered; cover -> Note.covers }
    Note {
      title: String; size: Int16?; body: String?; stars: Int32?; folder -> Folder.notes
      covers -> Folder.cover; tags ->> Tag.items
    }
    Photo : Note { width: Double? }
    Scrap { text: String }
    Tag { name: String; items ->> Note.tags }
    """

  static let rows = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZCOVER, Z2_COVER, ZNAME)
    VALUES (1, 1, 1, 2, 3, 'a'), (2, 1, 1, NULL, NULL, 'b');
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, Z_FOK_FOLDER, ZCOVERS, ZSIZE, ZTITLE, ZSTARS)
    VALUES (1, 2, 1, 1, 3072, NULL, 7, 'x', NULL), (2, 3, 4, 1, 2048, 1, NULL, 'y', 4),
    (3, 2, 1, NULL, NULL, NULL, 1, 'z', 5), (7, 2, 1, 2, 2048, NULL, 1, '', 1),
    (8, 2, 1, 77, 2048, NULL, 1, '', 1);
    UPDATE ZNOTE SET ZWIDTH = 1.5 WHERE Z_PK = 2;
    INSERT INTO ZSCRAP (Z_PK, Z_ENT, Z_OPT, ZTEXT) VALUES (1, 4, 1, 's');
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 5, 1, 't'), (2, 5, 1, 'u');
    INSERT INTO Z_2TAGS (Z_2ITEMS, Z_5TAGS) VALUES (1, 1), (2, 1), (2, 2);
    CREATE TABLE OWN (A INTEGER); INSERT INTO OWN VALUES (1), (2)
    """

  /// Renames, converts, adds, drops and renumbers; numbers: Author 1, Folder 2, Note 3, Photo 4.
  static let second = """
    Author { name: String }
    Folder { name: String; notes ->> Note.folder ordered; cover -> Note.covers }
    Note {
      heading: String was title; size: Int64?; stars: Int32 = 3; rating: Int16 = 2; extra: String?
      folder -> Folder.notes; covers -> Folder.cover; tags ->> Tag.items
    }
    Photo : Note { width: Double? }
    Tag { name: String; items ->> Note.tags }
    """

  /// Makes the ordered one-to-many a many-to-many, and adds an order to another relationship.
  static let third = second.replacing(
    "notes ->> Note.folder ordered",
    with: "notes ->> Note.folders ordered"
  )
  .replacing("folder -> Folder.notes", with: "folders ->> Folder.notes was folder")
  .replacing("tags ->> Tag.items", with: "tags ->> Tag.items ordered")

  /// A change of a result, and the check that finds it.
  struct Mutation: Sendable, CustomTestStringConvertible {
    let check: String
    let statements: String
    var testDescription: String { "\(check): \(statements)" }

    init(_ check: String, _ statements: String) {
      self.check = check
      self.statements = statements
    }
  }

  static let mutations = [
    Mutation("carried-rows", "DELETE FROM ZNOTE WHERE Z_PK = 3"),
    Mutation("carried-rows", "DELETE FROM ZTAG WHERE Z_PK = 2"),
    Mutation("carried-rows", "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (3, 5, 1, 'v')"),
    Mutation("carried-rows", "INSERT INTO ZAUTHOR (Z_PK, Z_ENT) VALUES (1, 1)"),
    Mutation("carried-rows", "UPDATE ZNOTE SET Z_PK = 4 WHERE Z_PK = 3"),
    Mutation("carried-entities", "UPDATE ZNOTE SET Z_ENT = 4 WHERE Z_PK = 1"),
    Mutation("carried-entities", "UPDATE ZNOTE SET Z_OPT = 9 WHERE Z_PK = 1"),
    Mutation("carried-attributes", "UPDATE ZNOTE SET ZHEADING = 'X' WHERE Z_PK = 1"),
    Mutation("carried-attributes", "UPDATE ZNOTE SET ZHEADING = NULL WHERE Z_PK = 7"),
    Mutation("carried-attributes", "UPDATE ZNOTE SET ZSIZE = 0 WHERE Z_PK = 2"),
    Mutation("carried-attributes", "UPDATE ZNOTE SET ZSTARS = NULL WHERE Z_PK = 1"),
    Mutation("carried-attributes", "UPDATE ZNOTE SET ZWIDTH = NULL WHERE Z_PK = 2"),
    Mutation("introduced-attributes", "UPDATE ZNOTE SET ZRATING = 3 WHERE Z_PK = 1"),
    Mutation("introduced-attributes", "UPDATE ZNOTE SET ZEXTRA = '' WHERE Z_PK = 1"),
    Mutation("carried-references", "UPDATE ZNOTE SET ZCOVERS = NULL WHERE Z_PK = 2"),
    Mutation("carried-references", "UPDATE ZFOLDER SET ZCOVER = 1 WHERE Z_PK = 1"),
    Mutation("carried-references", "UPDATE ZFOLDER SET Z3_COVER = 3 WHERE Z_PK = 1"),
    Mutation("carried-links", "DELETE FROM Z_3TAGS WHERE Z_3ITEMS = 2 AND Z_5TAGS = 2"),
    Mutation("carried-links", "INSERT INTO Z_3TAGS (Z_3ITEMS, Z_5TAGS) VALUES (3, 2)"),
    Mutation("carried-bookkeeping", "UPDATE Z_PRIMARYKEY SET Z_MAX = 7 WHERE Z_NAME = 'Note'"),
    Mutation("carried-bookkeeping", "UPDATE Z_METADATA SET Z_UUID = 'other'"),
    Mutation("carried-tables", "DELETE FROM OWN WHERE A = 1"),
    Mutation("carried-tables", "DROP TABLE OWN"),
  ]

  /// The checks of the first hop alone, where folders still hold their notes.
  static let firstHopMutations = [
    Mutation("carried-references", "UPDATE ZNOTE SET ZFOLDER = 2 WHERE Z_PK = 1"),
    Mutation("carried-references", "UPDATE ZNOTE SET ZFOLDER = NULL WHERE Z_PK = 8"),
    Mutation("carried-order", "UPDATE ZNOTE SET Z_FOK_FOLDER = 1 WHERE Z_PK = 1"),
  ]

  static let bothHopsMutations = [
    Mutation("carried-links", "DELETE FROM Z_2NOTES WHERE Z_3NOTES = 7"),
    Mutation("carried-links", "UPDATE Z_2NOTES SET Z_2FOLDERS = 2 WHERE Z_3NOTES = 1"),
    Mutation("carried-order", "UPDATE Z_2NOTES SET Z_FOK_3NOTES = 1 WHERE Z_3NOTES = 1"),
    Mutation("carried-order", "UPDATE Z_3TAGS SET Z_FOK_5TAGS = 1"),
  ]

  private func check(_ mutation: Mutation, over sketches: [String]) throws {
    try TemporaryFolder.with { folder in
      let run = try SketchedRun(sketches, rows: Self.rows, in: folder)
      try SketchedStore.damage(run.result, mutation.statements)
      let report = try run.compare()
      let found = report.failures.map(\.name)
      #expect(found.contains(mutation.check), "\(report.checks)")
      // What is proven by sums is another way to the same answer.
      let proven = try run.compare(isProven: true)
      #expect(proven.failures == report.failures, "\(proven.checks)")
    }
  }

  @Test(arguments: 2...3, [false, true])
  func `a sound result passes`(versions: Int, isProven: Bool) throws {
    try TemporaryFolder.with { folder in
      let sketches = Array([Self.first, Self.second, Self.third].prefix(versions))
      let run = try SketchedRun(sketches, rows: Self.rows, in: folder)
      let report = try run.compare(isProven: isProven)
      #expect(report.passed && report.warnings.isEmpty, "\(report.checks)")
      let counts = Dictionary(uniqueKeysWithValues: report.checks.map { ($0.name, $0.count) })
      #expect(counts["carried-rows"] == 9)
      #expect(counts["carried-links"] == (versions == 2 ? Int64(3) : Int64(7)))
      #expect(counts["carried-tables"] == 2)
    }
  }

  @Test(arguments: mutations + firstHopMutations)
  func `a change in the result of one hop is found`(_ mutation: Mutation) throws {
    try check(mutation, over: [Self.first, Self.second])
  }

  @Test(arguments: mutations + bothHopsMutations)
  func `a change in the result of two hops is found`(_ mutation: Mutation) throws {
    try check(mutation, over: [Self.first, Self.second, Self.third])
  }

  @Test func `links that a to-one cannot hold are told and no others may go`() throws {
    try TemporaryFolder.with { folder in
      let narrow = Self.first.replacing("tags ->> Tag.items", with: "tags -> Tag.items")
      let run = try SketchedRun([Self.first, narrow], rows: Self.rows, in: folder)
      let report = try run.compare()
      #expect(report.passed, "\(report.failures)")
      let narrowed = report.checks.first { $0.name == "narrowed-links" }
      #expect(narrowed?.failures == 1)
      try SketchedStore.damage(run.result, "UPDATE ZNOTE SET ZTAGS = NULL WHERE Z_PK = 1")
      let failures = try run.compare().failures
      #expect(failures.map(\.name) == ["carried-links"], "\(failures)")
    }
  }

  @Test func `of links that both ends choose no more may go than the ends cannot hold`() throws {
    try TemporaryFolder.with { folder in
      // A 1 has B 1 and 2, A 2 has B 2 and A 3 has B 3: one link more than either end can hold.
      let run = try SketchedRun(
        [
          "A { n: Int32?; bs ->> B.as } B { n: Int32?; as ->> A.bs }",
          "A { n: Int32?; b -> B.a was bs } B { n: Int32?; a -> A.b was as }",
        ],
        rows: """
          INSERT INTO ZA (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1), (2, 1, 1), (3, 1, 1);
          INSERT INTO ZB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1), (2, 2, 1), (3, 2, 1);
          INSERT INTO Z_1BS (Z_1AS, Z_2BS) VALUES (1, 1), (1, 2), (2, 2), (3, 3)
          """,
        in: folder
      )
      let report = try run.compare()
      #expect(report.passed, "\(report.failures)")
      // The link that nothing competes with.
      try SketchedStore.damage(
        run.result,
        "UPDATE ZA SET ZB = NULL WHERE Z_PK = 3; UPDATE ZB SET ZA = NULL WHERE Z_PK = 3"
      )
      #expect(try run.compare().failures.map(\.name) == ["carried-links"])
      // Of those that do all three.
      try SketchedStore.damage(
        run.result,
        "UPDATE ZA SET ZB = NULL; UPDATE ZB SET ZA = NULL; "
          + "UPDATE ZA SET ZB = 3 WHERE Z_PK = 3; UPDATE ZB SET ZA = 3 WHERE Z_PK = 3"
      )
      #expect(try run.compare().failures.map(\.name) == ["carried-links"])
    }
  }

  @Test func `both sides of a new one-to-one choose among the objects that arrive`() throws {
    try TemporaryFolder.with { folder in
      // The first note of the box is of an entity that goes.
      let run = try SketchedRun(
        [
          "Box { n: Int32?; notes ->> Note.box } Note { box -> Box.notes } Person : Note {}",
          "Box { n: Int32?; notes -> Note.box } Note { box -> Box.notes }",
        ],
        rows: """
          INSERT INTO ZBOX (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1);
          INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZBOX) VALUES (1, 3, 1, 1), (2, 2, 1, 1)
          """,
        in: folder
      )
      let connection = try SQLiteConnection(path: run.result, access: .readOnly)
      #expect(try connection.rows("SELECT Z_PK, ZBOX FROM ZNOTE") == [[.integer(2), .integer(1)]])
      #expect(try connection.rows("SELECT ZNOTES FROM ZBOX") == [[.integer(2)]])
      let report = try run.compare()
      #expect(report.passed, "\(report.failures)")
      try SketchedStore.damage(run.result, "UPDATE ZNOTE SET ZBOX = NULL")
      #expect(try run.compare().failures.map(\.name) == ["carried-links"])
    }
  }

  /// The index of the result says what the source has, and its table something else.
  @Test func `a difference that an index of the result hides is found`() throws {  // F4
    try TemporaryFolder.with { folder in
      let run = try SketchedRun([Self.first, Self.second], rows: Self.rows, in: folder)
      let sound = try PageSurgery(run.result)
      try SketchedStore.damage(run.result, "UPDATE ZNOTE SET ZFOLDER = 2 WHERE Z_PK = 1")
      var pages = try PageSurgery(run.result)
      let root = try PageSurgery.root(of: "ZNOTE_ZFOLDER_INDEX", in: run.result)
      pages.take([root], from: sound)
      try pages.save()
      let report = try run.compare()
      let failures = report.failures
      #expect(failures.map(\.name) == ["index-entries", "carried-references"], "\(failures)")
      #expect(failures.last?.details.first?.primaryKeys == [1])
    }
  }

  /// Pairs that one set has twice are no difference to a query that takes them as sets.
  @Test func `links that differ in number alone are told without a place`() throws {  // F4
    let connection = try SQLiteConnection(path: ":memory:", access: .inMemory)
    try connection.createRowFunctions()
    let link = "SELECT 1 AS owner, 2 AS other, NULL AS owner_order, NULL AS other_order"
    for (result, source) in [
      (link, "\(link) UNION ALL \(link)"), ("\(link) UNION ALL \(link)", link),
    ] {
      var checks = CarriedChecks()
      try LinkComparison(entity: "Note", relationship: "tags", result: result, source: source)
        .run(connection, &checks)
      #expect(checks.links.failures == 1 && !checks.links.passed)
      #expect(checks.links.details.first?.message.contains("no query finds") == true)
    }
  }

  @Test func `an entity's rows go with it and references to them too`() throws {
    try TemporaryFolder.with { folder in
      let without = Self.first.replacing("Photo : Note { width: Double? }", with: "")
      let run = try SketchedRun([Self.first, without], rows: Self.rows, in: folder)
      let report = try run.compare()
      #expect(report.passed, "\(report.failures)")
      #expect(report.checks.first { $0.name == "carried-links" }?.count == 1)
      try SketchedStore.damage(run.result, "UPDATE ZFOLDER SET ZCOVER = 2 WHERE Z_PK = 1")
      #expect(try run.compare().failures.map(\.name) == ["carried-references"])
    }
  }

  @Test func `the lineage of an attribute goes back over renamings and conversions`() throws {
    try TemporaryFolder.with { folder in
      let run = try SketchedRun([Self.first, Self.second, Self.third], rows: Self.rows, in: folder)
      let lineage = try Lineage(run.plan)
      #expect(lineage.sourceEntity(of: "Author") == nil)
      #expect(lineage.finalEntity(of: "Scrap") == nil)
      #expect(lineage.attribute("heading", of: "Photo") == .carried(attribute: "title", []))
      guard case .carried("size", let conversions) = lineage.attribute("size", of: "Note") else {
        Issue.record("size is not carried")
        return
      }
      // A wider integer is stored as it was.
      #expect(conversions.isEmpty)
      #expect(
        lineage.attribute("rating", of: "Note")
          == .introduced(.integer(2), isExternal: false, [])
      )
      let folders = try #require(lineage.relationship("folders", of: "Photo"))
      #expect(folders.relationship == "folder" && folders.entity == "Photo")
      #expect(!folders.isNarrowed && folders.keepsInverseOrder && !folders.keepsOrder)
    }
  }
}
