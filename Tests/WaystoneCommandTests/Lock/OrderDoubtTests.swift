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
}
