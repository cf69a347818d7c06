/// The least paths over a sequence of versions whose edges all lead forwards.
///
/// All edges lead forwards, so the least path from each position follows from those of later ones: it
/// is computed from the end, and then read from the start. The smallest of all next versions on a path
/// of least cost is taken, which gives the lexicographically smallest sequence. (Every edge costs a
/// hop, so paths of equal cost are equally long.)
struct ShortestPaths {
  /// A path and its cost.
  struct Path {
    let cost: PlanCost
    /// The positions of the path, both ends included.
    let positions: [Int]
  }

  /// The number of positions.
  let count: Int
  /// The cost from each position to each later one; nil where there is no edge.
  private var costs: [PlanCost?]
  /// The cost from each position to the last one, valid up to ``settled``.
  private var distances: [PlanCost?]
  /// The first position from which the distances are right.
  private var settled: Int

  /// Computes the costs of all edges.
  ///
  /// - Parameter cost: Returns the cost from a position to a later one; nil where there is no edge.
  init(count: Int, cost: (_ source: Int, _ destination: Int) -> PlanCost?) {
    self.count = count
    costs = []
    costs.reserveCapacity(count * (count - 1) / 2)
    for source in 0..<count {
      for destination in (source + 1)..<max(source + 1, count) {
        costs.append(cost(source, destination))
      }
    }
    distances = [PlanCost?](repeating: nil, count: count)
    if count > 0 { distances[count - 1] = PlanCost() }
    settled = max(0, count - 1)
  }

  /// The cost from a position to a later one.
  subscript(source: Int, destination: Int) -> PlanCost? {
    get { costs[place(source, destination)] }
    set {
      costs[place(source, destination)] = newValue
      settled = max(settled, source + 1)
    }
  }

  private func place(_ source: Int, _ destination: Int) -> Int {
    source * (2 * count - source - 1) / 2 + destination - source - 1
  }

  /// Returns the positions of the cheapest path from a position to the last, both included, or nil.
  ///
  /// - Complexity: O(*n*²) in the positions from there up to the last one from which a cost has changed.
  mutating func cheapestPath(from start: Int) -> [Int]? {
    guard count > 0 else { return nil }
    for position in (start..<max(start, settled)).reversed() {
      distances[position] = distance(from: position, to: count - 1, distances)
    }
    settled = min(settled, start)
    return path(from: start, to: count - 1, distances)
  }

  private func distance(from start: Int, to end: Int, _ distances: [PlanCost?]) -> PlanCost? {
    var least: PlanCost?
    let row = place(start, start + 1)
    for next in (start + 1)...end {
      guard let step = costs[row + next - start - 1], let rest = distances[next] else { continue }
      let cost = step + rest
      if let known = least, known <= cost { continue }
      least = cost
    }
    return least
  }

  /// Returns the positions of the cheapest path between two, given the distances to its end.
  func path(from start: Int, to end: Int, _ distances: [PlanCost?]) -> [Int]? {
    var path = [start]
    while let position = path.last, position != end {
      guard let distance = distances[position] else { return nil }
      let next = ((position + 1)...end).first { next in
        guard let step = self[position, next], let rest = distances[next] else { return false }
        return step + rest == distance
      }
      guard let next else { return nil }
      path.append(next)
    }
    return path
  }

  /// Returns the greatest position that can be reached from another.
  func furthestPosition(from start: Int) -> Int {
    var isReached = [Bool](repeating: false, count: count)
    isReached[start] = true
    for position in start..<count where isReached[position] {
      for next in (position + 1)..<max(position + 1, count) where self[position, next] != nil {
        isReached[next] = true
      }
    }
    return isReached.lastIndex(of: true) ?? start
  }

  /// Returns the cost from each position to a given one; nil where there is no path.
  ///
  /// - Complexity: O(*n*²) in positions.
  func distances(to end: Int) -> [PlanCost?] {
    var distances = [PlanCost?](repeating: nil, count: count)
    distances[end] = PlanCost()
    for position in (0..<end).reversed() {
      distances[position] = distance(from: position, to: end, distances)
    }
    return distances
  }

  /// The next position of a path and the rank of its rest among the least from there.
  private struct Choice {
    let cost: PlanCost
    let next: Int
    let rank: Int
  }

  /// Returns the cheapest paths from the first position to the last, by cost and then by positions.
  ///
  /// Paths from one position that cost the same and go on to the same next one are ordered as their rests
  /// are.
  /// - Complexity: O(*n*² · *k* · log *k*) in positions and paths.
  func cheapestPaths(_ limit: Int) -> [Path] {
    guard count > 0, limit > 0 else { return [] }
    var best = [[Choice]](repeating: [], count: count)
    best[count - 1] = [Choice(cost: PlanCost(), next: count - 1, rank: 0)]
    for position in (0..<(count - 1)).reversed() {
      var choices: [Choice] = []
      for next in (position + 1)..<count {
        guard let step = self[position, next] else { continue }
        for (rank, rest) in best[next].enumerated() {
          choices.append(Choice(cost: step + rest.cost, next: next, rank: rank))
        }
      }
      choices.sort { left, right in
        left.cost == right.cost
          ? (left.next, left.rank) < (right.next, right.rank) : left.cost < right.cost
      }
      best[position] = Array(choices.prefix(limit))
    }
    return best[0].indices.map { rank in
      var positions = [0]
      var choice = best[0][rank]
      while let last = positions.last, last != count - 1 {
        positions.append(choice.next)
        choice = best[choice.next][choice.rank]
      }
      return Path(cost: best[0][rank].cost, positions: positions)
    }
  }
}
