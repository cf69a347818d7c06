import MigrationTestSupport
import Testing
import WaystoneCommand

@Suite struct PlanGoldenTests {
  /// A year that becomes a number cannot be inferred from v3 to v4, but v5 has a new one.
  private static let blocked: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("title", ""), ("year", "")])),
    (
      "v3",
      SketchedModel.book([("title", "")]).replacing(
        "</entity>",
        with: #"<attribute name="year" optional="YES" attributeType="Integer 16"/></entity>"#
      )
    ),
  ]

  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  @Test func `a plan takes a shortcut that means the same, and walks where it is told to`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      check(CommandRun("plan", "v1", in: folder), .success, "plan.txt")
      check(CommandRun("plan", "v1", "--history", in: folder), .success, "plan-walk.txt")
      check(
        CommandRun("plan", "Library/v1", "--to", "@current", "--format", "json", in: folder),
        .success,
        "plan.json"
      )
    }
  }

  @Test func `no path shows how far one gets and what blocks`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.blocked, into: "\(folder)/ModelArchive")
      let run = CommandRun("plan", "v2", "--to", "v3", in: folder)
      check(run, .noPath, "plan-blocked.txt")
      #expect(run.errors.hasPrefix("error: "))
      check(
        CommandRun("plan", "v2", "--to", "v3", "--format", "json", in: folder),
        .noPath,
        "plan-blocked.json"
      )
    }
  }

  @Test func `a shortcut over a missing step must be accepted`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.blocked, into: "\(folder)/ModelArchive")
      #expect(CommandRun("plan", "v1", "--to", "v3", in: folder).status == .noPath)
      let run = CommandRun("plan", "v1", "--to", "v3", "--accept-unknown", in: folder)
      check(run, .success, "plan-unknown.txt")
    }
  }

  @Test func `loss that is not accepted is no path`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [SketchedModel.library[1], ("v3", SketchedModel.book([("title", "")]))],
        into: "\(folder)/ModelArchive"
      )
      #expect(CommandRun("plan", "v2", in: folder).status == .success)
      #expect(CommandRun("plan", "v2", "--accept-loss", "none", in: folder).status == .noPath)
    }
  }

  @Test func `an older version is no destination`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      #expect(CommandRun("plan", "v2", "--to", "v1", in: folder).status == .noPath)
    }
  }

  @Test(arguments: [
    (["plan", "v7"], CommandStatus.usage, "No version is called v7."),
    (["plan", "v1", "--to", "v7"], .usage, "No version is called v7."),
    (["plan", "Gone.sqlite"], .missingInput, "Gone.sqlite"),
    (["plan", "Gone/v1"], .missingInput, "Gone/v1"),
    (["plan", "v1", "--accept-loss", "some"], .usage, "some"),
    (["plan", "v1", "--like", "Gone.sqlite"], .missingInput, "Gone.sqlite"),
    (["plan"], .usage, "Missing"),
  ])
  func `names that mean nothing are told apart from files that are missing`(
    arguments: [String],
    status: CommandStatus,
    word: String
  ) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive")
      let run = CommandRun(arguments, in: folder)
      #expect(run.status == status, "\(run.errors)")
      #expect(run.errors.contains(word), "\(run.errors)")
    }
  }

  @Test func `a name that two models have must be qualified`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive/A")
      try SketchedModel.write(SketchedModel.library, into: "\(folder)/ModelArchive/B")
      let other = SketchedModel.contents(#"<entity name="Other"/>"#)
      try SketchedModel.write(
        other,
        to: "\(folder)/ModelArchive/Other.xcdatamodeld/v1.xcdatamodel/contents"
      )
      let run = CommandRun("plan", "v1", "--to", "v10", in: folder)
      #expect(run.status == .usage)
      #expect(run.errors.contains("Other/v1"), "\(run.errors)")
    }
  }

  @Test func `a graph is drawn in each form`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.blocked, into: "\(folder)/ModelArchive")
      check(CommandRun("graph", in: folder), .success, "graph.txt")
      check(CommandRun("graph", "--format", "json", in: folder), .success, "graph.json")
      check(CommandRun("graph", "--format", "mermaid", in: folder), .success, "graph.mmd")
      check(CommandRun("graph", "--format", "dot", in: folder), .success, "graph.dot")
    }
  }
}
