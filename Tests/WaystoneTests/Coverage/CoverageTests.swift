import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// The versions that count in coverage, their outcomes in the app, and the gaps that hold a release.
@Suite struct CoverageTests {
  /// Books whose `title` becomes `heading`, before the name is used again.
  private static let titles = [
    "Book { title: String? }", "Book { heading: String? was title }",
    "Book { heading: String?; title: String? was formOfAddress }",
  ]

  /// A year that becomes a number, which nothing infers.
  private static let years = [
    "Book { title: String? }", "Book { title: String?; year: String? }",
    "Book { title: String?; year: Int16? }",
  ]

  // MARK: Versions that count

  @Test(arguments: [
    ("shipped: [v2, v3]", AppRuntime?.none, ["v2: unknown"]),
    ("runtime: progressive", nil, ["v1: unknown", "v2: unknown"]),
    ("runtime: progressive", .direct, ["v1: loses", "v2: unknown"]),
  ])
  func `versions that were not shipped do not count, and the app's way decides`(
    configuration: String,
    runtime: AppRuntime?,
    outcomes: [String]
  ) throws {
    try SketchedProject.with(Self.titles, configured: configuration) { project in
      let report = try project.coverage(runtime)
      #expect(report.outcomes == outcomes)
    }
  }

  @Test func `versions that are not locked yet were not shipped`() throws {
    try SketchedProject.with(Array(Self.titles.prefix(2)), locked: 2) { project in
      try project.draw([("v2b", "Book { z: String? was title }"), ("v3", Self.titles[2])])
      let paths = try project.coverage().models.flatMap(\.paths)
      #expect(paths.map(\.versions) == [["v1"], ["v2"]])
    }
  }

  @Test func `a threshold holds a release that nothing vouches for`() throws {
    try SketchedProject.with(LockTests.library) { project in
      let report = try project.coverage { $0.minimumPercent = 100 }
      #expect(report.isComplete && report.totals.percent == 100)
    }
    // From v1 Core Data infers over the step that has no mapping.
    try SketchedProject.with(Self.years, configured: "shipped: [v1, v3]") { project in
      let report = try project.coverage { $0.minimumPercent = 50 }
      #expect(report.totals.outcomes == [.unknown: 1] && report.totals.percent == 0)
      #expect(report.gaps.has(.coverageTooLow))
    }
  }

  @Test func `versions of the same hashes count one by one`() throws {
    try SketchedProject.with(
      Self.titles[0],
      Self.titles[0],
      Self.titles[1],
      "Book { name: String? was heading }"
    ) { project in
      let report = try project.coverage()
      #expect(report.outcomes == ["v1, v2: loses", "v3: unknown"])
      #expect(report.totals.paths == 3 && report.totals.outcomes[.loses] == 2)
    }
  }

  @Test func `gaps of stores are no gaps of versions`() throws {
    try SketchedProject.with(Self.years, locked: 2) { project in
      let store = try project.store("v1")
      let report = try project.coverage { $0.stores = [store] }
      #expect(report.totals.paths == 2)
      let own = report.models.flatMap(\.paths).filter { $0.store != nil }
      #expect(own.map { $0.gaps(from: .error).isEmpty } == [false])
    }
  }

  // MARK: Losses

  @Test func `the loss of one property from several versions is a finding of each`() throws {
    try SketchedProject.with(
      Self.titles[0],
      "Book { caption: String? was title }",
      "Book { heading: String? was caption }",
      "Book { heading: String?; pages: String? }"
    ) { project in
      let lost = try project.coverage().gaps.of(.appLosesSilently)
      #expect(lost.briefs == ["error WS722 v1 Book.heading", "error WS722 v2 Book.heading"])
    }
  }

  @Test func `a silent loss is accepted by its code and place`() throws {
    try SketchedProject.with(
      Self.titles[0],
      Self.titles[1],
      "Book { name: String? was heading }"
    ) { project in
      try project.expectGaps(["error WS722 v1 Book.name"])
      try project.accept("code: WS722, place: Book.name")
      let accepted = try project.coverage()
      #expect(!accepted.gaps.has(.appLosesSilently) && accepted.totals.outcomes[.loses] == 1)
    }
  }

  @Test func `a loss by Renaming IDs that disagree is mended by these`() throws {
    try SketchedProject.with(
      "Item { silenced: String? }",
      "Item { silenced: String? was muted; x: String? }",
      "Item { muted: String?; x: String? }"
    ) { project in
      let lost = try #require(try project.coverage().gaps.of(.appLosesSilently).first)
      #expect(lost.brief == "error WS722 v1 Item.muted")
      #expect((lost.message + lost.remedy).contains("WS206 of Item.silenced in v2"))
    }
  }

  @Test func `findings beside gaps count, and a hop file's drops have no Renaming ID`() throws {
    try SketchedProject.with("Item { a: String?; b: String? }", "Item { a: Date? }") { project in
      try project.hop("[{source: Item, attributes: {a: null}}]")
      let report = try project.coverage()
      #expect(!report.isComplete && !report.models[0].paths[0].gaps(from: .error).isEmpty)
      #expect(report.findings.filter { $0.severity >= report.threshold }.count == 2)
      let dropped = try project.check().failures.of(.attributeDropped)
      #expect(dropped.map(\.place.subject) == ["Item.a", "Item.b"])
      #expect(dropped.allSatisfy { $0.advice.mark == nil })
    }
  }

  // MARK: Acceptances

  @Test func `an accepted missing path lets a run pass, and Waystone still has none`() throws {
    try SketchedProject.with(
      "Book { year: String? }",
      "Book { year: String?; isbn: String? }",
      "Book { year: Int32?; isbn: String? }",
      locked: 2
    ) { project in
      #expect(try !project.verdict())
      try project.accept("code: WS707, place: Book.year, version: v3, change: no path")
      #expect(try project.verdict())
      let report = try project.coverage()
      #expect(report.totals.reachable == 0)
      #expect(Set(report.models.flatMap(\.paths).flatMap(\.accepted).map(\.reason)) == ["Tried."])
    }
  }

  @Test(arguments: 0...2)
  func `the app that was tried does not accept that Waystone has no path`(count: Int) throws {
    try SketchedProject.with("Book { t: String? }", "abstract Book { t: String? }", locked: 1) {
      project in
      let entries = [
        "  - {code: WS322, place: Book, version: v2, reason: Tried.}\n",
        "  - {code: WS707, place: Book, version: v2, change: no path, reason: Tried.}\n",
      ]
      try project.configure((count > 0 ? "accept:\n" : "") + entries.prefix(count).joined())
      #expect(try project.verdict() == (count == 2))
    }
  }

  @Test func `versions behind the current one get no advice that coverage lacks`() throws {
    try SketchedProject.with(Self.years, locked: 2, configured: "current: v1") { project in
      let report = try project.coverage()
      #expect(report.outcomes == ["v2: fails"])
      #expect(report.allFindings.allSatisfy { !$0.remedy.contains("--downgrade") })
    }
  }

  // MARK: Versions that are gone back to

  @Test(arguments: [
    (["a: String?; n: String?", "n: String?", "a: String?; n: String?"], 1, "v2 Note.a"),
    (["a: String?", "a: String?; n: String?", "a: String?"], 2, "v3 Note.n"),
  ])
  func `the drop of a new version that goes back stays a loss until it is accepted`(
    versions: [String],
    locked: Int,
    lost: String
  ) throws {
    try SketchedProject.with(versions.map { "Note { \($0) }" }, locked: locked) { project in
      try project.expectFailures(["error WS302 \(lost)"])
      try project.expectGaps(["error WS302 \(lost)"])
      let parts = lost.split(separator: " ")
      try project.accept("code: WS302, place: \(parts[1]), version: \(parts[0])")
      #expect(try project.verdict())
      // An acceptance stays one once users have the version.
      try project.lock(["v2"])
      #expect(try project.check { $0.threshold = .warning }.isClean)
    }
  }

  @Test(arguments: [
    (
      "Note in Cloud { a: String? } Tag in Local {}",
      "Note in Local { a: String? } Tag in Cloud {}",
      "WS334"
    ),
    ("Note { a: Transformable? by A }", "Note { a: Transformable? by B }", "WS331"),
  ])
  func `a loss between versions of the same hashes fails check and coverage`(
    first: String,
    second: String,
    code: String
  ) throws {
    try SketchedProject.with(first, second, locked: 1, configured: "configurations: used") {
      project throws in
      let failures = try project.check().failures
      #expect(failures.allSatisfy { $0.code.rawValue == code && $0.place.version == "v2" })
      #expect(try project.coverage().gaps.contains { $0.code.rawValue == code })
      #expect(try !project.verdict())
    }
  }

  @Test func `a property of another transformer arrives if the data fit`() throws {
    try SketchedProject.with(
      "Note { a: Transformable? by A }",
      "Note { a: Transformable? by B }",
      locked: 1
    ) { project in
      let totals = try project.coverage().totals
      #expect(totals.conditional == 1 && totals.outcomes == [.arrives: 1])
    }
  }

  @Test(arguments: [AppRuntime.direct, .progressive])
  func `each version depends on what the last one's transformer reads`(runtime: AppRuntime) throws {
    try SketchedProject.with(
      "Note { tags: Transformable? }",
      "Note { tags: Transformable?; text: String? }",
      "Note { tags: Transformable? by Tags; text: String? }"
    ) { project in
      #expect(try project.coverage(runtime).totals.conditional == 2)
      let (first, second) = (try project.plan("v1", to: "v3"), try project.plan("v2", to: "v3"))
      #expect(first.findings.has(.transformerChanged) && second.plan.hops.isEmpty)
      #expect(second.findings.has(.transformerChanged))
      // To the version that wrote the values no hop changes anything.
      #expect(try !project.plan("v1", to: "v2").findings.has(.transformerChanged))
    }
  }

  // MARK: Steps that the app cannot take

  @Test func `versions that the app cannot open for one cause are one cause`() throws {
    try SketchedProject.with(
      "Book { title: String?; x: String? }",
      "Book { title: String?; x: String?; z: String? }",
      "Book { title: String? }",
      "Book { title: String?; x: Int32? }",
      locked: 3
    ) { project in
      let stranded = try project.check().failures.of(.shippedVersionStranded)
      #expect(Set(stranded.map(\.place.subject)) == ["Book.x"])
      #expect(try project.coverage().outcomes.prefix(2) == ["v1: fails", "v2: fails"])
    }
  }

  @Test func `a locked version that lacks nothing but a default is mended by one`() throws {
    func versions(_ isbn: String) -> [String] {
      ["", isbn, "\(isbn); x: String?"].map { "Book { title: String?; \($0) }" }
    }
    try SketchedProject.with(versions("isbn: String"), locked: 2) { project in
      let failures = try project.check().failures
      #expect(Set(failures.map(\.place.subject)) == ["Book.isbn"])
      #expect(failures.contains { $0.remedy.contains("v2, v3") })
      for (index, sketch) in versions("isbn: String = -").enumerated() {
        try project.redraw("v\(index + 1)", sketch)
      }
      try project.lock(accepting: "v2")
      #expect(try project.verdict())
    }
  }

  // MARK: Reliance

  private static let conversion =
    #"[{source: A, attributes: {n: 'CAST($source.n, "NSNumber")'}}]"#

  @Test(arguments: [
    ("", false), ("relies-on: app", false), ("relies-on: both", false),
    ("relies-on: waystone", true),
  ])
  func `a step that Waystone alone can take holds what relies on the app`(
    configuration: String,
    passes: Bool
  ) throws {
    try SketchedProject.with(
      "A { n: String? }",
      "A { n: Int32? }",
      locked: 1,
      configured: configuration
    ) { project in
      try project.hop(Self.conversion)
      #expect(try project.verdict() == passes)
    }
  }

  @Test(arguments: [
    ("app", Finding.Severity.note, Finding.Severity.note),
    ("waystone", .error, .warning), ("both", .error, .warning),
  ])
  func `code that a hop file names holds what relies on Waystone`(
    word: String,
    inCoverage: Finding.Severity,
    inCheck: Finding.Severity
  ) throws {
    try SketchedProject.with(
      "A { n: Int32? }",
      "A { n: Int32?; m: String? }",
      configured: "relies-on: \(word)"
    ) { project in
      try project.hop("[{source: A, policy: Missing.Policy}]")
      let coverage = try project.coverage().allFindings.of(.unresolvedPolicy)
      #expect(coverage.map(\.severity).max() == inCoverage)
      let check = try project.check().allFindings.of(.unresolvedPolicy)
      #expect(check.map(\.severity).contains(inCheck))
    }
  }
}
