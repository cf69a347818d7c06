public import ObjectModel

/// A finding that somebody has looked at and lets pass.
public struct AcceptedFinding: Hashable, Sendable {
  /// The finding.
  public var finding: Finding
  /// Why it may pass.
  public var reason: String

  /// A finding with the reason why it may pass.
  package init(finding: Finding, reason: String) {
    self.finding = finding
    self.reason = reason
  }
}
