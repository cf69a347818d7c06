import ObjectModel

extension RandomQuery {
  /// A condition over the scopes.
  mutating func predicate(in scopes: [Scope], depth: Int) -> Predicate {
    let below = max(0, depth - 1)
    switch depth > 0 ? number(6) : 5 {
    case 0: return .not(predicate(in: scopes, depth: below))
    case 1: return .all((0..<2).map { _ in predicate(in: scopes, depth: below) })
    case 2: return .any((0..<2).map { _ in predicate(in: scopes, depth: below) })
    case 3, 4: return quantified(scopes, below) ?? .comparison(comparison(scopes, below))
    default: return .comparison(comparison(scopes, below))
    }
  }

  private mutating func comparison(_ scopes: [Scope], _ depth: Int) -> Predicate.Comparison {
    if number(12) == 0, let objects = objects(scopes) { return objects }
    let kind = pick(Kind.allCases) ?? .number
    return completed(expression(kind, in: scopes, depth: depth), kind, scopes, depth)
  }

  /// Two objects, or an object and nothing.
  private mutating func objects(_ scopes: [Scope]) -> Predicate.Comparison? {
    guard let scope = pick(scopes) else { return nil }
    let toOne = model.properties(of: scope.entity).compactMap(\.property.relationship).filter {
      !$0.isToMany
    }
    guard let relationship = pick(toOne), let other = pick(scopes) else { return nil }
    let path = Expression.keyPath(scope.start, [relationship.name])
    let right: Expression = number(2) == 0 ? .constant(nil) : other.start
    return Predicate.Comparison(path, number(2) == 0 ? .equal : .notEqual, right)
  }

  /// A comparison of a value of a kind with something that mostly fits.
  private mutating func completed(
    _ left: Expression,
    _ kind: Kind,
    _ scopes: [Scope],
    _ depth: Int
  ) -> Predicate.Comparison {
    var relations: [Predicate.Relation] = [
      .equal, .notEqual, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between,
      .isIn,
    ]
    if kind == .text { relations += [.like, .beginsWith, .endsWith, .contains, .matches, .isIn] }
    if kind == .flag { relations = [.equal, .notEqual] }
    let relation = pick(relations) ?? .equal
    var right = expression(kind, in: scopes, depth: depth)
    switch relation {
    case .between: right = .aggregate([right, expression(kind, in: scopes, depth: depth)])
    case .isIn where kind != .text || number(2) == 0:
      right = .aggregate((0..<number(4)).map { _ in expression(kind, in: scopes, depth: 0) })
    case .matches:
      right = .constant(
        .string(pick([".*", "[A-Z].*", "\\w+ \\w+.*", "(a|e|É)+", "\\p{L}*"]) ?? "")
      )
    case .like where number(2) == 0:
      right = .constant(.string(pick(["*", "?*", "D*d*", "*\\**", "*é*", "t?e *"]) ?? ""))
    case .equal, .notEqual:
      // Values of other kinds are never equal.
      if number(10) == 0 {
        right = expression(pick(Kind.allCases) ?? kind, in: scopes, depth: depth)
      }
    default: break
    }
    var comparison = Predicate.Comparison(left, relation, right)
    comparison.isCaseInsensitive = kind == .text && number(3) == 0
    comparison.isDiacriticInsensitive = kind == .text && number(3) == 0
    return comparison
  }

  /// `ANY` or `ALL` over a path through to-many relationships.
  private mutating func quantified(_ scopes: [Scope], _ depth: Int) -> Predicate? {
    guard let scope = pick(scopes), var many = collection(of: scope.entity),
      let kind = pick(Kind.allCases)
    else { return nil }
    if number(4) == 0, let more = collection(of: many.entity) {
      many.path += more.path
      many.entity = more.entity
    }
    guard let rest = attribute(kind, of: many.entity, hops: 1) else { return nil }
    var comparison = completed(.keyPath(scope.start, many.path + rest), kind, scopes, depth)
    comparison.quantifier = number(2) == 0 ? .any : .all
    return .comparison(comparison)
  }
}
