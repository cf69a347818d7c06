/// The mapping of one property of a destination object to its value.
///
/// Counterpart of `NSPropertyMapping`.
public struct PropertyMapping: Hashable, Sendable {
  /// The destination property's name.
  public var name: String
  /// The value; nil leaves the property at its default.
  public var valueExpression: Expression?
  /// Free annotations of the mapping's author.
  public var userInfo: [String: String] = [:]

  /// A mapping of one property.
  public init(name: String, valueExpression: Expression?) {
    self.name = name
    self.valueExpression = valueExpression
  }
}
