import HeapModule

/// Dijkstra's algorithm over a few nodes in a row, all of whose edges lead forwards.
///
/// Edsger W. Dijkstra, "A note on two problems in connexion with graphs", Numerische Mathematik 1
/// (1959). It runs from the end, so that the least path can then be read off from the start: of all
/// next nodes on a path of least cost the smallest is taken, which gives the lexicographically
/// smallest sequence. (Every edge costs a hop, so paths of equal cost are equally long.)
struct PathSearch {
  /// A way from one position to a later one.
  struct Step {
    let source: Int
    let destination: Int
    let cost: PlanCost
  }

  /// A path and what it costs.
  struct Path {
    let cost: PlanCost
    /// Both ends included.
    let positions: [Int]
  }

  private struct Entry: Comparable {
    let cost: PlanCost
    let position: Int

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.cost == rhs.cost ? lhs.position < rhs.position : lhs.cost < rhs.cost
    }
  }

  /// The number of positions.
  let count: Int
  /// The steps from each position, by destination.
  private let leaving: [[Step]]
  /// The steps to each position.
  private let arriving: [[Step]]

  /// - Parameter steps: The steps that may be taken, in any order.
  init(count: Int, steps: [Step]) {
    self.count = count
    var leaving = [[Step]](repeating: [], count: count)
    var arriving = [[Step]](repeating: [], count: count)
    for step in steps {
      leaving[step.source].append(step)
      arriving[step.destination].append(step)
    }
    self.leaving = leaving.map { $0.sorted { $0.destination < $1.destination } }
    self.arriving = arriving
  }

  /// The positions of the cheapest path from the first position to the last, both included, or nil.
  ///
  /// - Complexity: O((*n* + *s*) log *s*) in positions and steps.
  func cheapestPath() -> [Int]? {
    guard count > 0 else { return nil }
    return path(from: 0, to: count - 1, distances(to: count - 1))
  }

  /// The positions of the cheapest path between two, given the distances to its end.
  func path(from start: Int, to end: Int, _ distances: [PlanCost?]) -> [Int]? {
    var path = [start]
    while let position = path.last, position != end {
      guard let distance = distances[position] else { return nil }
      let next = leaving[position].first { step in
        distances[step.destination].map { step.cost + $0 == distance } ?? false
      }
      guard let next else { return nil }
      path.append(next.destination)
    }
    return path
  }

  /// The greatest position that can be reached from the first.
  func furthestPosition() -> Int {
    var isReached = [Bool](repeating: false, count: count)
    isReached[0] = true
    for position in 0..<count where isReached[position] {
      for step in leaving[position] { isReached[step.destination] = true }
    }
    return isReached.lastIndex(of: true) ?? 0
  }

  /// What it costs to get from each position to a given one; nil where that is impossible.
  ///
  /// - Complexity: O((*n* + *s*) log *s*) in positions and steps.
  func distances(to end: Int) -> [PlanCost?] {
    var distances = [PlanCost?](repeating: nil, count: count)
    var isSettled = [Bool](repeating: false, count: count)
    distances[end] = PlanCost()
    var heap = Heap([Entry(cost: PlanCost(), position: end)])
    while let entry = heap.popMin() {
      guard !isSettled[entry.position] else { continue }
      isSettled[entry.position] = true
      for step in arriving[entry.position] where !isSettled[step.source] {
        let cost = step.cost + entry.cost
        if let known = distances[step.source], known <= cost { continue }
        distances[step.source] = cost
        heap.insert(Entry(cost: cost, position: step.source))
      }
    }
    return distances
  }

  /// The cheapest paths from the first position to the last, by cost and then by positions.
  ///
  /// As all steps lead forwards, the best of each position follow from those of later ones.
  /// - Complexity: O(*s* · *k* · *n*) in steps, paths and positions.
  func cheapestPaths(_ limit: Int) -> [Path] {
    guard count > 0, limit > 0 else { return [] }
    var best = [[Path]](repeating: [], count: count)
    best[count - 1] = [Path(cost: PlanCost(), positions: [count - 1])]
    for position in (0..<(count - 1)).reversed() {
      let paths = leaving[position].flatMap { step in
        best[step.destination].map {
          Path(cost: step.cost + $0.cost, positions: [position] + $0.positions)
        }
      }
      let sorted = paths.sorted { left, right in
        left.cost == right.cost
          ? left.positions.lexicographicallyPrecedes(right.positions) : left.cost < right.cost
      }
      best[position] = Array(sorted.prefix(limit))
    }
    return best[0]
  }
}
