// Core Data's expressions are ICU's, which only Foundation brings along.
private import Foundation
import StoreAccess

/// The SQL functions with which a ``StoreValidator`` asks what SQL cannot say.
final class ValidationFunctions {
  /// `waystone_matches(NUMBER, TEXT)`: whether a pattern matches a text as a whole.
  static let matches = "waystone_matches"
  /// `waystone_length(TEXT)`: the length in UTF-16 units, as `NSString` counts.
  static let length = "waystone_length"

  private var patterns: [NSRegularExpression] = []

  private init() {}

  /// Registers the functions on a connection, over an empty list of patterns.
  static func register(
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) -> ValidationFunctions {
    let functions = ValidationFunctions()
    try connection.createFunction(matches, argumentCount: 2) { arguments in
      let number = Int(clamping: arguments.int64(0))
      guard let text = arguments.text(1), functions.patterns.indices.contains(number) else {
        return .integer(0)
      }
      let pattern = functions.patterns[number]
      let range = NSRange(location: 0, length: text.utf16.count)
      return .integer(pattern.firstMatch(in: text, options: .anchored, range: range) == nil ? 0 : 1)
    }
    try connection.createFunction(length, argumentCount: 1) { arguments in
      guard let text = arguments.text(0) else { return .null }
      return .integer(Int64(text.utf16.count))
    }
    return functions
  }

  /// Compiles a pattern, and gives the number by which statements name it.
  ///
  /// - Returns: nil where ICU cannot read it.
  func add(_ pattern: String) -> Int? {
    guard (try? NSRegularExpression(pattern: pattern)) != nil else { return nil }
    // The line break ends a comment that the pattern may end with.
    for whole in ["\\A(?:\(pattern))\\z", "\\A(?:\(pattern)\n)\\z"] {
      guard let expression = try? NSRegularExpression(pattern: whole) else { continue }
      patterns.append(expression)
      return patterns.count - 1
    }
    return nil
  }
}
