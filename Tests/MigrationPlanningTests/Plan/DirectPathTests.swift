import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

/// Plans that look at one edge alone, held against plans that survey all edges.
@Suite struct DirectPathTests {
  @Test func `a plan by one edge is the plan by all edges, on random models`() throws {
    var proven = 0
    var surveyed = 0
    for seed in 1...400 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      var changing = RandomModel(&random)
      var models = [changing.model].compactMap(\.self)
      for _ in 0..<5 {
        changing.evolve(&random)
        models += [changing.model].compactMap(\.self)
      }
      let versions = models.enumerated().map {
        ModelVersion(modelName: "R", name: "v\($0)", model: $1)
      }
      var options = PlanningOptions()
      options.acceptUnknown = Bool.random(using: &random)
      options.acceptLoss =
        PlanningOptions.AcceptedLoss.allCases.randomElement(using: &random) ?? .any
      let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
      let counts = try Self.compare(graph, options, "seed \(seed)")
      proven += counts.proven
      surveyed += counts.surveyed
    }
    print("\(proven) plans by one edge, \(surveyed) by all")
    #expect(proven > 300 && surveyed > 300)
  }

  @Test(.enabled(if: Corpus.isPresent), arguments: CorpusTests.apps)
  func `a plan by one edge is the plan by all edges, of apps`(app: CorpusTests.App) throws {
    let archive = try ArchiveLoader.load(Corpus.path(app.folder))
    let model = try #require(archive.models.first { $0.name == app.model })
    let graph = VersionGraph(model)
    let counts = try Self.compare(graph, PlanningOptions(), app.model)
    print("\(app.model): \(counts.proven) plans by one edge, \(counts.surveyed) by all")
  }

  /// In each, the edge from the first version to the last is equivalent and drops more, by its findings,
  /// than a path over the versions between.
  @Test(arguments: [
    // One side of the links goes, then the other, with the finding of one alone.
    [
      "A { r ->> B.q; n: String? } B { q -> A.r }", "A { n: String? } B { q -> A }",
      "A { n: String? } B { }",
    ],
    // What two entities drop, their ancestor drops for both.
    [
      "P { } A: P { x: String? } B: P { x: String? }", "P { x: String? } A: P { } B: P { }",
      "P { } A: P { } B: P { }",
    ],
  ])
  func `an edge that drops more than a path is not taken for the least`(
    sketches: [String]
  ) throws {
    let versions = try sketches.enumerated().map {
      ModelVersion(modelName: "R", name: "v\($0)", model: try ModelSketch.model($1))
    }
    let graph = VersionGraph(VersionedModel(name: "R", versions: versions))
    let last = try #require(graph.nodes.last)
    let survey = graph.survey()
    #expect(survey.entry(from: 0, to: last.index)?.verdict == .equivalent)
    let plan = try MigrationPlanner(graph: graph, survey: survey).plan(
      from: graph.nodes[0],
      to: last
    )
    #expect(plan.hops.count == 2)
    #expect(DirectPath(in: graph, from: graph.nodes[0], to: last) == nil)
    _ = try Self.compare(graph, PlanningOptions(), sketches[0])
  }

  @Test func `an edge with no loss but drops is the least without a survey`() throws {
    let app = try App(
      "A { a: String?; b: String?; c: String? }",
      "A { a: String?; b: String?; d: String? }",
      "A { e: String? was a; d: String? }"
    )
    let graph = VersionGraph(app.model)
    #expect(DirectPath(in: graph, from: graph.nodes[0], to: graph.nodes[2]) != nil)
    var options = PlanningOptions()
    options.acceptLoss = .none
    #expect(
      DirectPath(in: graph, from: graph.nodes[0], to: graph.nodes[2], options: options) == nil
    )
    options = PlanningOptions()
    options.via = ["v2"]
    #expect(
      DirectPath(in: graph, from: graph.nodes[0], to: graph.nodes[2], options: options) == nil
    )
  }

  /// Plans between all versions both ways, and counts which were proven by one edge.
  private static func compare(
    _ graph: VersionGraph,
    _ options: PlanningOptions,
    _ label: String
  ) throws -> (proven: Int, surveyed: Int) {
    let survey = graph.survey()
    var counts = (proven: 0, surveyed: 0)
    for source in graph.nodes {
      for destination in graph.nodes.dropFirst(source.index + 2) {
        guard
          DirectPath(in: graph, from: source, to: destination, options: options) != nil
        else {
          counts.surveyed += 1
          continue
        }
        counts.proven += 1
        let plans = [nil, survey].map { survey in
          Result {
            try MigrationPlanner(graph: graph, survey: survey).plan(
              from: source,
              to: destination,
              options: options
            )
          }
        }
        #expect(try plans[0].get() == plans[1].get(), "\(label): \(source.name)")
      }
    }
    return counts
  }
}
