import ObjectModel
import Testing

/// Predicates that hold, and others.
@Suite struct `Predicate evaluation` {
  private func holds(_ format: String) throws -> Bool {
    let shop = Shop.make()
    return try ExpressionEvaluator().evaluate(Predicate(format: format), with: .object(shop))
  }

  @Test(arguments: [
    "nix == nil", "count != nil", "nix != 1", "1 == 1.0", "open == 1", "share == 0.25",
    "count > 2", "count >= 3", "half < 1", "count <= 3.0", "9007199254740993 > 9007199254740992.0",
    "9223372036854775807 < 9223372036854775808.0", "'a' < 'b'", "'B' < 'a'",
    "opened < CAST(101, 'NSDate')",
    "'a' != 1", "owner == owner", "owner != items", "count BETWEEN {1, 3}", "count IN {1, 3}",
    "'b' IN 'abc'", "name CONTAINS 'One\u{301}'", "items CONTAINS queue[0]", "nil IN {1, nil}",
    "name BEGINSWITH[c] 'ÜNDER'", "name BEGINSWITH[cd] 'under'", "name CONTAINS[d] 'One R'",
    "name ENDSWITH 'Roof'", "'Ångström' ==[cd] 'angstrom'", "'straße' ==[c] 'STRAßE'",
    "'ΑΣ' ==[c] 'ασ'", "'Ёж' ==[cd] 'еж'", "'e\u{301}' ==[d] 'é'", "'a' <[c] 'B'",
    "'abc' LIKE 'a*c'", "'abc' LIKE 'a?c'", "'abc' LIKE '*'", "'' LIKE '*'", "'a*' LIKE 'a\\\\*'",
    "'a\nb' LIKE 'a?b'", "'ABC' LIKE[c] 'a*'", "'aXbXc' LIKE '*X*X*'",
    "'abc123' MATCHES '[a-z]+\\\\d+'", "'ABC' MATCHES[c] 'abc'", "'é' MATCHES[d] 'e'",
    "ANY items.price > 7", "ALL queue.price > 1", "NONE items.price > 8",
    "SOME items.title == 'ink'",
    "ANY items.buyer.friends.name ==[d] 'Bob'", "ALL empty.price > 1", "ALL nix.price > 1",
    "NOT ANY empty.price > 1", "TRUEPREDICATE", "NOT FALSEPREDICATE", "count == 3 AND open == YES",
    "count == 4 OR open == YES", "'' CONTAINS ''", "'a' BEGINSWITH ''", "{1, 2} == {1, 2.0}",
    "items == items UNION queue", "CAST(NO, 'NSNumber') == 0", "-0.0 == 0",
  ])
  func `holds`(format: String) throws {
    #expect(try holds(format))
  }

  @Test(arguments: [
    "nix != nil", "nix == 1", "nix < 1", "nix >= 1", "nil <= nil", "1 < nix", "'a' == 'A'",
    "'é' == 'e\u{301}'", "'a' == 1", "opened == 100", "count BETWEEN {4, 9}",
    "count BETWEEN {nil, 9}",
    "count BETWEEN nix", "nix IN 'abc'", "'a' IN nix", "'d' IN 'abc'", "nix CONTAINS 'a'",
    "nix BEGINSWITH ''", "nix LIKE '*'", "nix MATCHES '.*'", "'abc' LIKE 'a'", "'abc' LIKE 'a?'",
    "'a' LIKE 'a\\\\*'", "'abc' MATCHES 'b'", "'abc' MATCHES 'a|ab'", "ANY nix.price == 1",
    "ALL items.price > 1", "'ø' ==[cd] 'o'", "{1, 2} == {2, 1}",
    "home == 'https://a.b/c'",
  ])
  func `does not hold`(format: String) throws {
    #expect(try !holds(format))
  }

  @Test(arguments: [
    "'a' < 1", "opened < 5", "owner < 1", "count BETWEEN 3", "1 IN 'abc'", "1 CONTAINS 'a'",
    "1 LIKE 'a'", "'a' MATCHES 1", "ANY count > 1", "ALL 'a' == 'a'", "'a' MATCHES '['",
    "'a' MATCHES ')('",
  ])
  func `other kinds of values are refused`(format: String) throws {
    #expect(throws: EvaluationError.self) { try holds(format) }
  }

  @Test func `what is not reached is not evaluated`() throws {
    #expect(try holds("TRUEPREDICATE OR 'a' < 1"))
    #expect(try !holds("FALSEPREDICATE AND 'a' < 1"))
  }

  @Test func `wildcards take no exponential time`() throws {
    let text = String(repeating: "a", count: 2_000)
    let pattern = String(repeating: "*a", count: 200) + "b"
    #expect(try !holds("'\(text)' LIKE '\(pattern)'"))
  }
}
