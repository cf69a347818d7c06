import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusTests {
  /// A model of a public app, and its steps that cannot be inferred.
  struct App: Sendable {
    let folder: String
    let model: String
    var refused: [String] = []
  }

  /// Each refused step shipped with a mapping model.
  ///
  /// Those of AltStore are in its repository, and WooCommerce's list of migrations names its own for these two. What WordPress did for the step
  /// from its first version, of 2010, is not known.
  static let apps = [
    App(folder: "wireapp+wire-ios-data-model", model: "zmessaging"),
    App(
      folder: "woocommerce+woocommerce-ios",
      model: "WooCommerce",
      refused: ["Model 9 > Model 10 WS313", "Model 32 > Model 33 WS313"]
    ),
    // Its first step turns a string into a number, which no inference does.
    App(
      folder: "danielebogo+WordPress-iOS",
      model: "WordPress",
      refused: ["WordPress > WordPress 2 WS311 WS324"]
    ),
    App(folder: "ptsochantaris+trailer", model: "Trailer"),
    App(folder: "planetary-social+nos", model: "Nos"),
    App(
      folder: "altstoreio+AltStore",
      model: "AltStore",
      refused: [
        "AltStore > AltStore 2 WS313", "AltStore 2 > AltStore 3 WS313",
        "AltStore 12 > AltStore 13 WS313",
      ]
    ),
  ]

  @Test(arguments: apps) func `steps that shipped without a mapping model are inferred`(
    app: App
  ) throws {
    let archive = try ArchiveLoader.load(Corpus.path(app.folder))
    let model = try #require(archive.models.first { $0.name == app.model })
    let graph = VersionGraph(model)
    #expect(graph.checkInvariants() == nil)
    #expect(Self.refusedSteps(of: graph) == app.refused)
    print(Self.figures(of: graph, versions: model.versions.count))
    print(Self.codes(of: graph))
  }

  /// The number of findings of each code at the consecutive steps.
  private static func codes(of graph: VersionGraph) -> String {
    var counts: [String: Int] = [:]
    for finding in graph.consecutiveEdges.flatMap({ $0.findings + $0.refusals }) {
      counts[finding.code.rawValue, default: 0] += 1
    }
    let list = counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
    return "\(graph.modelName): \(list.joined(separator: ", "))"
  }

  @Test func `all models have an edge or a reason for every step`() throws {
    let archive = try Corpus.models.get()
    var steps = 0
    var refused: [String] = []
    for model in archive.models where model.versions.count > 1 {
      let graph = VersionGraph(model)
      #expect(graph.checkInvariants() == nil, "\(model.path)")
      steps += graph.consecutiveEdges.count
      refused += Self.refusedSteps(of: graph).map { "\(graph.modelName): \($0)" }
    }
    print("All models: \(steps) steps, \(refused.count) refused")
    for step in refused { print("  \(step)") }
    #expect(steps > 400)
    #expect(refused.count < 10, "All but a fixture of SwiftGen shipped with a mapping model.")
  }

  private static func refusedSteps(of graph: VersionGraph) -> [String] {
    graph.consecutiveEdges.filter(\.isRefused).map { edge in
      let codes = Set(edge.refusals.map(\.code.rawValue)).sorted().joined(separator: " ")
      return "\(graph.nodes[edge.source].name) > \(graph.nodes[edge.destination].name) \(codes)"
    }
  }

  private static func figures(of graph: VersionGraph, versions: Int) -> String {
    let kinds = graph.consecutiveEdges.filter { !$0.isRefused }.map(\.kind)
    let steps =
      "\(graph.modelName): \(versions) versions, \(graph.nodes.count) nodes, "
      + "\(graph.consecutiveEdges.count) steps, \(kinds.count) with an edge "
      + "(\(kinds.count { $0 == .extended }) extended)"
    #if DEBUG
      return steps
    #else
      var pairs = 0
      var refused = 0
      let time = ContinuousClock().measure {
        for edge in graph.edges {
          pairs += 1
          if edge.isRefused { refused += 1 }
        }
      }
      return "\(steps); \(pairs) pairs, \(refused) refused, in \(time)"
    #endif
  }
}
