internal import ObjectModel

/// The evidence on which of two versions of a model is older, for all pairs.
struct OrderEvidence {
  /// The source of the evidence on two versions.
  enum Source: Hashable {
    /// A commit has the older version without the newer, and no commit the newer without the older.
    case commits
    /// Numbers in their names put them in order.
    case numbers
    /// The newer is named like the current version, and the older is not.
    case current
  }

  /// The likeness of a version's name to that of the current version.
  private enum Likeness {
    /// Different first words.
    case none
    /// The same first word, and no numbers that order them.
    case some
    /// Numbers that order them.
    case whole

    init(of name: String, to current: String) {
      if name == current || NaturalOrder.isEarlierByNumber(name, current) != nil {
        self = .whole
      } else {
        self =
          NaturalOrder.firstWord(of: name) == NaturalOrder.firstWord(of: current) ? .some : .none
      }
    }
  }

  /// Two versions, by index, of which nothing shows which is older.
  struct Gap: Error {
    let first: Int
    let second: Int
  }

  /// The evidence that the version of the first index is older than that of the second.
  private var sources: [[Source?]]
  /// Two versions that commits and numbers order differently; nil where none are.
  private(set) var contradiction: (older: String, newer: String)?

  /// - Parameters:
  ///   - current: The name of the current version, where it is known.
  ///   - commits: The sets of versions that the commits up to one have or had.
  /// - Complexity: O(*n*² · *c*) in the versions and the sets.
  init(_ names: [String], current: String?, inCommits commits: Set<Set<String>>) {
    sources = Array(repeating: Array(repeating: nil, count: names.count), count: names.count)
    let sets = Array(commits)
    // A version that is in no commit is the newest.
    let having = names.map { name in Set(sets.indices.filter { sets[$0].contains(name) }) }
    let likeness = names.map { name in current.map { Likeness(of: name, to: $0) } ?? .some }
    for first in names.indices {
      for second in names.indices.dropFirst(first + 1) {
        let isAdded: Bool? =
          having[second].isStrictSubset(of: having[first])
          ? true : having[first].isStrictSubset(of: having[second]) ? false : nil
        let isNumbered = NaturalOrder.isEarlierByNumber(names[first], names[second])
        if let isAdded, let isNumbered, isAdded != isNumbered, contradiction == nil {
          contradiction =
            isAdded ? (names[first], names[second]) : (names[second], names[first])
        }
        if let isForth = isAdded ?? isNumbered {
          set(first, second, isForth, isAdded == nil ? .numbers : .commits)
        } else if Set([likeness[first], likeness[second]]) == [.none, .whole] {
          set(first, second, likeness[second] == .whole, .current)
        }
      }
    }
  }

  private mutating func set(_ first: Int, _ second: Int, _ isForth: Bool, _ source: Source) {
    if isForth { sources[first][second] = source } else { sources[second][first] = source }
  }

  /// The only order, by index, oldest first, that the evidence allows; else two versions whose order it leaves
  /// open.
  var order: Result<[Int], Gap> {
    var counts = sources.indices.map { index in sources.count { $0[index] != nil } }
    var left = Set(sources.indices)
    var order: [Int] = []
    while !left.isEmpty {
      let oldest = left.filter { counts[$0] == 0 }.sorted()
      guard oldest.count == 1 else {
        // Without an oldest one, the evidence contradicts itself.
        let pair = oldest.isEmpty ? left.sorted() : oldest
        return .failure(Gap(first: pair[0], second: pair[1]))
      }
      order.append(oldest[0])
      left.remove(oldest[0])
      for index in left where sources[oldest[0]][index] != nil { counts[index] -= 1 }
    }
    return .success(order)
  }

  /// Returns whether evidence of a source decides about two consecutive versions of an order.
  func counts(_ order: [Int], as source: Source) -> Bool {
    zip(order, order.dropFirst()).contains { sources[$0][$1] == source }
  }
}
