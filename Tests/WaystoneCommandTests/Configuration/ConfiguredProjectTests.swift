import MigrationTestSupport
import Testing
import WaystoneCommand

/// Projects with a `waystone.yml`, as the command takes them.
@Suite struct ConfiguredProjectTests {
  @Test func `the nearest file above counts`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/Models")
      try SketchedModel.write("models: Models\ncurrent: v2\n", to: "\(folder)/waystone.yml")
      try SketchedModel.write("", to: "\(folder)/deep/er/file")
      let run = CommandRun("versions", in: "\(folder)/deep/er")
      #expect(run.status == .success)
      #expect(run.output.contains("v2              1"))
      let marked = run.output.split(separator: "\n").filter { $0.hasSuffix("current") }
      #expect(marked.count == 1)
      #expect(marked.first?.contains("v2") == true)
    }
  }
}
