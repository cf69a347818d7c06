import ObjectModel
import StoreAccess

/// The SQL functions for conditions of a ``StoreValidator`` that SQL cannot express.
final class ValidationFunctions {
  /// `waystone_matches(NUMBER, TEXT)`: whether a pattern matches a text as a whole.
  static let matches = "waystone_matches"
  /// `waystone_length(TEXT)`: the length in UTF-16 units, as `NSString` counts.
  static let length = "waystone_length"

  private var patterns: [(text: String, place: String)] = []
  private let evaluator = ExpressionEvaluator()
  /// The form of Core Data's validation predicates: `SELF MATCHES "…"`.
  private let comparison = Predicate.Comparison(.evaluatedObject, .matches, .constant(nil))

  private init() {}

  /// Registers the functions on a connection, over an empty list of patterns.
  static func register(
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> ValidationFunctions {
    let functions = ValidationFunctions()
    try connection.createFunction(matches, argumentCount: 2) { arguments in
      let number = Int(clamping: arguments.int64(0))
      // No pattern matches a value that is no text.
      guard case .text(let text) = arguments.value(1), functions.patterns.indices.contains(number)
      else {
        return .integer(0)
      }
      return .integer(try functions.matches(text, functions.patterns[number]) ? 1 : 0)
    }
    try connection.createFunction(length, argumentCount: 1) { arguments in
      switch arguments.value(0) {
      case .text(let text): .integer(Int64(text.utf16.count))
      // The length of the text in which a reader marks each wrong byte.
      case .malformedText(let bytes):
        .integer(Int64(String(decoding: bytes, as: UTF8.self).utf16.count))
      default: .null
      }
    }
    return functions
  }

  /// The error of the last pattern that could not be decided.
  private var failure: EvaluationError?

  /// Takes a pattern, and gives the number by which statements name it.
  ///
  /// - Parameter place: The property, for messages.
  /// - Returns: nil where ICU cannot read it.
  func add(_ pattern: String, of place: String) -> Int? {
    guard ExpressionPrimitives.isPattern(pattern) else { return nil }
    patterns.append((pattern, place))
    return patterns.count - 1
  }

  private func matches(_ text: String, _ pattern: (text: String, place: String)) throws -> Bool {
    do {
      return try evaluator.holds(
        .scalar(.string(text)),
        like: comparison,
        .scalar(.string(pattern.text))
      )
    } catch var error as EvaluationError {
      error.message = "\(pattern.place): \(error.message)"
      failure = error
      throw error
    }
  }

  /// Returns the error of a statement that failed because a pattern did, with the pattern's place.
  func explained(_ error: SQLiteError) -> SQLiteError {
    guard error.code == .statement, let failure else { return error }
    return SQLiteError(code: .tooMuchWork, message: failure.message, recovery: failure.recovery)
  }
}
