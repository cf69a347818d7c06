import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

/// Versions that only a store has, among those of an archive.
@Suite struct RecoveryTests {
  private func model(_ sketches: String...) throws -> VersionedModel {
    let versions = try sketches.enumerated().map { index, sketch in
      ModelVersion(
        modelName: "Model",
        name: "v\(index + 1)",
        model: try ModelSketch.model(sketch)
      )
    }
    return VersionedModel(name: "Model", versions: versions)
  }

  private func recoveryPlan(
    _ archive: VersionedModel,
    recovering sketch: String,
    to number: Int,
    _ options: PlanningOptions = PlanningOptions()
  ) throws -> MigrationPlan {
    let wanted = archive.versions[number - 1]
    let graph = try #require(
      VersionGraph(archive, recovering: try ModelSketch.model(sketch), towards: wanted)
    )
    #expect(graph.checkInvariants() == nil)
    return try MigrationPlanner(graph: graph).plan(
      from: try #require(graph.recoveredNode),
      to: try #require(graph.node(named: wanted.name)),
      options: options
    )
  }

  private func names(_ plan: MigrationPlan) -> [String] {
    [plan.source.name] + plan.hops.map(\.destination.name)
  }

  @Test func `a store written between two versions goes on to the later one`() throws {
    let archive = try model(
      "Note { a: String }",
      "Note { a: String; b: String?; c: String?; d: String?; e: String? }",
      "Note { a: String; b: String?; c: String?; d: String?; e: String?; f: String? }"
    )
    // Nearer to v1 by count, but the way back there would drop b.
    let plan = try recoveryPlan(archive, recovering: "Note { a: String; b: String? }", to: 3)
    #expect(names(plan) == ["recovered", "v3"])
    #expect(plan.hops[0].reason.contains("recovered from the store"))
    #expect(plan.hops[0].findings.map(\.code).contains(.recoveredVersion))
    var walking = PlanningOptions()
    walking.followsHistory = true
    let walk = try recoveryPlan(
      archive,
      recovering: "Note { a: String; b: String? }",
      to: 3,
      walking
    )
    #expect(names(walk) == ["recovered", "v2", "v3"])
    #expect(walk.hops.last?.reason == "v2 and v3 are consecutive versions.")
  }

  @Test func `what no version declares as dropped is an undeclared loss`() throws {
    let archive = try model("Note { a: String }", "Note { a: String; b: String? }")
    let error = #expect(throws: PlanningError.self) {
      try recoveryPlan(archive, recovering: "Note { a: String; z: String? }", to: 2)
    }
    #expect(error?.code == .notAllowed)
    var options = PlanningOptions()
    options.acceptLoss = .any
    let plan = try recoveryPlan(
      archive,
      recovering: "Note { a: String; z: String? }",
      to: 2,
      options
    )
    #expect(plan.hops[0].findings.contains { $0.risk == .undeclared })
  }

  @Test func `where a version may stand at two places, what one of them loses is undeclared`()
    throws
  {
    let archive = try model(
      "Note { a: String }",
      "Note { a: String; z: String; n: String? }",
      "Note { a: String; o: String? }",
      "Note { a: String; z: String?; v: String?; w: String?; x: String?; y: String? }"
    )
    let sketch = "Note { a: String; z: String? }"
    let error = #expect(throws: PlanningError.self) {
      try recoveryPlan(archive, recovering: sketch, to: 4)
    }
    #expect(error?.code == .notAllowed)
    var options = PlanningOptions()
    options.acceptLoss = .any
    let findings = try recoveryPlan(archive, recovering: sketch, to: 4, options).allFindings
    #expect(findings.filter { $0.risk == .undeclared }.map(\.place.property) == ["z"])
    options.followsHistory = true
    let walk = try recoveryPlan(archive, recovering: sketch, to: 4, options)
    #expect(names(walk) == ["recovered", "v2", "v3", "v4"])
    #expect(walk.allFindings.contains { $0.message.contains("may be newer than v2") })
    // What comes and goes on the way was never in the store.
    let passing = try model(
      "Note { a: String }",
      "Note { a: String; b: String; n: String? }",
      "Note { a: String; b: String; c: String? }"
    )
    let plan = try recoveryPlan(passing, recovering: "Note { a: String; b: String? }", to: 3)
    #expect(!plan.allFindings.contains { $0.risk == .undeclared })
  }

  @Test func `a version before the nearest one is out of reach`() throws {
    let archive = try model(
      "Note { a: String }",
      "Note { a: String; b: String? }",
      "Note { a: String; b: String?; c: String?; d: String? }"
    )
    let sketch = "Note { a: String; b: String?; c: String? }"
    let error = #expect(throws: PlanningError.self) {
      try recoveryPlan(archive, recovering: sketch, to: 1)
    }
    #expect(error?.code == .downgrade)
    #expect(names(try recoveryPlan(archive, recovering: sketch, to: 3)) == ["recovered", "v3"])
  }

  @Test func `a model that shares no entity has no place`() throws {
    let archive = try model("Note { a: String }")
    let other = try ModelSketch.model("Letter { a: String }")
    #expect(VersionGraph(archive, recovering: other, towards: archive.versions[0]) == nil)
  }
}
