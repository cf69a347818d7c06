import MigrationTestSupport
import ObjectModel
import Testing

/// Refused texts, and the place of the error.
@Suite struct `Format errors` {
  private func error(_ body: () throws(FormatError) -> Void) -> FormatError? {
    do throws(FormatError) { try body() } catch { return error }
    return nil
  }

  @Test(arguments: [
    ("", 0), ("a +", 3), ("a b", 2), ("(a", 2), ("a)", 1), ("a..b", 2), ("$", 1), ("$1", 2),
    ("'open", 0), ("1 + 'a\\q'", 6), ("'\\ud800'", 1), ("'\\x4'", 1), ("~a", 0), ("a + é ~", 7),
    ("foo(a)", 0), ("1 + foo(a)", 4), ("uppercase(a, b)", 0), ("now(a)", 0), ("modulus:by:(a)", 0),
    ("FUNCTION(a)", 10), ("FUNCTION(a, b)", 12), ("FUNCTION(a, 'b:')", 12),
    ("FUNCTION(a, 'b', c)", 12), ("SUBQUERY(a, x, a == 1)", 12), ("SUBQUERY(a, $x, a)", 16),
    ("TERNARY(a, 1, 2)", 8), ("TERNARY(a == 1, 1)", 17), ("FETCH(a, b, 2)", 12), ("CAST(a)", 6),
    ("{1, }", 4), ("a[", 2), ("a[1", 3), ("%@", 0), ("a + %K", 4), ("a == 1", 0), ("AND", 0),
    ("0x", 0), ("0xG", 0), ("1e", 0), ("1e999", 0), ("a := 1", 2), ("#", 0), ("a.#1", 2),
    ("(a == 1) + 2", 1), ("1 + (a == 1)", 5),
  ])
  func `an expression's error points at its place`(text: String, offset: Int) throws {
    let found = try #require(error { () throws(FormatError) in _ = try Expression(format: text) })
    #expect(found.offset == offset, "\(found)")
    #expect(found.message.hasSuffix(".") && found.recovery.hasSuffix("."))
  }

  @Test(arguments: [
    ("", 0), ("a", 0), ("a ==", 4), ("a == 1 AND", 10), ("a == 1 AND b", 11), ("a == b == c", 7),
    ("a ==[x] 1", 5), ("a ==[c 1", 7), ("a BETWEEN {1}", 10), ("ANY a", 5), ("NOT a", 4),
    ("a == NOT b", 5), ("a ~ 1", 2), ("a := 1", 2), ("a == %@", 5), ("%K == 1", 0), ("a IS 1", 2),
    ("(a == 1", 7), ("a == 1)", 6), ("in == 1", 0),
  ])
  func `a predicate's error points at its place`(text: String, offset: Int) throws {
    let found = try #require(error { () throws(FormatError) in _ = try Predicate(format: text) })
    #expect(found.offset == offset, "\(found)")
  }

  @Test func `lines and columns count from one, in scalars`() throws {
    let found = try #require(
      error { () throws(FormatError) in _ = try Predicate(format: "é == 1\nAND ü == 'ö' ~") }
    )
    #expect(found.line == 2)
    #expect(found.column == 14)
    #expect(found.description.hasPrefix("line 2, column 14: "))
  }

  @Test(arguments: ["(", "NOT ", "-", "{", "a[", "abs(", "TERNARY(", "ANY ", "!", "- -a ** "])
  func `depth is bounded`(opening: String) throws {
    let text = String(repeating: opening, count: 5_000) + "a"
    _ = try #require(error { () throws(FormatError) in _ = try Predicate(format: text) })
    let found = try #require(error { () throws(FormatError) in _ = try Expression(format: text) })
    #expect(found.offset <= 210 * opening.utf8.count)
  }

  @Test(arguments: [" + a", " - 1", " * a", " ** a", " UNION a", ".a[0]"])
  func `chains do not build deep trees`(part: String) throws {
    _ = try Expression(format: "a" + String(repeating: part, count: 90))
    let text = "a" + String(repeating: part, count: 5_000)
    let found = try #require(error { () throws(FormatError) in _ = try Expression(format: text) })
    #expect(found.message.contains("200 levels"))
  }

  @Test func `wide conditions are read`() throws {
    let text = Array(repeating: "a == 1", count: 10_000).joined(separator: " OR ")
    guard case .any(let parts) = try Predicate(format: text) else {
      Issue.record("no disjunction")
      return
    }
    #expect(parts.count == 10_000)
  }

  @Test func `text beyond a million bytes is refused`() throws {
    let text = "'" + String(repeating: "x", count: 1_000_000) + "'"
    let found = try #require(error { () throws(FormatError) in _ = try Expression(format: text) })
    #expect(found.message.contains("1000000 bytes"))
  }

  @Test(arguments: 0..<300 as Range<UInt64>)
  func `no text makes the reader trap`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let text = noise(&random)
    _ = error { () throws(FormatError) in _ = try Predicate(format: text) }
    if let expression = try? Expression(format: text) {
      #expect((try? Expression(format: expression.description)) == expression, "\(text)")
    }
  }
}

/// A text of tokens in any order.
private func noise(_ random: inout SeededGenerator) -> String {
  let pieces = [
    "a", "b.c", "$x", "1", "-", "2.5", "'t'", "(", ")", "[", "]", "{", "}", ",", "+", "**", ".",
    "==", "AND", "NOT ", "ANY ", "IN", "CAST(", "abs(", "FUNCTION(", "SUBQUERY(", "'NSDate'",
    "FIRST", "@count", "#in", "nil", "SELF", "UNION", "\\", "\u{0}", "é", "%",
  ]
  let separator = Bool.random(using: &random) ? " " : ""
  return (0..<Int.random(in: 1...14, using: &random)).map { _ in
    pieces[Int.random(in: pieces.indices, using: &random)]
  }.joined(separator: separator)
}
