import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import StoreVerification
import Testing

/// Each check of a store on its own can fail.
@Suite struct StoreVerifierTests {
  /// Numbers: Folder 1, Note 2, Photo 3, Tag 4.
  static let sketch = """
    Folder { name: String; notes ->> Note.folder ordered; cover -> Note.covers }
    Note {
      title: String; size: Int32?; folder -> Folder.notes; covers -> Folder.cover
      tags ->> Tag.notes
    }
    Photo : Note { width: Double? }
    Tag { name: String; notes ->> Note.tags; count: Int64? derived notes.@count; unique name }
    """

  static let rows = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZCOVER, Z2_COVER, ZNAME)
    VALUES (1, 1, 1, 2, 3, 'a'), (2, 1, 1, NULL, NULL, 'b');
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, Z_FOK_FOLDER, ZCOVERS, ZSIZE, ZTITLE)
    VALUES (1, 2, 1, 1, 2048, NULL, 7, 'x'), (2, 3, 1, 1, 3072, 1, NULL, 'y'),
    (3, 2, 1, NULL, NULL, NULL, 1, 'z');
    INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 4, 1, 't'), (2, 4, 1, 'u');
    INSERT INTO Z_2TAGS (Z_2NOTES, Z_4TAGS) VALUES (1, 1), (2, 1), (2, 2)
    """

  /// A change of a store, and the check that finds it.
  struct Damage: Sendable, CustomTestStringConvertible {
    let check: String
    let statements: String
    var isFatal = true
    var testDescription: String { "\(check): \(statements)" }

    init(_ check: String, _ statements: String, isFatal: Bool = true) {
      self.check = check
      self.statements = statements
      self.isFatal = isFatal
    }
  }

  static let damages = [
    Damage("tables", "DROP TABLE Z_2TAGS"),
    Damage(
      "tables",
      "CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER)"
    ),
    Damage("columns", "ALTER TABLE ZNOTE DROP COLUMN ZSIZE"),
    Damage("columns", "ALTER TABLE ZNOTE ADD COLUMN ZEXTRA INTEGER"),
    Damage("indexes", "DROP INDEX ZNOTE_ZFOLDER_INDEX"),
    Damage("indexes", "DROP INDEX Z_Tag_UNIQUE_name"),
    Damage("entity-numbers", "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_ENT = 3"),
    Damage("entity-numbers", "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT = 4"),
    Damage("leftovers", "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Old' WHERE Z_ENT = 4", isFatal: false),
    Damage("leftovers", "CREATE INDEX OWN ON ZNOTE (ZTITLE)", isFatal: false),
    Damage("metadata", "DELETE FROM Z_METADATA"),
    Damage("metadata", "UPDATE Z_METADATA SET Z_PLIST = x'00'"),
    Damage("model-cache", "UPDATE Z_MODELCACHE SET Z_CONTENT = x'0102'"),
    Damage("greatest-keys", "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_ENT = 2"),
    Damage("row-entities", "UPDATE ZNOTE SET Z_ENT = 4 WHERE Z_PK = 1"),
    Damage("row-entities", "UPDATE ZTAG SET Z_ENT = NULL WHERE Z_PK = 1"),
    Damage("references", "UPDATE ZNOTE SET ZFOLDER = 9 WHERE Z_PK = 1", isFatal: false),
    Damage("references", "DELETE FROM ZTAG WHERE Z_PK = 2", isFatal: false),
    Damage("references", "INSERT INTO Z_2TAGS VALUES (99, 1)", isFatal: false),
    Damage("reference-entities", "UPDATE ZFOLDER SET Z2_COVER = 2", isFatal: false),
    Damage("inverses", "UPDATE ZNOTE SET ZCOVERS = 2 WHERE Z_PK = 2", isFatal: false),
    Damage("order-keys", "UPDATE ZNOTE SET Z_FOK_FOLDER = 2048", isFatal: false),
    Damage("order-keys", "UPDATE ZNOTE SET Z_FOK_FOLDER = NULL", isFatal: false),
  ]

  func verify(
    _ path: String,
    _ model: ManagedObjectModel,
    level: VerificationLevel = .standard
  ) throws -> VerificationReport {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    return try StoreVerifier.verify(
      connection,
      schema: "main",
      model: model,
      names: .predicted,
      level: level
    )
  }

  @Test func `a sound store passes without a warning`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let store = try SketchedStore(model, rows: Self.rows, at: folder + "/store.sqlite")
      for level in [VerificationLevel.standard, .full] {
        let report = try verify(store.path, model, level: level)
        #expect(report.passed && report.warnings.isEmpty, "\(report.checks)")
        let counts = Dictionary(uniqueKeysWithValues: report.checks.map { ($0.name, $0.count) })
        #expect(counts["rows"] == 7)
        #expect(counts["references"] == 10)
        #expect(counts["inverses"] == 2)
        #expect(counts["order-keys"] == 2)
        #expect(counts["model-cache"] == 1)
        #expect(counts["version-digest"] == 2)
      }
    }
  }

  @Test(arguments: damages)
  func `damage is found by its check`(_ damage: Damage) throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let store = try SketchedStore(model, rows: Self.rows, at: folder + "/store.sqlite")
      try SketchedStore.damage(store.path, damage.statements)
      let report = try verify(store.path, model)
      let check = report.checks.first { $0.name == damage.check }
      #expect(check?.failures ?? 0 > 0, "\(report.checks)")
      #expect(check?.isFatal == damage.isFatal)
      #expect(report.passed == !damage.isFatal, "\(report.failures)")
      #expect(report.summary.contains(damage.isFatal ? report.failures[0].name : "warnings"))
    }
  }

  @Test func `another model is found by its hashes`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let store = try SketchedStore(model, rows: Self.rows, at: folder + "/store.sqlite")
      let other = try ModelSketch.model(Self.sketch.replacing("title: String", with: "title: URI"))
      let failed = Set(try verify(store.path, other).failures.map(\.name))
      #expect(failed == ["version-hashes", "version-digest"])
    }
  }

  @Test func `a damaged page is all that is reported`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let store = try SketchedStore(model, rows: Self.rows, at: folder + "/store.sqlite")
      var bytes = try #require(TemporaryFolder.bytes(of: store.path))
      for index in 8200..<12_000 { bytes[index] = 0xff }
      let damaged = folder + "/damaged.sqlite"
      try TemporaryFolder.write(bytes, to: damaged)
      let report = try verify(damaged, model)
      #expect(!report.passed)
      #expect(report.checks.map(\.name) == ["pages"])
    }
  }

  @Test(arguments: [VerificationLevel.standard, .full])
  func `an index that is not its table's is found`(_ level: VerificationLevel) throws {  // F4
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let store = try SketchedStore(model, rows: Self.rows, at: folder + "/store.sqlite")
      var pages = try PageSurgery(store.path)
      pages.swapCells(try PageSurgery.root(of: "ZNOTE_ZFOLDER_INDEX", in: store.path), 0, 2)
      try pages.save()
      let report = try verify(store.path, model, level: level)
      let failed = report.failures.map(\.name)
      #expect(failed == [level == .full ? "pages" : "index-entries"], "\(report.failures)")
    }
  }
}
