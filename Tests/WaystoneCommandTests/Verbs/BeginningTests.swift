import Foundation
import MigrationTestSupport
import Testing
import Waystone
import WaystoneCommand

@Suite struct BeginningGoldenTests {
  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func check(_ text: String, _ name: String) {
    let mismatch = Golden.mismatch(text, name)
    #expect(mismatch == nil)
  }

  @Test func `a project begins with a configuration and a workflow`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/App/Models")
      try SketchedModel.write("from: v1\nto: v2\n", to: "\(folder)/Maps/v1-to-v2.hop.yml")
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/Pods/Other", model: "Other")
      let models = "App/Models/Library.xcdatamodeld"
      let made = CommandRun(
        ["generate", "v2", "--rows", "2", "--seed", "1", "-o", "Old.sqlite", "--models", models],
        in: folder
      )
      #expect(made.status == .success, "\(made.errors)")
      let run = CommandRun("init", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      check(run.output, "init.txt")
      check(try text("\(folder)/waystone.yml"), "init-waystone.yml")
      check(try text("\(folder)/.github/workflows/waystone.yml"), "init-workflow.yml")
      let url = "https://files.example.com/waystone"
      let other = CommandRun("init", "--ci", "gitlab", "--release-url", url, in: folder)
      #expect(other.status == .success, "\(other.errors)")
      check(try text("\(folder)/.gitlab/waystone.yml"), "init-gitlab.yml")
    }
  }

  @Test func `what is doubtful is written out to be checked`() throws {
    try TemporaryFolder.with { folder in
      let own = [("Summer", SketchedModel.book([("a", "")])), ("Autumn", SketchedModel.book([]))]
      try SketchedModel.write(own, into: folder)
      try FileManager.default.removeItem(atPath: "\(folder)/Library.xcdatamodeld/.xccurrentversion")
      let stages = "stages:\n  - lightweight: [Autumn, Summer]\n"
      try SketchedModel.write(stages, to: "\(folder)/App.staged.yml")
      #expect(CommandRun("init", in: folder).status == .success)
      check(try text("\(folder)/waystone.yml"), "init-doubtful.yml")
      #expect(CommandRun("versions", in: folder).status == .success)
    }
  }
}

@Suite struct BeginningTests {
  @Test func `a mapping model for each step suggests an app that goes step by step`() throws {
    try TemporaryFolder.with { folder in
      let names = [
        "Notes.xcdatamodeld", "Notes.v2-v3.xcmappingmodel", "Notes.v3-v4.xcmappingmodel",
      ]
      for name in names {
        try FileManager.default.copyItem(
          atPath: "\(SampleArchive.root)/\(name)",
          toPath: "\(folder)/\(name)"
        )
      }
      func draft() throws -> String {
        #expect(CommandRun("init", in: folder).status == .success)
        let path = "\(folder)/waystone.yml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try String(contentsOfFile: path, encoding: .utf8)
      }
      #expect(try draft().contains("\n# runtime: direct\n"))
      try FileManager.default.removeItem(atPath: "\(folder)/Notes.xcdatamodeld/v1.xcdatamodel")
      try FileManager.default.removeItem(atPath: "\(folder)/.github")
      let text = try draft()
      #expect(text.contains("\n# runtime: progressive\n"), "\(text)")
      #expect(text.replacing("\n# ", with: " ").contains("2 steps between versions"), "\(text)")
    }
  }

  @Test func `of several models the order says whose it is, and can be uncommented`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/App")
      try SketchedModel.write(
        [("t1", SketchedModel.book([("a", "")]))],
        into: "\(folder)/App",
        model: "Trial"
      )
      #expect(CommandRun("init", in: folder).status == .success)
      let path = "\(folder)/waystone.yml"
      let text = try String(contentsOfFile: path, encoding: .utf8)
      #expect(text.contains("\n# order: {Library: [v1, v2, v10]}\n"), "\(text)")
      try SketchedModel.write(text.replacing("# order:", with: "order:"), to: path)
      let run = CommandRun("check", in: folder)
      #expect(run.status == .success, "\(run.errors)")
    }
  }

  @Test func `a fresh project is checked, locked and covered`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/App")
      #expect(CommandRun("init", in: folder).status == .success)
      let first = CommandRun("check", in: folder)
      #expect(first.status == .success, "\(first.output)")
      #expect(first.words.contains("waystone.lock is not there"))
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      let second = CommandRun("check", in: folder)
      #expect(second.status == .success)
      #expect(second.words.contains("waystone.lock 3 versions as locked"))
      #expect(CommandRun("heads", in: folder).status == .success)
      let coverage = CommandRun("coverage", "--format", "junit", in: folder)
      #expect(coverage.status == .success, "\(coverage.output)\(coverage.errors)")
    }
  }

  @Test func `a project of which no version is older than its current one is told how to lock it`()
    throws
  {
    try TemporaryFolder.with { folder in
      try SketchedModel.write([SketchedModel.library[0]], into: "\(folder)/App")
      let run = CommandRun("init", in: folder)
      #expect(!run.words.contains("then `waystone lock`"), "\(run.output)")
      #expect(run.words.contains("when users have it, `waystone lock VERSION`"), "\(run.output)")
      let heads = CommandRun("heads", in: folder)
      #expect(heads.words.contains("Lock those that users have, by name: `waystone lock VERSION`"))
      #expect(CommandRun("lock", "v1", in: folder).status == .success)
    }
  }

  @Test func `no file is written over`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: folder)
      try SketchedModel.write("models: .\n", to: "\(folder)/waystone.yml")
      let run = CommandRun("init", in: folder)
      #expect(run.status == .success)
      #expect(run.words.contains("waystone.yml was there, and is kept"))
      #expect(
        try String(contentsOfFile: "\(folder)/waystone.yml", encoding: .utf8) == "models: .\n"
      )
      let again = CommandRun("init", in: folder)
      #expect(again.status == .cannotCreate)
      #expect(again.errors.contains("exist already"))
    }
  }

  @Test func `a folder without a model is told so`() throws {
    try TemporaryFolder.with { folder in
      let run = CommandRun("init", in: folder)
      #expect(run.status == .damagedInput)
      #expect(TemporaryFolder.names(in: folder).isEmpty)
    }
  }

  @Test(arguments: [
    "a: b", "- x", "#1", "yes", " v", "v ", "'q'", "\"q\"", "1.10", "é\u{2028}", "{}",
  ])
  func `names that YAML could take for something else are quoted`(name: String) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [(name, SketchedModel.book([("a", "")]))],
        into: "\(folder)/\(name)/m"
      )
      try SketchedModel.write(
        [("x", SketchedModel.book([])), (name, SketchedModel.book([("a", "")]))],
        into: "\(folder)/\(name)/n",
        model: "Other"
      )
      #expect(CommandRun("init", in: folder).status == .success)
      let text = try String(contentsOfFile: "\(folder)/waystone.yml", encoding: .utf8)
      let configuration = try Configuration.parse(text, path: "\(folder)/waystone.yml")
      #expect(configuration.models.map(\.text) == [name])
      let guess = text.split(separator: "\n", omittingEmptySubsequences: false)
        .drop { $0 != "# order:" }.prefix { !$0.isEmpty }.map { $0.dropFirst(2) }
      let order = try Configuration.parse(guess.joined(separator: "\n"), path: "waystone.yml").order
      if let list = order["Other"] { #expect(Set(list.versions) == ["x", name]) }
      let run = CommandRun("check", in: folder)
      #expect([.success, .answerIsNo].contains(run.status), "\(run.errors)")
    }
  }
}
