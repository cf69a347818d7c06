// Core Data's regular expressions are ICU's, which only Foundation brings along.
private import Foundation

/// The regular expressions of `MATCHES` that were met, each read once, with what they have cost.
///
/// Some patterns take a number of steps that is exponential in the length of a text, such as
/// `(a+)+b`. ICU counts its steps, and each pattern has a bound that grows with the texts that it is
/// held against.
final class PatternCache {
  private struct Key: Hashable {
    var pattern: [UInt8]
    var ignoresCase: Bool
  }

  /// A pattern that ICU has read.
  private final class Reading {
    let expression: NSRegularExpression
    /// The groups of steps taken, over all texts.
    var steps = 0
    /// The UTF-16 units of all texts.
    var units = 0

    init(_ expression: NSRegularExpression) { self.expression = expression }

    /// The greatest number of groups of steps.
    ///
    /// ICU reports each 10,000 steps, which take about 0.2 ms (measured). A pattern of linear cost takes a step or two for each unit.
    var bound: Int { 2_000 + units / 500 }
  }

  private var readings: [Key: Reading] = [:]
  /// More patterns than any mapping has: those that rows make are read anew each time.
  private static let capacity = 256

  /// Whether a pattern matches a text as a whole.
  ///
  /// - Throws: ``EvaluationError``: `badPattern` where ICU cannot read the pattern, `tooManySteps`
  ///   where it cannot decide within the bound.
  func matches(_ text: String, _ pattern: String, _ folding: TextFolding) throws -> Bool {
    var marks = folding
    marks.ignoresCase = false
    let reading = try reading(marks.fold(pattern), ignoresCase: folding.ignoresCase)
    let text = marks.fold(text)
    let range = NSRange(location: 0, length: text.utf16.count)
    reading.units += range.length
    var hasMatch = false
    var isUndecided = false
    reading.expression.enumerateMatches(
      in: text,
      options: [.anchored, .reportProgress, .reportCompletion],
      range: range
    ) { match, flags, stop in
      if match != nil {
        hasMatch = true
        stop.pointee = true
      } else if flags.contains(.internalError) {
        // ICU gave up, as for want of memory: that is no answer.
        isUndecided = true
      } else if flags.contains(.progress) {
        reading.steps += 1
        guard reading.steps > reading.bound else { return }
        isUndecided = true
        stop.pointee = true
      }
    }
    if isUndecided, !hasMatch { throw EvaluationError.tooManySteps }
    return hasMatch
  }

  private func reading(_ pattern: String, ignoresCase: Bool) throws -> Reading {
    let key = Key(pattern: Array(pattern.utf8), ignoresCase: ignoresCase)
    if let known = readings[key] { return known }
    let options: NSRegularExpression.Options = ignoresCase ? [.caseInsensitive] : []
    // Checked by itself, so that it cannot end the group around it; the line break ends a comment
    // that the pattern may end with.
    if (try? NSRegularExpression(pattern: pattern, options: options)) != nil {
      for whole in ["\\A(?:\(pattern))\\z", "\\A(?:\(pattern)\n)\\z"] {
        guard let read = try? NSRegularExpression(pattern: whole, options: options) else {
          continue
        }
        let reading = Reading(read)
        if readings.count < Self.capacity { readings[key] = reading }
        return reading
      }
    }
    throw EvaluationError(
      .badPattern,
      "A pattern of MATCHES is no regular expression.",
      recovery: "Write it in the syntax of ICU, each backslash twice in a format string."
    )
  }
}
