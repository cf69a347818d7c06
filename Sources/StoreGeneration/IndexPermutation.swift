import StoreAccess

/// A bijection of 0..<*n* onto itself that can be computed in both directions in constant time.
///
/// It maps *i* to (*a* · *i* + *b*) mod *n* with *a* prime to *n*: enough to keep links from following
/// the order of keys.
struct IndexPermutation: Hashable, Sendable {
  /// The number of indexes, below 2³¹ so that products fit.
  let count: Int
  private let factor: Int
  private let inverse: Int
  private let offset: Int

  init(count: Int, numbers: SeededNumbers) {
    self.count = count
    guard count > 1 else {
      (factor, inverse, offset) = (1, 1, 0)
      return
    }
    var candidate = Int(numbers[0] % UInt64(count)) | 1
    while Self.greatestCommonDivisor(candidate, count) != 1 { candidate += 2 }
    candidate %= count
    factor = candidate
    offset = Int(numbers[1] % UInt64(count))
    inverse = Self.inverse(of: candidate, modulo: count)
  }

  /// The image of an index.
  subscript(index: Int) -> Int { count > 1 ? (factor * index + offset) % count : index }

  /// Returns the index that an image comes from.
  func index(of image: Int) -> Int {
    count > 1 ? ((image - offset + count) % count) * inverse % count : image
  }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }

  /// Returns the inverse of a number by a modulus, by Euclid's extended algorithm.
  private static func inverse(of number: Int, modulo: Int) -> Int {
    var (r, next) = (modulo, number)
    var (t, nextT) = (0, 1)
    while next != 0 {
      let quotient = r / next
      (r, next) = (next, r - quotient * next)
      (t, nextT) = (nextT, t - quotient * nextT)
    }
    return t < 0 ? t + modulo : t
  }
}
