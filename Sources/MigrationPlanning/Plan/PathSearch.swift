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

  private struct Entry: Comparable {
    let cost: PlanCost
    let position: Int

    static func < (lhs: Entry, rhs: Entry) -> Bool {
      lhs.cost == rhs.cost ? lhs.position < rhs.position : lhs.cost < rhs.cost
    }
  }

  /// The number of positions.
  let count: Int
  /// The steps that may be taken, in any order.
  let steps: [Step]

  /// The positions of the cheapest path from the first position to the last, both included, or nil.
  ///
  /// - Complexity: O((*n* + *s*) log *s*) in positions and steps.
  func cheapestPath() -> [Int]? {
    guard count > 0 else { return nil }
    let distances = distancesToEnd()
    var leaving = [[Step]](repeating: [], count: count)
    for step in steps { leaving[step.source].append(step) }
    var path = [0]
    while let position = path.last, position != count - 1 {
      guard let distance = distances[position] else { return nil }
      let next = leaving[position].filter { step in
        distances[step.destination].map { step.cost + $0 == distance } ?? false
      }
      guard let nearest = next.map(\.destination).min() else { return nil }
      path.append(nearest)
    }
    return path
  }

  /// The greatest position that can be reached from the first.
  func furthestPosition() -> Int {
    var isReached = [Bool](repeating: false, count: count)
    isReached[0] = true
    for step in steps.sorted(by: { $0.source < $1.source }) where isReached[step.source] {
      isReached[step.destination] = true
    }
    return isReached.lastIndex(of: true) ?? 0
  }

  private func distancesToEnd() -> [PlanCost?] {
    var arriving = [[Step]](repeating: [], count: count)
    for step in steps { arriving[step.destination].append(step) }
    var distances = [PlanCost?](repeating: nil, count: count)
    var isSettled = [Bool](repeating: false, count: count)
    distances[count - 1] = PlanCost()
    var heap = Heap([Entry(cost: PlanCost(), position: count - 1)])
    while let entry = heap.popMin() {
      guard !isSettled[entry.position] else { continue }
      isSettled[entry.position] = true
      for step in arriving[entry.position] {
        let cost = step.cost + entry.cost
        if let known = distances[step.source], known <= cost { continue }
        distances[step.source] = cost
        heap.insert(Entry(cost: cost, position: step.source))
      }
    }
    return distances
  }
}
