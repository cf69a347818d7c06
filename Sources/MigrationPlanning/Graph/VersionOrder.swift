/// The order of a graph's versions: a line, or branches that part and meet.
///
/// Each version comes after all that it follows. Versions of different branches come before or after
/// each other without following each other.
package struct VersionOrder: Hashable, Sendable {
  /// The versions that each version follows directly, ascending; none for one that begins a branch.
  package let parents: [[Int]]
  /// Whether each version follows the one before it.
  package let isLine: Bool
  /// A row for each version: whether it follows each other one; empty for a line.
  private let follows: [[Bool]]

  /// The order in which each of some versions follows the one before it.
  package init(count: Int) {
    parents = (0..<count).map { $0 == 0 ? [] : [$0 - 1] }
    isLine = true
    follows = []
  }

  /// Makes an order with given parents; each parent comes before its children.
  ///
  /// - Complexity: O(*n* · *e*) in versions and parents.
  package init(parents: [[Int]]) {
    let line = VersionOrder(count: parents.count)
    let sorted = parents.enumerated().map { node, list in
      Set(list).filter { $0 >= 0 && $0 < node }.sorted()
    }
    self.parents = sorted
    isLine = sorted == line.parents
    var follows: [[Bool]] = []
    if !isLine {
      for list in sorted {
        var ancestors = [Bool](repeating: false, count: sorted.count)
        for parent in list {
          ancestors[parent] = true
          for other in 0..<parent where follows[parent][other] { ancestors[other] = true }
        }
        follows.append(ancestors)
      }
    }
    self.follows = follows
  }

  /// The number of versions.
  var count: Int { parents.count }

  /// Returns whether the second version follows from the first, directly or not.
  package func precedes(_ first: Int, _ second: Int) -> Bool {
    guard parents.indices.contains(first), parents.indices.contains(second) else { return false }
    return isLine ? first < second : follows[second][first]
  }

  /// Returns whether one of two versions follows from the other, or both are one.
  package func areComparable(_ first: Int, _ second: Int) -> Bool {
    first == second || precedes(first, second) || precedes(second, first)
  }

  /// Returns whether one version follows the other directly, in either direction.
  package func isStep(_ first: Int, _ second: Int) -> Bool {
    let (low, high) = (min(first, second), max(first, second))
    return parents.indices.contains(high) && parents[high].contains(low)
  }

  /// All steps from a version to one that follows it directly, by destination and then source.
  var steps: [NodePair] {
    parents.enumerated().flatMap { node, list in
      list.map { NodePair(source: $0, destination: node) }
    }
  }

  /// Returns the versions of all histories from one version to another, both included; none where there
  /// is no history.
  package func between(_ first: Int, _ last: Int) -> [Int] {
    guard first == last || precedes(first, last) else { return [] }
    if isLine { return Array(first...last) }
    return (first...last).filter { isBetween($0, first, last) }
  }

  /// Returns whether a version is in a history from one version to another, both included.
  package func isBetween(_ node: Int, _ first: Int, _ last: Int) -> Bool {
    (node == first || precedes(first, node)) && (node == last || precedes(node, last))
  }

  /// Returns the versions of one history from a version to a later one, through first parents where
  /// branches meet; nil where there is none.
  package func history(from first: Int, to last: Int) -> [Int]? {
    var history = [last]
    while let node = history.last, node != first {
      guard let next = parents[node].first(where: { $0 == first || precedes(first, $0) }) else {
        return nil
      }
      history.append(next)
    }
    return history.reversed()
  }

  /// Returns the fewest steps from a version to one that follows from it; nil where it does not.
  ///
  /// - Complexity: O(1) in a line, else O(*e*) in the parents of the versions between.
  func stepCount(from first: Int, to last: Int) -> Int? {
    guard first == last || precedes(first, last) else { return nil }
    if isLine { return last - first }
    var counts: [Int: Int] = [first: 0]
    for node in (first + 1)...max(first + 1, last) {
      counts[node] = parents[node].compactMap { counts[$0] }.min().map { $0 + 1 }
    }
    return counts[last]
  }

  /// Returns the latest versions from which both of two versions follow, or which are one of them.
  func commonAncestors(_ first: Int, _ second: Int) -> [Int] {
    let common = (0..<count).filter {
      ($0 == first || precedes($0, first)) && ($0 == second || precedes($0, second))
    }
    return common.filter { node in !common.contains { precedes(node, $0) } }
  }
}

/// The branches that the user chose where several meet, by their version names.
struct BranchChoice: Hashable {
  /// Versions to stop at.
  var wanted: Set<Int> = []
  /// Versions not to stop at.
  var avoided: Set<Int> = []

  var isEmpty: Bool { wanted.isEmpty && avoided.isEmpty }
}

extension VersionOrder {
  /// Returns the parents of a version over which objects from a source can have come, as far as a
  /// choice leaves them: a branch that has a wanted version wins over one that has not, and one that
  /// alone has an avoided version loses.
  func parents(of node: Int, from source: Int, _ choice: BranchChoice) -> [Int] {
    let all = parents[node].filter { $0 == source || precedes(source, $0) }
    guard all.count > 1, !choice.isEmpty else { return all }
    func isOn(_ version: Int, _ parent: Int) -> Bool {
      precedes(source, version) && (version == parent || precedes(version, parent))
    }
    let kept = all.filter { parent in
      let others = all.filter { $0 != parent }
      let isAvoided = choice.avoided.contains { version in
        isOn(version, parent) && !others.contains { isOn(version, $0) }
      }
      let isPassedOver = choice.wanted.contains { version in
        !isOn(version, parent) && others.contains { isOn(version, $0) }
      }
      return !isAvoided && !isPassedOver
    }
    return kept.isEmpty ? all : kept
  }
}
