/// The extent to which a result is verified.
public enum VerificationLevel: String, Codable, Hashable, Sendable, CaseIterable {
  /// The result is not verified beyond SQLite's own checks as it writes. The pages of the store are
  /// checked all the same.
  case none
  /// Pages, indexes against their tables, tables against the model, counts, and all that was carried.
  case standard
  /// The same with SQLite's integrity check.
  case full
}
