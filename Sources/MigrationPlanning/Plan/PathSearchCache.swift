import Synchronization

/// The searches for the least paths from all versions to one, which many plans share.
///
/// Paths from different versions to one continue alike where they meet, so one search has them all.
final class PathSearchCache: Sendable {
  /// A result of a search, as indexes of versions.
  enum Answer {
    /// The least path that the options allow.
    case allowed([Int])
    /// The least path, which they do not allow.
    case possible([Int])
    /// The last version that can be reached.
    case none(furthest: Int)
  }

  private struct Key: Hashable {
    let destination: Int
    let options: PlanningOptions
  }

  private struct Pair {
    var allowed: LazyPathSearch
    var possible: LazyPathSearch?
  }

  private let graph: VersionGraph
  private let survey: EdgeCache
  /// The searches for the version asked about last: each has the cost between each two versions.
  private let searches = Mutex<(key: Key, pair: Pair)?>(nil)
  private let hops = Mutex<[NodePair: Hop]>([:])

  init(graph: VersionGraph, survey: EdgeCache) {
    self.graph = graph
    self.survey = survey
  }

  /// Returns the least path between two versions of a line.
  ///
  /// - Parameter options: The constraints on a path; none that names a version.
  /// - Complexity: As for one plan from the first version of all, the first time.
  func answer(
    from source: Int,
    to destination: Int,
    _ options: PlanningOptions
  ) -> Answer {
    searches.withLock { searches in
      let key = Key(destination: destination, options: options)
      var pair: Pair
      // Taken out, so that what it holds is not copied where it changes.
      if let known = searches.take(), known.key == key {
        pair = known.pair
      } else {
        pair = Pair(allowed: search(key, .allowed))
      }
      defer { searches = (key, pair) }
      if let path = pair.allowed.cheapestPath(from: source) { return .allowed(path) }
      var possible = pair.possible.take() ?? search(key, .possible)
      defer { pair.possible = possible }
      if let path = possible.cheapestPath(from: source) { return .possible(path) }
      return .none(furthest: pair.allowed.furthestPosition(from: source))
    }
  }

  /// Returns the hop between two versions, where a plan had it.
  func hop(from source: VersionGroup, to destination: VersionGroup) -> Hop? {
    hops.withLock { $0[NodePair(source: source.index, destination: destination.index)] }
  }

  /// Keeps a hop for the plans that have it, too.
  func keep(_ hop: Hop) {
    let pair = NodePair(source: hop.source.index, destination: hop.destination.index)
    hops.withLock { $0[pair] = hop }
  }

  private func search(_ key: Key, _ scope: LazyPathSearch.Scope) -> LazyPathSearch {
    let route = SearchSpace(
      graph: graph,
      survey: survey,
      through: key.destination,
      options: key.options
    )
    return LazyPathSearch(route, scope)
  }
}
