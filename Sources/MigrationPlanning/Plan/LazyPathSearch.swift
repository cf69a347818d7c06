/// A search for the least paths of a route that looks at an edge only where it may be on one.
///
/// Edges begin with what they cost at least (``EdgeLowerBound``). The edges of the least path are looked at, and
/// it is searched again, until all of its edges are what they were taken for: whatever was not looked at
/// costs no less than assumed, so that this path is the least of all (LazySP of C. M. Dellin and
/// S. S. Srinivasa, "A Unifying Formalism for Shortest Path Problems with Expensive Edge Evaluations via Lazy
/// Best-First Search over Paths with Edge Selectors", ICAPS 2016).
struct LazyPathSearch {
  /// Which edges count.
  enum Scope {
    /// Those that the options allow.
    case allowed
    /// All that exist.
    case possible
  }

  private let route: SearchSpace
  private let scope: Scope
  private var search: ShortestPaths
  /// For each two positions, whether the edge between them was looked at.
  private var isCertain: [Bool]
  /// How many times a path was not what it was taken for.
  private var surprises = 0

  /// - Complexity: O(*n*² · *e*) in nodes and entities, where bounds are known; else as looking at all edges.
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

  /// The least path from a position to the last, of whose edges the data was asked.
  mutating func cheapestPath(from start: Int = 0) -> [Int]? {
    while let path = search.cheapestPath(from: start) {
      if !learn([path]) { return path }
    }
    return nil
  }

  /// How many times bounds may have been wrong about a path, before all edges from where it was are looked
  /// at at once: no search costs much more than looking at all edges.
  private static let patience = 64

  private mutating func lookAtAll(from source: Int) {
    for destination in (source + 1)..<search.count { _ = look(source, destination) }
  }

  private func place(_ source: Int, _ destination: Int) -> Int {
    source * search.count + destination
  }

  /// The least paths, by cost and then by positions.
  mutating func cheapestPaths(_ limit: Int) -> [ShortestPaths.Path] {
    while true {
      let paths = search.cheapestPaths(limit)
      if !learn(paths.map(\.positions)) { return paths }
    }
  }

  /// The greatest position that can be reached from another.
  mutating func furthestPosition(from start: Int = 0) -> Int {
    while true {
      let end = search.furthestPosition(from: start)
      let distances = search.distances(to: end)
      let path = search.path(from: start, to: end, distances) ?? []
      if !learn([path]) { return end }
    }
  }

  /// Looks at the edges of some paths, and asks the data about them; says whether anything was learned.
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

  /// Looks at an edge; says whether it costs something else than it was taken for.
  private mutating func look(_ source: Int, _ destination: Int) -> Bool {
    guard !isCertain[place(source, destination)] else { return false }
    isCertain[place(source, destination)] = true
    let cost = route.cost(source, destination, scope)
    guard cost != search[source, destination] else { return false }
    search[source, destination] = cost
    return true
  }
}
