import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Refusals name what refuses, and nothing else.
@Suite struct RefusalTests {
  private func with(_ name: String, _ body: (String) throws -> Void) throws {
    let store = try #require(AwkwardStore.all.first { $0.testDescription == name })
    try TemporaryFolder.with { folder in
      try store.write(in: folder)
      try body(folder)
    }
  }

  @Test func `a missing table is damage that neither the app nor an option mends`() throws {
    try with("a missing table") { folder in
      let inspection = CommandRun("inspect", "in/s.sqlite", "--models", folder, in: folder)
      #expect(inspection.words.contains("lacks the table ZB"), "\(inspection.output)")
      #expect(inspection.words.contains("missing"), "\(inspection.output)")
      #expect(inspection.status == .damagedInput, "\(inspection.errors)")
      for words in [["plan"], ["migrate", "-o", "o.sqlite", "--accept-damaged-source"]] {
        let run = CommandRun(words + ["in/s.sqlite", "--to", "v2", "--models", folder], in: folder)
        #expect(run.status == .damagedInput, "\(run.errors)")
        #expect(run.errors.contains("`--accept-damaged-source` does not apply"), "\(run.errors)")
      }
    }
  }

  @Test func `the binary kind of Core Data's stores is named`() throws {
    let type = "NSBinaryStoreType"
    try with("a store of the binary kind") { folder in
      let plan = CommandRun("plan", "in/s.sqlite", "--models", folder, in: folder)
      #expect(plan.errors.contains(type), "\(plan.errors)")
      let batch = try ProcessRun(
        "batch",
        "in",
        "--to",
        "v2",
        "--output",
        "out",
        "--models",
        folder,
        in: folder
      )
      #expect(batch.output.contains(type), "\(batch.output)")
    }
  }

  @Test func `what the project accepts of a step is not accepted of a store's rows`() throws {
    try with("a number that is too large for a narrower type") { folder in
      try SketchedModel.write(
        "models: .\naccept:\n  - {code: WS310, version: v2, change: integer32 to integer16, reason: \"Known.\"}\n",
        to: "\(folder)/waystone.yml"
      )
      let run = CommandRun("coverage", "in/s.sqlite", in: folder)
      #expect(run.status == .answerIsNo, "\(run.output)\(run.errors)")
      #expect(run.words.contains("not the rows of this store"), "\(run.output)")
    }
  }
}
