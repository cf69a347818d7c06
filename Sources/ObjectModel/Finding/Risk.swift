/// The possible cost of a step in data, from nothing to an undeclared loss.
public enum Risk: Int, Hashable, Sendable, CaseIterable, Comparable {
  /// The data stays as it is: nothing is lost or invented.
  case exact = 0
  /// Something is added; nothing is lost.
  case additive
  /// Lossless if a named condition holds for the data.
  case conditional
  /// The cost is not known before the run: SQL or code takes part, or an expression that need not keep
  /// what it reads.
  case unknown
  /// Something is dropped by design, as the versions themselves declare.
  case lossy
  /// Something is lost that the chain of versions would have carried.
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
