/// A value that a model itself contains: a default, or a bound of validation.
public enum AttributeValue: Hashable, Sendable {
  /// An integer of any width.
  case integer(Int64)
  /// A double or a float.
  case real(Double)
  /// A decimal number in plain notation, such as `-12.50`.
  case decimal(String)
  /// Text.
  case string(String)
  /// True or false.
  case boolean(Bool)
  /// Seconds since 2001-01-01T00:00:00Z.
  case date(Double)
  /// Bytes.
  case binary([UInt8])
  /// A UUID's 16 bytes in RFC 4122 order.
  case uuid([UInt8])
  /// An absolute URI.
  case uri(String)
}
