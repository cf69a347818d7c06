import MigrationTestSupport
import PropertyLists
import StoreAccess
import Testing
import WaystoneCommand

/// The functions of hop files: patterns, dates in a time zone, new UUIDs, parts of archives.
@Suite struct HopFunctionTests {
  private static func entity(_ attributes: [(name: String, type: String)]) -> String {
    let lines = attributes.map {
      #"<attribute name="\#($0.name)" optional="YES" attributeType="\#($0.type)"/>"#
    }
    return #"<entity name="Call" syncable="YES">"# + lines.joined() + "</entity>"
  }

  private static let versions = [
    (
      name: "v1",
      entities: entity([("phone", "String"), ("when", "Date"), ("color", "Binary")])
    ),
    (
      name: "v2",
      entities: entity([
        ("area", "String"), ("bare", "String"), ("year", "Integer 16"), ("hour", "Integer 16"),
        ("id", "UUID"), ("other", "UUID"), ("red", "Double"),
      ])
    ),
  ]

  private static let hop = #"""
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

  private func with(_ hop: String, _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: folder + "/ModelArchive")
      try SketchedModel.write(hop, to: folder + "/ModelArchive/v1-to-v2.hop.yml")
      let made = CommandRun("generate", "v1", "--rows", "8", "-o", "s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      // Closed again before anything migrates.
      try fill(AppDatabase(folder + "/s.sqlite"))
      try body(folder)
    }
  }

  private func fill(_ store: AppDatabase) throws {
    try store.execute("UPDATE ZCALL SET ZPHONE = NULL, ZWHEN = NULL, ZCOLOR = NULL", [])
    // 2019-12-31T23:30:00Z, which is 2020 in Paris.
    try store.execute(
      "UPDATE ZCALL SET ZPHONE = '(030) 12 34', ZWHEN = 599527800, ZCOLOR = ? WHERE Z_PK < 3",
      [.blob(Self.color)]
    )
  }

  @Test func `arrays in each other without end stop the run, not the program`() throws {
    var writer = KeyedArchiveWriter()
    var nested = writer.array([])
    for _ in 0..<200 { nested = writer.array([nested]) }
    let deep = writer.archive(root: nested)
    try with(Self.hop.replacing("components.0", with: "")) { folder in
      try AppDatabase(folder + "/s.sqlite").execute(
        "UPDATE ZCALL SET ZCOLOR = ? WHERE Z_PK = 1",
        [.blob(deep)]
      )
      let run = CommandRun("migrate", "s.sqlite", in: folder)
      #expect(run.errors.contains("found arrays in each other without end"), "\(run.errors)")
    }
  }

  @Test func `values are computed, and nothing of nothing`() throws {
    try with(Self.hop) { folder in
      let plan = CommandRun("plan", "s.sqlite", in: folder)
      #expect(plan.status == .success, "\(plan.words)")
      let run = CommandRun("migrate", "s.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(CommandRun("verify", "s.sqlite", in: folder).status == .success)
      let store = try AppDatabase(folder + "/s.sqlite")
      let rows = try store.rows(
        "SELECT ZAREA, ZBARE, ZYEAR, ZHOUR, ZRED FROM ZCALL ORDER BY Z_PK"
      )
      #expect(
        rows[0] == [.text("030"), .text("(030-12-34"), .integer(2020), .integer(0), .real(0.5)]
      )
      #expect(rows[7] == [.null, .null, .null, .null, .null])
      #expect(
        try store.integer(
          "SELECT COUNT(*) FROM (SELECT ZID FROM ZCALL UNION SELECT ZOTHER FROM ZCALL)"
        ) == 16
      )
      #expect(try store.integer("SELECT COUNT(*) FROM ZCALL WHERE length(ZID) = 16") == 8)
    }
  }

  @Test(arguments: [
    (#""year", "Europe/Paris""#, #""year", "Europe/Nowhere""#, "no time zone that this system"),
    (#""hour", "Europe/Paris""#, #""fortnight", "UTC""#, "no part of a date"),
    (#""components.0""#, #""""#, "archivedValueAtPath: found"),
    (#""^\\(([0-9]+)\\)""#, #""(""#, "A pattern is no regular expression"),
  ])
  func `what cannot be computed stops the run`(good: String, bad: String, words: String) throws {
    let hop = Self.hop.replacing(good, with: bad)
    try #require(hop != Self.hop)
    try with(hop) { folder in
      let run = CommandRun("migrate", "s.sqlite", in: folder)
      #expect(run.status != .success)
      #expect(run.errors.contains(words), "\(run.errors)")
      let store = try AppDatabase(folder + "/s.sqlite")
      #expect(try store.integer("SELECT COUNT(ZPHONE) FROM ZCALL") == 2, "it is as it was")
    }
  }
}
