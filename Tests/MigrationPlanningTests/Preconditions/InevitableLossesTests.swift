import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

/// No edge may cost a store less than its bound says, or a search passes the least path over.
@Suite struct InevitableLossesTests {
  /// A store that holds what chance decides, and counts what it is asked.
  private final class Store: PreconditionOracle {
    private(set) var count = 0
    private let answering: (Precondition) -> Precondition.Answer

    init(_ answering: @escaping (Precondition) -> Precondition.Answer) {
      self.answering = answering
    }

    func answer(to precondition: Precondition) -> Precondition.Answer {
      count += 1
      return answering(precondition)
    }

    func makesObjects(_ hop: Hop) -> Bool { hop.isMapped }

    func counts() -> StoreCounts? { nil }

    func size(
      from source: ManagedObjectModel,
      to destination: ManagedObjectModel,
      _ mapping: MappingModel,
      isAuthored: Bool,
      after composed: ComposedMapping?
    ) -> HopSize? { nil }
  }

  @Test func `no edge costs a store of random versions less than its bound`() throws {
    var tally = Tally()
    for seed in 0..<(Trials.areAll ? 1_200 : 60 as UInt64) {
      var random = SeededGenerator(seed: seed)
      var changing = RandomModel(&random)
      let versions = (0..<9).compactMap { index -> ModelVersion? in
        defer { changing.evolve(&random) }
        return changing.model.flatMap { Self.changed($0, &random) }
          .map { ModelVersion(modelName: "R", name: "v\(index)", model: $0) }
      }
      let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
      tally.add(graph, salt: Int(seed))
    }
    print("random versions: \(tally)")
    #expect(tally.lossy > 0 && tally.conditional > 0, "Bounds that say nothing are none.")
  }

  /// A model with other transformers, and other orders of links.
  private static func changed(
    _ model: ManagedObjectModel,
    _ random: inout SeededGenerator
  ) -> ManagedObjectModel? {
    var entities = model.entities
    for entity in entities.indices {
      if entities[entity].superentityName == nil {
        var shape = AttributeDescription(name: "shape", attributeType: .transformable)
        shape.isOptional = true
        shape.valueTransformerName = ["A", "B"].randomElement(using: &random)
        entities[entity].attributes.append(shape)
      }
      for place in entities[entity].relationships.indices
      where entities[entity].relationships[place].isToMany {
        entities[entity].relationships[place].isOrdered = Bool.random(using: &random)
      }
    }
    return try? ManagedObjectModel(entities: entities, composites: model.composites)
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: Trials.some(of: CorpusTests.apps))
  func `no edge costs a store of a public app less than its bound`(app: CorpusTests.App) throws {
    let archive = try ArchiveLoader.load(Corpus.path(app.folder))
    let model = try #require(archive.models.first { $0.name == app.model })
    var tally = Tally()
    // Of a long history some versions, which are one as well.
    var few = model
    let stride = model.versions.count / 12 + 1
    few.versions = model.versions.enumerated().filter { $0.offset % stride == 0 }.map(\.element)
    for salt in 0..<3 { tally.add(VersionGraph(few), salt: salt) }
    print("\(app.model): \(tally)")
  }

  private struct Tally {
    var edges = 0
    var lossy = 0
    var conditional = 0

    /// Holds each edge of a graph against its bound.
    mutating func add(_ graph: VersionGraph, salt: Int) {
      guard graph.order.isLine, let first = graph.nodes.first else { return }
      let evidence = StoreEvidence(
        graph: graph,
        source: first,
        checker: Store { $0.answerByChance(salt) }
      )
      for edge in graph.edges where !edge.isConsecutive && edge.kind != .authored {
        guard graph.verdict(on: edge) == .equivalent else { continue }
        let bound = evidence.leastRisks(from: edge.source, to: edge.destination)
        let risks = RiskCounts(of: evidence.findings(of: edge))
        edges += 1
        lossy += bound.lossy
        conditional += bound.conditional
        let names = "\(graph.nodes[edge.source].name) to \(graph.nodes[edge.destination].name)"
        #expect(bound.lossy <= risks.lossy + risks.undeclared, "\(names), salt \(salt)")
        #expect(bound.conditional <= risks.conditional, "\(names), salt \(salt)")
      }
    }
  }

  @Test func `a store is asked about few edges of a long history`() throws {
    // Each step drops an attribute and adds one.
    let count = 40
    let versions = try (0..<count).map { version in
      let old = (version..<count).map { "a\($0): String?" }.joined(separator: "; ")
      let new = (0..<version).map { "b\($0): String?" }.joined(separator: "; ")
      let all = [old, new].filter { !$0.isEmpty }.joined(separator: "; ")
      return ModelVersion(
        modelName: "M",
        name: "v\(version + 1)",
        model: try ModelSketch.model("N { \(all) }")
      )
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    let store = Store { _ in .refuted(rows: 3, of: 9, groups: nil, keys: [4, 5, 9]) }
    let last = try #require(graph.nodes.last)
    let plan = try MigrationPlanner(graph: graph).plan(
      from: graph.nodes[0],
      to: last,
      options: PlanningOptions(),
      evidence: StoreEvidence(graph: graph, source: graph.nodes[0], checker: store)
    )
    #expect(plan.hops.count == 1 && plan.cost.lossyFindings == count - 1)
    // Each attribute once for the bounds, once for the edge, and once for its words.
    #expect(store.count < 5 * count, "\(store.count) questions")
  }

  @Test func `stores of one version share what edges may drop, and no answers`() throws {
    let versions = try ["a, b, c", "a, b", "a, b, d", "b, d", "d"].enumerated().map {
      place,
      names in
      let all = names.split(separator: ", ").map { "\($0): String?" }.joined(separator: "; ")
      return ModelVersion(
        modelName: "M",
        name: "v\(place + 1)",
        model: try ModelSketch.model("N { \(all) }")
      )
    }
    let graph = VersionGraph(VersionedModel(name: "M", versions: versions))
    let survey = graph.survey()
    var all: Set<[EdgeLowerBound.Risks]> = []
    for salt in 0..<8 {
      let bounds = [survey, nil].map { survey in
        let evidence = StoreEvidence(
          graph: graph,
          source: graph.nodes[0],
          checker: Store { $0.answerByChance(salt) },
          survey: survey
        )
        return graph.edges.map { evidence.leastRisks(from: $0.source, to: $0.destination) }
      }
      #expect(bounds[0] == bounds[1], "salt \(salt)")
      all.insert(bounds[0])
    }
    #expect(all.count > 1, "Stores that answer alike show nothing.")
  }
}
