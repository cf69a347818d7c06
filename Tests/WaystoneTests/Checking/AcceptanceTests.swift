import MigrationTestSupport
import Testing
import Waystone

/// Acceptances of `waystone.yml`, which `check` and `coverage` honour alike.
@Suite struct AcceptanceTests {
  /// Two versions that each add a required attribute, so that no store gets over their steps.
  private static let blocked = [
    "Book { title: String? }", "Book { title: String?; isbn: String }",
    "Book { title: String?; isbn: String; year: Int16 }",
  ]

  private static let isbn = "code: WS707, place: Book.isbn, version: v2, change: no path"
  private static let year = "code: WS707, place: Book.year, version: v3, change: no path"

  @Test func `an accepted cause of a missing path does not hide another one`() throws {
    try SketchedProject.with(Self.blocked, locked: 2) { project in
      let stranded = try project.check().failures.of(.shippedVersionStranded)
      #expect(stranded.briefs.sorted() == ["error WS707 v2 Book.isbn", "error WS707 v3 Book.year"])
      try project.accept(Self.isbn)
      try project.expectFailures(["error WS707 v3 Book.year"])
      #expect(try !project.verdict())
      try project.accept(Self.isbn, Self.year)
      #expect(try project.verdict())
    }
  }

  @Test func `a version that blocks is mended by a default as long as no user has it`() throws {
    try SketchedProject.with(Self.blocked, locked: 2) { project in
      func gives() throws -> Bool {
        try project.check().allFindings.contains { $0.advice.givesDefault }
      }
      func optional() throws -> Bool {
        try project.check().failures.contains { $0.remedy.contains("Make it optional") }
      }
      #expect(try gives() || optional())
      try project.lock(["v3"])
      #expect(try !gives() && !optional())
    }
  }

  @Test func `a new required attribute may be an old one`() throws {
    try SketchedProject.with("Book { isbn: String }", "Book { isbn13: String }", locked: 1) {
      let failures = try $0.check().failures
      #expect(failures.map(\.place.subject) == ["Book.isbn13"])
      #expect(failures[0].advice.mark == .coreData)
    }
  }

  @Test func `a finding of a mapping is accepted, too`() throws {
    try SketchedProject.with(
      "Book { title: String?; tags ->> Tag.books } Tag { books ->> Book.tags }",
      "Book { title: String?; tags ->> Tag.books } abstract Tag { books ->> Book.tags }",
      locked: 1
    ) { project in
      try project.hop("[{drop: Tag}, {source: Book}]")
      let check = try project.check()
      #expect(check.mappings.flatMap(\.findings).of(.linksDropped).map(\.severity) == [.warning])
      let entries = Set(
        check.failures.map { finding in
          "code: \(finding.code.rawValue), place: \(finding.place.subject ?? "")"
            + (finding.change.map { #", change: "\#($0)""# } ?? "")
        }
      )
      try project.configure("accept:\n" + entries.map { "  - {\($0), reason: Tried.}\n" }.joined())
      try project.expectFailures([])
    }
  }

  @Test func `a hop file whose step is accepted in check is no gap in coverage`() throws {
    try SketchedProject.with(Array(Self.blocked.prefix(2)), locked: 1) { project in
      try project.hop(#"[{source: Book, attributes: {isbn: '"none"'}}]"#)
      try project.expectFailures(["error WS707 v2 Book.isbn"])
      #expect(try !project.verdict())
      try project.accept("code: WS707, place: Book.isbn, version: v2")
      #expect(try project.verdict())
      // Without the file there is no path at all, which the entry does not accept.
      try project.remove("v1-v2.hop.yml")
      #expect(try !project.verdict())
      #expect(try project.check().failures.contains { $0.change == "no path" })
    }
  }

  @Test func `coverage names the cause that is not accepted`() throws {
    try SketchedProject.with(Self.blocked, locked: 1) { project in
      try project.accept(Self.isbn)
      let report = try project.coverage()
      #expect(Set(report.openCauses.map(\.place.subject)) == ["Book.year"] && !report.isComplete)
      try project.accept(Self.isbn, Self.year)
      #expect(try project.verdict())
    }
  }

  @Test func `a finding of coverage alone is accepted without a word from check`() throws {
    try SketchedProject.with(Self.blocked[0], Self.blocked[0], locked: 2) { project in
      try project.accept("code: WS501, version: v2")
      #expect(try !project.check().allFindings.has(.acceptanceFitsNothing))
      try project.accept("code: WS301, place: Tag")
      let unfit = try project.check().allFindings.of(.acceptanceFitsNothing)
      #expect(unfit.map(\.place.line) == [4] && unfit[0].place.file == "waystone.yml")
    }
  }

  @Test func `what was accepted and is locked since then stays accepted`() throws {
    let versions = ["Book { old: String?; title: String? }", "Book { title: String? }"]
    try SketchedProject.with(versions, locked: 1) { project in
      try project.accept("code: WS302, place: Book.old, version: v2")
      try project.expectFailures([])
      try project.lock(["v2"])
      #expect(try project.check { $0.threshold = .warning }.isClean)
      #expect(try project.coverage().models.flatMap(\.paths).flatMap(\.accepted).isEmpty)
    }
  }

  @Test func `an acceptance of one conversion is none of another`() throws {
    try SketchedProject.with("Book { pages: Int64? }", "Book { pages: Int32? }") { project in
      func passes(_ change: String) throws -> Bool {
        try project.accept("code: WS310, place: Book.pages, version: v2\(change)")
        return try project.check { $0.threshold = .warning }.isClean
      }
      #expect(try !passes(""))
      #expect(try project.check().allFindings.contains { $0.change == "integer64 to integer32" })
      #expect(try passes(", change: integer64 to integer32"))
      try project.redraw("v2", "Book { pages: Boolean? }")
      #expect(try !passes(", change: integer64 to integer32"))
    }
  }

  @Test func `a version's own name is of none of two models that have it`() throws {
    let versions = [("v1", "Book { a: String?; b: String? }"), ("v2", "Book { a: String? }")]
    try SketchedProject.with(named: versions) { project in
      try project.draw(versions, of: "Other")
      for (name, count) in [("v2", 0), ("Library/v2", 1)] {
        try project.accept("code: WS302, version: \(name)")
        #expect(try project.check().accepted.count == count)
      }
    }
  }
}
