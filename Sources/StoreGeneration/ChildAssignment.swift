import StoreAccess

/// Which parent each child of a one-to-many relationship has, and its place among the parent's.
///
/// Children are shuffled and dealt to parents in blocks of eight, whose sizes are skewed: some
/// parents have none, some many. What the blocks do not cover is dealt in turn. A parent and a rank
/// follow from the child's number alone.
struct ChildAssignment: Sendable {
  /// The parents of one block, of which some get nothing unless they must have some.
  private static let weights = [0, 1, 2, 0, 3, 1, 0, 5]
  private static let slots = weights.count

  private let permutation: IndexPermutation
  private let parents: Int
  private let isRequired: Bool
  /// How many of the shuffled children have a parent at all.
  private let linked: Int
  private let sizes: [Int]
  private let starts: [Int]
  private let blockSize: Int
  private let coveredParents: Int
  private let coveredChildren: Int
  /// How many children the parents that no block covers may have together.
  private let uncoveredCapacity: Int
  private let uncoveredGreatest: Int

  /// Deals children to parents.
  ///
  /// - Parameters:
  ///   - isRequired: Whether every child must have a parent, if need be above the parents' bounds.
  ///   - bounds: How many children a parent may have.
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
    let spare = isRequired || needed.overflow ? 0 : max(0, min(children / 8, children - needed.0))
    linked = parents > 0 ? children - spare : 0
    let sizes = Self.sizes(linked: linked, parents: parents, bounds: bounds)
    self.sizes = sizes
    starts = sizes.indices.map { sizes[..<$0].reduce(0, +) }
    blockSize = sizes.reduce(0, +)
    coveredParents = blockSize > 0 ? parents / Self.slots * Self.slots : 0
    coveredChildren = coveredParents / Self.slots * blockSize
    let capacity = bounds.greatest.multipliedReportingOverflow(by: parents - coveredParents)
    uncoveredCapacity = capacity.overflow ? Int.max : capacity.partialValue
    uncoveredGreatest = bounds.greatest
  }

  private static func sizes(linked: Int, parents: Int, bounds: CountBounds) -> [Int] {
    guard parents >= slots else { return [Int](repeating: 0, count: slots) }
    let total = linked * slots / parents
    let least = min(bounds.least, total / slots)
    var sizes = [Int](repeating: least, count: slots)
    var left = total - least * slots
    let extra = left
    for slot in 0..<slots {
      let wanted = extra / weights.reduce(0, +) * weights[slot]
      let taken = min(wanted, bounds.greatest - sizes[slot], left)
      sizes[slot] += taken
      left -= taken
    }
    // What rounding left, one to each that may have more, those with more weight first.
    let order = (0..<slots).sorted { (weights[$0], $0) > (weights[$1], $1) }
    var isStuck = false
    while left > 0, !isStuck {
      isStuck = true
      for slot in order where left > 0 && sizes[slot] < bounds.greatest {
        sizes[slot] += 1
        left -= 1
        isStuck = false
      }
    }
    return sizes
  }

  /// The parent of a child and the child's place among the parent's, or nil where it has none.
  func parent(of child: Int) -> (index: Int, rank: Int)? {
    let position = permutation[child]
    guard position < linked else { return nil }
    if position < coveredChildren {
      let (block, inside) = position.quotientAndRemainder(dividingBy: blockSize)
      var slot = Self.slots - 1
      while starts[slot] > inside || sizes[slot] == 0 { slot -= 1 }
      return (block * Self.slots + slot, inside - starts[slot])
    }
    var left = position - coveredChildren
    let uncovered = parents - coveredParents
    if uncovered > 0 {
      if left < uncoveredCapacity { return (coveredParents + left % uncovered, left / uncovered) }
      left -= uncoveredCapacity
    }
    guard isRequired else { return nil }
    let parent = left % parents
    let own = parent < coveredParents ? sizes[parent % Self.slots] : uncoveredGreatest
    return (parent, own + left / parents)
  }
}
