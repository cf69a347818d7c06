import StoreAccess

/// The parent of each child of a one-to-many relationship, and the child's place among the parent's.
///
/// Children are shuffled and dealt to parents in blocks of at most 64, each with the same skew: some
/// parents have none, one has one, one has two, some have many. A parent and a rank follow from the
/// child's number alone.
struct ChildAssignment: Sendable {
  private static let slots = 64

  private let permutation: IndexPermutation
  private let parents: Int
  private let isRequired: Bool
  /// The number of shuffled children that have a parent.
  private let linked: Int
  /// The shares of the parents of a whole block, and of the parents that no whole block covers.
  private let block: Shares
  private let rest: Shares
  private let blocks: Int

  /// Deals children to parents.
  ///
  /// - Parameters:
  ///   - isRequired: Whether every child must have a parent, if need be above the parents' bounds.
  ///   - bounds: The number of children that a parent may have.
  init(
    children: Int,
    parents: Int,
    isRequired: Bool,
    bounds: CountBounds,
    numbers: SeededNumbers
  ) {
    permutation = IndexPermutation(count: children, numbers: numbers)
    self.parents = parents
    self.isRequired = isRequired
    let needed = bounds.least.multipliedReportingOverflow(by: parents)
    let alone = max(children / 8, children >= 4 ? 1 : 0)
    let spare = isRequired || needed.overflow ? 0 : max(0, min(alone, children - needed.0))
    linked = parents > 0 ? children - spare : 0
    let slots = max(1, min(parents, Self.slots))
    // Where a block's share is no skewed one, all children are dealt to the first parents.
    let share = parents > 0 ? linked * slots / parents : 0
    blocks = share >= 6 ? parents / slots : 0
    block = Shares(of: share, among: slots, bounds)
    let left = max(0, linked - blocks * block.count)
    rest = Shares(of: left, among: min(parents - blocks * slots, Self.slots), bounds)
  }

  /// Returns the parent of a child and the child's place among the parent's, or nil where it has none.
  func parent(of child: Int) -> (index: Int, rank: Int)? {
    let position = permutation[child]
    guard position < linked else { return nil }
    let covered = blocks * block.count
    if position < covered {
      let (number, inside) = position.quotientAndRemainder(dividingBy: block.count)
      let place = block.place(of: inside)
      return (number * block.sizes.count + place.slot, place.rank)
    }
    var left = position - covered
    let first = blocks * block.sizes.count
    if left < rest.count {
      let place = rest.place(of: left)
      return (first + place.slot, place.rank)
    }
    left -= rest.count
    guard isRequired else { return nil }
    let parent = left % parents
    let own =
      parent < first
      ? block.sizes[parent % block.sizes.count]
      : rest.sizes.indices.contains(parent - first) ? rest.sizes[parent - first] : 0
    return (parent, own + left / parents)
  }
}

/// The number of children of each of some parents.
private struct Shares: Sendable {
  /// The weights of the parents behind the first two, over and over.
  private static let weights = [0, 5, 1, 0, 3, 1, 0, 2]

  let sizes: [Int]
  private let starts: [Int]
  /// The number of children dealt: fewer than there are where the bounds do not allow more.
  let count: Int

  /// Deals children: two to the first parent, one to the second, none to the third, a
  /// quarter to the fourth, and to the others by weight, as far as the bounds let.
  init(of children: Int, among parents: Int, _ bounds: CountBounds) {
    var sizes: [Int] = []
    if parents > 0 {
      let least = min(bounds.least, children / parents)
      var left = children - least * parents
      sizes = [Int](repeating: least, count: parents)
      func give(_ slot: Int, _ wanted: Int) {
        let given = min(wanted, bounds.greatest - sizes[slot], left)
        guard given > 0 else { return }
        sizes[slot] += given
        left -= given
      }
      // A parent alone gets all; of three, the last gets what is left.
      let weights = (0..<parents).map { slot in
        slot < 2
          ? (parents < 3 && slot == parents - 1 ? 1 : 0)
          : parents == 3 ? 1 : Self.weights[(slot - 2) % Self.weights.count]
      }
      if parents > 1 { give(0, 2) }
      if parents > 1 { give(1, 1) }
      // However few there are for each, one parent has many.
      if parents > 3 { give(3, max(3, left / 4)) }
      let (extra, sum) = (left, weights.reduce(0, +))
      for slot in 0..<parents { give(slot, extra / sum * weights[slot]) }
      // The rest after rounding goes to parents with more weight first, and only then to those without.
      let order = (0..<parents).sorted { (weights[$0], $1) > (weights[$1], $0) }
      for some in [order.filter { weights[$0] > 0 }, order] {
        var before = Int.max
        while 0 < left, left < before {
          before = left
          for slot in some { give(slot, 1) }
        }
      }
    }
    self.sizes = sizes
    var starts: [Int] = []
    var start = 0
    for size in sizes {
      starts.append(start)
      start += size
    }
    self.starts = starts
    count = start
  }

  /// Returns the parent of a child and the child's place among the parent's.
  func place(of child: Int) -> (slot: Int, rank: Int) {
    var (low, high) = (0, sizes.count)
    while low + 1 < high {
      let middle = (low + high) / 2
      if starts[middle] <= child { low = middle } else { high = middle }
    }
    // All but the last of the parents that start at one child have none.
    return (low, child - starts[low])
  }
}
