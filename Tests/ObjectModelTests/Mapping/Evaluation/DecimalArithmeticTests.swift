import ObjectModel
import Testing

/// Decimal numbers in expressions: 38 digits, halves away from zero.
@Suite struct `Decimal arithmetic` {
  /// Values that no double has: `d` is 2⁵³ + 1, `e` has 38 digits.
  private let row = Thing(
    1,
    [
      "d": .scalar(.decimal("9007199254740993")), "n": 9_007_199_254_740_993,
      "e": .scalar(.decimal("-1234567890123456789012345678.9012345678")),
      "tenth": .scalar(.decimal("0.1")), "x": 0.1, "great": 9_007_199_254_740_992.0,
      "s": "9007199254740993.25", "zero": .scalar(.decimal("0.00")),
      "least": .scalar(.integer(.min)),
      "max": .scalar(.integer(.max)), "bs": [],
    ]
  )

  private func value(_ format: String) throws -> String {
    let evaluator = ExpressionEvaluator(variables: ["source": .object(row)])
    return text(try evaluator.evaluate(Expression(format: format), with: .object(row)))
  }

  @Test(
    arguments: [
      ("d * 1", "9007199254740993"), ("d + 1", "9007199254740994"), ("1 - d", "-9007199254740992"),
      ("d / 2", "4503599627370496.5"),
      ("1 / (d - d + 3)", "0.33333333333333333333333333333333333333"),
      ("(d - d + 2) / 3", "0.66666666666666666666666666666666666667"),
      ("d * d * d", "730750818665451702490757660178213618790000000000"), ("d / 0", nil),
      ("e + 1", "-1234567890123456789012345677.9012345678"),
      ("e + tenth / 100000000000", "-1234567890123456789012345678.9012345678"),
      ("tenth * 3", "0.3"), ("tenth + x", "0.2"), ("x * 3 + zero", "0.30000000000000004"),
      ("modulus:by:(d, 4)", "1"), ("modulus:by:(e, tenth)", "-0.0012345678"),
      ("modulus:by:(d, zero)", nil), ("d ** 2", "81129638414606699710187514626049"),
      ("tenth ** -3", "1000"), ("tenth ** 200", "0"), ("d ** 11", nil),
      ("abs(e)", "1234567890123456789012345678.9012345678"),
      ("ceiling(e)", "-1234567890123456789012345678"),
      ("floor(e)", "-1234567890123456789012345679"),
      ("trunc(e)", "-1234567890123456789012345678"),
      ("CAST(s, 'NSDecimalNumber')", "9007199254740993.25"),
      ("CAST(n, 'NSDecimalNumber')", "9007199254740993"), ("CAST(x, 'NSDecimalNumber')", "0.1"),
      ("FUNCTION(tenth, 'decimalNumberByAdding:', d)", "9007199254740993.1"),
      ("FUNCTION(1, 'decimalNumberByDividingBy:', 3)", "0.33333333333333333333333333333333333333"),
      ("CAST(s, 'NSNumber') * 4", "36028797018963973"), ("max + 1", "9223372036854775808"),
      ("least / -1", "9223372036854775808"), ("least - 1 + 2", "-9223372036854775807"),
      ("max * max", "85070591730234615847396907784232501249"),
      ("abs(least)", "9223372036854775808"),
      ("3 ** 40", "12157665459056928801"), ("9007199254740993 ** 1", "9007199254740993"),
      ("max({d, n, great})", "9007199254740993"),
      ("sum({d, 0.25})", "9007199254740993.25"), ("average({n, n})", "9007199254740993"),
      ("average({d, 2})", "4503599627370497.5"), ("median({n, 1, max})", "9007199254740993"),
    ] as [(String, String?)]
  )
  func `a computation has all digits`(format: String, digits: String?) throws {
    let result = digits.map { "CAST(\"\($0)\", \"NSDecimalNumber\")" } ?? "nil"
    #expect(try value(format) == result)
  }

  @Test(arguments: [
    ("FUNCTION(d, 'integerValue')", "9007199254740993"),
    ("FUNCTION(e, 'longLongValue')", "\(Int64.min)"),
    ("FUNCTION(d, 'stringValue')", "\"9007199254740993\""), ("CAST(zero, 'NSString')", "\"0\""),
    ("CAST(d, 'NSNumber') - n", "CAST(\"0\", \"NSDecimalNumber\")"), ("2 ** 10", "1024.0"),
    ("FUNCTION(d, 'doubleValue')", "9007199254740992.0"), ("sqrt(tenth * 90)", "3.0"),
    ("average({1, 2})", "1.5"), ("FUNCTION(d, 'compare:', great)", "1"),
    ("max({great, n, d})", "9007199254740993"), ("min({d, great})", "9007199254740992.0"),
    ("distinct({n, d, great})", "[9007199254740993, 9007199254740992.0]"),
    ("7 / 2", "3"), ("CAST('9007199254740993', 'NSNumber')", "9007199254740993"),
  ])
  func `other results are what they were`(format: String, result: String) throws {
    #expect(try value(format) == result)
  }

  @Test(arguments: [
    ("d == n", true), ("d == great", false), ("d > great", true), ("great < n", true),
    ("tenth == x", true), ("tenth == 0.1", true), ("zero == 0", true), ("e < least", true),
    ("d IN {9007199254740992, 5}", false),
    ("d BETWEEN {9007199254740993, 9007199254740993.5}", true),
    ("max + 1 > max", true), ("max + 1 == CAST('9223372036854775808', 'NSDecimalNumber')", true),
    ("d * 0.5 < n", true),
    ("d < 1e300", true), ("d > -1e300", true), ("zero < 1e-300", true), ("tenth > 1e-300", true),
  ])
  func `a comparison is exact`(format: String, holds: Bool) throws {
    let evaluator = ExpressionEvaluator(variables: [:])
    #expect(try evaluator.evaluate(Predicate(format: format), with: .object(row)) == holds)
  }
}
