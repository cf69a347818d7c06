import MigrationTestSupport
import Testing
import WaystoneCommand

/// Projects whose versions branched, as `waystone.yml` says it.
@Suite struct BranchedOrderTests {
  private static let versions: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("isbn", ""), ("title", "")])),
    ("v2a", SketchedModel.book([("heading", #"elementID="title""#), ("isbn", "")])),
    ("v2b", SketchedModel.book([("isbn", ""), ("year", "")])),
    (
      "v3",
      SketchedModel.book([("heading", #"elementID="title""#), ("isbn", ""), ("year", "")])
    ),
  ]

  private static let order = """
    order:
      v1: []
      v2a: v1
      v2b: [v1]
      v3: [v2a, v2b]

    """

  private func with(_ order: String, _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      try SketchedModel.write(order, to: "\(folder)/waystone.yml")
      try body(folder)
    }
  }

  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output + run.errors, name)
    #expect(mismatch == nil)
  }

  @Test func `a plan over branches that disagree is refused until one is chosen`() throws {
    try with(Self.order) { folder in
      check(CommandRun("plan", "v1", in: folder), .noPath, "plan-branches-disagree.txt")
      check(
        CommandRun("plan", "v1", "--via", "v2a", in: folder),
        .success,
        "plan-branch-chosen.txt"
      )
      check(CommandRun("explain", "v1", "v3", in: folder), .noPath, "explain-branches.txt")
      check(
        CommandRun("explain", "v2a", "v2b", in: folder),
        .noPath,
        "explain-different-branches.txt"
      )
      check(CommandRun("graph", in: folder), .success, "graph-branches.txt")
    }
  }
}
