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

  @Test(arguments: [
    "order: {v1: [], v2a: [v1], v2b: [v1], v3: [v2a, v2b]}\n",
    "order: {v2a: v1, v2b: v1, v3: [v2a, v2b]}\n",
    "order: {Library: {v2a: v1, v2b: v1, v3: [v2a, v2b]}}\n",
    "order:\n  v1:\n  v3: [v2a, v2b]\n  v2b: v1\n  v2a: v1\n",
  ])
  func `an order that branches is written in several ways`(order: String) throws {
    try with(order) { folder in
      let run = CommandRun("plan", "v2a", "--to", "v2b", "--format", "json", in: folder)
      #expect(run.status == .noPath)
      #expect(run.errors.contains("another branch"), "\(run.errors)")
      let versions = try CommandRun("versions", "--format", "json", in: folder).json()
      #expect((versions["findings"] as? [Any])?.isEmpty == true)
      let list = try #require(versions["versions"] as? [[String: Any]])
      let follows = Dictionary(
        uniqueKeysWithValues: list.map { ($0["name"] as? String, $0["follows"] as? [String]) }
      )
      #expect(follows == ["v1": [], "v2a": ["v1"], "v2b": ["v1"], "v3": ["v2a", "v2b"]])
    }
  }

  @Test func `a lock keeps the branches, and their ends are heads`() throws {
    try with("order: {v2a: v1, v2b: v1, v3: v2a}\n") { folder in
      #expect(CommandRun("lock", "--all", in: folder).status == .success)
      let lock = try #require(TemporaryFolder.bytes(of: "\(folder)/waystone.lock"))
      let lines = String(decoding: lock, as: UTF8.self).split(separator: "\n")
      for (version, parent) in ["v2a": "v1", "v2b": "v1", "v3": "v2a"] {
        let line = lines.first { $0.contains("\"name\":\"\(version)\"") }
        #expect(line?.contains("\"after\":[\"\(parent)\"]") == true, "\(version): \(line ?? "")")
      }
      let heads = CommandRun("heads", in: folder)
      #expect(heads.status == .answerIsNo)
      #expect(heads.output.contains("v2b") && heads.output.contains("v3"), "\(heads.output)")
    }
    try with(Self.order) { folder in
      #expect(CommandRun("heads", in: folder).status == .success)
    }
  }

  @Test func `an order of models stays what it was`() throws {
    try with("order: {Library: [v1, v2a, v2b, v3]}\n") { folder in
      #expect(CommandRun("plan", "v2a", "--to", "v2b", in: folder).status == .success)
    }
  }

  @Test(arguments: [
    ("order: {v2a: v1, v2b: v1, v3: [v2a, v9]}\n", "v9, which is no version", 1),
    ("order: {v2a: v1, v3: [v2a]}\n", "where v2b stands", 1),
    ("order:\n  v1: v3\n  v2a: v1\n  v2b: v1\n  v3: [v2a, v2b]\n", "in a circle", 2),
    ("order: {v2a: v1, v2b: v1, v3: [v2a, v2a]}\n", "stands twice", 1),
    ("order: {v2a: {v1: {x: y}}, v3: v1}\n", "order", 1),
    ("order: {Other: {v2a: v1}}\n", "0 models called Other", 1),
  ])
  func `what makes no order is an error with its line`(
    order: String,
    words: String,
    line: Int
  ) throws {
    try with(order) { folder in
      let run = CommandRun("plan", "v1", in: folder)
      #expect(run.status == .usage)
      #expect(run.errors.contains(words), "\(run.errors)")
      #expect(run.errors.contains("waystone.yml:\(line)"), "\(run.errors)")
    }
  }
}
