/// The possible cost of a step in data, from nothing to an undeclared loss.
public enum Risk: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// The data stays as it is: nothing is lost or invented.
  case exact = 0
  /// The step adds data; nothing is lost.
  case additive
  /// Lossless if a named condition holds for the data.
  case conditional
  /// The cost is not known before the run: SQL or code takes part, or an expression that need not keep
  /// what it reads.
  case unknown
  /// The step drops data by design, as the versions themselves declare.
  case lossy
  /// The step loses data that the history would have carried.
  case undeclared

  /// The word that reports use.
  public var name: String {
    switch self {
    case .exact: "exact"
    case .additive: "additive"
    case .conditional: "conditional"
    case .unknown: "unknown"
    case .lossy: "lossy"
    case .undeclared: "undeclared"
    }
  }

  /// Returns whether the first costs less than the second.
  public static func < (lhs: Risk, rhs: Risk) -> Bool { lhs.rawValue < rhs.rawValue }
}
