/// The searches of other tools, re-implemented from their sources, on the edges that we would allow.
enum PeerAlgorithm: String, CaseIterable {
  /// Room (AndroidX, `RoomDatabase.MigrationContainer.findMigrationPath`): from each version it takes
  /// the edge to the greatest version that is not beyond the end, and never goes back on that.
  case farthestJump = "Farthest jump, as Room does"
  /// Progressive migration of Core Data as articles and libraries have it: from each version the
  /// first edge in the order of a dictionary whose end is not beyond the wanted version, without
  /// going back. The dictionary's order is taken by a hash here, to be the same in every run.
  case firstMatch = "First match in a dictionary's order"
  /// A search by priority in which the cost of an edge is not added to that of the path before it, so
  /// that the order in which versions are settled says nothing of whole paths.
  case lastEdgeOnly = "Cost of the last edge only"

  /// The positions of the path found, if one is.
  func path(from start: Int, to end: Int, _ edges: [[Int]: [Int]]) -> [Int]? {
    switch self {
    case .farthestJump: greedy(start, end, edges) { $0.max() }
    case .firstMatch: greedy(start, end, edges) { $0.min { Self.hash($0) < Self.hash($1) } }
    case .lastEdgeOnly: byLastEdge(start, end, edges)
    }
  }

  private func greedy(
    _ start: Int,
    _ end: Int,
    _ edges: [[Int]: [Int]],
    _ choose: ([Int]) -> Int?
  ) -> [Int]? {
    var path = [start]
    while let here = path.last, here != end {
      let next = (here + 1..<end + 1).filter { edges[[here, $0]] != nil }
      guard let chosen = choose(next) else { return nil }
      path.append(chosen)
    }
    return path
  }

  private func byLastEdge(_ start: Int, _ end: Int, _ edges: [[Int]: [Int]]) -> [Int]? {
    var paths: [Int: [Int]] = [start: [start]]
    var open: [(cost: [Int], position: Int)] = [([], start)]
    var settled: Set<Int> = []
    while let index = open.indices.min(by: {
      (open[$0].cost + [open[$0].position]).lexicographicallyPrecedes(
        open[$1].cost + [open[$1].position]
      )
    }) {
      let here = open.remove(at: index).position
      guard settled.insert(here).inserted else { continue }
      if here == end { return paths[end] }
      for next in here + 1..<end + 1 where !settled.contains(next) {
        guard let cost = edges[[here, next]], let path = paths[here] else { continue }
        if paths[next] == nil { paths[next] = path + [next] }
        open.append((cost, next))
      }
    }
    return nil
  }

  private static func hash(_ position: Int) -> UInt64 {
    (UInt64(position) &+ 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
  }
}
