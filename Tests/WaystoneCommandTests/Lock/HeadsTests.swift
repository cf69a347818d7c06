import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct HeadsGoldenTests {
  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  /// A project of which v1, v2 and v10 are locked.
  private func withLockedProject(_ body: (SketchedProject) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      try body(project)
    }
  }

  private static func version(_ name: String, _ more: [(name: String, more: String)]) -> (
    name: String, entities: String
  ) {
    (name, SketchedModel.book([("heading", #"elementID="title""#), ("isbn", "")] + more))
  }

  @Test func `two versions that touch different things claim to be next`() throws {
    try withLockedProject { project in
      let tag = #"<entity name="Tag"><attribute name="name" attributeType="String"/></entity>"#
      let own = SketchedModel.book([("heading", #"elementID="title""#), ("isbn", "")])
      try project.add([("v11", own + tag), Self.version("v11 2", [("note", "")])])
      check(project.run("heads"), .answerIsNo, "heads-clean.txt")
      check(project.run("heads", "--format", "json"), .answerIsNo, "heads-clean.json")
      #expect(project.run("check").words.contains("v11 and v11 2 each claim to be the next"))
    }
  }

  @Test func `two versions that touch the same thing are told so`() throws {
    try withLockedProject { project in
      let number = Self.version("v11b", [("note", ""), ("year", "")]).entities.replacing(
        #"name="note" optional="YES" attributeType="String""#,
        with: #"name="note" optional="YES" attributeType="Integer 32""#
      )
      try project.add([Self.version("v11a", [("note", "")]), ("v11b", number)])
      check(project.run("heads"), .answerIsNo, "heads-overlap.txt")
      try project.configure("order: [v1, v2, v10, v11a, v11b]\n")
      let settled = project.run("heads", "--lock", "ModelArchive/waystone.lock")
      #expect(settled.status == .success)
      #expect(
        settled.words == "Library v11a, v11b are new, and no two claim to be the next",
        "\(settled.output)"
      )
    }
  }

  @Test func `the order that is advised can be pasted`() throws {
    try withLockedProject { project in
      let own = SketchedModel.book([("heading", #"elementID="title""#), ("isbn", "")])
      let changed = { (old: String, new: String) in own.replacing(old, with: new) }
      try project.add([
        (
          "v11 it's",
          changed(
            #"name="isbn" optional="YES""#,
            #"name="isbn" optional="YES" regularExpressionString="[0-9]""#
          )
        ),
        (
          "v11b",
          changed(
            #"name="heading" optional="YES""#,
            #"name="heading" optional="YES" versionHashModifier="b""#
          )
        ),
      ])
      let run = project.run("heads")
      #expect(run.status == .answerIsNo)
      let line = try #require(run.output.split(separator: "\n").first { $0.contains("order: [") })
      #expect(line.contains("[v1, v2, v10, 'v11 it''s', v11b]"), "\(run.output)")
      try project.configure("models: ModelArchive\n\(line.drop { $0 == " " })\n")
      let lock = try #require(TemporaryFolder.bytes(of: project.lock))
      try TemporaryFolder.write(lock, to: "\(project.folder)/waystone.lock")
      #expect(project.run("check").status == .success, "\(project.run("check").output)")
      #expect(project.run("heads").status == .success)
    }
  }

  @Test func `versions that build on one another have one head`() throws {
    try withLockedProject { project in
      try project.add([
        Self.version("v11", [("note", ""), ("year", "")]),
        Self.version("v12", [("note", ""), ("tag", ""), ("year", "")]),
        Self.version("v13", [("tag", ""), ("year", "")]),
      ])
      check(project.run("heads"), .success, "heads-one.txt")
    }
  }

  @Test func `without a lock nothing says which versions are new`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      check(project.run("heads"), .success, "heads-unknown.txt")
      try project.configure("shipped: [v1, v2]\n")
      #expect(project.run("heads").words == "Library v10 is next after v2")
    }
  }

  @Test func `a conflict in the current version is named`() throws {
    try withLockedProject { project in
      try SketchedModel.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
        <<<<<<< HEAD
        <string>v2.xcdatamodel</string>
        =======
          <string>v10.xcdatamodel</string>
        >>>>>>> other
        </dict></plist>
        """,
        to: "\(project.folder)/ModelArchive/Library.xcdatamodeld/.xccurrentversion"
      )
      check(project.run("heads"), .answerIsNo, "heads-current.txt")
      let run = project.run("check")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("WS711"))
      #expect(run.words.contains("v2 and v10 each claim to be the current version."))
    }
  }
}
