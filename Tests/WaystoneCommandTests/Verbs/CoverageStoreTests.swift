import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Stores beside the versions of coverage.
@Suite struct CoverageStoreTests {
  @Test func `the ledger of a batch among the stores is no store`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      try FileManager.default.createDirectory(
        atPath: "\(folder)/a",
        withIntermediateDirectories: false
      )
      let made = CommandRun("generate", "v1", "--rows", "3", "-o", "a/s.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let before = CommandRun("coverage", "a", in: folder)
      let batch = try ProcessRun(["batch", "a", "--output", "a/out"], in: folder)
      try #require(batch.status == 0, "\(batch.errors)")
      let after = CommandRun("coverage", "a", in: folder)
      #expect(!after.output.contains("WS729"), "\(after.output)")
      #expect(after.status == before.status, "\(after.output)")
    }
  }
}
