import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Acceptances of `waystone.yml` and of a baseline: `check` and `coverage` honour the same.
@Suite struct AcceptanceTests {
  private typealias Version = (name: String, entities: String)

  private static func book(_ attributes: String...) -> String {
    #"<entity name="Book" syncable="YES">"# + attributes.joined(separator: "\n") + "</entity>"
  }

  private static let title = #"<attribute name="title" optional="YES" attributeType="String"/>"#
  private static let isbn = #"<attribute name="isbn" attributeType="String"/>"#
  private static let year = #"<attribute name="year" attributeType="Integer 16"/>"#

  /// Two versions that each add a required attribute, so that no store gets over their steps.
  private static let blocked: [Version] = [
    ("v1", book(title)), ("v2", book(title, isbn)), ("v3", book(title, isbn, year)),
  ]

  private func with(
    _ versions: [Version],
    locked: Int,
    _ body: (SketchedProject) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: versions)
      try project.configure("models: ModelArchive\n")
      let names = versions.prefix(locked).map(\.name)
      #expect(CommandRun(["lock"] + names, in: folder).status == .success)
      try body(project)
    }
  }

  private func accept(_ lines: String..., in project: SketchedProject) throws {
    try accept(lines, in: project)
  }

  private func accept(_ lines: [String], in project: SketchedProject) throws {
    try project.configure("models: ModelArchive\naccept:\n" + lines.map { "  - \($0)\n" }.joined())
  }

  @Test func `an accepted cause of a missing path does not hide another one`() throws {
    try with(Self.blocked, locked: 2) { project in
      let json = try project.run("check", "--format", "json").json()
      let findings = try #require(json["findings"] as? [[String: Any]])
      let stranded = findings.filter { $0["code"] as? String == "WS707" }.map { finding in
        ["version", "entity", "property"].map { finding[$0] as? String ?? "" }
      }
      #expect(stranded == [["v2", "Book", "isbn"], ["v3", "Book", "year"]], "\(stranded)")
      try accept(
        "{code: WS707, place: Book.isbn, version: v2, change: no path, reason: v1 was a beta.}",
        in: project
      )
      let run = project.run("check")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("error WS707 v3: Book.year is new and required"))
      try accept(
        "{code: WS707, place: Book.isbn, version: v2, change: no path, reason: v1 was a beta.}",
        "{code: WS707, place: Book.year, version: v3, change: no path, reason: v2 was a beta.}",
        in: project
      )
      #expect(project.run("check").status == .success)
      let coverage = project.run("coverage")
      #expect(coverage.status == .success, "\(coverage.output)")
      #expect(coverage.words.contains("v1 was a beta."))
      try accept(
        "{code: WS707, place: Book.isbn, version: v2, change: no path, reason: v1 was a beta.}",
        in: project
      )
      #expect(project.run("coverage").status == .answerIsNo)
    }
  }

  @Test func `a version that blocks may be mended as long as no user has it`() throws {
    try with(Self.blocked, locked: 2) { project in
      let words = project.run("check").words
      #expect(
        words.contains(
          "Make it optional, or give it a default in the model (no version hash changes)"
        )
      )
      #expect(project.run("lock", "v3").status == .success)
      #expect(!project.run("check").words.contains("give it a default in the model"))
    }
  }

  @Test func `a new required attribute that may be an old one is told so`() throws {
    let versions = [
      ("v1", Self.book(Self.isbn)), ("v2", Self.book(Self.isbn.replacing("isbn", with: "isbn13"))),
    ]
    try with(versions, locked: 1) { project in
      let words = project.run("check").words
      #expect(
        words.contains(
          #"Only if it holds the data of isbn, set its Renaming ID to "isbn", in this"#
        )
      )
    }
  }

  @Test func `all lines to paste are shown where they are asked for`() throws {
    let names = ["a", "b", "c", "d", "e"]
    let old = SketchedModel.book([("title", "")] + names.map { ($0, "") })
    try with([("v1", old), ("v2", SketchedModel.book([("title", "")]))], locked: 1) { project in
      func lines(_ run: CommandRun) -> Int {
        run.output.split(separator: "\n").count { $0.hasPrefix("  - {code:") }
      }
      let run = project.run("check")
      #expect(lines(run) == 3)
      #expect(run.output.contains("  and 2 more lines; --verbose shows all.\n"), "\(run.output)")
      #expect(lines(project.run("check", "--verbose")) == 5)
    }
  }

  @Test func `what of a mapping fails is a line to paste, too`() throws {
    func link(_ name: String, _ entity: String, _ inverse: String) -> String {
      #"<relationship name="\#(name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
        + #"destinationEntity="\#(entity)" inverseName="\#(inverse)" inverseEntity="\#(entity)"/>"#
    }
    func tag(_ more: String) -> String {
      #"<entity name="Tag" "# + more + #" syncable="YES">"# + link("books", "Book", "tags")
        + "</entity>"
    }
    let book = Self.book(Self.title, link("tags", "Tag", "books"))
    let versions = [("v1", book + tag("")), ("v2", book + tag(#"isAbstract="YES""#))]
    try with(versions, locked: 1) { project in
      try SketchedModel.write(
        "from: v1\nto: v2\nentities: [{drop: Tag}, {source: Book}]\n",
        to: "\(project.folder)/ModelArchive/v1-v2.hop.yml"
      )
      let check = project.run("check")
      #expect(check.words.contains("warning WS337"), "\(check.output)")
      let lines = check.output.split(separator: "\n").filter { $0.hasPrefix("  - {code:") }
      #expect(lines.contains { $0.contains("WS337") }, "\(check.output)")
      try accept(
        lines.map { String($0.dropFirst(4)).replacing("...", with: "There are none.") },
        in: project
      )
      #expect(project.run("check").status == .success, "\(project.run("check").output)")
    }
  }

  @Test func `a hop file whose step is accepted in check is no gap in coverage`() throws {
    try with(Array(Self.blocked.prefix(2)), locked: 1) { project in
      try SketchedModel.write(
        """
        from: v1
        to: v2
        entities:
          - source: Book
            attributes:
              isbn: '"none"'
        """,
        to: "\(project.folder)/ModelArchive/v1-to-v2.hop.yml"
      )
      let check = project.run("check")
      #expect(check.status == .answerIsNo)
      #expect(
        check.words.contains("error WS707 v2: Book.isbn is new and required"),
        "\(check.output)"
      )
      #expect(check.words.contains("does not read v1-to-v2.hop.yml"))
      #expect(project.run("coverage").status == .answerIsNo)
      try accept(
        "{code: WS707, place: Book.isbn, version: v2, reason: Waystone migrates.}",
        in: project
      )
      #expect(project.run("check").status == .success, "\(project.run("check").output)")
      #expect(project.run("coverage").status == .success, "\(project.run("coverage").output)")
      // Without the file there is no path at all, which nobody accepted.
      try FileManager.default.removeItem(
        atPath: "\(project.folder)/ModelArchive/v1-to-v2.hop.yml"
      )
      let gone = project.run("check")
      #expect(gone.status == .answerIsNo, "\(gone.output)")
      #expect(gone.words.contains("write `change: no path`"), "\(gone.output)")
      #expect(project.run("coverage").status == .answerIsNo)
    }
  }

  @Test func `coverage names the cause that is not accepted, and offers to accept no missing path`()
    throws
  {
    try with(Self.blocked, locked: 1) { project in
      let isbn = "{code: WS707, place: Book.isbn, version: v2, change: no path, reason: A beta.}"
      try accept(isbn, in: project)
      let run = project.run("coverage")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("error WS313 Book.year is new and required"), "\(run.output)")
      #expect(!run.words.contains("WS313 Book.isbn"), "\(run.output)")
      #expect(!run.output.contains("  - {code:"), "\(run.output)")
      let year = isbn.replacing("isbn", with: "year").replacing("v2", with: "v3")
      try accept(isbn, year, in: project)
      for verb in ["check", "coverage"] {
        let run = project.run(verb)
        #expect(run.status == .success, "\(run.output)")
      }
    }
  }

  @Test func `what only coverage finds is accepted without a word from check`() throws {
    try with([("v1", Self.book(Self.title)), ("v2", Self.book(Self.title))], locked: 2) { project in
      try accept("{code: WS501, version: v2, reason: The app migrates.}", in: project)
      #expect(!project.run("check").output.contains("WS709"))
      try accept("{code: WS301, place: Tag, reason: There are none.}", in: project)
      #expect(project.run("check").output.contains("WS709"))
    }
  }

  @Test func `what was accepted and is locked since then stays accepted`() throws {
    let old = Self.title.replacing("title", with: "old")
    let versions = [("v1", Self.book(old, Self.title)), ("v2", Self.book(Self.title))]
    try with(versions, locked: 1) { project in
      try accept("{code: WS302, place: Book.old, version: v2, reason: Unused.}", in: project)
      #expect(project.run("check").status == .success)
      #expect(project.run("lock", "v2").status == .success)
      let check = project.run("check", "--fail-on", "warning")
      #expect(check.status == .success, "\(check.output)")
      #expect(!project.run("coverage").output.contains("Accepted"))
    }
  }

  @Test func `a copy of the last version adds nothing to a baseline`() throws {
    let versions = Array(Self.blocked.prefix(2))
    try with(versions, locked: 2) { project in
      #expect(project.run("check", "--write-baseline", "old.json").status == .success)
      #expect(project.run("check", "--baseline", "old.json").status == .success)
      try project.add([("v3", versions[1].entities)])
      let run = project.run("check", "--baseline", "old.json")
      #expect(run.status == .success, "\(run.output)")
      #expect(!run.words.contains("there no more"))
    }
  }

  @Test func `the lock names every version that it leaves out`() throws {
    try with(Self.blocked, locked: 1) { project in
      #expect(project.run("lock").words.contains("`waystone lock v2 v3`"))
    }
  }
}
