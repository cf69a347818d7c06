import MigrationTestSupport
import ObjectModel

/// Trees of all forms, as deep as wanted.
struct RandomExpression {
  var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  private mutating func pick<Element>(_ list: [Element], _ fallback: Element) -> Element {
    list.randomElement(using: &random) ?? fallback
  }

  private mutating func key() -> String {
    pick(
      ["a", "b", "größe", "size", "in", "@count", "@sum", "x1", "with space", "_u", "self"],
      "a"
    )
  }

  private mutating func constant() -> AttributeValue? {
    switch number(10) {
    case 0: nil
    case 1: .integer(pick([0, 1, -1, .min, .max, 17], 0))
    case 2: .real(pick([0, -0.5, 1e300, 1e-7, .infinity, 12], 0))
    case 3: .decimal(pick(["1.50", "-3", "1e3"], "0"))
    case 4, 5: .string(pick(["", "it's \"so\"", "a\\b\n\r\n\t\u{1}", "é👩‍👩‍👧‍👦", "$x %@"], ""))
    case 6: .boolean(number(2) == 0)
    case 7: .date(pick([0, -12.5, 7e8], 0))
    case 8: number(2) == 0 ? .binary([0, 255]) : .uuid((0..<16).map { UInt8($0 * 16) })
    default: .uri("https://letters.example/?q=1")
    }
  }

  mutating func expression(_ depth: Int) -> Expression {
    guard depth > 0 else {
      switch number(4) {
      case 0: return .evaluatedObject
      case 1: return .variable(pick(["source", "x", "größe"], "x"))
      case 2: return .keyPath(.evaluatedObject, [key()])
      default: return .constant(constant())
      }
    }
    let below = depth - 1
    switch number(13) {
    case 0: return .keyPath(expression(below), (0...number(3)).map { _ in key() })
    case 1:
      return .function(
        expression(below),
        selector: "do:with:",
        arguments: [expression(below), expression(below)]
      )
    case 2: return .className(pick(["NSDate", "Module.Class"], ""))
    case 3: return .call(pick(["now", "random"], "now"), [])
    case 4:
      return .call(pick(["uppercase:", "abs:", "sum:", "random:"], "abs:"), [expression(below)])
    case 5, 6, 7:
      let selectors = [
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "raise:toPower:", "modulus:by:",
        "objectFrom:withIndex:",
      ]
      return .call(pick(selectors, ""), [expression(below), expression(below)])
    case 8: return .aggregate((0..<number(4)).map { _ in expression(below) })
    case 9: return .conditional(predicate(below), expression(below), expression(below))
    case 10: return .subquery(expression(below), variable: "x", predicate(below))
    case 11:
      return .setOperation(
        pick(Expression.SetOperation.allCases, .union),
        expression(below),
        expression(below)
      )
    default:
      if number(2) == 0 {
        let place = Expression.call(pick(["FIRST", "LAST", "SIZE"], ""), [])
        return .call("objectFrom:withIndex:", [expression(below), place])
      }
      return .fetch(expression(below), context: expression(below), countOnly: number(2) == 0)
    }
  }

  mutating func predicate(_ depth: Int) -> Predicate {
    let below = max(0, depth - 1)
    switch depth > 0 ? number(5) : number(2) {
    case 0, 1:
      var relation = pick(Predicate.Relation.allCases, .equal)
      let right = expression(below)
      // Bounds must be two.
      if relation == .between, case .aggregate = right { relation = .isIn }
      var comparison = Predicate.Comparison(
        expression(below),
        relation,
        right,
        quantifier: pick([.direct, .direct, .any, .all], .direct)
      )
      comparison.isCaseInsensitive = number(3) == 0
      comparison.isDiacriticInsensitive = number(3) == 0
      return .comparison(comparison)
    case 2: return .not(predicate(below))
    case 3: return .all((0..<pick([0, 2, 3], 2)).map { _ in predicate(below) })
    default: return .any((0..<pick([0, 2, 3], 2)).map { _ in predicate(below) })
    }
  }
}
