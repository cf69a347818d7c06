internal import MigrationPlanning
internal import ObjectModel
internal import Synchronization

/// The graphs of models and what is known of their edges, made once for many stores.
///
/// Memory grows with the models and with the edges that were looked at.
package final class PlannerCache: Sendable {
  private let graphs = Mutex<[String: VersionGraph]>([:])
  private let surveys = Mutex<[String: EdgeSurvey]>([:])

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

  /// What is known of the edges of a graph that ``graph(of:_:)`` gave.
  func survey(of graph: VersionGraph) -> EdgeSurvey {
    // Names of models are unique in an archive but for those that its paths tell apart.
    let model = graph.nodes.first?.version.path ?? graph.modelName
    return surveys.withLock { surveys in
      if let survey = surveys[model] { return survey }
      let survey = graph.survey()
      surveys[model] = survey
      return survey
    }
  }
}
