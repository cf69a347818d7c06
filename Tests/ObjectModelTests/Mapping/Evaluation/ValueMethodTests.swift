import Foundation
import ObjectModel
import Testing

/// The methods of Foundation's values.
@Suite struct `Value methods` {
  private func value(_ format: String) throws -> String {
    let shop = Shop.make()
    let evaluator = ExpressionEvaluator(variables: ["now": .scalar(.date(5))])
    return text(try evaluator.evaluate(Expression(format: format), with: .object(shop)))
  }

  @Test(arguments: [("text", "name"), ("patterns", "name"), ("dates", "opened")])
  func `the documentation lists methods that are there`(row: String, value: String) throws {
    let file =
      "/" + #filePath.split(separator: "/").dropLast(5).joined(separator: "/")
      + "/Sources/StoreMigration/StoreMigration.docc/HopFiles.md"
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("| \(row) |") })
    let functions = ["uppercase:", "lowercase:", "canonical:", "length:"]
    let names = line.matches(of: /`([A-Za-z]+:?[A-Za-z:]*)`/).map { String($0.1) }
      .filter { !functions.contains($0) }
    #expect(names.count >= 2)
    let evaluator = ExpressionEvaluator(variables: [:])
    for name in names {
      let text = Expression.keyPath(.evaluatedObject, ["name"])
      let call = Expression.function(
        .keyPath(.evaluatedObject, [value]),
        selector: name,
        arguments: Array(repeating: text, count: name.count { $0 == ":" })
      )
      do {
        _ = try evaluator.evaluate(call, with: .object(Shop.make()))
      } catch let error as EvaluationError {
        #expect(error.code != .unknownMethod, "\(name): \(error.message)")
      }
    }
  }

  @Test(arguments: [
    ("FUNCTION('ab', 'stringByAppendingString:', 'c')", "\"abc\""),
    ("FUNCTION('ab', 'stringByAppendingString:', nix)", "nil"),
    ("FUNCTION(nix, 'stringByAppendingString:', 'c')", "nil"),
    ("FUNCTION('abcd', 'substringToIndex:', 2)", "\"ab\""),
    ("FUNCTION('abcd', 'substringFromIndex:', 2)", "\"cd\""),
    ("FUNCTION('abcd', 'substringFromIndex:', 4)", "\"\""),
    ("FUNCTION(emoji, 'substringFromIndex:', 9)", "\"b\""),
    ("FUNCTION(emoji, 'substringToIndex:', 2)", "\"a\u{fffd}\""), ("emoji.length", "10"),
    ("FUNCTION('a, b,c', 'componentsSeparatedByString:', ', ')", "[\"a\", \"b,c\"]"),
    ("FUNCTION('a', 'componentsSeparatedByString:', '')", "[\"a\"]"),
    (
      "FUNCTION(FUNCTION('a,b', 'componentsSeparatedByString:', ',')[1], 'uppercaseString')",
      "\"B\""
    ),
    ("FUNCTION({'a', 1}, 'componentsJoinedByString:', '-')", "\"a-1\""),
    (
      "FUNCTION('aXbX', 'stringByReplacingOccurrencesOfString:withString:', 'X', 'yy')",
      "\"ayybyy\""
    ),
    ("'aé'.uppercaseString", "\"AÉ\""), ("'AÉ'.lowercaseString", "\"aé\""),
    ("'heLLo wOrld'.capitalizedString", "\"Hello World\""), ("uppercase('straße')", "\"STRASSE\""),
    ("canonical('Żółć İ')", "\"zołc i\""), ("length(emoji)", "10"),
    ("' 12abc'.integerValue", "12"),
    ("'-9999999999999999999'.longLongValue", "-9223372036854775808"),
    ("'99999999999'.intValue", "2147483647"), ("'x'.integerValue", "0"),
    ("' 1.5e2x'.doubleValue", "150.0"), ("'.5'.doubleValue", "0.5"), ("'e5'.doubleValue", "0.0"),
    ("'0.1'.floatValue", "0.10000000149011612"), ("'  0yes'.boolValue", "YES"),
    ("'no'.boolValue", "NO"), ("'-1'.boolValue", "YES"), ("'0'.boolValue", "NO"),
    ("FUNCTION('abc', 'hasPrefix:', 'ab')", "YES"), ("FUNCTION('abc', 'hasSuffix:', 'ab')", "NO"),
    ("FUNCTION('abc', 'containsString:', 'b')", "YES"),
    ("FUNCTION('a', 'isEqualToString:', 'a')", "YES"),
    ("FUNCTION('a', 'isEqualToString:', nil)", "NO"), ("FUNCTION(1, 'isEqual:', 1.0)", "YES"),
    ("FUNCTION('a', 'compare:', 'b')", "-1"), ("' a b\n'.stringByTrimmingWhitespace", "\"a b\""),
    ("' '.stringByTrimmingWhitespace", "\"\""), ("'a'.description", "\"a\""),
  ])
  func `methods of text`(format: String, result: String) throws {
    #expect(try value(format) == result)
  }

  @Test(arguments: [
    ("FUNCTION(count, 'stringValue')", "\"3\""), ("FUNCTION(-2.5, 'integerValue')", "-2"),
    ("FUNCTION(1e300, 'longLongValue')", "9223372036854775807"),
    ("FUNCTION(3, 'doubleValue')", "3.0"),
    ("FUNCTION(0.5, 'boolValue')", "YES"), ("FUNCTION(open, 'integerValue')", "1"),
    ("FUNCTION(0.1, 'floatValue')", "0.10000000149011612"),
    ("FUNCTION(share, 'decimalNumberByMultiplyingBy:', 2)", "CAST(\"0.5\", \"NSDecimalNumber\")"),
    ("FUNCTION(share, 'stringValue')", "\"0.25\""),
    ("FUNCTION(opened, 'dateByAddingTimeInterval:', 20)", "CAST(120.0, \"NSDate\")"),
    ("FUNCTION(opened, 'timeIntervalSinceDate:', now())", "95.0"),
    ("opened.timeIntervalSinceReferenceDate", "100.0"),
    ("opened.timeIntervalSince1970", "978307300.0"),
    ("FUNCTION(opened, 'laterDate:', now())", "CAST(100.0, \"NSDate\")"),
    ("FUNCTION(opened, 'isEqualToDate:', nix)", "NO"),
    ("home.absoluteString", "\"https://a.b/c\""), ("bytes.length", "3"),
    ("id.UUIDString", "\"00010203-0405-0607-0809-0A0B0C0D0E0F\""),
    ("FUNCTION(queue, 'objectAtIndex:', 1)", "#4"), ("FUNCTION(queue, 'firstObject')", "#3"),
    ("FUNCTION(queue, 'lastObject')", "#3"), ("FUNCTION(items, 'count')", "3"),
    ("FUNCTION(items, 'containsObject:', owner)", "NO"), ("FUNCTION(queue, 'set')", "{#3, #4}"),
    ("FUNCTION(queue, 'valueForKey:', 'price')", "[2, 7.5, 2]"),
  ])
  func `numbers, dates and collections`(format: String, result: String) throws {
    #expect(try value(format) == result)
  }

  @Test(arguments: [
    ("NSString", "string", "", "\"\""), ("NSString", "stringWithString:", "'a'", "\"a\""),
    ("NSDate", "date", "", "CAST(5.0, \"NSDate\")"),
    ("NSDate", "dateWithTimeIntervalSinceReferenceDate:", "7", "CAST(7.0, \"NSDate\")"),
    ("NSDate", "dateWithTimeIntervalSince1970:", "978307200", "CAST(0.0, \"NSDate\")"),
    ("NSArray", "array", "", "[]"), ("NSSet", "set", "", "{}"), ("NSNull", "null", "", "nil"),
    ("NSNumber", "numberWithBool:", "2", "YES"), ("NSNumber", "numberWithInt:", "2.5", "2"),
    ("NSNumber", "numberWithDouble:", "2", "2.0"),
    ("NSURL", "URLWithString:", "'a:b'", "CAST(\"a:b\", \"NSURL\")"),
    ("NSDecimalNumber", "zero", "", "CAST(\"0\", \"NSDecimalNumber\")"),
    ("NSDecimalNumber", "decimalNumberWithString:", "'1.50'", "CAST(\"1.5\", \"NSDecimalNumber\")"),
    ("NSString", "stringWithString:", "nil", "nil"),
  ])
  func `classes`(name: String, selector: String, argument: String, result: String) throws {
    let rest = argument.isEmpty ? "" : ", \(argument)"
    #expect(try value("FUNCTION(CAST('\(name)', 'Class'), '\(selector)'\(rest))") == result)
  }

  @Test(.timeLimit(.minutes(1))) func `a text is replaced in time that grows with its length`()
    throws
  {
    let text = String(repeating: "a", count: 300_000)
    let replaced = "'\(text)', 'stringByReplacingOccurrencesOfString:withString:', 'a', 'bc'"
    #expect(try value("FUNCTION(FUNCTION(\(replaced)), 'length')") == "600000")
    #expect(
      try value("FUNCTION('\(text)', 'componentsSeparatedByString:', 'a').@count") == "300001"
    )
  }

  @Test func `a text that would be longer than any is refused`() throws {
    let other = String(repeating: "a", count: 1_000)
    var format = "'a'"
    for _ in 1...3 {
      format =
        "FUNCTION(\(format), 'stringByReplacingOccurrencesOfString:withString:', 'a', '\(other)')"
    }
    let error = #expect(throws: EvaluationError.self) { try value(format) }
    #expect(error?.code == .outOfBounds)
  }
}
