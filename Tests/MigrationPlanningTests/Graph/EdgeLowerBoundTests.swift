import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

/// Tests that the lower bound of an edge is true of the edge.
@Suite struct EdgeLowerBoundTests {
  @Test(.enabled(if: Corpus.isPresent), arguments: Trials.some(of: CorpusTests.apps))
  func `no edge of a public app is better than its bound`(app: CorpusTests.App) throws {
    let archive = try ArchiveLoader.load(Corpus.path(app.folder))
    let model = try #require(archive.models.first { $0.name == app.model })
    let tally = try tally(VersionGraph(model))
    print("\(app.model): \(tally)")
    #expect(tally.told > tally.differing / 2, "Most edges that mean something else are told early.")
  }

  @Test func `no edge between random versions is better than its bound`() throws {
    var sum = Tally()
    for seed in 0..<(Trials.areAll ? 1_200 : 60 as UInt64) {
      var random = SeededGenerator(seed: seed)
      let graph = VersionGraph(
        VersionedModel(name: "R", versions: Self.history(of: 9, &random))
      )
      let tally = try tally(graph)
      sum.edges += tally.edges
      sum.differing += tally.differing
      sum.told += tally.told
      sum.lossy += tally.lossy
      sum.conditional += tally.conditional
    }
    print("random versions: \(sum)")
    #expect(
      sum.told > 0 && sum.lossy > 0 && sum.conditional > 0,
      "Bounds that say nothing are none."
    )
  }

  @Test func `a search that looks at few edges finds what one that looks at all finds`() throws {
    for seed in 0..<(Trials.areAll ? 1_200 : 60 as UInt64) {
      var random = SeededGenerator(seed: seed)
      let graph = VersionGraph(
        VersionedModel(name: "R", versions: Self.history(of: 9, &random))
      )
      guard let last = graph.nodes.last, graph.nodes.count > 1 else { continue }
      for acceptsUnknown in [false, true] {
        var options = PlanningOptions()
        options.acceptUnknown = acceptsUnknown
        options.acceptLoss =
          PlanningOptions.AcceptedLoss.allCases.randomElement(using: &random) ?? .any
        let table = try MigrationPlanner(graph: graph).paths(options: options)
        let sharing = MigrationPlanner(graph: graph, survey: graph.survey())
        for node in graph.nodes.dropLast().shuffled(using: &random) {
          let expected = table.paths.first {
            $0.nodes.first == node.index && $0.nodes.last == last.index
          }
          for planner in [MigrationPlanner(graph: graph), sharing] {
            let found = try? planner.plan(from: node, to: last, options: options)
            let nodes = found.map { [node.index] + $0.hops.map(\.destination.index) }
            #expect(nodes == expected?.nodes, "seed \(seed), from \(node.index)")
            #expect(found?.cost == expected?.cost, "seed \(seed), from \(node.index)")
          }
        }
      }
    }
  }

  /// The number of edges, and of those that their bounds decided.
  struct Tally {
    var edges = 0
    /// The edges that do not mean what the history means, or do not exist.
    var differing = 0
    /// The differing edges that the bound reports.
    var told = 0
    var lossy = 0
    var conditional = 0
  }

  /// Holds each edge against its bound.
  private func tally(_ graph: VersionGraph) throws -> Tally {
    let survey = graph.survey()
    var tally = Tally()
    for entry in survey.entries {
      guard let bound = survey.bound(from: entry.source, to: entry.destination) else { continue }
      let names = "\(graph.nodes[entry.source].name) to \(graph.nodes[entry.destination].name)"
      tally.edges += 1
      if entry.verdict != .equivalent { tally.differing += 1 }
      if bound.verdict != .open { tally.told += 1 }
      tally.lossy += bound.risks.lossy
      tally.conditional += bound.risks.conditional
      guard let verdict = entry.verdict else { continue }
      switch (bound.verdict, verdict) {
      case (.open, _), (.notEquivalent, .notEquivalent), (.unknown, .unknown): break
      case (.refused, _): Issue.record("\(names) is not refused")
      default: Issue.record("\(names) is \(verdict), and taken for \(bound.verdict)")
      }
      #expect(bound.risks.lossy <= entry.risks.lossy, "\(names)")
      #expect(bound.risks.conditional <= entry.risks.conditional, "\(names)")
    }
    return tally
  }

  /// Versions that follow from each other by chance; some go back to an earlier one, and some only clear
  /// their Renaming IDs, which no hash sees.
  private static func history(of count: Int, _ random: inout SeededGenerator) -> [ModelVersion] {
    var changing = RandomModel(&random)
    guard let first = changing.model else { return [] }
    var models = [first]
    changing.evolve(&random)
    while models.count < count {
      switch Int.random(in: 0..<8, using: &random) {
      case 0 where models.count > 1:
        models += [models.randomElement(using: &random)].compactMap(\.self)
      case 1: models += [models.last.flatMap(withoutIdentifiers)].compactMap(\.self)
      default:
        models += [changing.model].compactMap(\.self)
        changing.evolve(&random)
      }
    }
    return models.enumerated().map { index, model in
      ModelVersion(modelName: "R", name: "v\(index)", model: model)
    }
  }

  private static func withoutIdentifiers(_ model: ManagedObjectModel) -> ManagedObjectModel? {
    var entities = model.entities
    for entity in entities.indices {
      for place in entities[entity].attributes.indices {
        entities[entity].attributes[place].renamingIdentifier = nil
      }
    }
    return try? ManagedObjectModel(entities: entities, composites: model.composites)
  }
}
