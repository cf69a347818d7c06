/// A search for the least paths that evaluates an edge only where it may be on one.
///
/// Edges begin with a lower bound on their cost (``EdgeLowerBound``). The search evaluates the edges of
/// the least path and searches again, until no cost changes: an edge that was not evaluated costs no
/// less than its bound, so this path is the least of all (LazySP of C. M. Dellin and S. S. Srinivasa, "A
/// Unifying Formalism for Shortest Path Problems with Expensive Edge Evaluations via Lazy Best-First
/// Search over Paths with Edge Selectors", ICAPS 2016).
struct LazyPathSearch {
  /// The set of edges that a search may use.
  enum Scope {
    /// The edges that the options allow.
    case allowed
    /// All edges that exist.
    case possible
  }

  private let route: SearchSpace
  private let scope: Scope
  private var search: ShortestPaths
  /// A flag for each two positions: whether the edge between them was evaluated.
  private var isCertain: [Bool]
  /// The number of paths whose cost turned out to be higher than their bounds.
  private var surprises = 0

  /// - Complexity: O(*n*² · *e*) in versions and entities, where bounds are known; else as looking at
  ///   all edges.
  init(_ route: SearchSpace, _ scope: Scope) {
    self.route = route
    self.scope = scope
    let count = route.nodes.count
    var isCertain = [Bool](repeating: true, count: count * count)
    search = ShortestPaths(count: count) { source, destination in
      guard let least = route.estimate(source, destination, scope) else {
        return route.cost(source, destination, scope)
      }
      isCertain[source * count + destination] = least.isCertain
      return least.cost
    }
    self.isCertain = isCertain
  }

  /// Returns the least path from a position to the last, of whose edges the data was asked.
  mutating func cheapestPath(from start: Int = 0) -> [Int]? {
    while let path = search.cheapestPath(from: start) {
      if !learn([path]) { return path }
    }
    return nil
  }

  /// The number of wrong bounds after which a search evaluates all edges from the current position at
  /// once, so that no search costs much more than evaluating all edges.
  private static let patience = 64

  private mutating func lookAtAll(from source: Int) {
    for destination in (source + 1)..<search.count { _ = look(source, destination) }
  }

  private func place(_ source: Int, _ destination: Int) -> Int {
    source * search.count + destination
  }

  /// Returns the least paths, by cost and then by positions.
  mutating func cheapestPaths(_ limit: Int) -> [ShortestPaths.Path] {
    while true {
      let paths = search.cheapestPaths(limit)
      if !learn(paths.map(\.positions)) { return paths }
    }
  }

  /// Returns the greatest position that can be reached from another.
  mutating func furthestPosition(from start: Int = 0) -> Int {
    while true {
      let end = search.furthestPosition(from: start)
      let distances = search.distances(to: end)
      let path = search.path(from: start, to: end, distances) ?? []
      if !learn([path]) { return end }
    }
  }

  /// Evaluates the edges of some paths, and asks the rows about them; returns whether a cost changed.
  private mutating func learn(_ paths: [[Int]]) -> Bool {
    var sources: Set<Int> = []
    for path in paths {
      for (source, destination) in zip(path, path.dropFirst()) where look(source, destination) {
        sources.insert(source)
      }
    }
    if !sources.isEmpty {
      surprises += 1
      if surprises > Self.patience { sources.forEach { lookAtAll(from: $0) } }
      return true
    }
    guard route.learn(paths) else { return false }
    for path in paths {
      for (source, destination) in zip(path, path.dropFirst()) {
        search[source, destination] = route.cost(source, destination, scope)
      }
    }
    return true
  }

  /// Evaluates an edge; returns whether its cost differs from its bound.
  private mutating func look(_ source: Int, _ destination: Int) -> Bool {
    guard !isCertain[place(source, destination)] else { return false }
    isCertain[place(source, destination)] = true
    let cost = route.cost(source, destination, scope)
    guard cost != search[source, destination] else { return false }
    search[source, destination] = cost
    return true
  }
}
