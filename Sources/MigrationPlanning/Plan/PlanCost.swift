/// A cost of a path: a totally ordered sum, its most important part first.
///
/// The cost of a path is the sum of its hops' costs. Costs compare part by part in the order of
/// declaration, so no number of hops outweighs one unknown step.
public struct PlanCost: Hashable, Encodable, Sendable, Comparable {
  /// Preconditions that the data does not fulfil: a run stops at them.
  public var refuted = 0
  /// The number of edges that are not equivalent and that the user named.
  public var notEquivalent = 0
  /// The number of consecutive steps that unknown edges skip.
  public var unknown = 0
  /// Losses that the chain of consecutive versions would not have had.
  public var undeclaredLosses = 0
  /// The number of preconditions that no rows have answered.
  public var unknownPreconditions = 0
  /// Findings that something is dropped by design.
  public var lossyFindings = 0
  /// Preferred versions and edges that are passed over, 0 where nothing is preferred.
  public var neglectedPreferences = 0
  /// The number of hops.
  public var hops = 0
  /// The estimate of bytes to write, 0 where no store was asked.
  public var estimatedBytes = 0

  /// The cost of nothing.
  public init() {}

  /// Returns whether the first costs less, by the first part in which they differ.
  public static func < (lhs: PlanCost, rhs: PlanCost) -> Bool {
    if lhs.refuted != rhs.refuted { return lhs.refuted < rhs.refuted }
    if lhs.notEquivalent != rhs.notEquivalent { return lhs.notEquivalent < rhs.notEquivalent }
    if lhs.unknown != rhs.unknown { return lhs.unknown < rhs.unknown }
    if lhs.undeclaredLosses != rhs.undeclaredLosses {
      return lhs.undeclaredLosses < rhs.undeclaredLosses
    }
    if lhs.unknownPreconditions != rhs.unknownPreconditions {
      return lhs.unknownPreconditions < rhs.unknownPreconditions
    }
    if lhs.lossyFindings != rhs.lossyFindings { return lhs.lossyFindings < rhs.lossyFindings }
    if lhs.neglectedPreferences != rhs.neglectedPreferences {
      return lhs.neglectedPreferences < rhs.neglectedPreferences
    }
    if lhs.hops != rhs.hops { return lhs.hops < rhs.hops }
    return lhs.estimatedBytes < rhs.estimatedBytes
  }

  /// Returns the sum, part by part; a part that overflows stays at the greatest number.
  public static func + (lhs: PlanCost, rhs: PlanCost) -> PlanCost {
    func sum(_ first: Int, _ second: Int) -> Int {
      let (value, overflow) = first.addingReportingOverflow(second)
      return overflow ? .max : value
    }
    var result = PlanCost()
    result.notEquivalent = sum(lhs.notEquivalent, rhs.notEquivalent)
    result.refuted = sum(lhs.refuted, rhs.refuted)
    result.unknown = sum(lhs.unknown, rhs.unknown)
    result.undeclaredLosses = sum(lhs.undeclaredLosses, rhs.undeclaredLosses)
    result.unknownPreconditions = sum(lhs.unknownPreconditions, rhs.unknownPreconditions)
    result.lossyFindings = sum(lhs.lossyFindings, rhs.lossyFindings)
    result.neglectedPreferences = sum(lhs.neglectedPreferences, rhs.neglectedPreferences)
    result.hops = sum(lhs.hops, rhs.hops)
    result.estimatedBytes = sum(lhs.estimatedBytes, rhs.estimatedBytes)
    return result
  }
}

extension PlanCost {
  /// A part of the cost, the most important first.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    case refuted
    case notEquivalent
    case unknown
    case undeclaredLosses
    case unknownPreconditions
    case lossyFindings
    case neglectedPreferences
    case hops
    case estimatedBytes
  }

  /// Returns the amount of one part of the cost.
  public subscript(part: Part) -> Int {
    switch part {
    case .notEquivalent: notEquivalent
    case .refuted: refuted
    case .unknown: unknown
    case .undeclaredLosses: undeclaredLosses
    case .unknownPreconditions: unknownPreconditions
    case .lossyFindings: lossyFindings
    case .neglectedPreferences: neglectedPreferences
    case .hops: hops
    case .estimatedBytes: estimatedBytes
    }
  }

  /// Returns the most important part in which two costs differ; nil where they are equal.
  public func firstDifference(from other: PlanCost) -> Part? {
    Part.allCases.first { self[$0] != other[$0] }
  }
}
