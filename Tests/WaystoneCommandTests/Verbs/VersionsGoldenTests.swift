import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct VersionsGoldenTests {
  @Test func `versions stand in natural order with their checksums`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let text = CommandRun("versions", in: folder)
      #expect(text.status == .success)
      let textMismatch = Golden.mismatch(text.output, "versions.txt")
      #expect(textMismatch == nil)
      let json = CommandRun("versions", "--format", "json", in: folder)
      let jsonMismatch = Golden.mismatch(json.output, "versions.json")
      #expect(jsonMismatch == nil)
    }
  }

  @Test func `quiet prints nothing but still says whether it went well`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      let run = CommandRun("versions", "-q", "--models", ".", in: folder)
      #expect(run.status == .success)
      #expect(run.output.isEmpty && run.errors.isEmpty)
    }
  }

  @Test func `colors need a terminal, and no wish against them`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      func isColored(_ run: CommandRun) -> Bool { run.output.contains("\u{1b}[") }
      #expect(isColored(CommandRun(["versions"], in: folder, isTerminal: true)))
      #expect(!isColored(CommandRun(["versions"], in: folder)))
      #expect(!isColored(CommandRun(["versions", "--no-color"], in: folder, isTerminal: true)))
      let environment = ["NO_COLOR": "1"]
      #expect(
        !isColored(
          CommandRun(["versions"], in: folder, environment: environment, isTerminal: true)
        )
      )
    }
  }
}
