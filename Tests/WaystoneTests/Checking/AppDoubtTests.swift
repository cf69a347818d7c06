import MigrationTestSupport
import Testing
import Waystone

/// Steps into new versions of which Apple's documents do not say whether the app takes them.
@Suite struct AppDoubtTests {
  /// Two versions, the doubt about their step, and a hop file for it.
  struct Step: Sendable, CustomTestStringConvertible {
    let code: String
    let place: String
    let versions: [String]
    let hop: String

    init(_ code: String, _ place: String, _ old: String, _ new: String, hop: String) {
      (self.code, self.place, self.hop) = (code, place, hop)
      versions = [old, new]
    }

    var testDescription: String { "\(code) \(place)" }

    static let all = [
      Step(
        "WS306",
        "A.b",
        "A { name: String? } B { name: String? }",
        "A { name: String?; b -> B.a required } B { name: String?; a -> A.b }",
        hop: "[{source: A}, {source: B}]"
      ),
      Step(
        "WS328",
        "A.d",
        "A { name: String?; d: String? derived name }",
        "A { name: String?; d: String? derived canonical:(name) }",
        hop: "[{source: A}]"
      ),
      Step(
        "WS335",
        "A",
        "abstract A { name: String? } B : A {}",
        "A { name: String? } B : A {}",
        hop: "[{source: B}]"
      ),
    ]
  }

  @Test(arguments: Step.all, [false, true])
  func `a step that the app may not take fails check and coverage until it was tried`(
    step: Step,
    hasHop: Bool
  ) throws {
    try SketchedProject.with(step.versions, locked: 1) { project in
      if hasHop { try project.hop(step.hop) }
      let failures = try project.check().failures
      #expect(failures.briefs.contains("error \(step.code) v2 \(step.place)"))
      #expect(try project.coverage().openCauses.contains { $0.code.rawValue == step.code })
      #expect(try !project.verdict())
      // A hop file that gives a required relationship no link has a finding of its own.
      let entries = Set(failures.map { "code: \($0.code.rawValue), version: v2" })
      try project.configure(
        "accept:\n" + entries.map { "  - {\($0), reason: Tried.}\n" }.joined()
      )
      #expect(try project.verdict())
      #expect(try project.check().accepted.map(\.finding.code.rawValue).contains(step.code))
    }
  }

  @Test(arguments: Step.all) func `a step that users have taken is in no doubt`(step: Step) throws {
    try SketchedProject.with(step.versions, locked: 2) { project throws in
      try project.expectFailures([])
    }
  }

  @Test(arguments: ["direct", "progressive"])
  func `what only a hop file carries is lost by the app, which check and coverage report`(
    runtime: String
  ) throws {
    try SketchedProject.with(
      "Book { title: String? }",
      "Book { loud: String?; title: String? }",
      locked: 1
    ) { project in
      try project.configure("runtime: \(runtime)")
      try project.hop("[{source: Book, attributes: {loud: 'uppercase:($source.title)'}}]")
      let lost = try project.check().failures
      #expect(lost.briefs == ["error WS722 v1 Book.loud"])
      #expect(lost.first?.place.file?.contains("v2.xcdatamodel") == true)
      try project.expectGaps(["error WS722 v1 Book.loud"])
      try project.accept(
        "code: WS722, place: Book.loud, version: v1",
        configured: "runtime: \(runtime)"
      )
      #expect(try project.verdict())
    }
  }

  @Test(arguments: [false, true])
  func `a hop file changes nothing of what the app may lose on a step that it takes itself`(
    hasHop: Bool
  ) throws {
    try SketchedProject.with("Book { pages: Int64? }", "Book { pages: Int16? }", locked: 1) {
      project in
      if hasHop { try project.hop("[{source: Book}]") }
      let failures = try project.check().failures.briefs
      #expect(failures.contains("error WS310 v2 Book.pages"), "\(failures)")
      try project.expectGaps(["error WS310 v2 Book.pages"])
      let change = "change: integer64 to integer16"
      try project.accept("code: WS310, place: Book.pages, version: v2, \(change)")
      #expect(try project.verdict())
    }
  }

  @Test func `a required attribute that may be a dropped one is one finding, with both its fixes`()
    throws
  {
    let old = "Book { title: String was caption }"
    try SketchedProject.with(old, "Book { headline: String }", locked: 1) { project in
      let failures = try project.check().failures
      #expect(failures.briefs == ["error WS707 v2 Book.headline"])
      #expect(failures[0].advice.mark == .coreData && failures[0].remedy.contains(#""caption""#))
      #expect(Set(try project.coverage().openCauses.map(\.place.subject)) == ["Book.headline"])
    }
    try SketchedProject.with(old, "Book { headline: String? }", locked: 1) { project throws in
      #expect(try project.check().failures.map(\.code) == [.suspectedRename])
    }
  }
}
