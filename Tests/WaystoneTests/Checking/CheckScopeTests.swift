import MigrationTestSupport
import Testing
import Waystone

/// The findings that fail a check: by the policy, by a baseline, and where a check is evaded.
@Suite struct CheckScopeTests {
  /// A library whose last version drops `isbn`.
  private static let lossy = LockTests.library + ["Book { heading: String? }"]

  private static let loss = "error WS302 v4 Book.isbn"

  // MARK: Policies

  @Test func `a finding beyond the policy fails until it is accepted`() throws {
    try SketchedProject.with(Self.lossy, locked: 3, configured: "policy: {maximum: warning}") {
      project in
      #expect(try project.check().failures.briefs.contains(Self.loss))
      try project.accept(
        "code: WS302, place: Book.isbn",
        "code: WS301, place: Tag",
        configured: "policy: {maximum: error}"
      )
      let check = try project.check()
      #expect(!check.failures.briefs.contains(Self.loss))
      #expect(check.findings.of(.acceptanceFitsNothing).map(\.place.line) == [5])
    }
  }

  @Test func `a locked version's losses are found again only where all is looked at`() throws {
    try SketchedProject.with(Self.lossy, locked: 4, configured: "policy: {maximum: warning}") {
      project in
      #expect(try !project.check().allFindings.has(.attributeDropped))
      let all = try project.check { $0.looksAtAll = true }
      #expect(!all.isClean && all.failures.has(.attributeDropped))
    }
  }

  @Test func `a project may forbid all loss`() throws {
    try SketchedProject.with(Self.lossy, locked: 3, configured: "policy: {loss: none}") {
      let stranded = try $0.check().failures.of(.shippedVersionStranded)
      #expect(!stranded.isEmpty)
    }
  }

  @Test func `a note fails where notes fail`() throws {
    let configuration = "shipped: [v1, v2]"
    try SketchedProject.with(LockTests.library, locked: 2, configured: configuration) {
      project throws in
      for (threshold, isClean) in [(nil, true), (.note, false), (.error, true)]
        as [(Finding.Severity?, Bool)]
      {
        #expect(try project.check { $0.threshold = threshold }.isClean == isClean)
      }
    }
  }

  // MARK: Baselines

  private func baseline(_ project: SketchedProject) throws -> FindingBaseline {
    FindingBaseline(try project.check(), name: "old.json")
  }

  @Test func `a baseline lets old findings pass, and new ones fail`() throws {
    try SketchedProject.with(Self.lossy, locked: 3) { project in
      let old = try baseline(project)
      #expect(try !project.check().isClean)
      #expect(try project.check { $0.baseline = old }.isClean)
      try project.draw([("v5", "Book { other: String? }")])
      let subjects = try project.check { $0.baseline = old }.failures.map(\.place.subject)
      #expect(subjects.contains("Book.heading") && !subjects.contains("Book.isbn"))
    }
  }

  @Test func `a baseline counts which of its findings are gone`() throws {
    try SketchedProject.with(Self.lossy, locked: 3) { project in
      let old = try baseline(project)
      #expect(try project.check { $0.baseline = old }.gone == 0)
      try project.redraw("v4", "Book { heading: String?; isbn: String? }")
      #expect(try project.check { $0.baseline = old }.gone > 0)
    }
  }

  @Test func `an edit of a locked version is in no baseline`() throws {
    try SketchedProject.with(LockTests.library, locked: 3) { project in
      for value in ["a", "b"] {
        try project.redraw("v2", "Book { isbn: String? = \(value); title: String? }")
        let old = try baseline(project)
        #expect(old.count == 0)
        #expect(try !project.check { $0.baseline = old }.isClean)
      }
    }
  }

  @Test func `a copy of the last version adds nothing to a baseline`() throws {
    let versions = ["Book { title: String? }", "Book { title: String?; isbn: String }"]
    try SketchedProject.with(versions, locked: 2) { project in
      let old = try baseline(project)
      try project.draw([("v3", versions[1])])
      let check = try project.check { $0.baseline = old }
      #expect(check.isClean && check.gone == 0)
    }
  }

  @Test func `a baseline of one conversion is none of another`() throws {
    try SketchedProject.with("Book { pages: Int64? }", "Book { pages: Int32? }") { project in
      let old = try baseline(project)
      func passes() throws -> Bool {
        try project.check { ($0.threshold, $0.baseline) = (.warning, old) }.isClean
      }
      #expect(try passes())
      try project.redraw("v2", "Book { pages: Boolean? }")
      #expect(try !passes())
    }
  }

  // MARK: Evasions

  @Test func `a current version that is ignored is a finding`() throws {
    try SketchedProject.with(LockTests.library, locked: 2, configured: "ignore: [v3]") { project in
      #expect(try project.check().failures.map(\.code) == [.currentVersionIgnored])
      try project.configure("ignore: [v3]\ncurrent: v2")
      let named = try project.check()
      #expect(named.findings.of(.currentVersionIgnored).map(\.severity) == [.warning])
    }
  }

  @Test(arguments: [("shipped: [v1]", true), ("shipped: []", false), ("", false)])
  func `a lock is missed where waystone.yml names what was shipped`(
    configuration: String,
    isMissed: Bool
  ) throws {
    try SketchedProject.with(LockTests.library, configured: configuration) {
      project throws in
      #expect(try project.check().failures.has(.lockMissing) == isMissed)
    }
  }

  @Test func `several heads fail whichever of them a commit touched`() throws {
    try SketchedProject.with(LockTests.library, locked: 3) { project in
      let own = "heading: String? was title; isbn: String?"
      try project.draw([
        ("v4a", "Book { \(own); note: String? }"), ("v4b", "Book { \(own); year: String? }"),
      ])
      let file = "\(project.folder)/Library.xcdatamodeld/v4a.xcdatamodel/contents"
      let changes = ChangedFiles(since: "HEAD", paths: [file])
      #expect(try project.check { $0.changes = changes }.failures.has(.severalHeads))
    }
  }

  @Test(arguments: [([], 0), (["v3"], 1), (["v1"], 0)])
  func `only what a commit touched fails`(versions: [String], count: Int) throws {
    try SketchedProject.with(Self.lossy) { project in
      let files = versions.map {
        "\(project.folder)/Library.xcdatamodeld/\($0).xcdatamodel/contents"
      }
      let check = try project.check { $0.changes = ChangedFiles(since: "HEAD", paths: files) }
      // The step from v3 to v4 has a side that changed.
      #expect(check.failures.of(.attributeDropped).count == count)
      #expect(check.changedSince == "HEAD")
    }
  }
}
