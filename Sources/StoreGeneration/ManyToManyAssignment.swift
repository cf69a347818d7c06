import StoreAccess

/// The links of a many-to-many relationship, with the place of each in the other object's list.
///
/// Objects of the larger population are shuffled to positions *x*, those of the smaller to *y*. Lane
/// *t* links each *x* below the lane's limit with *y* = (*x* + *t*) mod the smaller's count, so that
/// the links of an object, from either end, follow from arithmetic. Where the larger has so many that
/// each of the smaller would have many links, three of the smaller are left out of that: one has none,
/// one has one, one has two, each with an object that no lane links.
struct ManyToManyAssignment: Sendable {
  /// A link seen from one end.
  struct Link: Hashable {
    /// The object at the other end.
    let index: Int
    /// The other's place in this object's list, from 0.
    let rank: Int
    /// This object's place in the other's list, from 0.
    let rankOfSelf: Int
  }

  private let large: IndexPermutation
  private let small: IndexPermutation
  private let limits: [Int]
  private let isFirstLarge: Bool
  /// The number of objects of the smaller population that the lanes link.
  private let laneCount: Int

  /// The number of objects of the smaller population that the lanes leave out where each would have many
  /// links.
  private static let few = 3

  /// The share of the larger population that has a link in each lane, as a fraction.
  private static let shares: [(Int, Int)] = [
    (7, 8), (1, 2), (1, 4), (1, 16), (1, 64), (1, 64), (1, 64), (1, 64),
  ]

  init(
    firstCount: Int,
    secondCount: Int,
    firstBounds: CountBounds,
    secondBounds: CountBounds,
    numbers: (SeededNumbers, SeededNumbers)
  ) {
    isFirstLarge = firstCount >= secondCount
    let largeCount = max(firstCount, secondCount)
    let smallCount = min(firstCount, secondCount)
    let (largeBounds, smallBounds) =
      isFirstLarge ? (firstBounds, secondBounds) : (secondBounds, firstBounds)
    large = IndexPermutation(count: largeCount, numbers: numbers.0)
    small = IndexPermutation(count: smallCount, numbers: numbers.1)
    guard smallCount > 0 else {
      limits = []
      laneCount = 0
      return
    }
    let hasFew =
      smallCount >= 2 * Self.few && largeCount >= 2 * smallCount && smallBounds.least == 0
      && largeBounds.least == 0 && smallBounds.greatest >= 2
    laneCount = hasFew ? smallCount - Self.few : smallCount
    // Lanes that must be full so that every object of either population has its least number.
    let forSmall = smallBounds.least > 0 ? (smallBounds.least * laneCount - 1) / largeCount + 1 : 0
    let full = max(min(largeBounds.least, laneCount), min(forSmall, laneCount))
    let lanes = min(largeBounds.greatest, laneCount, max(full, Self.shares.count))
    var limits: [Int] = []
    var room = smallBounds.greatest
    for lane in 0..<lanes {
      let share = lane < Self.shares.count ? Self.shares[lane] : (0, 1)
      var limit = lane < full ? largeCount : largeCount * share.0 / share.1
      // Two objects alone have a link of some sort.
      if lane == 0, largeCount == 1 { limit = 1 }
      let (most, overflow) = room.multipliedReportingOverflow(by: laneCount)
      if !overflow { limit = min(limit, most) }
      if limit == 0 { break }
      limits.append(limit)
      if room != Int.max { room -= (limit - 1) / laneCount + 1 }
    }
    self.limits = limits
  }

  /// Returns the links of an object of the first population, in the order of its list.
  func links(ofFirst index: Int) -> [Link] {
    isFirstLarge ? links(ofLarge: index) : links(ofSmall: index)
  }

  /// Returns the links of an object of the second population, in the order of its list.
  func links(ofSecond index: Int) -> [Link] {
    isFirstLarge ? links(ofSmall: index) : links(ofLarge: index)
  }

  private func links(ofLarge index: Int) -> [Link] {
    let x = large[index]
    if let few = few.first(where: { $0.x == x }) {
      return [Link(index: small.index(of: few.y), rank: 0, rankOfSelf: few.rank)]
    }
    var links: [Link] = []
    for (lane, limit) in limits.enumerated() {
      guard x < limit else { break }
      let y = (x + lane) % laneCount
      let before = owners(of: y, inLanesBefore: lane)
      links.append(
        Link(index: small.index(of: y), rank: lane, rankOfSelf: before + x / laneCount)
      )
    }
    return links
  }

  /// The links that no lane has: of the second object that the lanes leave out, and the two of the third, by
  /// position.
  private var few: [(x: Int, y: Int, rank: Int)] {
    guard laneCount < small.count, let first = limits.first, first + Self.few < large.count else {
      return []
    }
    return [
      (first, laneCount + 1, 0), (first + 1, laneCount + 2, 0), (first + 2, laneCount + 2, 1),
    ]
  }

  private func links(ofSmall index: Int) -> [Link] {
    let y = small[index]
    if y >= laneCount {
      return few.filter { $0.y == y }.map {
        Link(index: large.index(of: $0.x), rank: $0.rank, rankOfSelf: 0)
      }
    }
    var links: [Link] = []
    for (lane, limit) in limits.enumerated() {
      for x in stride(from: residue(of: y, inLane: lane), to: limit, by: laneCount) {
        links.append(Link(index: large.index(of: x), rank: links.count, rankOfSelf: lane))
      }
    }
    return links
  }

  private func residue(of y: Int, inLane lane: Int) -> Int {
    (y - lane % laneCount + laneCount) % laneCount
  }

  private func owners(of y: Int, inLanesBefore lane: Int) -> Int {
    var count = 0
    for earlier in 0..<lane {
      let residue = residue(of: y, inLane: earlier)
      if limits[earlier] > residue { count += (limits[earlier] - 1 - residue) / laneCount + 1 }
    }
    return count
  }
}
