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

  @Test func `one after the other is not advised where the later would drop what the earlier adds`()
    throws
  {
    try withLockedProject { project in
      try project.add([Self.version("v11", [("note", "")]), Self.version("v11b", [("year", "")])])
      let run = project.run("heads")
      #expect(run.words.contains("One after the other as they are, v11b would drop Book.note."))
      #expect(!run.output.contains("order:"))
    }
  }

  @Test func `a model of which no version is locked has new ones`() throws {
    try withLockedProject { project in
      try SketchedModel.write(
        [("s1", SketchedModel.book([("a", "")])), ("s2", SketchedModel.book([("b", "")]))],
        into: "\(project.folder)/ModelArchive",
        model: "Side"
      )
      let run = project.run("heads")
      #expect(run.words.contains("Side s1, s2 are new, and no two claim"), "\(run.output)")
      #expect(project.run("check").words.contains("new s1, s2"))
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

  @Test func `versions that rename one after the other have one head`() throws {
    func named(_ name: String, after former: String) -> String {
      SketchedModel.book([(name, #"elementID="\#(former)""#)])
    }
    let versions = [
      ("v1.0.0", SketchedModel.book([("title", "")])), ("v1.1.0", named("heading", after: "title")),
      ("v1.1.2", named("caption", after: "heading")), ("v2.0.0", named("label", after: "caption")),
    ]
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: versions)
      #expect(project.run("lock", "v1.0.0").status == .success)
      let run = project.run("heads")
      #expect(run.status == .success, "\(run.output)")
      #expect(run.words == "Library v2.0.0 is next after v1.0.0")
      #expect(!project.run("check").words.contains("WS708"))
      #expect(project.run("lock", "v1.1.0", "v1.1.2").status == .success)
      #expect(project.run("heads").words == "Library v2.0.0 is next after v1.1.2")
    }
    // Both name what was there before, so that neither had the other.
    try TemporaryFolder.with { folder in
      let rivals = [versions[0], versions[1], ("v1.1.2", named("caption", after: "title"))]
      let project = try SketchedProject(folder, versions: rivals)
      #expect(project.run("lock", "v1.0.0").status == .success)
      let run = project.run("heads")
      #expect(run.status == .answerIsNo)
      #expect(
        run.words.contains("v1.1.0 after v1.0.0") && run.words.contains("v1.1.2 after v1.0.0")
      )
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

  @Test func `two locked versions after the same one are heads`() throws {
    try withLockedProject { project in
      let base = try #require(TemporaryFolder.bytes(of: project.lock))
      var locks: [String] = []
      for version in [
        Self.version("v11a", [("note", "")]), Self.version("v11b", [("year", "")]),
      ] {
        try TemporaryFolder.write(base, to: project.lock)
        try project.add([version])
        #expect(project.run("lock", "--all").status == .success)
        let bytes = try #require(TemporaryFolder.bytes(of: project.lock))
        locks.append(String(decoding: bytes, as: UTF8.self))
        try project.remove(version.name)
      }
      try project.add([
        Self.version("v11a", [("note", "")]), Self.version("v11b", [("year", "")]),
      ])
      // What `merge=union` in .gitattributes makes of the two.
      let lines = locks[0].split(separator: "\n")
      let others = locks[1].split(separator: "\n").filter { !lines.contains($0) }
      let union = (lines + others).joined(separator: "\n") + "\n"
      try SketchedModel.write(union, to: project.lock)
      let run = project.run("heads")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("v11a after v10"))
      #expect(run.words.contains("v11b after v10"))
      #expect(project.run("check").words.contains("v11b followed v10 when it was locked"))
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

  @Test func `the ends of versions that branched are heads`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(
        folder,
        versions: [
          Self.version("a", []), Self.version("b", [("note", "")]),
          Self.version("c", [("year", "")]),
          Self.version("d", [("note", ""), ("year", "")]),
        ]
      )
      try project.configure(
        """
        order:
          a: []
          b: a
          c: a
          d: [b, c]
        shipped: [a, b, c]
        """
      )
      #expect(project.run("lock", "--all").status == .success)
      let text = try #require(TemporaryFolder.bytes(of: "\(folder)/waystone.lock"))
      let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
      #expect(lines.count { $0.contains(#""version":{"after":["a"]"#) } == 2)
      #expect(project.run("heads").status == .success)
      try project.remove("d")
      try project.configure("order:\n  a: []\n  b: a\n  c: a\nshipped: [a, b, c]\n")
      let run = project.run("heads")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("b after a"))
      #expect(run.words.contains("c after a"))
      let check = project.run("check")
      #expect(check.status == .answerIsNo && check.words.contains("error WS707"), "\(check.output)")
    }
  }
}
