public import ObjectModel

/// A finding that somebody has looked at and lets pass.
public struct AcceptedFinding: Hashable, Sendable {
  /// The finding.
  public var finding: Finding
  /// Why it may pass.
  public var reason: String
  /// What `waystone.yml` accepts, where that is a cause of the finding; nil where it is the finding.
  package var entry: String?

  /// A finding with the reason why it may pass.
  package init(finding: Finding, reason: String, entry: String? = nil) {
    self.finding = finding
    self.reason = reason
    self.entry = entry
  }
}
