/// A value of a row, in one of SQLite's five storage classes.
///
/// It is for small results and bound values; loops over many rows read columns one by one instead.
package enum SQLiteValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// Text whose bytes are no UTF-8: it is kept as it is, and nothing can read it.
  case malformedText([UInt8])
  case blob([UInt8])

  /// The integer, or nil where the value is of another storage class.
  package var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

  /// The text, or nil where the value is of another storage class or no UTF-8.
  package var text: String? { if case .text(let value) = self { value } else { nil } }

  /// The blob, or nil where the value is of another storage class.
  package var blob: [UInt8]? { if case .blob(let value) = self { value } else { nil } }

  /// Creates text from bytes, valid or not.
  init(textOf bytes: UnsafeBufferPointer<UInt8>) {
    if let text = unsafe String(validating: bytes, as: UTF8.self) {
      self = .text(text)
    } else {
      self = unsafe .malformedText(Array(bytes))
    }
  }

  /// Whether the value is NULL.
  package var isNull: Bool { self == .null }
}

extension SQLiteValue: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByStringLiteral, ExpressibleByNilLiteral
{
  package init(integerLiteral value: Int64) { self = .integer(value) }
  package init(floatLiteral value: Double) { self = .real(value) }
  package init(stringLiteral value: String) { self = .text(value) }
  package init(nilLiteral: ()) { self = .null }
}

/// The storage class of a value, SQLite's name for its type.
package enum SQLiteStorageClass: Hashable, Sendable {
  case null, integer, real, text, blob
}
