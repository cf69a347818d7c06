import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Synchronization
import Testing

/// Hop files that make one object of several, or lead several to one.
@Suite struct MergedObjectTests {
  private static let tag = "Tag { name: String?; color: String? }"
  private static let deduplicated =
    "entities:\n  - source: Tag\n    destination: Tag\n"
    + "    deduplicate: [name]"

  @Test func `objects that differ and become one are counted by the plan`() throws {
    let hop = try HopRun([Self.tag, Self.tag + " New { n: String? }"], Self.deduplicated)
    let names = "UPDATE ZTAG SET ZNAME = CASE WHEN Z_PK <= 7 THEN 'a' ELSE Z_PK END"
    let (differing, error) = try hop.run([names, "UPDATE ZTAG SET ZCOLOR = Z_PK"])
    let finding = try #require(differing.first { $0.code == .objectsMerged })
    #expect(error == nil && finding.risk == .lossy, "\(finding)")
    #expect(finding.evidence?.verdict == .refuted && finding.evidence?.rows == 7, "\(finding)")
    // Those that agree in all that is carried lose nothing, the absent name among them.
    let alike = "UPDATE ZTAG SET ZNAME = CASE WHEN Z_PK > 9 THEN 'a' END, ZCOLOR = 'red'"
    let (agreeing, _) = try hop.run([alike])
    let proven = try #require(agreeing.first { $0.code == .objectsMerged })
    #expect(proven.risk == .exact && proven.evidence?.verdict == .proven, "\(proven)")
    let absent = try hop.run(["UPDATE ZTAG SET ZNAME = NULL, ZCOLOR = Z_PK"]).findings
    #expect(absent.first { $0.code == .objectsMerged }?.evidence?.rows == 40)
  }

  private static let pair = "Note { tag -> Tag.note } Tag { name: String?; note -> Note.tag }"
  private static let looked = """
    entities:
      - source: Note
        destination: Note
        relationships:
          tag: {lookup: {entity: Tag, where: name, equals: $source.word}}
    """

  /// Sketches and hop files by which several notes get one tag, which has one note.
  private static let sharing: [(sketches: [String], hop: String, statements: [String])] = [
    ([pair, pair + " New { n: String? }"], deduplicated, ["UPDATE ZTAG SET ZNAME = 'a'"]),
    (
      ["Note { word: String? } Tag { name: String? }", pair], looked,
      ["UPDATE ZTAG SET ZNAME = Z_PK", "UPDATE ZNOTE SET ZWORD = CASE WHEN Z_PK < 5 THEN 3 END"]
    ),
  ]

  @Test(arguments: sharing)
  func `what several objects want and one may have stops the run`(
    sketches: [String],
    hop: String,
    statements: [String]
  ) throws {
    let hop = try HopRun(sketches, hop)
    let (findings, error) = try hop.run(statements)
    #expect(error?.code == .failed && error?.message.hasPrefix("WS317: in ") == true, "\(error)")
    #expect(
      findings.contains { $0.code == .becomesToOne && $0.risk == .conditional },
      "the plan does not say that it may"
    )
    let notes = Mutex<[String]>([])
    let accepted = try hop.run(statements, accepting: true) { event in
      if case .noted(let text) = event { notes.withLock { $0.append(text) } }
    }
    #expect(accepted.error == nil)
    #expect(notes.withLock { $0 }.contains { $0.hasPrefix("WS317: in ") && $0.contains("no room") })
  }

  @Test func `each that finds one of its own gets it`() throws {
    let hop = try HopRun(Self.sharing[1].sketches, Self.looked)
    let own = ["UPDATE ZTAG SET ZNAME = Z_PK", "UPDATE ZNOTE SET ZWORD = Z_PK"]
    #expect(try hop.run(own).error == nil)
  }

  /// Two notes with ordered lists of tags, the first and the third of which are one afterwards.
  private static let lists = [
    "DELETE FROM Z_1TAGS",
    "UPDATE ZTAG SET ZNAME = CASE Z_PK WHEN 3 THEN 1 ELSE Z_PK END",
    "INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS, Z_FOK_2TAGS) VALUES "
      + "(1, 1, 2048), (1, 2, 3072), (1, 3, 4096), (1, 4, 5120), "
      + "(2, 2, 2048), (2, 3, 3072), (2, 4, 4096), (2, 1, 5120)",
  ]

  @Test func `what stands in a list twice keeps its first place`() throws {
    let model =
      "Note { n: String?; tags ->> Tag.notes ordered } "
      + "Tag { name: String?; notes ->> Note.tags }"
    let hop = try HopRun(
      [model, model + " Zoo { n: String? }"],
      Self.deduplicated + "\n  - {source: Note, relationships: {tags: {from: tags}}}"
    )
    let check: (borrowing SQLiteConnection) throws -> Void = { connection in
      let order = try connection.rows(
        "SELECT o.Z_1NOTES, t.ZNAME FROM Z_1TAGS o JOIN ZTAG t ON t.Z_PK = o.Z_2TAGS "
          + "WHERE o.Z_1NOTES < 3 ORDER BY o.Z_1NOTES, o.Z_FOK_2TAGS"
      )
      let found = order.map { "\($0[0].integer ?? 0)\($0[1].text ?? "")" }
      #expect(found == ["11", "12", "14", "22", "21", "24"])
    }
    let (_, error) = try hop.run(Self.lists, inspect: check)
    #expect(error == nil, "\(String(describing: error))")
  }
}
