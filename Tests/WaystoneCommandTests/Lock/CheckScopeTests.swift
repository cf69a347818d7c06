import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// The scope of `check`, and the findings that fail it, by its options.
@Suite struct CheckScopeTests {
  /// A project whose last version drops `isbn`.
  private static func project(in folder: String) throws -> SketchedProject {
    let project = try SketchedProject(folder)
    try project.add([("v11", SketchedModel.book([("heading", "")]))])
    #expect(project.run("lock").status == .success)
    return project
  }

  @Test func `a baseline lets old findings pass, and new ones fail`() throws {
    try TemporaryFolder.with { folder in
      let project = try Self.project(in: folder)
      #expect(project.run("check").status == .answerIsNo)
      let written = project.run("check", "--write-baseline", "old.json")
      #expect(written.status == .success, "\(written.errors)")
      let run = project.run("check", "--baseline", "old.json")
      #expect(run.status == .success, "\(run.output)")
      #expect(run.words.contains("old.json has"))
      // A baseline is written over by a baseline, and by no report.
      #expect(project.run("check", "-o", "old.json").status == .cannotCreate)
      #expect(project.run("check", "--write-baseline", "old.json").status == .success)
      try project.add([("v12", SketchedModel.book([("other", "")]))])
      let after = project.run("check", "--baseline", "old.json")
      #expect(after.status == .answerIsNo)
      #expect(after.words.contains("heading"))
      #expect(!after.words.contains("Book.isbn"))
    }
  }

  @Test func `an edit of a locked version is in no baseline`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      try project.edit("v2", #"name="isbn""#, #"name="isbn" defaultValueString="a""#)
      let written = project.run("check", "--write-baseline", "old.json")
      #expect(written.status == .success)
      #expect(written.words.contains("old.json is written: 0 findings."), "\(written.output)")
      #expect(written.words.contains("leaves out 1 finding on locked versions"))
      let same = project.run("check", "--baseline", "old.json")
      #expect(same.status == .answerIsNo && same.output.contains("WS70"), "\(same.output)")
      try project.edit("v2", #"defaultValueString="a""#, #"defaultValueString="b""#)
      #expect(project.run("check", "--baseline", "old.json").status == .answerIsNo)
    }
  }

  private static let conflict = "<<<<<<< a\n{}\n=======\n[]\n>>>>>>> b\n"

  @Test(arguments: ["{}", "[]", #"{"schema":"waystone.baseline/9","findings":[]}"#, "", conflict])
  func `a file that is no baseline is refused`(text: String) throws {
    try TemporaryFolder.with { folder in
      let project = try Self.project(in: folder)
      try SketchedModel.write(text, to: "\(folder)/old.json")
      let run = project.run("check", "--baseline", "old.json")
      #expect(run.status == .damagedInput, "\(run.status)")
      #expect(run.errors.contains("old.json is not a baseline of findings"))
      let isConflict = text == Self.conflict
      let advice =
        isConflict
        ? "keep the findings of both sides" : "from the project's history"
      #expect(run.errors.contains(advice) && run.errors.contains("conflict") == isConflict)
      #expect(project.run("check", "--write-baseline", "old.json").status != .success)
      #expect(try String(contentsOfFile: "\(folder)/old.json", encoding: .utf8) == text)
    }
  }

  @Test(.enabled(if: Git.isThere))
  func `what a commit did not touch is left out, and what it did fails`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.add([("v11", SketchedModel.book([("heading", "")]))])
      try Git.commitAll(in: folder)
      #expect(project.run("check").status == .answerIsNo)
      let same = project.run("check", "--changed-only", "HEAD")
      #expect(same.status == .success, "\(same.output)")
      #expect(same.words.contains("as it was in HEAD"))
      try project.edit("v10", #"name="isbn""#, #"name="isbn" defaultValueString="-""#)
      let touched = project.run("check", "--changed-only", "HEAD")
      #expect(touched.status == .answerIsNo, "the step from v10 to v11 has a side that changed")
      #expect(touched.words.contains("isbn"))
    }
  }

  @Test func `all lines to paste are shown where they are asked for`() throws {
    try TemporaryFolder.with { folder in
      let names = ["a", "b", "c", "d", "e"].map { (name: $0, more: "") }
      let old = SketchedModel.book([("title", "")] + names)
      let versions = [("v1", old), ("v2", SketchedModel.book([("title", "")]))]
      let project = try SketchedProject(folder, versions: versions)
      func lines(_ run: CommandRun) -> Int {
        run.output.split(separator: "\n").count { $0.hasPrefix("  - {code:") }
      }
      let run = project.run("check")
      #expect(lines(run) == 3)
      #expect(run.output.contains("  and 2 more lines; --verbose shows all.\n"), "\(run.output)")
      #expect(lines(project.run("check", "--verbose")) == 5)
    }
  }

  @Test(arguments: [("error", CommandStatus.success), ("note", .answerIsNo)])
  func `the least severity that fails is given`(severity: String, status: CommandStatus) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.configure("shipped: [v1, v2]\n")
      #expect(project.run("lock").status == .success)
      #expect(project.run("check", "--fail-on", severity).status == status)
    }
  }
}
