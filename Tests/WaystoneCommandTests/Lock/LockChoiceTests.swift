import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct LockChoiceTests {
  @Test(arguments: [["v99"], ["v1", "--all"], ["v1", "v99"]])
  func `a version that is not there is not locked`(arguments: [String]) throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      #expect(CommandRun(["lock"] + arguments, in: folder).status == .usage)
      #expect(!FileManager.default.fileExists(atPath: project.lock))
    }
  }

  @Test func `a trial run of a lock writes nothing`() throws {
    try TemporaryFolder.with { folder in
      let project = try SketchedProject(folder)
      let run = try project.run("lock", "--dry-run", "--format", "json").json()
      #expect(run["added"] as? [String] == ["v1", "v2"])
      #expect(run["written"] as? Bool == false)
      #expect(run["dryRun"] as? Bool == true)
      #expect(!FileManager.default.fileExists(atPath: project.lock))
    }
  }
}
