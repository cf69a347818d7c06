/// A value of the types that property lists hold, as a transformable attribute keeps it.
public enum PropertyListValue: Hashable, Sendable {
  /// Text.
  case string(String)
  /// A whole number.
  case integer(Int64)
  /// A number that may be none.
  case real(Double)
  /// True or false.
  case boolean(Bool)
  /// An instant, in seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  /// Bytes.
  case data([UInt8])
  /// Values in order.
  case array([PropertyListValue])
  /// Values by name.
  case dictionary([String: PropertyListValue])
}

extension PropertyListValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A text that a program spells.
  public init(stringLiteral value: String) { self = .string(value) }

  /// A whole number that a program spells.
  public init(integerLiteral value: Int64) { self = .integer(value) }

  /// A number that a program spells.
  public init(floatLiteral value: Double) { self = .real(value) }

  /// A truth value that a program spells.
  public init(booleanLiteral value: Bool) { self = .boolean(value) }

  /// Values in order.
  public init(arrayLiteral elements: PropertyListValue...) { self = .array(elements) }

  /// Makes a dictionary of values by name; of equal names the last counts.
  public init(dictionaryLiteral elements: (String, PropertyListValue)...) {
    self = .dictionary(Dictionary(elements) { $1 })
  }
}
