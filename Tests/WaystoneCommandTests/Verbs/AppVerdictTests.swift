import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Verdicts on what the app would do with stores that users have: `check` and `coverage` must agree.
@Suite struct AppVerdictTests {
  private typealias Version = (name: String, entities: String)

  /// A project whose versions but the last are locked.
  private func with(
    _ versions: [Version],
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: versions)
      try project.configure("models: ModelArchive\n")
      let names = versions.dropLast().map(\.name)
      #expect(CommandRun(["lock"] + names, in: folder).status == .success)
      try body(project)
    }
  }

  private func accept(_ lines: String..., in project: SketchedProject) throws {
    try project.configure("models: ModelArchive\naccept:\n" + lines.map { "  - \($0)\n" }.joined())
  }

  /// An entity `Note` around some properties.
  private static func note(_ properties: String...) -> String {
    #"<entity name="Note" representedClassName="Note" syncable="YES">"#
      + properties.joined(separator: "\n") + "</entity>"
  }

  private static func attribute(
    _ name: String,
    _ type: String,
    _ more: String = #"optional="YES""#
  ) -> String {
    #"<attribute name="\#(name)" attributeType="\#(type)" \#(more)/>"#
  }

  private func codes(_ run: CommandRun, _ severity: String = "error") throws -> [String] {
    let findings = try run.json()["findings"] as? [[String: Any]] ?? []
    return findings.filter { $0["severity"] as? String == severity }
      .compactMap { $0["code"] as? String }
  }

  // MARK: Renaming IDs

  private static let renamed: [Version] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("heading", #"elementID="title""#)])),
    ("v3", SketchedModel.book([("heading", "")])),
  ]

  @Test func `a Renaming ID that the current version of the same hashes lost is an error`() throws {
    try with(Self.renamed) { project in
      let check = project.run("check")
      #expect(check.status == .answerIsNo)
      #expect(check.words.contains("error WS206 v3: Book.heading has lost the Renaming ID"))
      let coverage = project.run("coverage")
      #expect(coverage.status == .answerIsNo)
      #expect(coverage.words.contains("error WS722 v1: Book.heading is lost"))
      #expect(
        coverage.words.contains(#"Set the Renaming ID of heading to "title" in v3 too"#),
        "\(coverage.output)"
      )
      try accept(
        "{code: WS206, place: Book.heading, version: v3, reason: v1 was a beta.}",
        in: project
      )
      #expect(project.run("check").status == .success)
      #expect(project.run("coverage").status == .success, "\(project.run("coverage").output)")
      try accept("{code: WS206, place: Book.isbn, version: v3, reason: Other.}", in: project)
      #expect(project.run("coverage").status == .answerIsNo)
      try project.configure("models: ModelArchive\n")
      try project.add([("v3", Self.renamed[1].entities)])
      #expect(project.run("check").status == .success)
      #expect(project.run("coverage").status == .success)
    }
  }

  @Test func `an app that goes version by version keeps what a twin's Renaming ID renamed`() throws
  {
    try with(Self.renamed) { project in
      try project.configure("models: ModelArchive\nruntime: progressive\n")
      #expect(project.run("check").status == .success)
      #expect(project.run("coverage").status == .success)
    }
  }

  @Test func `a Renaming ID that is lost with another change is an error, too`() throws {
    let changed: [Version] =
      Self.renamed.dropLast() + [("v3", SketchedModel.book([("heading", ""), ("isbn", "")]))]
    try with(changed) { project in
      let check = project.run("check")
      #expect(check.status == .answerIsNo)
      #expect(
        check.words.contains("error WS206 v3: Book.heading changes its Renaming ID"),
        "\(check.output)"
      )
      #expect(project.run("coverage").words.contains("error WS722 v1: Book.heading is lost"))
    }
  }

  // MARK: What depends on the rows

  private static let narrowings: [(String, String, String)] = [
    (attribute("n", "String"), attribute("n", "String", ""), "WS313"),
    (attribute("n", "Double"), attribute("n", "Integer 64"), "WS310"),
    (attribute("n", "Integer 64"), attribute("n", "Integer 16"), "WS310"),
    (
      #"<relationship name="n" optional="YES" toMany="YES" destinationEntity="Note"/>"#,
      #"<relationship name="n" optional="YES" maxCount="1" destinationEntity="Note"/>"#, "WS317"
    ),
  ]

  @Test(arguments: narrowings.indices)
  func `what the app may lose or refuse fails until it is locked or accepted`(_ index: Int) throws {
    let (old, new, code) = Self.narrowings[index]
    let versions = [("v1", Self.note(old)), ("v2", Self.note(new))]
    try with(versions) { project in
      let check = project.run("check")
      #expect(check.status == .answerIsNo)
      #expect(check.words.contains("error \(code) v2"), "\(check.output)")
      #expect(check.words.contains(#"- {code: \#(code), place: Note.n, version: "v2","#))
      let coverage = project.run("coverage")
      #expect(coverage.status == .answerIsNo)
      #expect(try codes(project.run("coverage", "--format", "json")).contains(code))
      // What converts numbers is accepted for that conversion alone.
      let change = ["", ", change: double to integer64", ", change: integer64 to integer16", ""][
        index
      ]
      #expect(check.words.contains("\(change), reason:"))
      try accept(
        "{code: \(code), place: Note.n, version: v2\(change), reason: Tried.}",
        in: project
      )
      #expect(project.run("check").status == .success, "\(project.run("check").output)")
      let accepted = project.run("coverage")
      #expect(accepted.status == .success, "\(accepted.output)")
      try project.configure("models: ModelArchive\n")
      #expect(project.run("lock", "v2").status == .success)
      #expect(project.run("check").status == .success)
    }
  }

  @Test func `a new constraint on rows that exist fails, and files beside the store do not`() throws
  {
    let plain = Self.note(Self.attribute("n", "Binary"), Self.attribute("t", "String"))
    let unique = plain.replacing(
      "</entity>",
      with: "<uniquenessConstraints><uniquenessConstraint><constraint value=\"t\"/>"
        + "</uniquenessConstraint></uniquenessConstraints></entity>"
    )
    try with([("v1", plain), ("v2", unique)]) { project in
      #expect(project.run("check").words.contains("error WS314"))
      #expect(project.run("check").status == .answerIsNo)
      #expect(project.run("coverage").status == .answerIsNo)
    }
    let external = plain.replacing(
      #"attributeType="Binary""#,
      with: #"attributeType="Binary" allowsExternalBinaryDataStorage="YES""#
    )
    try with([("v1", plain), ("v2", external)]) { project in
      #expect(project.run("check").status == .success)
      #expect(project.run("coverage").status == .success)
    }
  }

  @Test func `coverage says what is not proven where a path depends on the rows`() throws {
    let versions = [
      ("v1", Self.note(Self.attribute("n", "Double"))),
      ("v2", Self.note(Self.attribute("n", "Float"))),
    ]
    try with(versions) { project in
      #expect(project.run("lock", "v2").status == .success)
      let run = project.run("coverage")
      #expect(run.status == .success)
      #expect(run.words.hasSuffix("Passes. Not proven: 1 path arrives only if the data fit."))
    }
  }

  // MARK: What touches no value

  @Test func `another default for what is new is no loss`() throws {
    let versions = [
      ("v1", Self.note(Self.attribute("t", "String"))),
      (
        "v2",
        Self.note(
          Self.attribute("t", "String"),
          Self.attribute("n", "Integer 64", #"optional="YES" defaultValueString="7""#)
        )
      ),
      (
        "v3", Self.note(Self.attribute("t", "String"), Self.attribute("n", "Integer 64"))
      ),
      (
        "v4",
        Self.note(
          Self.attribute("t", "String"),
          Self.attribute("n", "Integer 64"),
          Self.attribute("x", "String")
        )
      ),
    ]
    try with(versions) { project in
      let run = project.run("coverage")
      #expect(run.status == .success, "\(run.output)")
      #expect(run.words.contains("v1 arrives, with other defaults"))
      #expect(run.words.contains("warning WS722 v1: Note.n stays empty in the app"))
      let json = try project.run("coverage", "--format", "json").json()
      let summary = try #require(json["summary"] as? [String: Any])
      #expect(summary["otherDefaults"] as? Int == 1)
      #expect(summary["lose"] as? Int == 0)
      #expect(summary["percent"] as? Int == 100)
      let page = project.run("coverage", "--format", "html").output
      #expect(page.contains("says otherDefaults"))
      #expect(
        run.words.contains("1 arrives with other defaults, 2 arrive without loss."),
        "\(run.output)"
      )
    }
  }

  // MARK: Copies

  @Test func `what the step before did is not told again of a copy of its version`() throws {
    let versions = [
      ("v1", SketchedModel.book([("isbn", ""), ("title", "")])),
      ("v2", SketchedModel.book([("title", "")])), ("v3", SketchedModel.book([("title", "")])),
    ]
    try with(versions) { project in
      let run = project.run("check", "--fail-on", "warning")
      #expect(run.status == .success, "\(run.output)")
      #expect(!run.output.contains("WS302"))
    }
    // A first version of the same hashes has it all the same.
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: versions)
      #expect(project.run("lock", "v1").status == .success)
      #expect(project.run("check").words.contains("error WS302 v2: Book.isbn is dropped"))
      #expect(!project.run("check").words.contains("v3: Book.isbn"))
    }
  }

  @Test func `a property is dropped from the child that lost its parent, not from the parent`()
    throws
  {
    let base =
      #"<entity name="Base" syncable="YES"><attribute name="created" optional="YES" "#
      + #"attributeType="Date"/></entity>"#
    let child =
      #"<entity name="Note" parentEntity="Base" syncable="YES">"#
      + #"<attribute name="t" optional="YES" attributeType="String"/></entity>"#
    for abstract in ["", #" isAbstract="YES""#] {
      let parent = base.replacing(#"syncable="YES""#, with: #"syncable="YES"\#(abstract)"#)
      let versions = [
        ("v1", parent + child),
        ("v2", parent + child.replacing(#" parentEntity="Base""#, with: "")),
      ]
      try with(versions) { project in
        let run = project.run("check")
        #expect(run.words.contains("error WS302 v2: Note.created is dropped"), "\(run.output)")
        #expect(!run.output.contains("Base.created"))
      }
    }
  }
}
