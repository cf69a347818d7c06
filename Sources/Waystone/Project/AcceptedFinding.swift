public import ObjectModel

/// A finding that the user accepts, with the reason.
public struct AcceptedFinding: Hashable, Sendable {
  /// The finding.
  public var finding: Finding
  /// The reason for which it may pass.
  public var reason: String
  /// The acceptance in `waystone.yml`, where it names a cause of the finding; nil where it names the finding.
  package var entry: String?

  /// A finding with the reason why it may pass.
  package init(finding: Finding, reason: String, entry: String? = nil) {
    self.finding = finding
    self.reason = reason
    self.entry = entry
  }
}
