import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Links for which the next version has no room, which no run may lose without a word.
@Suite struct LostLinkTests {
  private static func versions(_ sketches: [String]) throws -> [ModelVersion] {
    try sketches.enumerated().map { index, sketch in
      ModelVersion(modelName: "M", name: "v\(index + 1)", model: try ModelSketch.model(sketch))
    }
  }

  private static func plan(
    _ versions: [ModelVersion],
    _ mapping: MappingModel?
  ) throws -> MigrationPlan {
    let edge = mapping.map {
      AuthoredEdge(
        source: versions[0].model.entityVersionHashes,
        destination: versions[1].model.entityVersionHashes,
        mapping: $0,
        origins: []
      )
    }
    let graph = VersionGraph(
      VersionedModel(name: "M", versions: versions),
      authored: [edge].compactMap(\.self)
    )
    return try MigrationPlanner(graph: graph).plan(from: graph.nodes[0], to: graph.nodes[1])
  }

  /// The error of a run over a generated store that statements change; nil where it arrives.
  private func refusal(
    _ plan: MigrationPlan,
    accepting: Bool = false,
    _ statements: [String]
  ) throws -> MigrationError? {
    try TemporaryFolder.with { folder in
      let (before, after) = (folder + "/before.sqlite", folder + "/after.sqlite")
      try StoreGenerator(model: plan.source.model, rows: 60, seed: 3).write(to: before)
      do {
        let connection = try AppDatabase(before)
        for statement in statements { try connection.execute(statement) }
      }
      var options = MigrationOptions()
      options.output = after
      options.settings.acceptsChangedValues = accepting
      do {
        _ = try StoreMigrator(plan: plan, options: options).migrate(before)
        return nil
      } catch let error as MigrationError { return error }
    }
  }

  private static let shared = ["UPDATE ZA SET ZB = (SELECT MIN(Z_PK) FROM ZB)"]

  @Test(arguments: [false, true])
  func `objects that share one are refused where it keeps one owner`(isAuthored: Bool) throws {
    let versions = try Self.versions([
      "A { b -> B } B { name: String? }", "A { b ->> B } B { name: String? }",
    ])
    let inferred = try #require(
      MappingInference.infer(from: versions[0].model, to: versions[1].model).mapping
    )
    let plan = try Self.plan(versions, isAuthored ? inferred : nil)
    let error = try #require(try refusal(plan, Self.shared))
    #expect(error.code == .failed && error.message.hasPrefix("WS317: in A.b"), "\(error)")
    #expect(isAuthored || plan.allFindings.contains { $0.code == .becomesToOne })
    // Whoever accepts it gets one link, and the account says so.
    #expect(try refusal(plan, accepting: true, Self.shared) == nil)
  }

  @Test func `links to objects that leave what a relationship leads to are missed`() throws {
    let versions = try Self.versions([
      "X { p -> P } P { n: String? } B : P { m: String? }",
      "X { p -> P } P { n: String? } B { n: String?; m: String? }",
    ])
    // Each entity is copied: what inference says of a step from the first version to itself.
    let mapping = try #require(
      MappingInference.infer(from: versions[0].model, to: versions[0].model).mapping
    )
    let plan = try Self.plan(versions, mapping)
    let leading =
      "UPDATE ZX SET ZP = (SELECT MIN(Z_PK) FROM ZP WHERE Z_ENT = "
      + "(SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'B'))"
    let error = try #require(try refusal(plan, [leading]))
    #expect(error.code == .verificationFailed && error.message.contains("X.p"), "\(error)")
  }
}
