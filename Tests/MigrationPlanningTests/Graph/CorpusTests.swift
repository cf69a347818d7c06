import MigrationPlanning
import MigrationTestSupport
import ModelImport
import ObjectModel
import Testing

@Suite(.enabled(if: Corpus.isPresent)) struct CorpusTests {
  static let apps = [
    "wireapp+wire-ios-data-model", "woocommerce+woocommerce-ios", "danielebogo+WordPress-iOS",
    "ptsochantaris+trailer", "planetary-social+nos", "altstoreio+AltStore",
  ]

  @Test(arguments: apps) func `consecutive steps of public apps`(app: String) throws {
    let archive = try ArchiveLoader.load(Corpus.path(app))
    for model in archive.models where model.versions.count > 1 {
      let graph = VersionGraph(model)
      #expect(graph.checkInvariants() == nil)
      let refused = graph.consecutiveEdges.filter(\.isRefused)
      let extended = graph.consecutiveEdges.filter { !$0.isRefused && $0.kind == .extended }
      print(
        "\(app) \(model.name): \(model.versions.count) versions, \(graph.nodes.count) nodes,",
        "\(graph.consecutiveEdges.count - refused.count) steps with an edge,",
        "\(extended.count) of them extended, \(refused.count) refused"
      )
      for edge in refused {
        for finding in edge.refusals {
          print("  \(graph.nodes[edge.source].name) -> \(graph.nodes[edge.destination].name):",
            finding.code.rawValue, finding.message)
        }
      }
      for edge in extended + graph.consecutiveEdges {
        for finding in edge.findings
        where [.becomesToOne, .destinationChanged, .canonicalNamesDisagree, .renamingIdentifierNamesOldName, .inverseChanged].contains(finding.code) {
          print("  note \(graph.nodes[edge.source].name) -> \(graph.nodes[edge.destination].name):",
            finding.code.rawValue, finding.message)
        }
      }
    }
  }
}
