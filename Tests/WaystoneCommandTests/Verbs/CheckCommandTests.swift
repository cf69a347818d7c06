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

  @Test func `a named mapping that is left out fails`() throws {
    try TemporaryFolder.with { folder in
      try MappingCommandTests.write(folder)
      let stages =
        "stages:\n  - custom: {from: v1, to: v2}\n    did: {handlers: [fill]}\n"
        + "  - lightweight: [v10]\n"
      try SketchedModel.write(stages, to: "\(folder)/ModelArchive/App.staged.yml")
      let files = ["ModelArchive/Mappings/v2-to-v3.hop.yml", "ModelArchive/App.staged.yml"]
      func run(_ path: String) -> CommandRun { CommandRun("check", "--mappings", path, in: folder) }
      func expectLeftOut(_ words: String) {
        for path in files {
          #expect(run(path).status == .answerIsNo, "\(run(path).output)")
          #expect(run(path).words.contains("This mapping is left out"), "\(run(path).output)")
          #expect(run(path).words.contains(words), "\(run(path).output)")
        }
      }
      try SketchedModel.write("ignore: [v2]\n", to: "\(folder)/waystone.yml")
      expectLeftOut("`ignore` in waystone.yml leaves")
      try FileManager.default.removeItem(atPath: "\(folder)/waystone.yml")
      try SketchedModel.write(
        "<model",
        to: "\(folder)/ModelArchive/Library.xcdatamodeld/v2.xcdatamodel/contents"
      )
      expectLeftOut("v2")
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

  @Test func `a carried attribute that becomes required is a finding of its mapping`() throws {
    try TemporaryFolder.with { folder in
      let required = AwkwardStore.attribute("x", "String").replacing(#"optional="YES""#, with: "")
      try AwkwardStore(
        testDescription: "",
        before: AwkwardStore.entity("A", AwkwardStore.attribute("x", "String")),
        after: AwkwardStore.entity("A", required, AwkwardStore.attribute("y", "String")),
        hop: "  - source: A\n    attributes:\n      y: $source.x\n",
        damage: .sql(""),
        code: nil
      )
      .write(in: folder)
      let run = CommandRun("check", "--models", ".", "--format", "json", in: folder)
      let codes = run.output.split(separator: "\n").filter { $0.contains("WS313") }
      #expect(codes.count == 1, "\(run.output)\(run.errors)")
    }
  }

  @Test func `stages are checked with the names of their handlers`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let stages =
        "stages:\n  - custom: {from: v1, to: v2}\n    did: {handlers: [fill]}\n"
        + "  - lightweight: [v10]\n"
      try SketchedModel.write(stages, to: "\(folder)/ModelArchive/App.staged.yml")
      // What stands before the current version counts as shipped before a first lock.
      #expect(CommandRun("lock", "v1", in: folder).status == .success)
      let direct = CommandRun("check", in: folder)
      #expect(direct.status == .answerIsNo)
      #expect(
        direct.words.contains(
          "WS723 v1: Unknown: the app's path from v1 to v2 skips App.staged.yml. Waystone cannot see "
            + "what its code does. Try the app on a store of v1 first. If the app migrates by the "
            + "stages of App.staged.yml, set `runtime: staged` in waystone.yml; if not, give the app"
        ),
        "\(direct.output)"
      )
      // The app has its own handlers.
      try SketchedModel.write("runtime: staged\n", to: "\(folder)/waystone.yml")
      let run = CommandRun("check", "--verbose", in: folder)
      #expect(run.status == .success)
      #expect(
        run.words.contains("note WS408 The mapping needs your handler fill,"),
        "\(run.output)"
      )
      #expect(!run.output.contains("WS407"), "\(run.output)")
      let shown = CommandRun("inspect", "ModelArchive/App.staged.yml", in: folder)
      #expect(shown.status == .success, "\(shown.errors)")
      #expect(shown.output.contains("from v1 to v2"))
      #expect(shown.output.contains("after  handler fill"))
      let broken = stages.replacing("to: v2", with: "to: v1")
      try SketchedModel.write(broken, to: "\(folder)/ModelArchive/App.staged.yml")
      let refused = CommandRun("plan", "v1", in: folder)
      #expect(refused.status == .damagedInput)
      #expect(refused.errors.contains("App.staged.yml:2: Stage 1 names v1 again."))
    }
  }
}

@Suite struct MappingsBesideModelsTests {
  @Test func `another model's hop file beside the model does not matter`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      let models = "Library.xcdatamodeld"
      try SketchedModel.write("from: Other/v1\nto: Other/v2\n", to: "\(folder)/a.hop.yml")
      let quiet = CommandRun("plan", "v1", "--models", models, in: folder)
      #expect(quiet.status == .success, "\(quiet.errors)")
      #expect(!quiet.output.contains("a.hop.yml"))
      try SketchedModel.write("from: v98\nto: v99\n", to: "\(folder)/a.hop.yml")
      let warned = CommandRun("plan", "v1", "--models", models, in: folder)
      #expect(warned.status == .success, "\(warned.errors)")
      #expect(warned.words.contains("No version is called v98."))
      let given = CommandRun(
        "plan",
        "v1",
        "--models",
        models,
        "--mappings",
        "a.hop.yml",
        in: folder
      )
      #expect(given.status == .damagedInput)
    }
  }

  @Test(arguments: [
    ("from: v1\nto: v99\n", "No version is called v99."), ("from: v98\nto: v2\n", "called v98."),
    ("from: [\n", "This is not YAML"),
    ("from: v1\nto: v2\nentities: [{source: Boo}]\n", "has no entity Boo"),
  ])
  func `no step is inferred in place of a hop file with a mistake`(text: String, words: String)
    throws
  {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      let models = ["--models", "Library.xcdatamodeld"]
      let made = CommandRun(
        ["generate", "v1", "--rows", "3", "-o", "s.sqlite"] + models,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      try SketchedModel.write(text, to: "\(folder)/a.hop.yml")
      let plan = CommandRun(["plan", "s.sqlite"] + models, in: folder)
      #expect(plan.status != .success && plan.words.contains(words), "\(plan.output)\(plan.errors)")
      let migrated = CommandRun(["migrate", "s.sqlite"] + models, in: folder)
      #expect(migrated.status == .noPath, "\(migrated.output)\(migrated.errors)")
      #expect(migrated.errors.contains("a.hop.yml"), "\(migrated.errors)")
      // Another model's file is named as such.
      try SketchedModel.write(
        text.replacing("from: v1", with: "from: Other/v1"),
        to: "\(folder)/a.hop.yml"
      )
      if text.contains("from: v1") {
        #expect(CommandRun(["migrate", "s.sqlite"] + models, in: folder).status == .success)
      }
    }
  }

  @Test func `a hop file beside the model is taken`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(MappingCommandTests.books, into: folder)
      try SketchedModel.write(MappingCommandTests.hop, to: "\(folder)/v2-to-v3.hop.yml")
      let run = CommandRun(
        ["plan", "v2", "--models", "Library.xcdatamodeld"],
        in: folder,
        registry: MappingCommandTests.registry
      )
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.output.contains("authored"))
    }
  }
}

@Suite struct AppPathCheckTests {
  /// Each step can be inferred, and the app, which takes two at once, fails.
  @Test func `an app that cannot open a shipped version fails, and is accepted by one entry`()
    throws
  {
    func book(_ attribute: String) -> String {
      """
      <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>\
      \(attribute)</entity>
      """
    }
    try TemporaryFolder.with { folder in
      let versions = [
        (
          name: "v1",
          entities: book(#"<attribute name="x" optional="YES" attributeType="String"/>"#)
        ),
        (name: "v2", entities: book("")),
        (
          name: "v3",
          entities: book(#"<attribute name="x" optional="YES" attributeType="Integer 32"/>"#)
        ),
      ]
      try SketchedModel.write(versions, into: "\(folder)/ModelArchive")
      let settings = "models: ModelArchive\nshipped: [v1, v2]\n"
      func run(_ verb: String, _ more: String = "") throws -> CommandRun {
        try SketchedModel.write(settings + more, to: "\(folder)/waystone.yml")
        return CommandRun(verb, in: folder)
      }
      #expect(try run("lock").status == .success)
      let progressive = "runtime: progressive\n"
      #expect(try run("check", progressive).status == .success)
      #expect(try run("coverage", progressive).status == .success)
      let check = try run("check")
      #expect(check.status == .answerIsNo)
      #expect(check.words.contains("The app cannot open stores of v1"), "\(check.output)")
      let entry = #"{code: WS707, place: Book.x, version: "v3", reason: "..."}"#
      for verb in ["check", "coverage"] {
        #expect(try run(verb).output.contains(entry))
        let accepted = try run(verb, "accept:\n  - \(entry.replacing("...", with: "A beta."))\n")
        #expect(accepted.status == .success, "\(accepted.output)")
      }
    }
  }
}

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusCheckTests {
  @Test func `the audit names the stale mapping and the entities that moved`() {
    let run = CommandRun(
      "check",
      "--models",
      "CoreDataTest",
      in: Corpus.path("Mioke+CoreDataMigrationHelper")
    )
    #expect(run.status == .answerIsNo)
    #expect(run.output.contains("v1_to_v2.xcmappingmodel"))
    #expect(run.words.contains("Chat (lastMessage), Message (lastMessageOf) differ."))
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
