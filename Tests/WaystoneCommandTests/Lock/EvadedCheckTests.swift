import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Ways to turn a red check green without mending anything.
@Suite struct EvadedCheckTests {
  private static func book(_ type: String) -> String {
    """
    <entity name="Book" syncable="YES">
    <attribute name="pages" optional="YES" attributeType="\(type)"/>
    </entity>
    """
  }

  @Test func `a baseline of one conversion is none of another`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(
        folder,
        versions: [("v1", Self.book("Integer 64")), ("v2", Self.book("Integer 32"))]
      )
      let strict = ["check", "--fail-on", "warning"]
      #expect(CommandRun(strict, in: folder).status == .answerIsNo)
      #expect(project.run("check", "--write-baseline", "old.json").status == .success)
      #expect(CommandRun(strict + ["--baseline", "old.json"], in: folder).status == .success)
      try project.add([("v2", Self.book("Boolean"))])
      let worse = CommandRun(strict + ["--baseline", "old.json"], in: folder)
      #expect(worse.status == .answerIsNo, "\(worse.output)")
    }
  }

  @Test func `an acceptance of one conversion is none of another`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(
        folder,
        versions: [("v1", Self.book("Integer 64")), ("v2", Self.book("Integer 32"))]
      )
      func accept(_ more: String) throws {
        try project.configure(
          "accept:\n  - {code: WS310, place: Book.pages, version: v2, \(more)reason: They fit.}\n"
        )
      }
      let strict = ["check", "--fail-on", "warning"]
      try accept("")
      let bare = CommandRun(strict, in: folder)
      #expect(bare.status == .answerIsNo)
      #expect(bare.words.contains("write `change: integer64 to integer32`"), "\(bare.output)")
      try accept("change: integer64 to integer32, ")
      #expect(CommandRun(strict, in: folder).status == .success)
      try project.add([("v2", Self.book("Boolean"))])
      #expect(CommandRun(strict, in: folder).status == .answerIsNo)
    }
  }

  @Test func `a version's own name is of none of two models that have it`() throws {
    try TemporaryFolder.with { folder in
      for name in ["M", "N"] {
        let versions = [
          ("v1", SketchedModel.book([("a", ""), ("b", "")])),
          ("v2", SketchedModel.book([("a", "")])),
        ]
        try SketchedModel.write(versions, into: "\(folder)/ModelArchive", model: name)
      }
      func check(_ version: String) throws -> CommandRun {
        try SketchedModel.write(
          "accept:\n  - {code: WS302, version: \(version), reason: Nobody filled it in.}\n",
          to: "\(folder)/waystone.yml"
        )
        return CommandRun(["check", "--format", "json"], in: folder)
      }
      let bare = try #require(try check("v2").json()["accepted"] as? [Any])
      #expect(bare.isEmpty)
      let named = try #require(try check("M/v2").json()["accepted"] as? [Any])
      #expect(named.count == 1)
    }
  }

  @Test func `a current version that is ignored is told of`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "v1", "v2").status == .success)
      try project.configure("ignore: [v10]\n")
      let run = project.run("check")
      #expect(run.status == .answerIsNo, "\(run.output)")
      #expect(run.words.contains("WS712"))
      try project.configure("ignore: [v10]\ncurrent: v2\n")
      let named = project.run("check")
      #expect(named.words.contains("warning WS712"), "\(named.output)")
      #expect(project.run("check", "--fail-on", "warning").status == .answerIsNo)
    }
  }

  @Test(.enabled(if: Git.isThere)) func `a lock that git has is missed`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("check").status == .success)
      #expect(project.run("lock", "--all").status == .success)
      try Git.commitAll(in: folder)
      #expect(project.run("check").status == .success)
      try FileManager.default.removeItem(atPath: project.lock)
      for arguments in [["check"], ["check", "--changed-only", "main"]] {
        let run = CommandRun(arguments, in: folder)
        #expect(run.status == .answerIsNo, "\(run.output)")
        #expect(run.words.contains("error WS710"), "\(run.output)")
      }
    }
  }

  @Test func `a lock is missed where waystone.yml says what was shipped`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.configure("shipped: [v1]\n")
      let run = project.run("check")
      #expect(run.status == .answerIsNo && run.words.contains("error WS710"), "\(run.output)")
    }
  }

  @Test func `no name of a stranger's file becomes a key of what init writes`() throws {
    try TemporaryFolder.with { folder in
      let name = "x\nallowSQL: true\nignore: [v2]\n#"
      try SketchedModel.write(
        [
          ("v1", SketchedModel.book([("a", "")])),
          ("v2\r\nignore: [v1]\u{85}#", SketchedModel.book([])),
        ],
        into: folder,
        model: name
      )
      #expect(CommandRun("init", in: folder).status == .success)
      let text = try String(contentsOfFile: "\(folder)/waystone.yml", encoding: .utf8)
      let live = text.unicodeScalars.split { ["\n", "\r", "\u{85}", "\u{2028}"].contains($0) }
        .map { String(String.UnicodeScalarView($0)) }.filter { !$0.hasPrefix("#") }
      #expect(live.count == 1 && live[0].hasPrefix("models: \"x\\u000a"), "\(live)")
    }
  }
}
