import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

struct StagedMigrationManagerTests {
  /// Versions `v1` to `v4`, each with one attribute more.
  private let model: VersionedModel

  init() throws {
    model = VersionedModel(
      name: "Planes",
      versions: try (1...4).map { number in
        let attributes = (1...number).map { "a\($0): Int32?" }.joined(separator: "; ")
        return ModelVersion(
          modelName: "Planes",
          name: "v\(number)",
          model: try ModelSketch.model("Plane { \(attributes) }")
        )
      }
    )
  }

  /// Stages in words: `v1 v2 | v2>v3 | v4`.
  private func stages(_ text: String) -> [MigrationStage] {
    text.split(separator: "|").map { part in
      let words = part.split(separator: " ")
      guard let ends = words.first?.split(separator: ">"), ends.count == 2 else {
        return .lightweight(versionChecksums: words.map(String.init))
      }
      return .custom(current: String(ends[0]), next: String(ends[1]))
    }
  }

  @Test(arguments: ["v1 | v2>v3 | v4", "v1>v2 | v2>v3 | v3>v4", "v1 v2 v3 v4", "v1 | v2 | v3>v4"])
  func `stages in the order of versions are good`(text: String) throws {
    let manager = try StagedMigrationManager(stages(text), model: model)
    #expect(manager.stages.count == text.split(separator: "|").count)
  }

  @Test(arguments: [
    ("", StagedMigrationError.Code.empty, nil),
    ("v1 | v9", .unknownVersion, 2),
    ("v1 v2 | v2>v3", .duplicateVersion, 2),
    ("v1>v2 | v2 v3", .duplicateVersion, 2),
    ("v1>v1", .duplicateVersion, 1),
    ("v1 v1", .duplicateVersion, 1),
    ("v3>v2", .brokenOrder, 1),
    ("v2>v3 | v1", .brokenOrder, 2),
    ("v1>v2 | v3>v4 | v2>v3", .duplicateVersion, 3),
  ])
  func `stages that Core Data would refuse are refused`(
    text: String,
    code: StagedMigrationError.Code,
    stage: Int?
  ) {
    let error = #expect(throws: StagedMigrationError.self) {
      try StagedMigrationManager(stages(text), model: model)
    }
    #expect(error?.code == code)
    #expect(error?.stage == stage)
  }

  @Test func `versions are known by their checksums too`() throws {
    let checksums = model.versions.map(\.model.versionChecksum)
    let manager = try StagedMigrationManager(
      [
        .lightweight(versionChecksums: [checksums[0]]),
        .custom(current: checksums[1], next: checksums[3]),
      ],
      models: [VersionedModel(name: "Other", versions: []), model]
    )
    #expect(manager.model.name == "Planes")
  }

  @Test
  func `a version behind the current one that has the hashes of one before it is passed over`()
    throws
  {
    var model = model
    let twin = ModelVersion(modelName: "Planes", name: "v9", model: model.versions[1].model)
    model.versions.insert(twin, at: 3)
    for index in model.versions.indices { model.versions[index].isCurrent = index == 2 }
    let manager = try StagedMigrationManager(stages("v1>v2 | v2>v3"), model: model)
    let graph = VersionGraph(model)
    let origin = AuthoredEdge.Origin(name: "App", path: "App.staged.yml", form: .stage)
    let app = AppMigration(graph: graph, runtime: .staged, stages: (manager, origin))
    let (first, last) = try (
      #require(graph.node(named: "v1")), #require(graph.node(named: "v3"))
    )
    let outcome = app.outcome(from: first, to: last)
    #expect(outcome.nodes == [first.index, first.index + 1, last.index], "\(outcome)")
  }

  @Test func `a custom stage is what can be inferred with work before and after`() throws {
    var stages = stages("v1 | v2>v3")
    stages[1].willMigrate = [.handler("copy")]
    stages[1].didMigrate = [.sql("DELETE FROM ZPLANE")]
    let manager = try StagedMigrationManager(stages, model: model)
    let edges = manager.edges(origin: .init(name: "App", path: "App.staged.yml", form: .stage))
    let edge = try #require(edges.first)
    #expect(edges.count == 1)
    #expect(edge.mapping.actionsBefore == [.handler("copy")])
    #expect(edge.mapping.actionsAfter == [.sql("DELETE FROM ZPLANE")])
    #expect(edge.mapping.entityMappings.map(\.name) == ["PlaneToPlane"])
    let graph = VersionGraph(model, authored: edges)
    #expect(graph.consecutiveEdges.map(\.kind) == [.inferred, .authored, .inferred])
    #expect(graph.consecutiveEdges[1].findings.map(\.code) == [.attributeAdded, .unseenEffect])
  }

  @Test func `what a stage with actions drops may have been moved by them`() throws {
    let planes = VersionedModel(
      name: "Planes",
      versions: try ["Plane { data: String?; x: Int16? }", "Plane { x: Int16? }"].enumerated().map {
        ModelVersion(
          modelName: "Planes",
          name: "v\($0 + 1)",
          model: try ModelSketch.model($1)
        )
      }
    )
    var stages = stages("v1>v2")
    let origin = AuthoredEdge.Origin(name: "App", path: "App.staged.yml", form: .stage)
    func remedies() throws -> [String] {
      try StagedMigrationManager(stages, model: planes).edges(origin: origin)
        .flatMap { ($0.findings ?? []).map(\.remedy) }
    }
    #expect(try remedies().first?.contains("Renaming ID") == true)
    stages[0].willMigrate = [.handler("copy")]
    #expect(
      try remedies()
        == [
          "Nothing is lost if an action of the stage (App.staged.yml) moves the data: then accept the finding, "
            + "with that as the reason."
        ]
    )
  }

  @Test func `a custom stage that cannot be inferred is refused for its reasons`() throws {
    let changed = VersionedModel(
      name: "Planes",
      versions: [
        ModelVersion(
          modelName: "Planes",
          name: "a",
          model: try ModelSketch.model("Plane { x: Int32? }")
        ),
        ModelVersion(
          modelName: "Planes",
          name: "b",
          model: try ModelSketch.model("Plane { x: String? }")
        ),
      ]
    )
    let manager = try StagedMigrationManager(stages("a>b"), model: changed)
    let edges = manager.edges(origin: .init(name: "App", path: "App.staged.yml", form: .stage))
    let graph = VersionGraph(changed, authored: edges)
    #expect(graph.consecutiveEdges[0].refusals.map(\.code) == [.typeConverted])
  }
}
