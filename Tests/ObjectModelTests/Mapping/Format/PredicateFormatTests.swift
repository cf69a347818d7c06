import ObjectModel
import Testing

/// The syntax of `NSPredicate(format:)`.
@Suite struct `Predicate formats` {
  @Test(arguments: [
    ("a=1", "a == 1"), ("a <> 1", "a != 1"), ("a =< 1", "a <= 1"), ("a => 1", "a >= 1"),
    ("a BETWEEN {1, 2}", "a BETWEEN {1, 2}"), ("a between $range", "a BETWEEN $range"),
    ("a IN {'x', 'y'}", "a IN {\"x\", \"y\"}"), ("a in b.c", "a IN b.c"),
    ("a CONTAINS[c] 'x'", "a CONTAINS[c] \"x\""),
    ("a BEGINSWITH[cd] 'x'", "a BEGINSWITH[cd] \"x\""),
    ("a ENDSWITH[dc] 'x'", "a ENDSWITH[cd] \"x\""), ("a LIKE[d] '*x?'", "a LIKE[d] \"*x?\""),
    ("a MATCHES '\\\\d+'", "a MATCHES \"\\\\d+\""), ("a ==[cn] 'x'", "a == \"x\""),
    ("ANY a.b > 1", "ANY a.b > 1"), ("SOME a.b > 1", "ANY a.b > 1"), ("ALL a.b > 1", "ALL a.b > 1"),
    ("NONE a.b > 1", "NOT (ANY a.b > 1)"), ("ANY (a.b) + 1 > 1", "ANY a.b + 1 > 1"),
    ("a == 1 AND b == 2 and c == 3", "a == 1 AND b == 2 AND c == 3"),
    ("a == 1 && (b == 2 || c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
    ("a == 1 || b == 2 && c == 3", "a == 1 OR (b == 2 AND c == 3)"),
    ("(a == 1 AND b == 2) AND c == 3", "(a == 1 AND b == 2) AND c == 3"),
    ("!(a == 1) AND NOT b == 2", "NOT (a == 1) AND NOT (b == 2)"),
    ("(a + 1) * 2 == 3", "(a + 1) * 2 == 3"), ("((a)) == (1)", "a == 1"),
    ("TRUEPREDICATE OR falsepredicate", "(TRUEPREDICATE) OR (FALSEPREDICATE)"),
    ("#in == 1", "#in == 1"), ("#size > 1 AND a.size > 1", "#size > 1 AND a.size > 1"),
    ("size == 1", "#size == 1"), ("first == nil", "#first == nil"),
    (
      "SUBQUERY(a, $x, $x.b == 1 AND $x.c == 2).@count > 0",
      "SUBQUERY(a, $x, $x.b == 1 AND $x.c == 2).@count > 0"
    ),
    ("TERNARY(a == 1, 'x', 'y') == 'x'", "TERNARY(a == 1, \"x\", \"y\") == \"x\""),
    ("messageID < 10000", "messageID < 10000"),
  ])
  func `a condition prints in plain form`(text: String, plain: String) throws {
    let predicate = try Predicate(format: text)
    #expect(predicate.description == plain)
    #expect(try Predicate(format: plain) == predicate)
  }

  @Test func `a comparison has its parts`() throws {
    var comparison = Predicate.Comparison(
      .keyPath(.evaluatedObject, ["a", "b"]),
      .like,
      .constant(.string("x*")),
      quantifier: .any
    )
    comparison.isCaseInsensitive = true
    #expect(try Predicate(format: "ANY a.b LIKE[c] 'x*'") == .comparison(comparison))
    #expect(try Predicate(format: "NONE a.b LIKE[c] 'x*'") == .not(.comparison(comparison)))
  }
}
