import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct CheckCommandTests {
  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  @Test func `a mapping's gaps make the answer no`() throws {
    try TemporaryFolder.with { folder in
      try MappingCommandTests.write(folder)
      let path = "ModelArchive/Mappings/v2-to-v3.hop.yml"
      check(
        CommandRun("check", "--mappings", path, in: folder),
        .answerIsNo,
        "check-policy.txt"
      )
      check(
        CommandRun("check", "--mappings", path, "--format", "json", in: folder),
        .answerIsNo,
        "check-policy.json"
      )
      #expect(CommandRun("check", in: folder).status == .answerIsNo)
    }
  }

  @Test func `a folder without a mapping is no mapping, and other options say so`() throws {
    try TemporaryFolder.with { folder in
      try MappingCommandTests.write(folder)
      let run = CommandRun("check", "--mappings", "ModelArchive/Library.xcdatamodeld", in: folder)
      #expect(run.status == .missingInput, "\(run.output)")
      #expect(run.errors.contains("There is no mapping in ModelArchive/Library.xcdatamodeld."))
      let path = "ModelArchive/Mappings/v2-to-v3.hop.yml"
      for more in [["--all"], ["--lock", "waystone.lock"]] {
        let run = CommandRun(["check", "--mappings", path] + more, in: folder)
        #expect(run.status == .usage)
        #expect(run.errors.contains("checks mappings alone"), "\(run.errors)")
      }
    }
  }

  @Test func `attributes without a value are named`() throws {
    try TemporaryFolder.with { folder in
      try MappingCommandTests.write(
        folder,
        hop: "from: v2\nto: v3\nentities: [{source: Book, attributes: {year: null}}]"
      )
      check(CommandRun("check", in: folder), .answerIsNo, "check-gaps.txt")
    }
  }

  @Test func `a mapping that says all is good, and that the app does not read`() throws {
    try TemporaryFolder.with { folder in
      try MappingCommandTests.write(
        folder,
        hop: """
          from: v2
          to: v3
          entities:
            - source: Book
              attributes: {year: 'CAST($source.year, "NSNumber")', note: '"none"'}
          """
      )
      check(CommandRun("check", in: folder), .answerIsNo, "check-good.txt")
    }
  }
}

@Suite struct InitCommandTests {
  @Test func `a hop file is begun once, beside the models`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(MappingCommandTests.books, into: "\(folder)/ModelArchive")
      #expect(CommandRun("plan", "v2", in: folder).status == .noPath)
      let run = CommandRun("init", "--hop", "v2", "v3", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.output.contains("ModelArchive/v2-to-v3.hop.yml"))
      #expect(run.output.contains("3 lines with TODO"))
      #expect(!run.output.contains("Plans do not see it"))
      let plan = CommandRun("plan", "v2", in: folder)
      #expect(plan.status == .noPath, "\(plan.errors)")
      #expect(plan.output.contains("WS410"))
      let message = "3 lines of v2-to-v3.hop.yml are still to do."
      #expect(CommandRun("check", in: folder).output.contains(message))
      // It may not do by silence what inference refused.
      #expect(CommandRun("generate", "v2", "-o", "s.sqlite", in: folder).status == .success)
      let migrated = CommandRun("migrate", "s.sqlite", "-o", "r.sqlite", in: folder)
      #expect(migrated.status == .noPath)
      #expect(migrated.errors.contains(message))
      let again = CommandRun("init", "--hop", "v2", "v3", in: folder)
      #expect(again.status == .cannotCreate)
      #expect(again.errors.contains("exists already"))
    }
  }

  @Test func `a hop file that no plan sees says what makes plans see it`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(MappingCommandTests.books, into: "\(folder)/ModelArchive")
      let hop = ["init", "--hop", "v2", "v3"]
      let elsewhere = CommandRun(hop + ["--output", "./v2.hop.yml"], in: folder)
      #expect(elsewhere.words.contains("Plans do not see it there. Move it to ModelArchive."))
      let file = "\(folder)/waystone.yml"
      try SketchedModel.write("mappings: [ModelArchive]\n", to: file)
      let listed = CommandRun(hop + ["--output", "./ModelArchive/v2.hop.yml"], in: folder)
      #expect(!listed.output.contains("Plans do not see it"), "\(listed.output)")
      try SketchedModel.write("mappings: [ModelArchive/v2.hop.yml]\n", to: file)
      let text = CommandRun(hop + ["-o", "ModelArchive/it's.hop.yml"], in: folder)
      let line = "  - \"ModelArchive/it's.hop.yml\"\n"
      #expect(text.output.hasSuffix("below `mappings:`:\n\(line)"), "\(text.output)")
      let unlisted = CommandRun(hop + ["--format", "json"], in: folder)
      #expect(unlisted.output.contains(#""taken": false"#), "\(unlisted.output)\(unlisted.errors)")
    }
  }

  @Test(arguments: [["v2"], ["v1", "v2", "v3"], ["v1", "v1"], ["v1", "v9"]])
  func `two versions that differ are wanted`(versions: [String]) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(MappingCommandTests.books, into: "\(folder)/ModelArchive")
      #expect(CommandRun(["init", "--hop"] + versions, in: folder).status == .usage)
    }
  }
}

@Suite struct StagedSwiftTests {
  private func check(_ run: CommandRun, _ name: String) {
    #expect(run.status == .success, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  @Test func `steps that one inference may pass over are one stage`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let run = CommandRun("plan", "v1", "--emit", "staged-swift", in: folder)
      check(run, "staged-light.swift.txt")
    }
  }

  @Test func `a custom stage stands where the walk is needed`() throws {
    let versions = [
      ("v1", SketchedModel.book([("title", ""), ("year", "")])),
      ("v2", SketchedModel.book([("title", "")])),
      ("v3", SketchedModel.book([("isbn", ""), ("title", ""), ("year", "")])),
      ("v4", SketchedModel.book([("isbn", ""), ("note", ""), ("title", ""), ("year", "")])),
    ]
    try TemporaryFolder.with { folder in
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      check(CommandRun("plan", "v1", "--emit", "staged-swift", in: folder), "staged-walk.swift.txt")
    }
  }

  @Test func `what a mapping does is left to the handlers`() throws {
    try TemporaryFolder.with { folder in
      try MappingCommandTests.write(folder)
      let stages = "stages:\n  - custom: {from: v1, to: v2}\n    will: {handlers: [save]}\n"
      try SketchedModel.write(stages, to: "\(folder)/ModelArchive/App.staged.yml")
      check(CommandRun("plan", "v1", "--emit", "staged-swift", in: folder), "staged-work.swift.txt")
    }
  }
}
