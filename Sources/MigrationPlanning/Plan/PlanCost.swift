/// What a path costs: a totally ordered sum, its dearest part first.
///
/// The cost of a path is the sum of its hops' costs. Costs compare part by part in the order in
/// which the parts are declared, so that no number of hops outweighs one undecided step.
public struct PlanCost: Hashable, Sendable, Comparable {
  /// Edges known to mean something else than the chain of consecutive versions.
  public var unfaithful = 0
  /// Preconditions that the data does not fulfil.
  public var refuted = 0
  /// Consecutive steps that edges of undecided meaning pass over.
  public var undecided = 0
  /// Losses that the chain of consecutive versions would not have had.
  public var undeclaredLosses = 0
  /// Preconditions that nobody has asked the data about.
  public var unknownPreconditions = 0
  /// Findings that something is dropped by design.
  public var lossyFindings = 0
  /// The number of hops.
  public var hops = 0
  /// The estimate of bytes to write, 0 where no store was asked.
  public var estimatedBytes = 0

  /// The cost of nothing.
  public init() {}

  private var parts: [Int] {
    [
      unfaithful, refuted, undecided, undeclaredLosses, unknownPreconditions, lossyFindings, hops,
      estimatedBytes,
    ]
  }

  /// Whether the first costs less, by the first part in which they differ.
  public static func < (lhs: PlanCost, rhs: PlanCost) -> Bool {
    lhs.parts.lexicographicallyPrecedes(rhs.parts)
  }

  /// The sum, part by part; a part that overflows stays at the greatest number.
  public static func + (lhs: PlanCost, rhs: PlanCost) -> PlanCost {
    func sum(_ part: KeyPath<PlanCost, Int>) -> Int {
      let (value, overflow) = lhs[keyPath: part].addingReportingOverflow(rhs[keyPath: part])
      return overflow ? .max : value
    }
    var result = PlanCost()
    result.unfaithful = sum(\.unfaithful)
    result.refuted = sum(\.refuted)
    result.undecided = sum(\.undecided)
    result.undeclaredLosses = sum(\.undeclaredLosses)
    result.unknownPreconditions = sum(\.unknownPreconditions)
    result.lossyFindings = sum(\.lossyFindings)
    result.hops = sum(\.hops)
    result.estimatedBytes = sum(\.estimatedBytes)
    return result
  }
}
