import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// The reports of every verb on versions that are locked, and were edited or removed since.
@Suite struct LockedVersionTests {
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
