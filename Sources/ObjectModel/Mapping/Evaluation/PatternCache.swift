// Core Data's regular expressions are ICU's, which only Foundation brings along.
private import Foundation

/// The regular expressions of `MATCHES` that were met, each read once.
final class PatternCache {
  private struct Key: Hashable {
    var pattern: [UInt8]
    var ignoresCase: Bool
  }

  private var expressions: [Key: NSRegularExpression] = [:]
  /// More patterns than any mapping has: those that rows make are read anew each time.
  private static let capacity = 256

  /// Whether a pattern matches a text as a whole.
  ///
  /// - Throws: ``EvaluationError`` where ICU cannot read the pattern.
  func matches(_ text: String, _ pattern: String, _ folding: TextFolding) throws -> Bool {
    var marks = folding
    marks.ignoresCase = false
    let expression = try expression(marks.fold(pattern), ignoresCase: folding.ignoresCase)
    let text = marks.fold(text)
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, options: .anchored, range: range) != nil
  }

  private func expression(
    _ pattern: String,
    ignoresCase: Bool
  ) throws -> NSRegularExpression {
    let key = Key(pattern: Array(pattern.utf8), ignoresCase: ignoresCase)
    if let known = expressions[key] { return known }
    let options: NSRegularExpression.Options = ignoresCase ? [.caseInsensitive] : []
    // Checked by itself, so that it cannot end the group around it; the line break ends a comment
    // that the pattern may end with.
    if (try? NSRegularExpression(pattern: pattern, options: options)) != nil {
      for whole in ["\\A(?:\(pattern))\\z", "\\A(?:\(pattern)\n)\\z"] {
        guard let read = try? NSRegularExpression(pattern: whole, options: options) else {
          continue
        }
        if expressions.count < Self.capacity { expressions[key] = read }
        return read
      }
    }
    throw EvaluationError(
      .badPattern,
      "A pattern of MATCHES is no regular expression.",
      recovery: "Write it in the syntax of ICU, each backslash twice in a format string."
    )
  }
}
