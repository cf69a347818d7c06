import ObjectModel
import Testing

/// The syntax of `NSExpression(format:)`, each form with the tree it stands for.
@Suite struct `Expression formats` {
  private static let a = Expression.keyPath(.evaluatedObject, ["a"])
  private static let one = Expression.constant(.integer(1))

  @Test(
    arguments: [
      ("12", .integer(12)), ("-12", .integer(-12)), ("- 12", .integer(-12)), ("0x1F", .integer(31)),
      ("0X1f", .integer(31)), ("0o17", .integer(15)), ("0b101", .integer(5)), ("017", .integer(17)),
      ("1.5", .real(1.5)), ("1e3", .real(1000)), ("-1.5E-2", .real(-0.015)), ("2.5e+1", .real(25)),
      (".5", .real(0.5)), ("9223372036854775807", .integer(.max)),
      ("-9223372036854775808", .integer(.min)),
      ("9223372036854775808", .real(9.223372036854775808e18)),
      ("'it'", .string("it")), ("\"it's\"", .string("it's")),
      ("'a\\n\\t\\r\\\\\\'\\\"'", .string("a\n\t\r\\'\"")),
      ("'\\b\\f\\v\\x41\\u00e9\\U0001F600\\ud83d\\ude00'", .string("\u{8}\u{c}\u{b}Aé😀😀")),
      ("''", .string("")),
      ("YES", .boolean(true)), ("no", .boolean(false)), ("true", .boolean(true)),
      ("FALSE", .boolean(false)), ("nil", nil), ("NULL", nil),
      ("CAST(12.5, 'NSDate')", .date(12.5)), ("cast(-3, \"NSDate\")", .date(-3)),
      ("CAST('1.50', 'NSDecimalNumber')", .decimal("1.50")), ("CAST('a:b', 'NSURL')", .uri("a:b")),
      ("CAST('00ff', 'NSData')", .binary([0, 255])), ("CAST('inf', 'NSNumber')", .real(.infinity)),
      (
        "CAST('00010203-0405-0607-0809-0a0b0c0d0e0f', 'NSUUID')",
        .uuid((0..<16).map { UInt8($0) })
      ),
    ] as [(String, AttributeValue?)]
  )
  func `a literal is a constant`(text: String, value: AttributeValue?) throws {
    let expression = try Expression(format: text)
    #expect(expression == .constant(value))
    #expect(try Expression(format: expression.description) == expression)
  }

  @Test(
    arguments: [
      ("a", a), ("self", .evaluatedObject), ("SELF.a", a),
      ("#size", .keyPath(.evaluatedObject, ["size"])),
      ("a.b.@count", .keyPath(.evaluatedObject, ["a", "b", "@count"])),
      ("@count", .keyPath(.evaluatedObject, ["@count"])),
      ("a.@sum.b", .keyPath(.evaluatedObject, ["a", "@sum", "b"])),
      ("a.in.#or", .keyPath(.evaluatedObject, ["a", "in", "or"])),
      ("$source", .variable("source")), ("$source.a.b", .keyPath(.variable("source"), ["a", "b"])),
      ("größe", .keyPath(.evaluatedObject, ["größe"])),
      ("(a.b).c", .keyPath(.keyPath(.evaluatedObject, ["a", "b"]), ["c"])),
      ("{}", .aggregate([])), ("{1, a}", .aggregate([one, a])),
      ("a[1]", .call("objectFrom:withIndex:", [a, one])),
      ("a[FIRST]", .call("objectFrom:withIndex:", [a, .call("FIRST", [])])),
      ("a[last].b", .keyPath(.call("objectFrom:withIndex:", [a, .call("LAST", [])]), ["b"])),
      ("a[SIZE]", .call("objectFrom:withIndex:", [a, .call("SIZE", [])])),
      ("now()", .call("now", [])), ("uppercase(a)", .call("uppercase:", [a])),
      ("uppercase:(a)", .call("uppercase:", [a])),
      ("modulus:by:(a, 1)", .call("modulus:by:", [a, one])),
      ("sum(a)", .call("sum:", [a])), ("max(a, 1)", .call("max:", [.aggregate([a, one])])),
      ("random()", .call("random", [])), ("random(a)", .call("random:", [a])),
      ("-a", .call("from:subtract:", [.constant(.integer(0)), a])),
      ("CAST(a, 'NSNumber')", .call("castObject:toType:", [a, .constant(.string("NSNumber"))])),
      ("CAST('NSDate', 'Class')", .className("NSDate")),
      (
        "FUNCTION($manager, 'x:y:', a, 1)",
        .function(.variable("manager"), selector: "x:y:", arguments: [a, one])
      ),
      ("FUNCTION(a, 'length')", .function(a, selector: "length", arguments: [])),
      ("FUNCTION(a, 'valueForKeyPath:', 'b.c d')", .keyPath(a, ["b", "c d"])),
      ("TERNARY(a == 1, 1, a)", .conditional(.comparison(.init(a, .equal, one)), one, a)),
      (
        "SUBQUERY(a, $x, $x.b > 1)",
        .subquery(
          a,
          variable: "x",
          .comparison(.init(.keyPath(.variable("x"), ["b"]), .greaterThan, one))
        )
      ),
      (
        "SUBQUERY(a, $x, TRUEPREDICATE).@count",
        .keyPath(.subquery(a, variable: "x", .all([])), ["@count"])
      ),
      ("a UNION {1}", .setOperation(.union, a, .aggregate([one]))),
      ("a intersect {1}", .setOperation(.intersect, a, .aggregate([one]))),
      ("a MINUS {1}", .setOperation(.minus, a, .aggregate([one]))),
      ("FETCH($r, $c, NO)", .fetch(.variable("r"), context: .variable("c"), countOnly: false)),
      ("FETCH($r, $c, 1)", .fetch(.variable("r"), context: .variable("c"), countOnly: true)),
    ] as [(String, Expression)]
  )
  func `every form has its tree`(text: String, expression: Expression) throws {
    let read = try Expression(format: text)
    #expect(read == expression)
    #expect(try Expression(format: read.description) == expression, "\(read)")
  }

  @Test(arguments: [
    ("1 + 2 * 3", "1 + 2 * 3"), ("(1 + 2) * 3", "(1 + 2) * 3"), ("1 - 2 - 3", "1 - 2 - 3"),
    ("1 - (2 - 3)", "1 - (2 - 3)"), ("1 / 2 / 3", "1 / 2 / 3"), ("1 / (2 * 3)", "1 / (2 * 3)"),
    ("2 ** 3 ** 4", "2 ** (3 ** 4)"), ("(2 ** 3) ** 4", "(2 ** 3) ** 4"), ("-2 ** 2", "(-2) ** 2"),
    ("-a ** 2", "0 - a ** 2"), ("2 ** -a", "2 ** (0 - a)"), ("a -5", "a - 5"), ("a - -5", "a - -5"),
    ("a+b UNION c*d", "a + b UNION c * d"), ("a UNION (b MINUS c)", "a UNION (b MINUS c)"),
    ("a UNION b MINUS c", "a UNION b MINUS c"), ("add:to:(a, b)", "a + b"),
    ("(a + b).c", "(a + b).c"), ("(a + b)[0]", "(a + b)[0]"), ("((a))", "a"),
    ("- - a", "0 - (0 - a)"),
    ("FUNCTION( a , \"b:\" , 'c' )", "FUNCTION(a, \"b:\", \"c\")"), ("$a . b", "$a.b"),
    ("'a'.length", "\"a\".length"), ("5 .a", "(5).a"),
  ])
  func `operators bind as in arithmetic`(text: String, plain: String) throws {
    let expression = try Expression(format: text)
    #expect(expression.description == plain)
    #expect(try Expression(format: plain) == expression)
  }
}
