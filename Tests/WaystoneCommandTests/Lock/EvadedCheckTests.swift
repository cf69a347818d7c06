import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Ways to turn a red check green without mending anything.
@Suite struct EvadedCheckTests {
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
