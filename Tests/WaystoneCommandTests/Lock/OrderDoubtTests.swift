import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Versions whose names stand behind the current one by the alphabet alone.
@Suite struct OrderDoubtTests {
  /// In the order in which they were made; the last is current, and by names the second.
  private static let versions: [(name: String, entities: String)] = [
    ("Partner", SketchedModel.book([("title", ""), ("price", "")])),
    ("Partner 2", SketchedModel.book([("title", "")])),
    ("Folio v1.0", SketchedModel.book([("isbn", ""), ("title", "")])),
    ("Folio v2.0", SketchedModel.book([("isbn", ""), ("title", ""), ("year", "")])),
  ]

  private static let draft = "`order: [Partner, Partner 2, Folio v1.0, Folio v2.0]`"

  private func with(_ body: (SketchedProject) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder, versions: Self.versions)
      try project.configure("models: ModelArchive\n")
      try body(project)
    }
  }

  private func git(_ arguments: String..., in project: SketchedProject) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments =
      ["git", "-C", project.folder, "-c", "user.name=t", "-c", "user.email=t@example.org"]
      + arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0)
  }

  @Test func `check reports the order alone, as an error, with a draft`() throws {
    try with { project in
      let json = try project.run("check", "--format", "json").json()
      let findings = try #require(json["findings"] as? [[String: Any]])
      let loud = findings.filter { $0["severity"] as? String != "note" }
      #expect(loud.map { $0["code"] as? String } == ["WS105"], "\(loud)")
      let run = project.run("check")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("error WS105 Partner: The order of the versions of Library"))
      #expect(
        run.words.contains(
          "By the numbers in their names, and if the versions named like the current one are the newest, it is: "
            + Self.draft
        )
      )
      #expect(run.words.contains("no step of Library is checked"))
    }
  }

  @Test func `the order that is drafted settles the doubt`() throws {
    try with { project in
      try project.configure(
        "models: ModelArchive\n" + Self.draft.filter { $0 != "`" } + "\n"
      )
      #expect(project.run("check").status == .success)
      #expect(project.run("lock").status == .success)
      #expect(project.run("plan", "Partner").status == .success)
    }
  }

  @Test(arguments: [[], ["Partner"], ["--all"]])
  func `lock writes nothing and asks for the order`(arguments: [String]) throws {
    try with { project in
      let run = CommandRun(["lock"] + arguments, in: project.folder)
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("error WS105"))
      #expect(run.words.contains(Self.draft))
      #expect(!FileManager.default.fileExists(atPath: "\(project.folder)/waystone.lock"))
    }
  }

  @Test func `plan advises an order, and no downgrade`() throws {
    try with { project in
      let run = project.run("plan", "Partner")
      #expect(run.status == .noPath)
      #expect(!(run.output + run.errors).contains("--downgrade"))
      #expect(run.errors.contains("order: [Partner, Partner 2, Folio v1.0, Folio v2.0]"))
    }
  }

  @Test func `coverage fails for the order first, and a plan warns of it`() throws {
    try with { project in
      let run = project.run("coverage")
      #expect(run.status == .answerIsNo)
      #expect(run.words.hasPrefix("Fails error WS105"), "\(run.output)")
      #expect(!run.words.contains("WS721") && !run.words.contains("WS724"), "\(run.output)")
      #expect(project.run("plan", "Folio v1.0").words.contains("warning WS105"))
    }
  }

  @Test func `init asks for the order, and drafts it`() throws {
    try with { project in
      try FileManager.default.removeItem(atPath: "\(project.folder)/waystone.yml")
      let run = project.run("init")
      #expect(run.status == .success)
      #expect(run.words.contains("error WS105 Partner: The order of the versions of Library"))
      let text = try String(contentsOfFile: "\(project.folder)/waystone.yml", encoding: .utf8)
      #expect(
        text.contains(
          "# order:\n#   - Partner\n#   - Partner 2\n#   - Folio v1.0\n#   - Folio v2.0\n"
        )
      )
    }
  }

  @Test func `the commits that added the versions give the draft`() throws {
    try with { project in
      try git("init", "--quiet", in: project)
      // Not as the alphabet would have it.
      for name in ["Partner", "Folio v1.0", "Partner 2", "Folio v2.0"] {
        try git("add", "ModelArchive/Library.xcdatamodeld/\(name).xcdatamodel", in: project)
        try git("commit", "--quiet", "-m", name, in: project)
      }
      let run = project.run("check")
      #expect(
        run.words.contains(
          "By the commits that added them, it is: `order: [Partner, Folio v1.0, Partner 2, Folio v2.0]`"
        ),
        "\(run.output)"
      )
    }
  }

  @Test func `commits that contradict the numbers of names give no draft`() throws {
    try with { project in
      try git("init", "--quiet", in: project)
      for name in ["Partner 2", "Partner", "Folio v1.0", "Folio v2.0"] {
        try git("add", "ModelArchive/Library.xcdatamodeld/\(name).xcdatamodel", in: project)
        try git("commit", "--quiet", "-m", name, in: project)
      }
      let words = project.run("check").words
      #expect(
        words.contains("No order is drafted: commits added Partner 2 before Partner"),
        "\(words)"
      )
      #expect(!words.contains("order: ["), "\(words)")
    }
  }

  @Test func `lock asks which version is current where nothing says it`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let mark = "\(folder)/ModelArchive/Library.xcdatamodeld/.xccurrentversion"
      try FileManager.default.removeItem(atPath: mark)
      #expect(project.run("check").words.contains("warning WS104"))
      let run = project.run("lock")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("write `current: v10` in waystone.yml"), "\(run.words)")
      #expect(!FileManager.default.fileExists(atPath: "\(folder)/waystone.lock"))
      try project.configure("models: ModelArchive\ncurrent: v10\n")
      #expect(project.run("lock").status == .success)
    }
  }

  @Test func `without a current version, names that leave the order open are an error`() throws {
    try with { project in
      let mark = "\(project.folder)/ModelArchive/Library.xcdatamodeld/.xccurrentversion"
      try FileManager.default.removeItem(atPath: mark)
      try git("init", "--quiet", in: project)
      for (name, _) in Self.versions {
        try git("add", "ModelArchive/Library.xcdatamodeld/\(name).xcdatamodel", in: project)
        try git("commit", "--quiet", "-m", name, in: project)
      }
      let run = project.run("check")
      #expect(run.words.hasSuffix("Failed: WS104."), "\(run.output)")
      #expect(!run.output.contains("WS105"), "\(run.output)")
      #expect(run.words.contains("\(Self.draft). If the newest is current: `current: Folio v2.0`."))
      #expect(project.run("lock", "--all").status == .answerIsNo)
      #expect(project.run("coverage").status == .answerIsNo)
      try project.configure(
        "models: ModelArchive\n" + Self.draft.filter { $0 != "`" } + "\ncurrent: Folio v2.0\n"
      )
      #expect(project.run("check").status == .success)
      #expect(project.run("lock").status == .success)
    }
  }

  @Test func `git is asked by the verbs that draft an order, and by no other`() throws {
    try with { project in
      try git("init", "--quiet", in: project)
      let tools = "\(project.folder)/tools"
      try FileManager.default.createDirectory(atPath: tools, withIntermediateDirectories: true)
      let script = "#!/bin/sh\necho asked >> '\(tools)/log'\nexec /usr/bin/git \"$@\"\n"
      try TemporaryFolder.write(Array(script.utf8), to: "\(tools)/git")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755],
        ofItemAtPath: "\(tools)/git"
      )
      func asks(_ arguments: String...) -> Bool {
        try? FileManager.default.removeItem(atPath: "\(tools)/log")
        let run = CommandRun(arguments, in: project.folder, environment: ["PATH": tools])
        #expect(!run.output.isEmpty, "\(run.errors)")
        return FileManager.default.fileExists(atPath: "\(tools)/log")
      }
      #expect(!asks("versions"))
      #expect(!asks("diff", "Partner", "Partner 2"))
      #expect(asks("check"))
      let words = CommandRun(["versions"], in: project.folder).words
      #expect(words.contains("`waystone check` drafts it"), "\(words)")
    }
  }

  @Test func `check names a repository that cannot be read`() throws {
    try with { project in
      try TemporaryFolder.write(Array("nothing".utf8), to: "\(project.folder)/.git")
      let run = project.run("check")
      #expect(run.status == .damagedInput, "\(run.status)")
      #expect(run.errors.contains("The git repository cannot be read"), "\(run.errors)")
    }
  }

  @Test func `a current version that most others stand after is a doubt`() throws {
    try with { project in
      let names = (1...6).map { "Model \($0)" }
      try SketchedModel.write(
        names.reversed().map {
          ($0, SketchedModel.book([("title", ""), ($0.filter(\.isNumber), "")]))
        },
        into: "\(project.folder)/Numbered",
        model: "Numbered"
      )
      try project.configure("models: Numbered\n")
      let run = project.run("check")
      #expect(run.words.hasSuffix("Failed: WS105."), "\(run.output)")
      #expect(
        run.words.contains(
          "error WS105 Model 1 is the current version of Numbered, and 5 versions stand after it"
        ),
        "\(run.output)"
      )
      #expect(project.run("lock").status == .answerIsNo)
      #expect(!project.run("plan", "Model 6").errors.contains("--downgrade"))
      try project.configure("models: Numbered\ncurrent: Model 6\n")
      #expect(!project.run("check").output.contains("WS105"))
      #expect(project.run("lock").status == .success)
    }
  }
}
