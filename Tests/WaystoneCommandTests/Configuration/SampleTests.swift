import Foundation
import MigrationTestSupport
import ModelImport
import ObjectModel
import StoreGeneration
import Testing
import WaystoneCommand

/// Names that no model settles: samples that settle them, and guesses that a project accepts.
@Suite struct SampleTests {
  /// Lends a project whose second version gets a many-to-many that either side may name, and which
  /// has a store of each version.
  private func with(_ body: (String) throws -> Void) throws {
    func link(_ name: String, _ inverse: String) -> String {
      #"<relationship name="\#(name)" optional="YES" toMany="YES" deletionRule="Nullify" "#
        + #"destinationEntity="Book" inverseName="\#(inverse)" inverseEntity="Book"/>"#
    }
    let plain = SketchedModel.book([("title", "")])
    let linked = plain.replacing(
      "</entity>",
      with: link("s5", "s6") + link("s6", "s5") + "</entity>"
    )
    try TemporaryFolder.with { folder in
      try SketchedModel.write([("v1", plain), ("v2", linked)], into: "\(folder)/ModelArchive")
      for version in try ArchiveLoader.load("\(folder)/ModelArchive").versions {
        try StoreGenerator(model: version.model, rows: 1, seed: 1)
          .write(to: "\(folder)/\(version.name).sqlite")
      }
      try body(folder)
    }
  }

  private func configure(_ text: String, _ folder: String) throws {
    try SketchedModel.write("models: ModelArchive\n\(text)\n", to: "\(folder)/waystone.yml")
  }

  @Test(arguments: [
    ("samples:\n  v2: none.sqlite", "none.sqlite"),
    ("samples:\n  v2: waystone.yml", "waystone.yml"),
    ("samples:\n  v2: v1.sqlite", "v1.sqlite is no store of v2, but of v1."),
    ("samples:\n  v1: v2.sqlite", "v2.sqlite is no store of v1, but of v2."),
    ("samples:\n  v3: v2.sqlite", "No version, or more than one, is called v3"),
    ("samples:\n  Library/v2: v2.sqlite\n  v2: v2.sqlite", "names v2 twice: line 3 does, too."),
  ])
  func `a sample that no plan could use is refused at its line`(text: String, message: String)
    throws
  {
    try with { folder in
      try configure(text, folder)
      let line = text.contains("twice") || text.contains("Library") ? 4 : 3
      for verb in ["check", "coverage"] {
        let run = CommandRun(verb, in: folder)
        #expect(run.status == .usage, "\(run.output)")
        #expect(run.errors.contains("waystone.yml:\(line): "), "\(run.errors)")
        #expect(run.errors.contains(message), "\(run.errors)")
      }
    }
  }

  @Test func `a sample of the version settles its names for every verb`() throws {
    try with { folder in
      try configure("samples:\n  Library/v2: v2.sqlite", folder)
      #expect(CommandRun("check", in: folder).status == .success)
      let coverage = CommandRun("coverage", in: folder)
      #expect(
        coverage.words.contains("Waystone: 1 of 1 can migrate. No gap."),
        "\(coverage.output)"
      )
      let plan = CommandRun("plan", "v1", in: folder)
      #expect(plan.status == .success, "\(plan.errors)")
    }
  }

  @Test func `a store that was made up settles no name`() throws {
    try with { folder in
      try configure("", folder)
      let made = CommandRun("generate", "v2", "--rows", "4", "-o", "made.sqlite", in: folder)
      #expect(made.words.contains("the store's are guesses"), "\(made.output)")
      let plain = CommandRun("generate", "v1", "--rows", "4", "-o", "plain.sqlite", in: folder)
      #expect(plain.status == .success && !plain.words.contains("guesses"))
      for run in [
        CommandRun("plan", "v1.sqlite", "--like", "made.sqlite", in: folder),
        CommandRun("migrate", "v1.sqlite", "--like", "made.sqlite", "-o", "o.sqlite", in: folder),
      ] {
        #expect(run.status != .success)
        #expect(
          run.errors.contains("made.sqlite was written by `waystone generate`"),
          "\(run.errors)"
        )
      }
      try configure("samples:\n  v2: made.sqlite", folder)
      let coverage = CommandRun("coverage", in: folder)
      #expect(coverage.status == .usage)
      #expect(
        coverage.errors.contains("waystone.yml:3: made.sqlite was written by `waystone generate`")
      )
    }
  }

  @Test func `names that nothing settles hold no app, and are no path until they are accepted`()
    throws
  {
    try with { folder in
      try configure("", folder)
      let coverage = CommandRun("coverage", in: folder)
      #expect(coverage.status == .success, "\(coverage.output)")
      #expect(coverage.words.contains("note WS501"))
      #expect(
        coverage.words.hasSuffix(
          "Waystone: 0 of 1 can migrate; 1 needs names. "
            + "No gap in the app. Waystone cannot migrate 1 version yet."
        ),
        "\(coverage.output)"
      )
      let plan = CommandRun("plan", "v1.sqlite", in: folder)
      #expect(plan.status == .noPath)
      let entry = #"{code: WS501, place: Book.s6, reason: "..."}"#
      // Whether a guess is right nobody can have tried.
      #expect(plan.errors.contains("Only on a copy, accept the guess"), "\(plan.errors)")
      for text in [plan.errors, coverage.output] { #expect(!text.contains("reason:"), "\(text)") }
      #expect(CommandRun("coverage", "--run", "--rows", "5", in: folder).status == .answerIsNo)

      try configure("accept:\n  - \(entry.replacing("...", with: "We looked."))", folder)
      let accepted = CommandRun("coverage", "--run", "--rows", "5", in: folder)
      #expect(accepted.status == .success, "\(accepted.output)")
      #expect(
        accepted.words.contains("Waystone: 1 of 1 can migrate; 1 with guessed names."),
        "\(accepted.output)"
      )
      let plain = CommandRun("coverage", in: folder)
      #expect(
        plain.words.hasSuffix("Not proven: names of join tables are guesses for 1 version."),
        "\(plain.output)"
      )
      #expect(plain.words.contains("Accepted WS501 v1 Book.s6 We looked."), "\(plain.output)")
      let run = CommandRun("plan", "v1.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.words.contains("warning WS501"), "a guess stays one: \(run.output)")
      let dry = CommandRun("migrate", "v1.sqlite", "--dry-run", "--output", "o.sqlite", in: folder)
      #expect(dry.status == .success, "\(dry.errors)")
      let migration = CommandRun("migrate", "v1.sqlite", "--output", "o.sqlite", in: folder)
      #expect(migration.status == .success, "\(migration.errors)")
    }
  }

  @Test func `an acceptance of another name lets no guess pass`() throws {
    try with { folder in
      try configure("accept:\n  - {code: WS501, place: Book.s5, reason: We looked.}", folder)
      #expect(CommandRun("plan", "v1", in: folder).status == .noPath)
      let migration = CommandRun("migrate", "v1.sqlite", "--output", "o.sqlite", in: folder)
      #expect(migration.status == .noPath, "\(migration.errors)")
    }
  }

  @Test func `a store that knows its names needs no sample`() throws {
    try with { folder in
      let linked = try String(
        contentsOfFile: "\(folder)/ModelArchive/Library.xcdatamodeld/v2.xcdatamodel/contents",
        encoding: .utf8
      )
      let path = "\(folder)/ModelArchive/Library.xcdatamodeld/v3.xcdatamodel/contents"
      let tag = #"<entity name="Tag" syncable="YES"/></model>"#
      try SketchedModel.write(linked.replacing("</model>", with: tag), to: path)
      try configure("current: v3", folder)
      #expect(CommandRun("plan", "v2.sqlite", in: folder).status == .success)
      let coverage = try CommandRun("coverage", "v2.sqlite", "--format", "json", in: folder).json()
      let paths = try #require(coverage["paths"] as? [[String: Any]])
      let own = try #require(paths.first { $0["store"] is String })
      let findings = try #require(own["findings"] as? [[String: Any]])
      #expect(!findings.contains { $0["code"] as? String == "WS501" }, "\(findings)")
    }
  }
}
