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
  fileprivate static let deduplicated =
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

extension MergedObjectTests {
  private static let shared = "Note { n: String?; tags ->> Tag.notes } "
  private static let tags = "Tag { name: String?; notes ->> Note.tags }"

  @Test func `links that become one are counted, by the plan, the run and its account`() throws {
    let hop = try HopRun(
      [Self.shared + Self.tags, Self.shared + Self.tags + " Zoo { n: String? }"],
      Self.deduplicated
    )
    // Eight links of which three are left: notes 1 and 2 have tags that become one.
    let statements = [
      "DELETE FROM Z_1TAGS", "UPDATE ZTAG SET ZNAME = CASE WHEN Z_PK < 5 THEN 'a' ELSE Z_PK END",
      "INSERT INTO Z_1TAGS (Z_1NOTES, Z_2TAGS) VALUES (1, 1), (1, 2), (1, 3), (1, 4), (2, 1), "
        + "(2, 2), (2, 3), (3, 5)",
    ]
    let notes = Mutex<[String]>([])
    var left: Int64?
    let (findings, error) = try hop.run(
      statements,
      onEvent: { event in
        if case .noted(let text) = event { notes.withLock { $0.append(text) } }
      },
      inspect: { left = try $0.integer("SELECT COUNT(*) FROM Z_1TAGS") }
    )
    #expect(error == nil && left == 3)
    let merged = findings.filter { $0.code == .linksMerged }
    #expect(merged.map(\.place.property) == ["tags"], "told once of the two sides")
    #expect(merged.first?.severity == .warning && merged.first?.evidence?.rows == 2, "\(merged)")
    #expect(notes.withLock { $0 }.contains { $0.hasPrefix("WS423: in Note.tags, 2 rows") })
    // Where none share a name, no link goes.
    let apart = try hop.run(["UPDATE ZTAG SET ZNAME = Z_PK"]).findings
    let proven = try #require(apart.first { $0.code == .linksMerged })
    #expect(proven.severity == .note && proven.evidence?.verdict == .proven)
  }

  @Test func `merged links are a line of their own in the account`() throws {
    let hop = try HopRun(
      [Self.shared + Self.tags, Self.shared + Self.tags + " Zoo { n: String? }"],
      Self.deduplicated
    )
    let (source, destination) = (hop.graph.nodes[0], hop.graph.nodes[1])
    let plan = try MigrationPlanner(graph: hop.graph)
      .plan(from: source, to: destination, options: PlanningOptions())
    var counts = StoreCounts()
    counts.entities["Note"] = StoreCounts.Entity(objects: 4)
    counts.entities["Note"]?.links["tags"] = ["Tag": 8]
    let account = try #require(HopForecast.accounts(of: plan, counts).first)
    let line = try #require(account.departures.first { $0.property == "tags" })
    #expect(line.fate == .merged && line.bounds.least == 8 && line.to == ["Note.tags"])
  }

  private static let books = "B { code: String? } A { code: String?; name: String? }"
  private static let found = "B { code: String?; a -> A.bs; n: String? } "
  private static let authors = "A { code: String?; name: String?; bs ->> B.a }"
  private static let lookups = """
    entities:
      - source: B
        attributes: {n: {lookup: {entity: A, where: code, equals: $source.code, value: name}}}
        relationships: {a: {lookup: {entity: A, where: code, equals: $source.code}}}
    """

  @Test(arguments: ["a", "n"])
  func `keys that find nothing are counted before the hop, and by the run`(_ name: String) throws {
    let hop = try HopRun([Self.books, Self.found + Self.authors], Self.lookups)
    let keys = [
      "UPDATE ZA SET ZCODE = Z_PK, ZNAME = 'n'",
      "UPDATE ZB SET ZCODE = CASE WHEN Z_PK < 4 THEN 'x' WHEN Z_PK > 9 THEN 5 END",
    ]
    let notes = Mutex<[String]>([])
    let (findings, error) = try hop.run(keys) { event in
      if case .noted(let text) = event { notes.withLock { $0.append(text) } }
    }
    #expect(error == nil)
    let finding = try #require(findings.first { $0.place.property == name })
    #expect(finding.code == .lookupFindsNothing && finding.severity == .warning, "\(finding)")
    // A row without a key asks for nothing.
    #expect(finding.evidence?.rows == 3 && finding.evidence?.keys == [1, 2, 3], "\(finding)")
    #expect(notes.withLock { $0 }.contains { $0.hasPrefix("WS422: in B.\(name), 3 rows") })
    let all = try hop.run(["UPDATE ZA SET ZCODE = Z_PK", "UPDATE ZB SET ZCODE = 3"]).findings
    #expect(all.first { $0.place.property == name }?.evidence?.verdict == .proven, "\(all)")
  }

  @Test(arguments: ["n: String", "a -> A.bs required"])
  func `what is required and finds nothing refuses the run`(_ property: String) throws {
    let model =
      property.hasPrefix("n")
      ? "B { code: String?; a -> A.bs; n: String } "
      : "B { code: String?; a -> A.bs required; n: String? } "
    let hop = try HopRun([Self.books, model + Self.authors], Self.lookups)
    let keys = [
      "UPDATE ZA SET ZCODE = Z_PK, ZNAME = CASE WHEN Z_PK <> 5 THEN 'n' END",
      "UPDATE ZB SET ZCODE = CASE WHEN Z_PK < 4 THEN 'x' WHEN Z_PK > 9 THEN 5 ELSE 6 END",
    ]
    let (findings, error) = try hop.run(keys)
    let finding = try #require(findings.first { $0.code == .requiredWithoutDefault })
    #expect(finding.isRefused, "\(finding)")
    let rows = finding.evidence?.rows ?? 0
    // The object with the key 5 is there, and has no name.
    #expect(property.hasPrefix("n") ? rows > 3 : rows == 3, "\(finding)")
    #expect(error != nil)
    let well = ["UPDATE ZA SET ZCODE = Z_PK, ZNAME = 'n'", "UPDATE ZB SET ZCODE = 6"]
    #expect(try hop.run(well).error == nil)
  }
}
