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

  @Test func `mappings between other versions than a plan's refuse nothing`() throws {
    try TemporaryFolder.with { folder in
      func note(_ more: String...) -> String {
        AwkwardStore.entity(
          "Note",
          (["t"] + more).map { AwkwardStore.attribute($0, "String") }.joined()
        )
      }
      try SketchedModel.write(
        [("v1", note()), ("v2", note("u")), ("v3", note("u", "w"))],
        into: folder
      )
      for name in ["first", "second"] {
        let text =
          "from: v2\nto: v3\nentities:\n  - source: Note\n    attributes:\n      w: \"'\(name)'\"\n"
        try SketchedModel.write(text, to: "\(folder)/\(name).hop.yml")
      }
      let models = ["--models", folder]
      let made = CommandRun(
        ["generate", "v1", "--rows", "5", "-o", "s.sqlite"] + models,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      let blocked = CommandRun(["plan", "v2", "--to", "v3"] + models, in: folder)
      #expect(blocked.status == .noPath, "\(blocked.output)")
      let plan = CommandRun(["plan", "s.sqlite", "--to", "v2"] + models, in: folder)
      #expect(plan.status == .success, "\(plan.output)\(plan.errors)")
      #expect(!plan.output.contains("refused") && plan.words.contains("0 errors"), "\(plan.output)")
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
