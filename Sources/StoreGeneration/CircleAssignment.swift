import StoreAccess

/// The objects that each object is linked with in a many-to-many relationship that is its own inverse.
///
/// Shuffled objects form groups of eight: three around one, a chain of three, and one alone, so that
/// there are objects with no, one, two and three links.
struct CircleAssignment: Sendable {
  /// The partners within a group, by place.
  private static let partners = [[1, 2, 3], [0], [0], [0], [5], [4, 6], [5], []]

  private let permutation: IndexPermutation
  private let bounds: CountBounds

  init(count: Int, bounds: CountBounds, numbers: SeededNumbers) {
    permutation = IndexPermutation(count: count, numbers: numbers)
    self.bounds = bounds
  }

  /// Returns the partners of an object.
  func partners(of index: Int) -> [Int] {
    let position = permutation[index]
    let found: [Int]
    if bounds.least > 0 || bounds.greatest < 3 {
      // Pairs keep within most bounds.
      found = [position ^ 1]
    } else {
      let (group, place) = position.quotientAndRemainder(dividingBy: Self.partners.count)
      found = Self.partners[place].map { group * Self.partners.count + $0 }
    }
    return found.filter { $0 < permutation.count }.map { permutation.index(of: $0) }
  }
}
