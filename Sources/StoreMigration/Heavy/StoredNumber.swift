import ObjectModel
import StoreAccess

/// Makes the numbers that expressions compute those of an attribute's type, where nothing is lost.
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
      guard let stored = stored(value, as: type) else { throw refusal }
      return stored
    }
  }

  private static let refusal = MigrationError(
    .failed,
    "An expression gives a number that the attribute's type cannot hold.",
    recovery: "Correct the expression, or leave such rows out by the mapping's filter."
  )

  private static func stored(_ value: SQLiteValue, as type: AttributeType) -> SQLiteValue? {
    switch type {
    case .integer16: return whole(value).flatMap { Int16(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer32: return whole(value).flatMap { Int32(exactly: $0) }.map { .integer(Int64($0)) }
    case .integer64: return whole(value).map { .integer($0) }
    case .boolean: return whole(value).flatMap { $0 == 0 || $0 == 1 ? .integer($0) : nil }
    case .double, .decimal: return real(value).map { .real($0) }
    case .float:
      return real(value).flatMap { $0.isFinite && !Float($0).isFinite ? nil : .real($0) }
    default: return nil
    }
  }

  private static func whole(_ value: SQLiteValue) -> Int64? {
    switch value {
    case .integer(let integer): integer
    case .real(let real): Int64(exactly: real)
    default: nil
    }
  }

  private static func real(_ value: SQLiteValue) -> Double? {
    switch value {
    case .integer(let integer): Double(exactly: integer)
    case .real(let real): real
    default: nil
    }
  }
}
