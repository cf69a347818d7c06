import StoreAccess

/// The partner of each object in a one-to-one relationship, computed from either end.
struct PairAssignment: Sendable {
  private let first: IndexPermutation
  private let second: IndexPermutation
  private let pairs: Int
  private let isReflexive: Bool

  /// Pairs two populations off, and leaves some objects unpaired where neither end is required.
  init(
    firstCount: Int,
    secondCount: Int,
    isFirstRequired: Bool,
    isSecondRequired: Bool,
    numbers: (SeededNumbers, SeededNumbers)
  ) {
    first = IndexPermutation(count: firstCount, numbers: numbers.0)
    second = IndexPermutation(count: secondCount, numbers: numbers.1)
    let most = min(firstCount, secondCount)
    let isFirstTight = isFirstRequired && firstCount <= secondCount
    let isSecondTight = isSecondRequired && secondCount <= firstCount
    let isTight = isFirstTight || isSecondTight || isFirstRequired || isSecondRequired
    pairs = isTight ? most : most - max(most / 8, most >= 4 ? 1 : 0)
    isReflexive = false
  }

  /// Pairs a population off with itself, for a relationship that is its own inverse.
  init(count: Int, isRequired: Bool, numbers: SeededNumbers) {
    first = IndexPermutation(count: count, numbers: numbers)
    second = first
    pairs = (isRequired ? count : count - max(count / 8, count >= 4 ? 1 : 0)) / 2 * 2
    isReflexive = true
  }

  /// Returns the partner of an object of the first population.
  func partner(ofFirst index: Int) -> Int? {
    let position = first[index]
    guard position < pairs else { return nil }
    return second.index(of: isReflexive ? position ^ 1 : position)
  }

  /// Returns the partner of an object of the second population.
  func partner(ofSecond index: Int) -> Int? {
    if isReflexive { return partner(ofFirst: index) }
    let position = second[index]
    return position < pairs ? first.index(of: position) : nil
  }
}
