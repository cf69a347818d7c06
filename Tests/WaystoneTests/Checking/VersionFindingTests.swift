import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// The findings of a check on versions.
@Suite struct VersionFindingTests {
  @Test func `a version that a later one went back to goes on to the current one`() throws {
    let old = "A { name: String?; old: String? }"
    try SketchedProject.with(old, "A { name: String? }", old) { project in
      try project.setCurrent("v2")
      let check = try project.check().allFindings
      #expect(check.of(.attributeDropped).briefs == ["error WS302 v2 A.old"])
      #expect(!check.has(.shippedVersionStranded))
      #expect(try project.plan("v1").findings.has(.attributeDropped))
      let model = try #require(try project.coverage().models.first)
      #expect(model.paths.map(\.versions) == [["v1"]])
      #expect(model.nodes.map(\.names) == [["v1", "v3"], ["v2"]])
    }
  }

  @Test func `versions that count on are no two heads`() throws {
    let versions = ["", "; one: String?", "; two: String?"].map { "A { name: String?\($0) }" }
    try SketchedProject.with(versions, configured: "shipped: [v1]") { project in
      let head = try #require(try project.project.heads().first?.heads.first)
      #expect(head.version.name == "v3" && head.base.name == "v1")
      #expect(try !project.check().findings.has(.severalHeads))
    }
    let branches = Array(zip(["v1", "v2-left", "v2-right"], versions))
    try SketchedProject.with(named: branches, configured: "shipped: [v1]") { project throws in
      #expect(try project.check().findings.has(.severalHeads))
    }
  }

  @Test(arguments: [("uuid: String?; unique uuid", false), ("unique name", true)])
  func `a constraint of a unique entity claims something of rows where its attribute is not new`(
    more: String,
    isFound: Bool
  ) throws {
    let first = "A { id: String?; name: String?"
    try SketchedProject.with("\(first); unique id }", "\(first); \(more) }") { project throws in
      #expect(try project.check().findings.has(.uniquenessAdded) == isFound)
    }
  }

  @Test func `all that a dropped property may be is named where nothing tells which`() throws {
    try SketchedProject.with(
      "Book { author: String?; title: String? } Person { name: String? }",
      "Book { heading: String?; writer: String? } Human { name: String? }"
    ) { project in
      let found = try project.check().findings
      for name in ["author", "title"] {
        let finding = try #require(found.first { $0.place.property == name })
        #expect(finding.statement.candidates == ["Book.heading", "Book.writer"])
      }
      // A small entity with the same attributes is one, whatever its name.
      let person = try #require(found.first { $0.place.subject == "Person" })
      #expect(person.statement.candidates == ["Human"])
    }
  }

  @Test func `a Renaming ID is to be set where it was lost`() throws {
    try SketchedProject.with(
      "Book { title: String? }",
      "Book { heading: String? was title }",
      "Book { heading: String?; pages: String? }"
    ) { project in
      let finding = try #require(try project.check().findings.of(.canonicalNamesDisagree).first)
      #expect(finding.brief == "error WS206 v3 Book.heading")
      #expect(finding.advice.mark == .coreData)
    }
  }

  @Test func `one wrong Renaming ID is one finding, and none where a later version mended it`()
    throws
  {
    try SketchedProject.with(
      "Book { title: String? }",
      "Book { title: String? was tilte; pages: String? }",
      "Book { title: String?; pages: String?; year: String? }"
    ) { project in
      let found = try project.check().findings
      #expect(!found.contains { $0.code == .renamingIdentifierNamesNothing && $0.severity > .note })
      #expect(found.count { $0.advice.text.contains("has mended it") } == 1)
    }
  }

  private static let narrowed = [
    "A { name: String?; x: String? }", "A { name: String?; x: Date? }",
  ]

  @Test func `what the app cannot migrate wants a mapping model, before and after a hop file`()
    throws
  {
    try SketchedProject.with(Self.narrowed) { project in
      for _ in 0..<2 {
        let stranded = try project.check().findings.of(.shippedVersionStranded)
        #expect(stranded.briefs == ["error WS707 v2 A.x"])
        #expect(stranded.allSatisfy { !$0.remedy.contains("init --hop") })
        try project.hop("[{source: A, attributes: {x: null}}]")
      }
    }
  }

  @Test(arguments: [true, false])
  func `a mapping model without its file is an error, and all else is reported`(isLink: Bool) throws
  {
    try SketchedProject.with("A { name: String? }", "A { name: String?; more: String? }") {
      project in
      try project.store("v1")
      let mapping = "\(project.folder)/maps/v1-v2.xcmappingmodel"
      try FileManager.default.createDirectory(
        atPath: isLink ? "\(project.folder)/maps" : mapping,
        withIntermediateDirectories: true
      )
      if isLink {
        try FileManager.default.createSymbolicLink(
          atPath: mapping,
          withDestinationPath: "nowhere.xcmappingmodel"
        )
      }
      let unread = try project.check().failures.of(.unreadableForm)
      #expect(Set(unread.map(\.place.file)) == ["./maps/v1-v2.xcmappingmodel"])
      let coverage = try project.coverage()
      #expect(coverage.gaps.has(.unreadableForm) && coverage.totals.reachable == 0)
      // The step that the mapping is for would be another without it.
      for start in ["v1", "s.sqlite"] {
        #expect(try project.plan(start).refusals == ["WS106"])
      }
      // One that the user names is all that the caller asks about.
      let maps = URL(filePath: "\(project.folder)/maps")
      #expect(throws: WaystoneError.self) {
        try Project(at: URL(filePath: project.folder), mappings: [maps])
      }
    }
  }

  @Test func `mappings of a version that is left out are left out with a note`() throws {
    let versions = [
      ("Draft", "A { other: String? }"), ("v1", "A { name: String? }"),
      ("v2", "A { name: String?; more: String? }"),
    ]
    try SketchedProject.with(named: versions, configured: "ignore: [Draft]") { project in
      try project.hop("[{source: A, attributes: {name: $source.other}}]", from: "Draft")
      try project.write("stages:\n  - lightweight: [Draft, v1, v2]\n", to: "draft.staged.yml")
      let check = try project.check()
      #expect(check.isClean && check.allFindings.of(.unreadableForm).count == 2)
      #expect(try project.coverage().isComplete)
      #expect(try project.plan("v1").refusals.isEmpty)
    }
  }

  @Test func `a policy that the app has is a note, and its path is none of Waystone's`() throws {
    try SketchedProject.with(Self.narrowed) { project in
      try project.hop("[{source: A, policy: Mover, attributes: {x: null}}]")
      let noted = try project.check().allFindings.of(.unresolvedPolicy)
      #expect(noted.map(\.severity) == [.note])
      for trials in [nil, CoverageOptions.Trials(rows: 20)] {
        let report = try project.coverage { $0.trials = trials }
        #expect(report.models.flatMap(\.paths).map(\.isReachable) == [false])
        let severity = report.allFindings.of(.unresolvedPolicy).map(\.severity).max()
        #expect(severity == (trials == nil ? .note : .error))
      }
    }
    let notes = try Project(at: SampleStore.models.appending(path: "Notes.xcdatamodeld"))
    var options = CoverageOptions()
    let plain = try notes.coverage(options)
    options.trials = CoverageOptions.Trials(rows: 20)
    let tried = try notes.coverage(options)
    #expect(plain.totals.reachable == tried.totals.reachable)
    #expect(plain.allFindings.has(.unresolvedPolicy) && tried.allFindings.has(.unresolvedPolicy))
  }
}
