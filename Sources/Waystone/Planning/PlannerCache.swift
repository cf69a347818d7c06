internal import MigrationPlanning
internal import ObjectModel
internal import Synchronization

/// The graphs of models and the caches of their edges, made once for many stores.
///
/// Memory grows with the models and with the edges that were evaluated.
package final class PlannerCache: Sendable {
  private let graphs = Mutex<[Key: VersionGraph]>([:])
  private let surveys = Mutex<[Key: EdgeCache]>([:])

  /// A model with the answers that its edges rest on, which a store may give for itself.
  private struct Key: Hashable {
    let path: String
    let questions: OpenQuestions
  }

  /// An empty cache, for the models and mappings of one archive.
  package init() {}

  /// Returns the graph of a model, made where it is not known yet.
  func graph(of model: VersionedModel, _ make: () -> VersionGraph) -> VersionGraph {
    let key = Key(path: model.path, questions: model.questions)
    return graphs.withLock { graphs in
      if let graph = graphs[key] { return graph }
      let graph = make()
      graphs[key] = graph
      return graph
    }
  }

  /// Returns the cache of the edges of a graph that ``graph(of:_:)`` gave.
  func survey(of graph: VersionGraph) -> EdgeCache {
    // Names of models are unique in an archive but for those that differ by path.
    let key = Key(
      path: graph.nodes.first?.version.path ?? graph.modelName,
      questions: graph.questions
    )
    return surveys.withLock { surveys in
      if let survey = surveys[key] { return survey }
      let survey = graph.survey()
      surveys[key] = survey
      return survey
    }
  }
}
