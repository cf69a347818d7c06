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

  @Test func `a baseline says which of its findings are gone`() throws {
    try TemporaryFolder.with { folder in
      let project = try Self.project(in: folder)
      #expect(project.run("check", "--write-baseline", "old.json").status == .success)
      try project.edit(
        "v11",
        #"name="heading""#,
        #"name="isbn" optional="YES" attributeType="String"/><attribute name="heading""#
      )
      let json = try project.run("check", "--baseline", "old.json", "--format", "json").json()
      let baseline = try #require(json["baseline"] as? [String: Any])
      #expect(try #require(baseline["gone"] as? Int) > 0)
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

  @Test func `a note fails where notes are said to fail`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      try project.configure("shipped: [v1, v2]\n")
      #expect(project.run("lock").status == .success)
      #expect(project.run("check").status == .success)
      #expect(project.run("check", "--fail-on", "note").status == .answerIsNo)
      #expect(project.run("check", "--fail-on", "error").status == .success)
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

  @Test(.enabled(if: Git.isThere))
  func `several heads fail whichever of them a commit touched`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      func version(_ name: String, _ attribute: String) -> (name: String, entities: String) {
        let own = [("heading", #"elementID="title""#), ("isbn", ""), (attribute, "")]
        return (name, SketchedModel.book(own.map { (name: $0.0, more: $0.1) }))
      }
      try project.add([version("v11a", "note"), version("v11b", "year")])
      try Git.commitAll(in: folder)
      try project.edit("v11a", #"name="note""#, #"name="remark""#)
      let run = project.run("check", "--changed-only", "HEAD")
      #expect(run.status == .answerIsNo, "\(run.output)")
      #expect(run.words.contains("v11a and v11b each claim to be the next"), "\(run.words)")
    }
  }
}
