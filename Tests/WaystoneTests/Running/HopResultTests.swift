import Foundation
import MigrationTestSupport
import PropertyLists
import StoreAccess
import Testing
import Waystone

/// The rows that hops of sketched versions make.
@Suite struct HopResultTests {
  private func rows(_ project: SketchedProject, _ sql: String, of store: String = "o.sqlite") throws
    -> [[SQLiteValue]]
  {
    try AppDatabase("\(project.folder)/\(store)").rows(sql)
  }

  private func count(_ project: SketchedProject, _ sql: String, of store: String = "o.sqlite")
    throws
    -> Int64
  {
    try #require(try AppDatabase("\(project.folder)/\(store)").integer(sql))
  }

  // MARK: Texts

  private static let people = [
    "Book { title: String? }", "Book { first: String?; surname1: String?; surname2: String? }",
  ]

  private static let split: String = {
    let parts = #"FUNCTION($source.title, "componentsSeparatedByString:", ", ")"#
    let names = #"FUNCTION(\#(parts)[0], "componentsSeparatedByString:", " ")"#
    let values = "first: '\(parts)[1]', surname1: '\(names)[0]', surname2: '\(names)[1]'"
    return "[{source: Book, attributes: {\(values)}}]"
  }()

  @Test func `a full name becomes its parts by a hop file alone`() throws {
    try SketchedProject.with(Self.people) { project in
      let store = try project.store("v1", "UPDATE ZBOOK SET ZTITLE = 'García Pérez, Ana ' || Z_PK")
      try project.hop(Self.split)
      try project.migrate(store, to: "o.sqlite")
      let found = try rows(
        project,
        "SELECT ZFIRST || '|' || ZSURNAME1 || '|' || ZSURNAME2 FROM ZBOOK ORDER BY Z_PK"
      )
      #expect(found == (1...9).map { [.text("Ana \($0)|García|Pérez")] })
    }
  }

  @Test func `a plan counts rows for which an expression fails, by the code of the run`() throws {
    try SketchedProject.with(Self.people) { project in
      let store = try project.store("v1", "UPDATE ZBOOK SET ZTITLE = 'no comma'")
      try project.hop(Self.split)
      let refusals = try project.plan(store).check.refusals
      #expect(Set(refusals.map(\.code)) == ["WS428"])
      #expect(refusals.contains { $0.finding?.place.subject == "Book.first" })
      let error = #expect(throws: (any Error).self) { try project.migrate(store, to: "o.sqlite") }
      #expect((error as? MigrationError)?.refusal == "WS428" && !"\(error!)".contains("comma"))
    }
  }

  @Test(arguments: [
    ("", 2, "A"), ("{source: B}", 2, "B"), ("{source: A, destination: B, name: more}", 3, "A"),
  ])
  func `parts of a text become objects of an entity that gets others too`(
    last: String,
    perText: Int64,
    others: String
  ) throws {
    try SketchedProject.with(
      "A { t: String? } B { u: String? }",
      "A { t: String? } B { u: String?; w: String? }"
    ) {
      project in
      let store = try project.store("v1", "UPDATE ZA SET ZT = 'b-c'")
      try project.hop(
        "[{source: A}, {source: A, destination: B, split: {text: $source.t, separator: '-'}, "
          + "attributes: {u: $piece}}, \(last)]"
      )
      let texts = try count(project, "SELECT COUNT(*) FROM ZA", of: store)
      let kept = try count(project, "SELECT COUNT(*) FROM ZB", of: store)
      try project.migrate(store, to: "o.sqlite")
      let after = try count(project, "SELECT COUNT(*) FROM ZB")
      #expect(after == perText * texts + kept)
    }
  }

  // MARK: Functions

  private static let call = [
    "Call { phone: String?; when: Date?; color: Binary? }",
    """
    Call { area: String?; bare: String?; year: Int16?; hour: Int16?; id: UUID?; other: UUID?
      red: Double? }
    """,
  ]

  private static let functions = #"""
    from: v1
    to: v2
    entities:
      - source: Call
        attributes:
          area: FUNCTION($source.phone, "firstMatchOfPattern:", "^\\(([0-9]+)\\)")
          bare: FUNCTION($source.phone, "stringByReplacingMatchesOfPattern:withTemplate:", "([0-9])[^0-9]+", "$1-")
          year: FUNCTION($source.when, "component:inTimeZone:", "year", "Europe/Paris")
          hour: FUNCTION($source.when, "component:inTimeZone:", "hour", "Europe/Paris")
          id: FUNCTION($manager, "newUUID")
          other: FUNCTION($manager, "newUUID")
          red: FUNCTION($source.color, "archivedValueAtPath:", "components.0")

    """#

  /// An archive of `{components: [0.5, 1]}`.
  private static let color: [UInt8] = {
    var writer = KeyedArchiveWriter()
    let parts = writer.array([writer.scalar(.real(0.5)), writer.scalar(.real(1))])
    let root = writer.dictionary([(writer.string("components"), parts)])
    return writer.archive(root: root)
  }()

  private func withCalls(
    _ hop: String,
    color: [UInt8] = Self.color,
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try SketchedProject.with(Self.call) { project in
      try project.write(hop, to: "v1-v2.hop.yml")
      let nothing = "UPDATE ZCALL SET ZPHONE = NULL, ZWHEN = NULL, ZCOLOR = NULL"
      let store = try project.store("v1", rows: 8, nothing)
      // 2019-12-31T23:30:00Z, which is 2020 in Paris.
      _ = try AppDatabase("\(project.folder)/\(store)").execute(
        "UPDATE ZCALL SET ZPHONE = '(030) 12 34', ZWHEN = 599527800, ZCOLOR = ? WHERE Z_PK < 3",
        [.blob(color)]
      )
      try body(project)
    }
  }

  @Test func `values are computed, and nothing of nothing`() throws {
    try withCalls(Self.functions) { project in
      #expect(try project.plan("s.sqlite").refusals.isEmpty)
      #expect(try project.migrate("s.sqlite", to: "o.sqlite").verification.passed)
      let found = try rows(
        project,
        "SELECT ZAREA, ZBARE, ZYEAR, ZHOUR, ZRED FROM ZCALL ORDER BY Z_PK"
      )
      #expect(
        found[0] == [.text("030"), .text("(030-12-34"), .integer(2020), .integer(0), .real(0.5)]
      )
      #expect(found[7] == [.null, .null, .null, .null, .null])
      let ids = "SELECT COUNT(*) FROM (SELECT ZID FROM ZCALL UNION SELECT ZOTHER FROM ZCALL)"
      #expect(try count(project, ids) == 16)
      #expect(try count(project, "SELECT COUNT(*) FROM ZCALL WHERE length(ZID) = 16") == 8)
    }
  }

  @Test(arguments: [
    (#""year", "Europe/Paris""#, #""year", "Europe/Nowhere""#, "no time zone that this system"),
    (#""hour", "Europe/Paris""#, #""fortnight", "UTC""#, "no part of a date"),
    (#""components.0""#, #""""#, "archivedValueAtPath: found"),
    (#""^\\(([0-9]+)\\)""#, #""(""#, "A pattern is no regular expression"),
  ])
  func `what cannot be computed stops the run`(good: String, bad: String, words: String) throws {
    let hop = Self.functions.replacing(good, with: bad)
    try #require(hop != Self.functions)
    try withCalls(hop) { project throws in
      let error = #expect(throws: (any Error).self) { try project.migrate("s.sqlite") }
      #expect(error.map { "\($0)" }?.contains(words) == true)
      // It is as it was.
      #expect(try count(project, "SELECT COUNT(ZPHONE) FROM ZCALL", of: "s.sqlite") == 2)
    }
  }

  @Test func `arrays in each other without end stop the run, not the program`() throws {
    var writer = KeyedArchiveWriter()
    var nested = writer.array([])
    for _ in 0..<200 { nested = writer.array([nested]) }
    let deep = writer.archive(root: nested)
    try withCalls(Self.functions.replacing("components.0", with: ""), color: deep) {
      project throws in
      let error = #expect(throws: (any Error).self) { try project.migrate("s.sqlite") }
      #expect(error.map { "\($0)" }?.contains("arrays in each other without end") == true)
    }
  }

  // MARK: Links

  @Test func `an object that becomes several shares no link where the other end holds one`() throws
  {
    try SketchedProject.with(
      "A { bs ->> B.a } B { a -> A.bs }",
      "Base { bs ->> B.a } A1 : Base {} A2 : Base {} B { a -> Base.bs }"
    ) { project in
      let links = "{bs: $source.bs}"
      try project.hop(
        "[{source: A, destination: A1, relationships: \(links)}, "
          + "{source: A, destination: A2, relationships: \(links)}, "
          + "{source: B, relationships: {a: null}}]"
      )
      let store = try project.store("v1", rows: 60)
      let error = #expect(throws: (any Error).self) { try project.migrate(store, to: "o.sqlite") }
      #expect((error as? MigrationError)?.refusal == "WS317")
      try project.migrate(store, to: "o.sqlite") { $0.settings.acceptsChangedValues = true }
      let before = try count(project, "SELECT COUNT(ZA) FROM ZB", of: store)
      let after = try count(project, "SELECT COUNT(ZA) FROM ZB")
      #expect(before == after && before > 10)
    }
  }

  @Test
  func `links of two mappings that one end has no room for are lost only where that is accepted`()
    throws
  {
    try SketchedProject.with(
      "Person { items ->> Item.person } Company { items ->> Item.company } "
        + "Item { person -> Person.items; company -> Company.items }",
      "Contact { items ->> Item.owner } Item { owner -> Contact.items }"
    ) { project in
      let links = "destination: Contact, relationships: {items: {from: items}}"
      try project.hop(
        "[{source: Person, \(links)}, {source: Company, \(links)}, "
          + "{source: Item, relationships: {owner: null}}]"
      )
      let store = try project.store("v1", rows: 90)
      let error = #expect(throws: (any Error).self) { try project.migrate(store, to: "o.sqlite") }
      #expect(error.map { "\($0)" }?.contains("WS317") == true)
      try project.migrate(store, to: "o.sqlite") { $0.settings.acceptsChangedValues = true }
      let one = "ZPERSON IS NOT NULL OR ZCOMPANY IS NOT NULL"
      let both = "ZPERSON IS NOT NULL AND ZCOMPANY IS NOT NULL"
      #expect(try count(project, "SELECT COUNT(*) FROM ZITEM WHERE \(both)", of: store) > 2)
      let left = try count(project, "SELECT COUNT(*) FROM ZITEM WHERE \(one)", of: store)
      #expect(try count(project, "SELECT COUNT(ZOWNER) FROM ZITEM") == left)
    }
  }

  // MARK: Derived attributes

  private static func note(_ attributes: String) -> String {
    "Note { \(attributes); tags ->> Tag.notes } Tag { size: Int32?; notes ->> Note.tags }"
  }

  @Test func `a count over a many-to-many is computed, and a sum stays empty`() throws {
    let added = "tagCount: Int64? derived tags.@count; total: Int64? derived tags.@sum.size"
    try SketchedProject.with(Self.note(""), Self.note(added)) { project in
      try project.migrate(project.store("v1", rows: 40), to: "o.sqlite")
      let counts = try rows(
        project,
        "SELECT ZTAGCOUNT, (SELECT COUNT(*) FROM Z_1TAGS WHERE Z_1NOTES = Z_PK), ZTOTAL FROM ZNOTE"
      )
      #expect(counts.allSatisfy { $0[0] == $0[1] && $0[2] == .null })
      #expect(counts.contains { $0[0].integer ?? 0 > 0 })
    }
  }

  @Test func `a sum that was a count two versions before does not keep the counts`() throws {
    try SketchedProject.with(
      Self.note("total: Int64? derived tags.@count"),
      Self.note("total: Int64?"),
      Self.note("total: Int64? derived tags.@sum.size")
    ) { project in
      try project.migrate(project.store("v1", rows: 40), to: "o.sqlite")
      let totals = try rows(project, "SELECT ZTOTAL FROM ZNOTE")
      #expect(!totals.isEmpty && totals.allSatisfy { $0[0] == .null })
    }
  }

  @Test func `a derived attribute of another name and the same hash does not arrive`() throws {
    try SketchedProject.with(
      Self.note("total: Int64? derived tags.@count"),
      Self.note("totals: Int64? derived tags.@count")
    ) { project in
      let report = try project.coverage()
      #expect(!report.isComplete && report.outcomes == ["v1: unknown"])
    }
  }
}
