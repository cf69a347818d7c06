// Core Data's regular expressions are ICU's, which only Foundation brings along.
private import Foundation

/// A cache of regular expressions, each compiled once, with the steps that matching took so far.
///
/// Some patterns take a number of steps that is exponential in the length of a text, such as
/// `(a+)+b`. ICU counts its steps, and each pattern has a bound that grows with the texts that it is
/// held against.
final class PatternCache {
  private struct Key: Hashable {
    var pattern: [UInt8]
    var ignoresCase: Bool
    var isWhole: Bool
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
    /// ICU reports each 10,000 steps, which take about 0.2 ms (measured). A pattern of linear cost takes a
    /// step or two for each unit.
    var bound: Int { 2_000 + units / 500 }
  }

  private var readings: [Key: Reading] = [:]
  /// More patterns than any mapping has: those that rows make are read anew each time.
  private static let capacity = 256
  /// The time after which a search in one text is given up, where its steps are not bounded before.
  private static let longestSearch = Duration.seconds(5)

  /// Returns whether a pattern matches a text as a whole.
  ///
  /// - Throws: ``EvaluationError``: `badPattern` where ICU cannot read the pattern, `tooManySteps`
  ///   where it cannot decide within the bound.
  func matches(_ text: String, _ pattern: String, _ folding: TextFolding) throws -> Bool {
    var marks = folding
    marks.ignoresCase = false
    let reading = try reading(marks.fold(pattern), ignoresCase: folding.ignoresCase)
    return try !search(
      marks.fold(text),
      reading,
      for: "MATCHES",
      options: .anchored,
      isFirstOnly: true
    )
    .isEmpty
  }

  /// Returns the result of a method of text that searches a pattern in it; nil for any other method.
  ///
  /// Foundation's methods take an object of a class for it; these names are Waystone's.
  /// - Throws: ``EvaluationError``, as ``matches(_:_:_:)`` does.
  func call(
    _ selector: String,
    on text: String,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue? {
    switch (selector, arguments.count) {
    case ("firstMatchOfPattern:", 1), ("stringByReplacingMatchesOfPattern:withTemplate:", 2): break
    default: return nil
    }
    if arguments.contains(where: { if case .nothing = $0 { true } else { false } }) {
      return .nothing
    }
    let pattern = try ValueMethod.argument(arguments, 0, selector)
    let reading = try reading(pattern, ignoresCase: false, isWhole: false)
    let isFirstOnly = arguments.count == 1
    let matches = try search(text, reading, for: selector, options: [], isFirstOnly: isFirstOnly)
    if isFirstOnly {
      guard let first = matches.first else { return .nothing }
      // The result is the text of the first group, where there is one.
      let range = first.numberOfRanges > 1 ? first.range(at: 1) : first.range
      guard let found = Range(range, in: text) else { return .nothing }
      return .scalar(.string(String(text[found])))
    }
    let template = try ValueMethod.argument(arguments, 1, selector)
    let whole = text as NSString
    var result = ""
    var end = 0
    for match in matches {
      let gap = NSRange(location: end, length: match.range.location - end)
      result += whole.substring(with: gap)
      result += reading.expression.replacementString(
        for: match,
        in: text,
        offset: 0,
        template: template
      )
      end = match.range.location + match.range.length
    }
    return .scalar(.string(result + whole.substring(from: end)))
  }

  /// Returns the matches of a pattern in a text.
  ///
  /// ICU also reports each place of the text at which it begins to look for a match. Such a report costs
  /// nothing and looks like that of 10,000 steps, so that as many as the text has places do not count, except
  /// where they take too long.
  /// - Parameter operation: Named in the error.
  /// - Throws: ``EvaluationError``, `tooManySteps` where ICU cannot decide within the bound.
  private func search(
    _ text: String,
    _ reading: Reading,
    for operation: String,
    options: NSRegularExpression.MatchingOptions,
    isFirstOnly: Bool
  ) throws -> [NSTextCheckingResult] {
    let range = NSRange(location: 0, length: text.utf16.count)
    reading.units += range.length
    var places = options.contains(.anchored) ? 0 : 2 * (range.length + 1)
    let limit = ContinuousClock.now + Self.longestSearch
    var matches: [NSTextCheckingResult] = []
    var isUnknown = false
    reading.expression.enumerateMatches(
      in: text,
      options: options.union([.reportProgress, .reportCompletion]),
      range: range
    ) { match, flags, stop in
      if let match {
        matches.append(match)
        if isFirstOnly { stop.pointee = true }
      } else if flags.contains(.internalError) {
        // ICU gave up, as for want of memory: that is no answer.
        isUnknown = true
      } else if flags.contains(.progress) {
        if places > 0, places % 512 != 0 || ContinuousClock.now < limit {
          places -= 1
          return
        }
        reading.steps += places > 0 ? reading.bound + 1 : 1
        guard reading.steps > reading.bound else { return }
        isUnknown = true
        stop.pointee = true
      }
    }
    if isUnknown, !isFirstOnly || matches.isEmpty {
      throw EvaluationError.tooManySteps(operation)
    }
    return matches
  }

  private func reading(
    _ pattern: String,
    ignoresCase: Bool,
    isWhole: Bool = true
  ) throws -> Reading {
    let key = Key(pattern: Array(pattern.utf8), ignoresCase: ignoresCase, isWhole: isWhole)
    if let known = readings[key] { return known }
    let options: NSRegularExpression.Options = ignoresCase ? [.caseInsensitive] : []
    // Checked by itself, so that it cannot end the group around it; the line break ends a comment
    // that the pattern may end with.
    if (try? NSRegularExpression(pattern: pattern, options: options)) != nil {
      let forms =
        isWhole ? ["\\A(?:\(pattern))\\z", "\\A(?:\(pattern)\n)\\z"] : [pattern]
      for whole in forms {
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
      isWhole
        ? "A pattern of MATCHES is no regular expression." : "A pattern is no regular expression.",
      recovery: "Write it in the syntax of ICU, each backslash twice in a format string."
    )
  }
}
