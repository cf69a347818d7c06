import ObjectModel
import StoreAccess

// Predicates. Each condition is 1 or 0, never NULL: NOT and OR then mean what they mean in the
// evaluator, where there are two truth values only.
extension ExpressionTranslation {
  mutating func anyCondition(_ predicate: Predicate) -> String? {
    switch predicate {
    case .all(let parts): return joined(parts, "AND", empty: "1")
    case .any(let parts): return joined(parts, "OR", empty: "0")
    case .not(let part): return condition(part).map { "(NOT \($0))" }
    case .comparison(let comparison): return condition(comparison)
    }
  }

  private mutating func joined(_ parts: [Predicate], _ word: String, empty: String) -> String? {
    var conditions: [String] = []
    for part in parts {
      guard let condition = condition(part) else { return nil }
      conditions.append(condition)
    }
    return conditions.isEmpty ? empty : Self.joined(conditions, word)
  }

  private mutating func condition(_ comparison: Predicate.Comparison) -> String? {
    if comparison.quantifier == .direct {
      if comparison.relation == .contains, let (route, member) = members(comparison.left),
        let value = safeTerm(comparison.right), let equal = Self.equal(member, value, comparison)
      {
        return route.exists(equal)
      }
      return safeTerm(comparison.left).flatMap { holds($0, comparison) }
    }
    guard let (route, member) = members(comparison.left),
      let condition = holds(member, comparison)
    else { return nil }
    return comparison.quantifier == .any
      ? route.exists(condition) : "(NOT \(route.exists("NOT \(condition)")))"
  }

  /// Returns a value that no row makes fail, which conditions must be made of.
  private mutating func safeTerm(_ expression: Expression) -> SQLTerm? {
    unsettledTerm(expression).flatMap { $0.canFail ? nil : $0 }
  }

  private mutating func holds(_ left: SQLTerm, _ comparison: Predicate.Comparison) -> String? {
    switch comparison.relation {
    case .isIn: return isIn(left, comparison)
    case .between:
      guard case .aggregate(let bounds) = comparison.right, bounds.count == 2,
        let least = safeTerm(bounds[0]), let greatest = safeTerm(bounds[1]),
        let first = Self.ordered(left, ">=", least, comparison),
        let second = Self.ordered(left, "<=", greatest, comparison)
      else { return nil }
      return "(\(first) AND \(second))"
    default: break
    }
    guard let right = safeTerm(comparison.right) else { return nil }
    switch comparison.relation {
    case .equal: return Self.equal(left, right, comparison)
    case .notEqual: return Self.equal(left, right, comparison).map { "(NOT \($0))" }
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
      return Self.ordered(left, comparison.relation.text, right, comparison)
    case .matches:
      guard case .constant(.string(let pattern)) = comparison.right,
        ExpressionPrimitives.isPattern(pattern)
      else { return nil }
      return Self.text(left, right, comparison)
    case .beginsWith, .endsWith, .like, .contains: return Self.text(left, right, comparison)
    case .isIn, .between: return nil
    }
  }

  private mutating func isIn(_ left: SQLTerm, _ comparison: Predicate.Comparison) -> String? {
    if case .aggregate(let members) = comparison.right {
      // The statement repeats the value for each member.
      guard Self.isShort(left.sql, times: members.count) else { return nil }
      var conditions: [String] = []
      for member in members {
        guard let value = safeTerm(member), let equal = Self.equal(left, value, comparison) else {
          return nil
        }
        conditions.append(equal)
      }
      return conditions.isEmpty ? "0" : Self.joined(conditions, "OR")
    }
    if let (route, member) = members(comparison.right) {
      return Self.equal(left, member, comparison).map { route.exists($0) }
    }
    return safeTerm(comparison.right).flatMap { Self.text(left, $0, comparison) }
  }

  /// Returns the condition that two values are equal; two nils are, and values of different kinds never.
  private static func equal(
    _ left: SQLTerm,
    _ right: SQLTerm,
    _ comparison: Predicate.Comparison
  ) -> String? {
    if right.kind == .nothing { return "(\(left.sql) IS NULL)" }
    if left.kind == .nothing { return "(\(right.sql) IS NULL)" }
    guard left.kind == right.kind || left.isNumeric && right.isNumeric else {
      return "(\(left.sql) IS NULL AND \(right.sql) IS NULL)"
    }
    return compared(left, right) {
      "(\(folded($0, comparison)) IS \(folded($1, comparison)))"
    } exactly: {
      "IFNULL(\(ExpressionFunctions.method)('isEqual:', \($0), \($1), \($2)), \($2) IS NULL)"
    }
  }

  /// Returns a comparison of two values by SQLite, or by a function where one may be a decimal number
  /// that SQLite does not know as a number.
  private static func compared(
    _ left: SQLTerm,
    _ right: SQLTerm,
    plainly plain: (SQLTerm, SQLTerm) -> String,
    exactly exact: (_ tags: String, _ left: String, _ right: String) -> String
  ) -> String? {
    let areDigits = left.mayBeDigits || right.mayBeDigits
    let conditions = [left, right].compactMap(\.overflow?.condition)
    guard areDigits || !conditions.isEmpty else { return plain(left, right) }
    let tags = String([left, right].compactMap(\.tag))
    guard tags.count == 2 else { return nil }
    let (one, other) =
      areDigits ? (left.settled.sql, right.settled.sql) : (left.exactSQL, right.exactSQL)
    let result = exact(SQL.literal(.text(tags)), one, other)
    return areDigits
      ? result
      : "CASE WHEN \(conditions.joined(separator: " OR ")) THEN \(result) ELSE \(plain(left, right)) END"
  }

  private static func ordered(
    _ left: SQLTerm,
    _ sign: String,
    _ right: SQLTerm,
    _ comparison: Predicate.Comparison
  ) -> String? {
    if left.kind == .nothing || right.kind == .nothing { return "0" }
    let areOrdered =
      left.isNumeric && right.isNumeric
      || left.kind == right.kind && [.string, .uri, .date, .uuid].contains(left.kind)
    guard areOrdered else { return nil }
    return compared(left, right) {
      "IFNULL(\(folded($0, comparison)) \(sign) \(folded($1, comparison)), 0)"
    } exactly: {
      "IFNULL(\(ExpressionFunctions.method)('compare:', \($0), \($1), \($2)) \(sign) 0, 0)"
    }
  }

  private static func text(
    _ left: SQLTerm,
    _ right: SQLTerm,
    _ comparison: Predicate.Comparison
  ) -> String? {
    for term in [left, right] where term.kind != .string && term.kind != .nothing { return nil }
    if left.kind == .nothing || right.kind == .nothing { return "0" }
    return "\(ExpressionFunctions.compare)(\(comparison.relation.rawValue), "
      + "\(options(comparison)), \(left.sql), \(right.sql))"
  }

  private static func folded(_ term: SQLTerm, _ comparison: Predicate.Comparison) -> String {
    let options = options(comparison)
    return term.kind == .string && options != 0
      ? "\(ExpressionFunctions.fold)(\(options), \(term.sql))" : term.sql
  }

  private static func options(_ comparison: Predicate.Comparison) -> Int {
    (comparison.isCaseInsensitive ? 1 : 0) | (comparison.isDiacriticInsensitive ? 2 : 0)
  }
}
