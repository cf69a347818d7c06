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

  @Test func `the order given is the order shown`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      try SketchedModel.write("order: [v2, v10, v1]\n", to: "\(folder)/waystone.yml")
      let versions = try CommandRun("versions", "--format", "json", in: folder).json()
      let names = (versions["versions"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
      #expect(names == ["v2", "v10", "v1"])
    }
  }

  @Test(arguments: [
    ("order: [v1, v2]\n", "waystone.yml:1: The order does not say where v10 stands."),
    ("\norder: [v1, v2, v10, v11]\n", "waystone.yml:2: The order names v11, which is no version."),
    ("current: v3\n", "waystone.yml:1: No version, or more than one, is called v3."),
    ("order: {Other: [v1]}\n", "waystone.yml:1: There are 0 models called Other."),
  ])
  func `a file that does not fit the models is an error at its line`(
    text: String,
    message: String
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      try SketchedModel.write(text, to: "\(folder)/waystone.yml")
      let run = CommandRun("versions", in: folder)
      #expect(run.status == .usage)
      #expect(run.errors.hasPrefix("error: \(folder)/\(message)\nnext: "))
    }
  }
}
