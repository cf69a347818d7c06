import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand
import Yams

/// The workflow that `init` writes, whose steps are run as they stand.
@Suite struct WorkflowTests {
  /// The scripts of the steps, in their order.
  private func scripts(in folder: String) throws -> [(name: String, text: String)] {
    let path = "\(folder)/.github/workflows/waystone.yml"
    let root = try #require(try Yams.compose(yaml: String(contentsOfFile: path, encoding: .utf8)))
    let steps = try #require(root["jobs"]?["models"]?["steps"]?.sequence)
    return steps.compactMap { step in
      step["run"]?.string.map { (step["name"]?.string ?? "", $0) }
    }
  }

  @Test func `the commands of its steps are those of this program`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      #expect(CommandRun("init", in: folder).status == .success)
      let lines = try scripts(in: folder).flatMap { $0.text.split(separator: "\n") }
      let words = lines.map { $0.split(separator: " ").prefix { $0 != "||" }.map { String($0) } }
      let commands = words.filter { $0.first == "waystone" }
      #expect(Set(commands.map { $0[1] }) == ["check", "heads", "coverage"])
      for command in commands {
        #expect(WaystoneProgram.accepts(Array(command.dropFirst())), "\(command)")
      }
      #expect(!WaystoneProgram.accepts(["check", "--fly"]))
    }
  }

  /// Runs the scripts of all steps as a runner does, and says which of them failed.
  private func failures(in folder: String) throws -> [String] {
    let program = ProcessRun.executable("waystone").deletingLastPathComponent().path
    return try scripts(in: folder).compactMap { script in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-e", "-c", script.text]
      process.currentDirectoryURL = URL(fileURLWithPath: folder)
      process.environment = [
        "PATH": "\(program):/usr/bin:/bin", "GITHUB_PATH": "\(folder)/path",
        "GITHUB_STEP_SUMMARY": "\(folder)/summary.md", "WAYSTONE_SOURCES": "Tools/waystone",
      ]
      process.standardOutput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus == 0 ? nil : script.name
    }
  }

  @Test func `its steps run as written, and turn green once the loss is locked`() throws {
    try TemporaryFolder.with { folder in
      let versions = [
        ("v1", SketchedModel.book([("title", ""), ("color", "")])),
        ("v2", SketchedModel.book([("title", "")])),
      ]
      try SketchedModel.write(versions, into: folder)
      #expect(CommandRun("init", in: folder).status == .success)
      let red = try failures(in: folder)
      #expect(red.contains("Check models, mappings and the lock"), "\(red)")
      for file in ["check.sarif", "coverage.html", "coverage.sarif", "coverage.xml"] {
        let size = TemporaryFolder.bytes(of: "\(folder)/waystone-results/\(file)")?.count ?? 0
        #expect(size > 500, "\(file)")
      }
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      let green = try failures(in: folder)
      #expect(green.isEmpty, "\(green)")
    }
  }
}
