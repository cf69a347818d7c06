internal import MigrationPlanning
internal import ObjectModel
internal import Synchronization

/// The graphs of models and what is known of their edges, made once for many stores.
///
/// Memory grows with the models and with the pairs of their versions.
package final class PlannerCache: Sendable {
  /// What is known of a graph's edges.
  private enum Known {
    /// Those on the ways from one version to another, for which a store was planned.
    case part(EdgeSurvey, source: Int, destination: Int)
    /// All.
    case all(EdgeSurvey)
  }

  private let graphs = Mutex<[String: VersionGraph]>([:])
  private let surveys = Mutex<[String: Known]>([:])

  /// An empty cache, for the models and mappings of one archive.
  package init() {}

  /// The graph of a model, made where it is not known yet.
  func graph(of model: VersionedModel, _ make: () -> VersionGraph) -> VersionGraph {
    graphs.withLock { graphs in
      if let graph = graphs[model.path] { return graph }
      let graph = make()
      graphs[model.path] = graph
      return graph
    }
  }

  /// The edges between two versions of a graph that ``graph(of:_:)`` gave, and perhaps more: stores of a
  /// second version are taken for a sign that there are stores of many.
  func survey(
    of graph: VersionGraph,
    from source: VersionNode,
    to destination: VersionNode
  ) -> EdgeSurvey {
    // Names of models are unique in an archive but for those that its paths tell apart.
    let model = graph.nodes.first?.version.path ?? graph.modelName
    return surveys.withLock { surveys in
      switch surveys[model] {
      case .all(let survey): return survey
      case .part(let survey, source.index, destination.index): return survey
      case .part:
        let survey = graph.survey()
        surveys[model] = .all(survey)
        return survey
      case nil:
        let survey = graph.survey(from: source.index, through: destination.index)
        surveys[model] = .part(survey, source: source.index, destination: destination.index)
        return survey
      }
    }
  }
}
