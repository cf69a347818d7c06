import Files
import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Questions to stores that are not quite what their models say.
@Suite struct OddStoreTests {
  private let sketch = """
    Folder { title: String?; cover -> Note; notes ->> Note.folder }
    Note { body: String?; data: Binary? external; folder -> Folder.notes; tags ->> Tag.notes }
    Tag { name: String?; notes ->> Note.tags }
    """

  private let rows = """
    INSERT INTO ZFOLDER (Z_PK, Z_ENT, Z_OPT, ZCOVER, ZTITLE) VALUES (1, 1, 1, 1, 'a'),
      (2, 1, 1, NULL, NULL), (3, 1, 1, 99, 'a');
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZFOLDER, ZBODY, ZDATA) VALUES
      (1, 2, 1, 1, 'x', x'0141'), (2, 2, 1, 1, NULL, NULL), (3, 2, 1, 77, 'y', NULL);
    """

  /// A store's answer to one question.
  private func answer(
    _ kind: Precondition.Kind,
    _ entity: String,
    _ property: String,
    damaged statements: String = "",
    predicates: [Predicate] = [],
    prepare: (String) throws -> Void = { _ in }
  ) throws -> Precondition.Answer {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(sketch)
      let path = folder + "/store.sqlite"
      _ = try SketchedStore(model, rows: rows, at: path)
      if !statements.isEmpty { try SketchedStore.damage(path, statements) }
      try prepare(path)
      let before = TemporaryFolder.bytes(of: path)
      let questions = try StorePreconditionChecker(reading: path, model: model)
      let answer = questions.answer(
        to: Precondition(
          .attributeDropped,
          entity: entity,
          property: property,
          kind,
          [Precondition.Subject(entity, [.carried([property])], predicates: predicates)]
        )
      )
      try questions.checkUnchanged()
      #expect(TemporaryFolder.bytes(of: path) == before)
      #expect(TemporaryFolder.names(in: folder).filter { $0.hasSuffix("-wal") }.isEmpty)
      return answer
    }
  }

  @Test func `rows are counted, and their least keys named`() throws {
    #expect(
      try answer(.present, "Folder", "title") == .refuted(rows: 1, of: 3, groups: nil, keys: [2])
    )
    #expect(
      try answer(.unique, "Folder", "title") == .refuted(rows: 2, of: 3, groups: 1, keys: [1, 3])
    )
    #expect(
      try answer(.atMostOneLink, "Folder", "notes")
        == .refuted(rows: 1, of: 3, groups: nil, keys: [1])
    )
    #expect(
      try answer(.linkCount(least: 1, greatest: .max), "Folder", "notes")
        == .refuted(rows: 2, of: 3, groups: nil, keys: [2, 3])
    )
    #expect(try answer(.noLinks, "Note", "tags") == .proven(of: 3))
  }

  @Test func `a reference to a row that is not there is no link`() throws {
    #expect(
      try answer(.referencesExist(entity: "Note"), "Folder", "cover")
        == .refuted(rows: 1, of: 3, groups: nil, keys: [3])
    )
    #expect(
      try answer(.linkCount(least: 1, greatest: .max), "Note", "folder")
        == .refuted(rows: 1, of: 3, groups: nil, keys: [3])
    )
  }

  @Test(arguments: [
    ("(1, 1), (2, 1)", 0, 2, []), ("(1, 99), (88, 1), (2, 1)", 2, 3, [1, 88]),
    ("(NULL, 1), (1, NULL), (1, 0.5)", 3, 3, [1]),
  ])
  func `a row of a table of links without an object at an end is counted, and its owner named`(
    rows: String,
    broken: Int64,
    total: Int64,
    keys: [Int64]
  ) throws {
    let statements =
      "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 3, 1); "
      + "INSERT INTO Z_2TAGS (Z_2NOTES, Z_3TAGS) VALUES \(rows)"
    #expect(
      try answer(.linksExist, "Note", "tags", damaged: statements)
        == (broken == 0
          ? .proven(of: total) : .refuted(rows: broken, of: total, groups: nil, keys: keys))
    )
  }

  @Test func `a missing column or table makes its questions unknown`() throws {
    let column = try answer(
      .present,
      "Folder",
      "title",
      damaged: "ALTER TABLE ZFOLDER DROP COLUMN ZTITLE"
    )
    #expect(column == .unknown("the store has no column ZFOLDER.ZTITLE"))
    let table = try answer(.noValues, "Tag", "name", damaged: "DROP TABLE ZTAG")
    #expect(table == .unknown("the store has no table ZTAG"))
  }

  @Test func `entities with other numbers make all questions unknown`() throws {
    let answer = try answer(
      .present,
      "Note",
      "body",
      damaged: "UPDATE Z_PRIMARYKEY SET Z_ENT = 9 - Z_ENT"
    )
    #expect(answer == .unknown("the store numbers its entities in another way than its model"))
  }

  @Test func `a file that is not beside the store is missed`() throws {
    let name = "0E7C9D8A-1B2C-4D3E-8F40-112233445566"
    let value = "CAST(x'02' || CAST('\(name)' AS BLOB) || x'00' AS BLOB)"
    let damage = "UPDATE ZNOTE SET ZDATA = \(value) WHERE Z_PK = 2"
    #expect(
      try answer(.filesPresent(isLeaving: true), "Note", "data", damaged: damage)
        == .refuted(rows: 1, of: 3, groups: nil, keys: [2])
    )
    let present = try answer(.filesPresent(isLeaving: true), "Note", "data", damaged: damage) {
      path in
      let folder = try StoreFiles(store: path).externalData
      try FileSystem.ensureFolder(FileSystem.folder(of: folder))
      try FileSystem.ensureFolder(folder)
      try TemporaryFolder.write([1], to: "\(folder)/\(name)")
    }
    #expect(present == .proven(of: 3))
  }

  @Test(arguments: ["x'07ff'", "'text'", "5", "CAST(x'022e2e2f2e2e2f6100' AS BLOB)"])
  func `a value in no form of external storage is found`(value: String) throws {
    #expect(
      try answer(
        .filesPresent(isLeaving: true),
        "Note",
        "data",
        damaged: "UPDATE ZNOTE SET ZDATA = \(value) WHERE Z_PK = 2"
      ) == .refuted(rows: 1, of: 3, groups: nil, keys: [2])
    )
  }

  @Test func `rows that a filter leaves out are not asked`() throws {
    let filled = Predicate.comparison(
      .init(.keyPath(.evaluatedObject, ["folder"]), .notEqual, .constant(nil))
    )
    #expect(
      try answer(.present, "Note", "body", predicates: [filled])
        == .refuted(rows: 1, of: 2, groups: nil, keys: [2])
    )
    let opaque = Predicate.comparison(
      .init(.function(.evaluatedObject, selector: "secret", arguments: []), .equal, .constant(nil))
    )
    #expect(
      try answer(.present, "Note", "body", predicates: [opaque])
        == .unknown("not all of the rows are concerned")
    )
    #expect(try answer(.noLinks, "Note", "tags", predicates: [opaque]) == .proven(of: 3))
  }
}
