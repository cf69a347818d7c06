import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct CombinedModelTests {
  private func model(_ name: String, _ sketches: [String]) throws -> VersionedModel {
    VersionedModel(
      name: name,
      versions: try sketches.enumerated().map {
        ModelVersion(modelName: name, name: "v\($0 + 1)", model: try ModelSketch.model($1))
      }
    )
  }

  @Test func `a merged store moves model by model, version by version`() throws {
    let notes = try model("Notes", ["N { a: String? }", "N { b: String? was a }"])
    let tags = try model("Tags", ["T { x: Int16? }", "T { x: Int32? }", "T { y: Int32? was x }"])
    let source = [tags.versions[0], notes.versions[0]]
    let destination = [notes.versions[1], tags.versions[2]]
    let combined = try VersionedModel.combining(
      from: source,
      to: destination,
      of: [notes, tags]
    )
    #expect(
      combined.versions.map(\.name) == [
        "Notes/v1,Tags/v1", "Notes/v2,Tags/v1", "Notes/v2,Tags/v2", "Notes/v2,Tags/v3",
      ]
    )
    let merged = try ManagedObjectModel.merging(source.map(\.model))
    let graph = VersionGraph(combined)
    let start = try #require(graph.node(hashes: merged.entityVersionHashes))
    let end = try #require(graph.nodes.last)
    var options = PlanningOptions()
    options.followsHistory = true
    let plan = try MigrationPlanner(graph: graph).plan(from: start, to: end, options: options)
    #expect(plan.hops.count == 3)
    #expect(plan.hops.allSatisfy { $0.mapping.entityMappings.count == 2 })
  }

  @Test func `a merged store has the doubts of all its models, and is as unknown as the worst`()
    throws
  {
    func doubt(_ severity: Finding.Severity, _ name: String) -> Finding {
      Finding(.doubtfulOrder, severity, message: "\(name) is in doubt.", remedy: "Order \(name).")
    }
    var notes = try model("Notes", ["N { a: String? }"])
    var tags = try model("Tags", ["T { x: Int16? }"])
    notes.questions.orderDoubt = doubt(.warning, "Notes")
    tags.questions.orderDoubt = doubt(.error, "Tags")
    let combined = try VersionedModel.combining(
      from: [notes.versions[0], tags.versions[0]],
      to: [notes.versions[0]],
      of: [notes, tags]
    )
    #expect(combined.hasUnknownOrder)
    #expect(combined.orderDoubt?.message == "Tags is in doubt. Notes is in doubt.")
    #expect(combined.orderDoubt?.remedy == "Order Tags. Order Notes.")
  }

  /// Forty places where branches part and meet again, beside a branch that leads to none of them.
  @Test(.timeLimit(.minutes(10)))
  func `many branches that meet are walked in no time`() throws {
    let tags = try model("Tags", ["T { x: Int16? }"])
    var notes = try model("Notes", (0...122).map { "N { a\($0): String? }" })
    func name(_ position: Int) -> String { "v\(position + 1)" }
    // v1 begins, v2 is a branch of its own, and v3 begins the others.
    var parents = [name(1): [name(0)], name(2): [name(0)]]
    for base in stride(from: 2, to: 122, by: 3) {
      parents[name(base + 1)] = [name(base)]
      parents[name(base + 2)] = [name(base)]
      parents[name(base + 3)] = [name(base + 1), name(base + 2)]
    }
    notes.parents = parents
    let ends = (notes.versions[1], notes.versions[122])
    for (first, last) in [ends, (ends.1, ends.0)] {
      let combined = try VersionedModel.combining(
        from: [first, tags.versions[0]],
        to: [last, tags.versions[0]],
        of: [notes, tags]
      )
      #expect(combined.versions.count == 2, "neither follows from the other")
    }
    let combined = try VersionedModel.combining(
      from: [notes.versions[0], tags.versions[0]],
      to: [notes.versions[122], tags.versions[0]],
      of: [notes, tags]
    )
    #expect(combined.versions.count == 2 + 80)
  }

  @Test func `entities of one name must agree`() throws {
    let first = try ModelSketch.model("N { a: String? }")
    let second = try ModelSketch.model("N { b: String? } M { }")
    #expect(try ManagedObjectModel.merging([first, first]) == first)
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel.merging([first, second])
    }
    #expect(error?.code == .duplicateName)
  }

  @Test func `a configuration is a model of its own`() throws {
    let whole = try ModelSketch.model("A { x: String? } B { y: String?; a -> A } C { }")
    #expect(try whole.restricted(to: ["A", "Gone"]).entities.map(\.name) == ["A"])
    #expect(throws: ModelError.self) { try whole.restricted(to: ["B"]) }
    let model = try model(
      "M",
      ["A { x: String? } C { }", "A { x: String?; z: Date? } C { } D { }"]
    )
    let part = try model.restricted(toConfiguration: nil, storedEntities: ["A"])
    #expect(part.versions.map { $0.model.entities.map(\.name) } == [["A"], ["A"]])
    let graph = VersionGraph(part)
    #expect(graph.nodes.count == 2 && graph.consecutiveEdges.first?.mapping != nil)
  }

  @Test func `different composites of one name stay what they are`() throws {
    let first = try ModelSketch.model("composite P { x: Double? } A { p: Composite? of P }")
    let other = try ModelSketch.model("composite P { y: String? } B { p: Composite? of P }")
    let merged = try ManagedObjectModel.merging([first, other])
    #expect(merged.attributes(of: "A").map(\.name) == ["p.x"])
    #expect(merged.attributes(of: "B").map(\.name) == ["p.y"])
    for model in [first, other] {
      for (name, hash) in model.entityVersionHashes {
        #expect(merged.entityVersionHashes[name] == hash)
      }
    }
    let changed = try ModelSketch.model("composite P { y: String? } A { p: Composite? of P }")
    #expect(throws: ModelError.self) { try ManagedObjectModel.merging([first, changed]) }
  }
}
