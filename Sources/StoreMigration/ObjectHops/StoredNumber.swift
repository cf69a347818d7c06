import ObjectModel
import StoreAccess

/// The conversion of the numbers that expressions compute to an attribute's type, where nothing is lost.
enum StoredNumber {
  /// The SQL function `waystone_number(type, value)`.
  static let function = "waystone_number"

  /// Makes the function callable on a connection.
  static func register(on connection: borrowing SQLiteConnection) throws(SQLiteError) {
    try connection.createFunction(function, argumentCount: 2) { arguments in
      let value = arguments.value(1)
      guard let type = AttributeType(rawValue: Int32(clamping: arguments.int64(0))) else {
        throw refusal
      }
      if value == .null { return .null }
      guard let stored = stored(column: value, as: type) else { throw refusal }
      return stored
    }
  }

  private static let refusal = MigrationError(
    .failed,
    "An expression gives a number that the attribute's type cannot hold.",
    recovery: "Correct the expression, or leave such rows out by the mapping's filter."
  )

  /// Returns the number as a column of a type keeps it; nil where the type does not hold it.
  ///
  /// The text of digits is a decimal number.
  static func stored(column value: SQLiteValue, as type: AttributeType) -> SQLiteValue? {
    switch value {
    case .integer(let number): stored(.integer(number), as: type)
    case .real(let number): stored(.real(number), as: type)
    case .text(let digits): stored(.decimal(digits), as: type)
    default: nil
    }
  }

  /// Returns the number as a column of a type keeps it; nil for a value out of its range, or no number.
  ///
  /// A whole number is never rounded; the fraction of a decimal number is, to the nearest double.
  static func stored(_ value: AttributeValue, as type: AttributeType) -> SQLiteValue? {
    switch type {
    case .integer16: return whole(value).flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer32: return whole(value).flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer64: return whole(value).map { .integer($0) }
    case .boolean: return whole(value).flatMap { $0 == 0 || $0 == 1 ? .integer($0) : nil }
    case .decimal: return decimal(value)
    case .double: return real(value).map { .real($0) }
    case .float:
      return real(value).flatMap { $0.isFinite && !Float($0).isFinite ? nil : .real($0) }
    case .undefined, .string, .date, .binary, .uuid, .uri, .transformable, .objectID, .composite:
      return nil
    }
  }

  private static func whole(_ value: AttributeValue) -> Int64? {
    switch value {
    case .integer(let integer): integer
    case .boolean(let flag): flag ? 1 : 0
    case .real(let real): Int64(exactly: real)
    case .decimal:
      if case .integer(let integer)? = decimal(value) { integer } else { nil }
    default: nil
    }
  }

  private static func real(_ value: AttributeValue) -> Double? {
    switch value {
    case .integer(let integer): Double(exactly: integer)
    case .boolean(let flag): flag ? 1 : 0
    case .real(let real): real.isNaN ? nil : real
    case .decimal:
      switch decimal(value) {
      case .integer(let integer)?: Double(exactly: integer)
      case .real(let real)?: real
      default: nil
      }
    default: nil
    }
  }

  /// Returns the number as a column of decimal numbers keeps it; one that is not a number is text there.
  private static func decimal(_ value: AttributeValue) -> SQLiteValue? {
    switch value {
    case .integer(let integer): return .integer(integer)
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .real(let real): return real.isNaN ? nil : .real(real)
    case .decimal(DecimalText.notANumber): return .text(DecimalText.notANumber)
    case .decimal(let digits):
      guard let (number, isExact) = DecimalText.stored(digits),
        isExact || !DecimalText.isWhole(digits)
      else { return nil }
      return if case .decimal = number { nil } else { decimal(number) }
    default: return nil
    }
  }
}
