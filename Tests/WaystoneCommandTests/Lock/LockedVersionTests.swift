import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// The reports of every verb on versions that are locked, and were edited or removed since.
@Suite struct LockedVersionTests {
  @Test func `of two edited versions each is accepted by itself`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      for version in ["v1", "v2"] {
        try project.edit(version, #"name="title""#, #"name="title" elementID="name""#)
      }
      let first = project.run("lock", "--accept", "v1", "--reason", "mended")
      #expect(first.status == .answerIsNo, "the other one is still edited")
      #expect(first.words.contains("accepted v1: mended"), "\(first.output)")
      #expect(first.words.contains("WS702 v2"), "\(first.output)")
      #expect(project.run("lock", "--accept", "v2", "--reason", "mended").status == .success)
      #expect(project.run("check").status == .success, "\(project.run("check").output)")
    }
  }

  @Test func `beside an edited version no new one is locked with one that is accepted`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock").status == .success)
      for version in ["v1", "v2"] {
        try project.edit(version, #"name="title""#, #"name="title" elementID="name""#)
      }
      let run = project.run("lock", "v10", "--accept", "v1", "--reason", "mended")
      #expect(run.status == .answerIsNo)
      let text = try String(contentsOfFile: project.lock, encoding: .utf8)
      #expect(text.contains("mended") && !text.contains("v10"), "\(text)")
    }
  }

  @Test func `a locked version that is gone holds coverage, too`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock").status == .success)
      #expect(!project.run("coverage").words.contains("WS706"))
      try project.remove("v2")
      let run = project.run("coverage")
      #expect(run.status == .answerIsNo)
      #expect(run.words.contains("Library/v2 is locked and no longer there"), "\(run.output)")
      let json = try project.run("coverage", "--format", "json").json()
      let findings = try #require(json["findings"] as? [[String: Any]])
      #expect(findings.contains { $0["code"] as? String == "WS706" })
    }
  }

  @Test func `a lock that lies with the models is found below a waystone.yml`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      try project.configure("models: ModelArchive\n")
      let run = project.run("check")
      #expect(
        run.words.contains("ModelArchive/waystone.lock 3 versions as locked"),
        "\(run.output)"
      )
      // One beside the configuration comes first.
      try FileManager.default.copyItem(atPath: project.lock, toPath: "\(folder)/waystone.lock")
      #expect(!project.run("check").words.contains("ModelArchive/waystone.lock"))
    }
  }

  @Test func `the command that accepts an edit can be pasted, but for its reason`() throws {
    try TemporaryFolder.with { folder in
      let versions = SketchedModel.library.map { ("Books \($0.name)", $0.entities) }
      let project = try SketchedProject(folder, versions: versions)
      #expect(project.run("lock", "--all").status == .success)
      try project.edit("Books v1", #"name="title""#, #"name="title" elementID="name""#)
      #expect(
        project.run("check").words.contains(#"lock --accept 'Books v1' --reason "...""#),
        "\(project.run("check").output)"
      )
      #expect(project.run("lock", "--accept", "Books v1", "--reason", "...").status == .usage)
      #expect(project.run("lock", "--accept", "Books v1", "--reason", "A beta").status == .success)
    }
  }

  @Test func `one edit of several versions is one finding`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(project.run("lock", "--all").status == .success)
      for version in ["v1", "v2"] {
        try project.edit(version, #"name="title""#, #"name="title" elementID="name""#)
      }
      let run = project.run("check")
      #expect(run.words.contains("error WS702 v1, v2: Book.title was edited"), "\(run.output)")
      #expect(run.words.contains("lock --accept VERSION --reason"))
      #expect(run.words.contains("2 errors"))
    }
  }
}
