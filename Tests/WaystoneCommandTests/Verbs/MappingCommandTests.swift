import MigrationTestSupport
import StoreMigration
import Testing
import WaystoneCommand

@Suite struct MappingCommandTests {
  /// Books whose year is a text in v3 and a number in v4, which nobody can infer.
  static let books: [(name: String, entities: String)] = [
    ("v1", SketchedModel.book([("title", "")])),
    ("v2", SketchedModel.book([("title", ""), ("year", "")])),
    (
      "v3",
      SketchedModel.book([("title", ""), ("note", "")]).replacing(
        "</entity>",
        with: #"<attribute name="year" optional="YES" attributeType="Integer 16"/></entity>"#
      )
    ),
  ]

  static let hop = """
    from: v2
    to: v3
    notes: [A year that is no number becomes 0.]
    entities:
      - source: Book
        policy: Library.BookPolicy
        where: title != nil
        attributes:
          year: CAST($source.year, "NSNumber")
    """

  /// Writes the models and a hop file between them.
  static func write(_ folder: String, hop: String = Self.hop) throws {
    try SketchedModel.write(books, into: "\(folder)/ModelArchive")
    try SketchedModel.write(hop, to: "\(folder)/ModelArchive/Mappings/v2-to-v3.hop.yml")
  }

  /// A program that has the policy of the hop file.
  static let registry: MigrationRegistry = {
    var registry = MigrationRegistry()
    registry.register(BookPolicy.self)
    return registry
  }()

  /// Stands in for the policy that the hop file names.
  private final class BookPolicy: EntityMigrationPolicy {}

  private func check(_ run: CommandRun, _ status: CommandStatus, _ name: String) {
    #expect(run.status == status, "\(run.errors)")
    let mismatch = Golden.mismatch(run.output, name)
    #expect(mismatch == nil)
  }

  @Test func `a plan that needs an unknown policy says so, and ends as its run would`() throws {
    try TemporaryFolder.with { folder in
      try Self.write(folder)
      let run = CommandRun("plan", "v1", in: folder)
      check(run, .noPath, "plan-authored.txt")
      #expect(run.errors.contains("The mapping needs your policy Library.BookPolicy"))
      #expect(run.errors.contains("registry.register(BookPolicy.self)"))
      check(
        CommandRun("plan", "v1", "--format", "json", in: folder),
        .noPath,
        "plan-authored.json"
      )
      let made = CommandRun("generate", "v1", "-o", "S.sqlite", in: folder)
      try #require(made.status == .success, "\(made.errors)")
      let migration = CommandRun("migrate", "S.sqlite", in: folder)
      #expect(migration.status == .noPath, "\(migration.errors)")
      #expect(CommandRun("plan", "S.sqlite", in: folder).status == .noPath)
    }
  }

  @Test func `a graph shows where an edge comes from`() throws {
    try TemporaryFolder.with { folder in
      try Self.write(folder)
      check(CommandRun("graph", in: folder), .success, "graph-authored.txt")
      check(
        CommandRun("graph", "--format", "json", in: folder),
        .success,
        "graph-authored.json"
      )
    }
  }

  @Test func `a mapping is shown with its expressions`() throws {
    try TemporaryFolder.with { folder in
      try Self.write(folder)
      let path = "ModelArchive/Mappings/v2-to-v3.hop.yml"
      check(CommandRun("inspect", path, in: folder), .success, "inspect-hop.txt")
      check(
        CommandRun("inspect", path, "--format", "json", in: folder),
        .success,
        "inspect-hop.json"
      )
    }
  }

  @Test(arguments: 0...2)
  func `stages are shown as one report, however many are custom`(count: Int) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.books, into: "\(folder)/ModelArchive")
      let steps = ["v1, to: v2", "v2, to: v3"]
      let stages = steps.enumerated().map { index, step in
        index < count
          ? "  - custom: {from: \(step)}\n    did: {handlers: [fill]}\n"
          : "  - lightweight: [\(step.suffix(2))]\n"
      }
      try SketchedModel.write(
        "stages:\n" + (count == 0 ? "  - lightweight: [v1]\n" : "") + stages.joined(),
        to: "\(folder)/ModelArchive/App.staged.yml"
      )
      let arguments = ["inspect", "ModelArchive/App.staged.yml"]
      let run = CommandRun(arguments + ["--format", "json"], in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let found = try run.json()["stages"] as? [[String: Any]] ?? []
      #expect(found.map { $0["from"] as? String } == Array(["v1", "v2"].prefix(count)))
      #expect(try run.json()["schema"] as? String == "waystone.inspect/1")
      let text = CommandRun(arguments, in: folder).words
      #expect(text.contains("no custom stage") == (count == 0), "\(text)")
      #expect(text.contains("from v2 to v3") == (count == 2), "\(text)")
    }
  }

  @Test func `mappings are taken from where the command line or the configuration says`() throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.books, into: "\(folder)/ModelArchive")
      #expect(CommandRun("plan", "v1", in: folder).status == .noPath)
      try SketchedModel.write(Self.hop, to: "\(folder)/Other/v2-to-v3.hop.yml")
      #expect(CommandRun("plan", "v1", in: folder).status == .noPath)
      func plan(_ more: String...) -> CommandStatus {
        CommandRun(["plan", "v1"] + more, in: folder, registry: Self.registry).status
      }
      #expect(plan("--mappings", "Other") == .success)
      try SketchedModel.write("mappings: Other\n", to: "\(folder)/waystone.yml")
      #expect(plan() == .success)
      try SketchedModel.write("mappings: [Nowhere]\n", to: "\(folder)/waystone.yml")
      let run = CommandRun("plan", "v1", in: folder)
      #expect(run.status == .usage)
      #expect(run.errors.contains("waystone.yml:1: There is no Nowhere."))
    }
  }

  @Test func `a mapping that cannot be read stops the plan at its line`() throws {
    try TemporaryFolder.with { folder in
      try Self.write(folder, hop: Self.hop.replacing("source: Book", with: "source: Boo"))
      let run = CommandRun("plan", "v1", in: folder)
      #expect(run.status == .damagedInput)
      #expect(run.errors.contains("v2-to-v3.hop.yml:5: The destination version has no entity Boo"))
      #expect(CommandRun("versions", in: folder).status == .success)
    }
  }
}

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusMappingCommandTests {
  @Test func `an app's mapping model is shown with its versions`() throws {
    let app = Corpus.path("alemar11+CoreDataPlus/Tests/Resources/SampleModel")
    let run = CommandRun(
      ["inspect", "MappingModels/V2toV3.xcmappingmodel", "--models", ".", "--format", "json"],
      in: app
    )
    #expect(run.status == .success)
    let json = try run.json()
    let mappings = json["entityMappings"] as? [[String: Any]] ?? []
    #expect(
      mappings.map { $0["name"] as? String } == [
        "CarToCar", "LuxuryCarToLuxuryCar", "PersonToPerson", "SportCarToSportCar", "Maker",
      ]
    )
    #expect(mappings.first?["policy"] as? String == "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
    #expect(json["from"] as? String == "SampleModel2")
  }

  @Test func `a stale mapping model is told of where an app's steps are shown`() throws {
    let run = CommandRun(
      "graph",
      "--models",
      "CoreDataTest",
      in: Corpus.path("Mioke+CoreDataMigrationHelper")
    )
    #expect(run.status == .success)
    #expect(run.output.contains("WS405"))
    #expect(run.output.contains("its source is nearest to"))
  }
}
