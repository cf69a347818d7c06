import Foundation
import MigrationTestSupport
import ObjectModel
import Testing

/// The cost of `MATCHES`, and that its answers are ICU's.
@Suite struct `Patterns of MATCHES` {
  private let evaluator = ExpressionEvaluator()

  private func matches(_ text: String, _ pattern: String) throws -> Bool {
    let comparison = Predicate.Comparison(
      .constant(.string(text)),
      .matches,
      .constant(.string(pattern))
    )
    return try evaluator.evaluate(.comparison(comparison))
  }

  @Test(arguments: [
    "(a+)+b", "(a|aa)+b", "(a*)*b", "(.*)(.*)(.*)(.*)(.*)(.*)(.*)b", "(?:a?){40}a{40}b",
  ])
  func `have a bound where they take ever more steps`(pattern: String) throws {  // M8
    let start = Date()
    for length in [60, 400, 3000] {
      let text = String(repeating: "a", count: length)
      do {
        #expect(try !matches(text, pattern), "\(pattern) at \(length)")
      } catch let error as EvaluationError {
        #expect(error.code == .tooManySteps)
        #expect(!error.description.contains("aaaa"))
      }
    }
    #expect(throws: EvaluationError.self) {
      _ = try matches(String(repeating: "a", count: 4000), pattern)
    }
    #expect(Date().timeIntervalSince(start) < 20)
  }

  @Test func `have a bound over all texts together`() throws {  // M8
    let start = Date()
    let error = #expect(throws: EvaluationError.self) {
      for number in 0..<100_000 {
        _ = try matches(String(repeating: "a", count: 18) + "\(number)", "(a+)+b")
      }
    }
    #expect(error?.code == .tooManySteps)
    #expect(Date().timeIntervalSince(start) < 20)
  }

  @Test func `are no answer where ICU gives up`() throws {  // M8
    // The whole of it must be remembered for going back, and ICU has no such memory.
    let text = String(repeating: "ab", count: 2_000_000)
    let error = #expect(throws: EvaluationError.self) { _ = try matches(text, "(?:a|b)*") }
    #expect(error?.code == .tooManySteps)
  }

  private func search(_ text: String, _ pattern: String) throws -> ExpressionValue {
    try evaluator.evaluate(
      .function(
        .constant(.string(text)),
        selector: "firstMatchOfPattern:",
        arguments: [.constant(.string(pattern))]
      )
    )
  }

  @Test(arguments: ["#([0-9]+)", "zzz", "https?://[^ ]+"])
  func `find nothing in a long text that has no match`(pattern: String) throws {
    let text = String(repeating: "Dear friend, a word about the garden. ", count: 3_000)
    for length in [500, 4_000, text.count] {
      let value = try search(String(text.prefix(length)), pattern)
      guard case .nothing = value else {
        Issue.record("\(pattern) at \(length): \(value)")
        continue
      }
    }
    guard case .scalar(.string("17")) = try search(text + "#17", "#([0-9]+)") else {
      Issue.record("the end of the text has a match")
      return
    }
  }

  @Test func `have a bound where a text is searched, and its error names the method`() throws {
    let start = Date()
    for length in [60, 400, 4_000, 200_000] {
      let error = #expect(throws: EvaluationError.self) {
        _ = try search(String(repeating: "a", count: length), "(a+)+b")
      }
      #expect(error?.message.contains("of firstMatchOfPattern: takes") == true)
    }
    #expect(Date().timeIntervalSince(start) < 20)
  }

  @Test func `match long texts where the cost is linear`() throws {
    let text = String(repeating: "word and ", count: 200_000)
    #expect(try matches(text, "[a-z ]*"))
    #expect(try !matches(text, "[a-z ]*!"))
    for number in 0..<20_000 {
      #expect(
        try matches("person\(number)@example.org", #"[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[a-z]{2,}"#)
      )
    }
  }

  @Test func `answer as ICU does on random patterns and texts`() throws {
    let seed = UInt64.random(in: 0 ... .max)
    print("seed of random patterns: \(seed)")
    var generator = SeededGenerator(seed: seed)
    let letters = ["a", "b", ".", "[ab]", "[^a]", "\\w", "\\d", "\\b", "é", "^", "$"]
    func pattern(_ depth: Int) -> String {
      switch Int.random(in: 0..<(depth > 3 ? 1 : 7), using: &generator) {
      case 1: return pattern(depth + 1) + pattern(depth + 1)
      case 2: return "(?:\(pattern(depth + 1))|\(pattern(depth + 1)))"
      case 3:
        return "(\(pattern(depth + 1)))"
          + (["*", "+", "?", "{1,2}", "*?"].randomElement(using: &generator) ?? "")
      case 4: return "(?=\(pattern(depth + 1)))" + pattern(depth + 1)
      default: return letters.randomElement(using: &generator) ?? "a"
      }
    }
    var unknown = 0
    let trials = Trials.some(of: 3_000)
    for _ in trials {
      let pattern = pattern(0)
      guard let expression = try? NSRegularExpression(pattern: "\\A(?:\(pattern))\\z") else {
        continue
      }
      let text = (0..<Int.random(in: 0..<9, using: &generator)).map { _ in
        ["a", "b", "1", " ", "é", "\n"].randomElement(using: &generator) ?? ""
      }.joined()
      let range = NSRange(location: 0, length: text.utf16.count)
      let expected = expression.firstMatch(in: text, range: range) != nil
      do {
        #expect(try matches(text, pattern) == expected, "\(pattern) on \(text.debugDescription)")
      } catch let error as EvaluationError where error.code == .tooManySteps {
        // Repetitions of repetitions cost that much on short texts too; no answer is not a wrong one.
        unknown += 1
      }
    }
    #expect(unknown * 20 < trials.count, "\(unknown) of \(trials.count) patterns")
    print("\(unknown) of \(trials.count) patterns cost too much")
  }
}
