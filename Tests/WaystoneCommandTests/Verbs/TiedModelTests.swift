import MigrationTestSupport
import Testing
import WaystoneCommand

/// Stores whose version two models have, with equal hashes.
@Suite struct TiedModelTests {
  /// Lends the body a folder with the models Plain and Secret, whose first versions hash alike, and a store of
  /// that version.
  private func with(
    secret: String = SketchedModel.book([("title", ""), ("key", "")]),
    store: String = "s.sqlite",
    _ body: (String) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let first = SketchedModel.book([("title", "")])
      let plain = SketchedModel.book([("title", ""), ("note", "")])
      for (model, second) in [("Plain", plain), ("Secret", secret)] {
        try SketchedModel.write(
          [("v1", first), ("v2", second)],
          into: "\(folder)/ModelArchive",
          model: model
        )
      }
      let made = CommandRun(["generate", "Plain/v1", "--rows", "3", "-o", store], in: folder)
      try #require(made.status == .success, "\(made.errors)")
      try body(folder)
    }
  }

  private static let question =
    "s.sqlite has the hashes of Secret/v1 and Plain/v1, and nothing shows of which model it is."

  private static func words(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(arguments: [["plan", "s.sqlite"], ["migrate", "s.sqlite"], ["explain", "s.sqlite"]])
  func `a verb asks for the version where either model may be meant`(arguments: [String]) throws {
    try with { folder in
      let run = CommandRun(arguments, in: folder)
      #expect(run.status == .usage, "\(run.output)")
      #expect(Self.words(run.errors).contains(Self.question), "\(run.errors)")
      #expect(Self.words(run.errors).contains("--to Secret/v2 or --to Plain/v2"), "\(run.errors)")
      for version in ["Plain/v2", "Secret/v2"] {
        #expect(CommandRun(["plan", "s.sqlite", "--to", version], in: folder).status == .success)
      }
    }
  }

  @Test func `coverage and a batch report the ambiguity of a store`() throws {
    try with { folder in
      let coverage = CommandRun(["coverage", "s.sqlite"], in: folder)
      #expect(coverage.status == .answerIsNo)
      #expect(coverage.words.contains(Self.question), "\(coverage.output)\(coverage.errors)")
      let batch = try ProcessRun(["batch", "s.sqlite", "--output", "new"], in: folder)
      #expect(Self.words(batch.output).contains(Self.question), "\(batch.output)\(batch.errors)")
    }
  }

  @Test(arguments: ["Plain", "Secret"])
  func `the name of a store's file decides for the model`(name: String) throws {
    try with(store: "\(name).sqlite") { folder in
      let run = CommandRun(["plan", "\(name).sqlite"], in: folder)
      #expect(run.status == .success, "\(run.errors)")
      #expect(run.words.contains("\(name)/v2"), "\(run.output)")
    }
  }

  @Test func `that only one model has a path decides for none`() throws {
    let required = """
      <entity name="Book"><attribute name="title" optional="YES" attributeType="String"/>
      <attribute name="key" attributeType="String"/></entity>
      """
    try with(secret: required) { folder in
      let run = CommandRun(["plan", "s.sqlite"], in: folder)
      #expect(run.status == .usage, "\(run.output)")
      #expect(Self.words(run.errors).contains("--to Secret/v2 or --to Plain/v2"), "\(run.errors)")
    }
  }

  @Test func `models that lead to equal versions leave nothing to ask`() throws {
    try with(secret: SketchedModel.book([("title", ""), ("note", "")])) { folder in
      #expect(CommandRun(["plan", "s.sqlite"], in: folder).status == .success)
    }
  }
}
