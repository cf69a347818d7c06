/// The costs of all contenders at one point: rows of one shape, brought over so many hops.
struct ComparisonSeries {
  let shape: Shape
  let rows: Int
  /// The steps of the history; 0 where a contender costs the same for any number.
  let hops: Int
  /// The bytes of the store.
  var size: Int
  /// One element a turn; a contender that is slow takes part in the first turns only.
  var measurements: [Contender: [Measurement]] = [:]
  var calls: [Contender: CallCount] = [:]

  /// The seconds after which a peer takes no further turns.
  static let patience = 60.0

  /// Whether a peer was so slow that it takes no further turns.
  func hasEnough(of contender: Contender) -> Bool {
    contender.isPeer
      && measurements[contender, default: []].reduce(0) { $0 + $1.wall } > Self.patience
  }

  /// The median of a figure; nil of a contender that did not take part.
  func median(of contender: Contender, _ value: (Measurement) -> Double) -> Double? {
    measurements[contender].map { ResultTable.median($0.map(value)) }
  }

  /// The median of the ratios turn by turn; nil where either did not take part.
  func ratio(
    of contender: Contender,
    to other: Contender,
    in others: ComparisonSeries? = nil,
    _ value: (Measurement) -> Double
  ) -> Double? {
    guard let own = measurements[contender],
      let yardsticks = (others ?? self).measurements[other]
    else { return nil }
    return ResultTable.median(zip(own, yardsticks).map { value($0) / value($1) })
  }
}
