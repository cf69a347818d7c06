import ObjectModel
import Testing

/// Values of expressions, form by form.
@Suite struct `Expression evaluation` {
  private func value(_ format: String) throws -> String {
    let shop = Shop.make()
    let evaluator = ExpressionEvaluator(
      variables: ["source": .object(shop), "now": .scalar(.date(5)), "x": 1]
    )
    return text(try evaluator.evaluate(Expression(format: format), with: .object(shop)))
  }

  @Test(arguments: [
    ("1 + 2", "3"), ("7 / 2", "3"), ("-7 / 2", "-3"), ("7.0 / 2", "3.5"), ("7 / 0", "nil"),
    ("7.5 / 0", "nil"), ("2 ** 10", "1024.0"), ("2 ** 0.5", "1.4142135623730951"),
    ("9223372036854775807 + 1", "CAST(\"9223372036854775808\", \"NSDecimalNumber\")"),
    ("-9223372036854775808 / -1", "CAST(\"9223372036854775808\", \"NSDecimalNumber\")"),
    ("modulus:by:(-7, 3)", "-1"), ("modulus:by:(7.5, 2)", "1.5"), ("modulus:by:(7, 0)", "nil"),
    ("nix + 1", "nil"), ("count - half", "2.5"), ("open + 1", "2"),
    ("share * 4", "CAST(\"1\", \"NSDecimalNumber\")"),
    ("-count", "-3"), ("abs(-3)", "3"), ("abs(-3.5)", "3.5"), ("ceiling(1.2)", "2.0"),
    ("floor(-1.2)", "-2.0"), ("trunc(-1.8)", "-1.0"), ("floor(3)", "3"), ("sqrt(9)", "3.0"),
    ("sqrt(-1)", "nil"), ("ln(exp(2))", "2.0"), ("log(1000)", "3.0"), ("abs(nix)", "nil"),
    ("bitwiseAnd:with:(6, 3)", "2"), ("bitwiseOr:with:(6, 3)", "7"),
    ("bitwiseXor:with:(6, 3)", "5"), ("leftshift:by:(1, 4)", "16"),
    ("rightshift:by:(-16, 2)", "-4"),
    ("onesComplement:(0)", "-1"),
  ])
  func `numbers are computed`(format: String, result: String) throws {
    #expect(try value(format) == result)
  }

  @Test(arguments: [
    ("name", "\"Ünder One\u{301} Roof\""), ("nix", "nil"), ("missing.name.length", "nil"),
    ("owner.name", "\"Ann\""), ("$source.owner.age", "30"), ("$x", "1"), ("SELF", "#6"),
    ("owner.self.name", "\"Ann\""), ("owner.name.length", "3"), ("items.@count", "3"),
    ("empty.@count", "0"), ("nix.@count", "nil"), ("items.@sum.price", "9.5"),
    ("empty.@sum.price", "0"), ("items.@avg.price", "3.1666666666666665"),
    ("empty.@avg.price", "0.0"), ("items.@max.price", "7.5"), ("items.@min.price", "2"),
    ("empty.@max.price", "nil"), ("items.@max.title", "\"ink\""),
    ("items.title", "{\"Tea\", \"ink\", nil}"),
    ("queue.title", "[\"Tea\", \"ink\", \"Tea\"]"),
    ("queue.@unionOfObjects.title", "[\"Tea\", \"ink\", \"Tea\"]"),
    ("queue.@distinctUnionOfObjects.title", "[\"Tea\", \"ink\"]"),
    ("queue.@unionOfArrays.tags", "[\"hot\", \"leaf\", \"wet\", \"hot\", \"leaf\"]"),
    ("queue.@distinctUnionOfArrays.tags", "[\"hot\", \"leaf\", \"wet\"]"),
    ("items.@distinctUnionOfSets.buyer.friends", "{#1, #2}"),
    ("items.buyer.friends.name", "{\"Ann\", \"Bób\", nil}"),
    ("queue.@count", "3"), ("queue[0].title", "\"Tea\""), ("queue[LAST].title", "\"Tea\""),
    ("queue[FIRST].price", "2"), ("queue[SIZE]", "3"), ("{}[FIRST]", "nil"), ("items[SIZE]", "3"),
    ("sum(items.price)", "9.5"), ("average({1, 2, nil})", "1.5"), ("count(items)", "3"),
    ("min({3, 1, 2})", "1"), ("max(3, 1, 2)", "3"), ("median({4, 1, 3, 2})", "2.5"),
    ("median({5, 1, 3})", "3.0"), ("mode({1, 2, 2, 3, 3})", "[2, 3]"), ("stddev({2, 4})", "1.0"),
    ("average({})", "nil"), ("sum({})", "0"), ("distinct({1, 1.0, 2})", "[1, 2]"),
    ("noindex:(count)", "3"), ("queue UNION items", "{#3, #4, #5}"),
    ("items INTERSECT queue", "{#3, #4}"), ("items MINUS queue", "{#5}"),
    ("items MINUS nix", "{#3, #4, #5}"),
    ("nix UNION items", "nil"), ("{1, 'a', nil}", "[1, \"a\", nil]"),
    ("SUBQUERY(items, $i, $i.price > 3).title", "{\"ink\"}"),
    ("SUBQUERY(queue, $i, $i.buyer == SELF.owner).@count", "2"),
    (
      "SUBQUERY(items, $i, SUBQUERY($i.buyer.friends, $f, $f.age == 30).@count > 0).title",
      "{\"ink\"}"
    ),
    ("SUBQUERY(nix, $i, TRUEPREDICATE)", "nil"),
    ("TERNARY(open == YES, count, 1 / 0)", "3"), ("TERNARY(nix == nil, nix, 1)", "nil"),
    ("now()", "CAST(5.0, \"NSDate\")"), ("CAST('NSDate', 'Class')", "\"NSDate\""),
  ])
  func `paths and collections are followed`(format: String, result: String) throws {
    #expect(try value(format) == result)
  }

  @Test(arguments: [
    ("CAST(count, 'NSString')", "\"3\""), ("CAST(half, 'NSString')", "\"0.5\""),
    ("CAST(2.0, 'NSString')", "\"2\""), ("CAST(open, 'NSString')", "\"1\""),
    ("CAST(' 12 ', 'NSNumber')", "12"), ("CAST('1.5e1', 'NSNumber')", "15.0"),
    ("CAST('12x', 'NSNumber')", "nil"), ("CAST('inf ', 'NSNumber')", "nil"),
    ("CAST(half + 1, 'NSDecimalNumber')", "CAST(\"1.5\", \"NSDecimalNumber\")"),
    ("CAST(count + 1, 'NSDate')", "CAST(4.0, \"NSDate\")"), ("CAST(opened, 'NSNumber')", "100.0"),
    ("CAST(nix, 'NSString')", "nil"), ("CAST(home, 'NSString')", "\"https://a.b/c\""),
    ("CAST(name, 'NSString')", "\"Ünder One\u{301} Roof\""),
  ])
  func `casts convert`(format: String, result: String) throws {
    #expect(try value(format) == result)
  }

  @Test func `the program's functions are asked with values`() throws {
    struct Recorder: FunctionProvider {
      func call(
        _ selector: String,
        on target: ExpressionValue?,
        targetName: String,
        arguments: [ExpressionValue]
      ) throws -> ExpressionValue {
        .scalar(
          .string("\(targetName) \(target.map(text) ?? "-") \(selector) \(arguments.map(text))")
        )
      }

      func fetch(
        _ request: ExpressionValue,
        context: ExpressionValue,
        countOnly: Bool
      ) throws -> ExpressionValue {
        .scalar(.string("fetch \(text(request)) \(text(context)) \(countOnly)"))
      }
    }
    let shop = Shop.make()
    let evaluator = ExpressionEvaluator(
      variables: ["source": .object(shop), "context": "c"],
      functions: Recorder()
    )
    for (format, result) in [
      ("FUNCTION($manager, 'a:b:', $source.count, nil)", "manager - a:b: [\"3\", \"nil\"]"),
      ("FUNCTION($source, 'full')", "source #6 full []"),
      ("FUNCTION($source.owner, 'full')", "an object #1 full []"),
      ("FUNCTION($source.name, 'initials')", "a string \"Ünder One\u{301} Roof\" initials []"),
      ("FUNCTION(CAST('Tools', 'Class'), 'make:', 1)", "Tools - make: [\"1\"]"),
      ("FETCH(1, $context, YES)", "fetch 1 \"c\" true"),
    ] {
      guard case .scalar(.string(let answer)) = try evaluator.evaluate(Expression(format: format))
      else {
        Issue.record("no text")
        continue
      }
      #expect(answer == result)
    }
    #expect(
      text(try evaluator.evaluate(Expression(format: "FUNCTION($source.nix, 'full')"))) == "nil"
    )
  }

  @Test(
    arguments: [
      ("$nobody", .unknownVariable), ("FUNCTION($manager, 'x')", .unknownMethod),
      ("FUNCTION('a', 'frobnicate')", .unknownMethod), ("'a'.frobnicate", .unknownKey),
      ("frobnicate", .unknownKey), ("items.@frob", .unknownKey), ("count.@sum", .wrongKind),
      ("'a' + 1", .wrongKind), ("opened + 1", .wrongKind), ("uppercase(1)", .wrongKind),
      ("sum(1)", .wrongKind), ("max({1, 'a'})", .wrongKind), ("random()", .unsupported),
      ("random(1)", .unsupported), ("distanceToLocation:fromLocation:(1, 2)", .unsupported),
      ("inverseOrderKey:(1)", .unsupported), ("queue[3]", .outOfBounds),
      ("queue[-1]", .outOfBounds),
      ("items[0]", .wrongKind), ("FETCH(1, 2, NO)", .unsupported),
      ("CAST(name, 'NSDate')", .wrongKind),
      ("CAST(name, 'Frob')", .wrongKind), ("bitwiseAnd:with:(1.5, 1)", .wrongKind),
      ("FUNCTION(name, 'substringToIndex:', 99)", .outOfBounds),
      ("SUBQUERY(1, $x, TRUEPREDICATE)", .wrongKind),
      ("TERNARY(name MATCHES '(', 1, 2)", .badPattern), ("1 UNION {}", .wrongKind),
    ] as [(String, EvaluationError.Code)]
  )
  func `what cannot be evaluated is an error`(format: String, code: EvaluationError.Code) throws {
    do {
      let result = try value(format)
      Issue.record("\(format) is \(result)")
    } catch let error as EvaluationError {
      #expect(error.code == code, "\(error)")
      #expect(!error.message.contains("nder") && !error.message.contains("ein"))
    }
  }

  @Test func `the deepest expressions that are read are evaluated`() throws {
    let sum = "1" + String(repeating: " + 1", count: 190)
    #expect(try value(sum) == "191")
    let choice =
      String(repeating: "TERNARY(1 == 1, ", count: 60) + "2" + String(repeating: ", 0)", count: 60)
    #expect(try value(choice) == "2")
    let condition =
      String(repeating: "NOT (", count: 90) + "1 == 1" + String(repeating: ")", count: 90)
    #expect(try value("TERNARY(\(condition), 1, 2)") == "1")
  }

  @Test func `now needs a time`() throws {
    let evaluator = ExpressionEvaluator()
    #expect(throws: EvaluationError.self) { try evaluator.evaluate(Expression(format: "now()")) }
  }
}
