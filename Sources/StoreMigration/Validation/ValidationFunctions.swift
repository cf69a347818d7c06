import ObjectModel
import StoreAccess

/// The SQL functions with which a ``StoreValidator`` asks what SQL cannot say.
final class ValidationFunctions {
  /// `waystone_matches(NUMBER, TEXT)`: whether a pattern matches a text as a whole.
  static let matches = "waystone_matches"
  /// `waystone_length(TEXT)`: the length in UTF-16 units, as `NSString` counts.
  static let length = "waystone_length"

  private var patterns: [String] = []
  private let evaluator = ExpressionEvaluator()
  /// As Core Data's validation predicates are: `SELF MATCHES "…"`.
  private let comparison = Predicate.Comparison(.evaluatedObject, .matches, .constant(nil))

  private init() {}

  /// Registers the functions on a connection, over an empty list of patterns.
  static func register(
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> ValidationFunctions {
    let functions = ValidationFunctions()
    try connection.createFunction(matches, argumentCount: 2) { arguments in
      let number = Int(clamping: arguments.int64(0))
      // No pattern matches what is no text.
      guard case .text(let text) = arguments.value(1), functions.patterns.indices.contains(number)
      else {
        return .integer(0)
      }
      return .integer(try functions.matches(text, functions.patterns[number]) ? 1 : 0)
    }
    try connection.createFunction(length, argumentCount: 1) { arguments in
      switch arguments.value(0) {
      case .text(let text): .integer(Int64(text.utf16.count))
      // As long as what a reader makes of it that marks each wrong byte.
      case .malformedText(let bytes):
        .integer(Int64(String(decoding: bytes, as: UTF8.self).utf16.count))
      default: .null
      }
    }
    return functions
  }

  /// Takes a pattern, and gives the number by which statements name it.
  ///
  /// - Returns: nil where ICU cannot read it.
  func add(_ pattern: String) -> Int? {
    guard ExpressionPrimitives.isPattern(pattern) else { return nil }
    patterns.append(pattern)
    return patterns.count - 1
  }

  private func matches(_ text: String, _ pattern: String) throws -> Bool {
    try evaluator.holds(.scalar(.string(text)), like: comparison, .scalar(.string(pattern)))
  }
}
