import MigrationTestSupport
import Testing
import Waystone

/// Verdicts on what the app does with stores that users have, for which `check` and `coverage` agree.
@Suite struct AppVerdictTests {
  // MARK: Renaming IDs

  private static let renamed = [
    "Book { title: String? }", "Book { heading: String? was title }", "Book { heading: String? }",
  ]

  @Test func `a Renaming ID that the current version of the same hashes lost is an error`() throws {
    try SketchedProject.with(Self.renamed, locked: 2) { project in
      try project.expectFailures(["error WS206 v3 Book.heading"])
      let lost = try project.coverage().gaps.of(.appLosesSilently)
      #expect(lost.briefs == ["error WS722 v1 Book.heading"])
      #expect(try !project.verdict())
      try project.accept("code: WS206, place: Book.heading, version: v3")
      #expect(try project.verdict())
      try project.accept("code: WS206, place: Book.isbn, version: v3")
      #expect(try !project.verdict())
      try project.configure("")
      try project.draw([("v3", Self.renamed[1])])
      #expect(try project.verdict())
    }
  }

  @Test func `an app that goes version by version keeps what a twin's Renaming ID renamed`() throws
  {
    try SketchedProject.with(Self.renamed, locked: 2, configured: "runtime: progressive") {
      project throws in
      #expect(try project.verdict())
    }
  }

  @Test func `a Renaming ID that is lost with another change is an error, too`() throws {
    let changed = Self.renamed.dropLast() + ["Book { heading: String?; isbn: String? }"]
    try SketchedProject.with(Array(changed), locked: 2) { project throws in
      try project.expectFailures(["error WS206 v3 Book.heading"])
      try project.expectGaps(["error WS722 v1 Book.heading"])
    }
  }

  // MARK: Conditions on the rows

  @Test(arguments: [
    ("n: String?", "n: String", "WS313", ""),
    ("n: Double?", "n: Int64?", "WS310", ", change: double to integer64"),
    ("n: Int64?", "n: Int16?", "WS310", ", change: integer64 to integer16"),
    ("n ->> Note", "n -> Note", "WS317", ""),
  ])
  func `what the app may lose or refuse fails until it is locked or accepted`(
    old: String,
    new: String,
    code: String,
    change: String
  ) throws {
    try SketchedProject.with("Note { \(old) }", "Note { \(new) }", locked: 1) { project in
      try project.expectFailures(["error \(code) v2 Note.n"])
      #expect(try project.coverage().gaps.contains { $0.code.rawValue == code })
      #expect(try !project.verdict())
      // A conversion of numbers is accepted for that conversion alone.
      try project.accept("code: \(code), place: Note.n, version: v2\(change)")
      #expect(try project.verdict())
      try project.configure("")
      try project.lock(["v2"])
      #expect(try project.check().isClean)
    }
  }

  @Test(arguments: [
    ("n: Binary?; t: String?; unique t", ["error WS314 v2 Note.t"]),
    ("n: Binary? external; t: String?", []),
  ])
  func `a new constraint on rows that exist fails, and files beside the store do not`(
    new: String,
    failures: [String]
  ) throws {
    try SketchedProject.with("Note { n: Binary?; t: String? }", "Note { \(new) }", locked: 1) {
      project throws in
      try project.expectFailures(failures)
      #expect(try project.verdict() == failures.isEmpty)
    }
  }

  @Test func `a path that depends on the rows is counted apart`() throws {
    try SketchedProject.with("Note { n: Double? }", "Note { n: Float? }", locked: 2) { project in
      let report = try project.coverage()
      #expect(report.isComplete && report.totals.conditional == 1)
    }
  }

  // MARK: Changes that touch no value

  @Test func `another default for what is new is no loss`() throws {
    try SketchedProject.with(
      "Note { t: String? }",
      "Note { t: String?; n: Int64? = 7 }",
      "Note { t: String?; n: Int64? }",
      "Note { t: String?; n: Int64?; x: String? }",
      locked: 3
    ) { project in
      let report = try project.coverage()
      #expect(report.isComplete, "\(report.gaps.briefs)")
      let (defaults, totals) = (report.allFindings.of(.appLosesSilently), report.totals)
      #expect(defaults.briefs == ["warning WS722 v1 Note.n"])
      #expect(totals.outcomes == [.otherDefaults: 1, .arrives: 2] && totals.percent == 100)
    }
  }

  // MARK: Copies

  private static let copied = [
    "Book { isbn: String?; title: String? }", "Book { title: String? }", "Book { title: String? }",
  ]

  @Test(arguments: [(2, []), (1, ["error WS302 v2 Book.isbn"])])
  func `the loss of a step is a finding of its first version alone, not of its copy`(
    locked: Int,
    dropped: [String]
  ) throws {
    try SketchedProject.with(Self.copied, locked: locked) { project in
      let check = try project.check { $0.threshold = .warning }
      #expect(check.isClean == dropped.isEmpty)
      #expect(check.allFindings.of(.attributeDropped).briefs == dropped)
    }
  }

  @Test(arguments: ["", "abstract "])
  func `a property is dropped from the child that lost its parent, not from the parent`(
    word: String
  ) throws {
    let parent = "\(word)Base { created: Date? } "
    let versions = [parent + "Note : Base { t: String? }", parent + "Note { t: String? }"]
    try SketchedProject.with(versions, locked: 1) { project in
      let dropped = try project.check().findings.of(.attributeDropped)
      #expect(dropped.briefs == ["error WS302 v2 Note.created"])
    }
  }
}
