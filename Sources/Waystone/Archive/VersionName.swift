/// The name of a version in an archive: `v4`, `Notes/v4` where several models have a `v4`, or
/// ``current``.
///
/// For a store of several models, names with commas between them.
public struct VersionName: Codable, Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let text: String

  /// The version that `.xccurrentversion` names.
  public static let current = VersionName("@current")

  /// A name.
  public init(_ text: String) { self.text = text }

  /// A name that a program spells.
  public init(stringLiteral value: String) { text = value }
}
