import MigrationTestSupport
import ObjectModel

/// Expressions and predicates over a model's entities, mostly of kinds that fit together.
struct RandomQuery {
  enum Kind: CaseIterable {
    case number, text, date, flag
  }

  /// The beginnings of paths.
  struct Scope {
    var start: Expression
    var entity: String
  }

  let model: ManagedObjectModel
  var random: SeededGenerator
  private var names = 0

  init(model: ManagedObjectModel, seed: UInt64) {
    self.model = model
    random = SeededGenerator(seed: seed)
  }

  mutating func number(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &random) }

  mutating func pick<Element>(_ list: [Element]) -> Element? { list.randomElement(using: &random) }

  private func kind(_ type: AttributeType) -> Kind? {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float: .number
    case .string: .text
    case .date: .date
    case .boolean: .flag
    default: nil
    }
  }

  /// A path to an attribute of a kind over to-one relationships.
  mutating func attribute(_ kind: Kind, of entity: String, hops: Int = 2) -> [String]? {
    let properties = model.properties(of: entity).map(\.property)
    let toOne = properties.compactMap(\.relationship).filter { !$0.isToMany }
    if hops > 0, number(3) == 0, let next = pick(toOne),
      let rest = attribute(kind, of: next.destinationEntityName, hops: hops - 1)
    {
      return [next.name] + rest
    }
    let attributes = properties.compactMap(\.attribute).filter {
      self.kind($0.attributeType) == kind
    }
    return pick(attributes).map { [$0.name] }
  }

  /// A path to a to-many relationship, over to-one ones, and where it leads.
  mutating func collection(of entity: String) -> (path: [String], entity: String)? {
    var entity = entity
    var path: [String] = []
    for _ in 0..<3 {
      let all = model.properties(of: entity).compactMap(\.property.relationship)
      guard let next = pick(all) else { return nil }
      path.append(next.name)
      entity = next.destinationEntityName
      if next.isToMany { return (path, entity) }
    }
    return nil
  }

  mutating func constant(_ kind: Kind) -> AttributeValue? {
    if number(12) == 0 { return nil }
    switch kind {
    case .number:
      if number(2) == 0 { return .integer(pick([0, 1, -1, 7, 100, .max, .min, 32_767]) ?? 0) }
      return .real(pick([0, 0.5, -1.25, 1e300, 1.0 / 3, 0.1, 3, .leastNonzeroMagnitude]) ?? 0)
    case .text:
      let texts = [
        "", "a", "Dear friend", "the garden", "strasse", "e\u{301}", "É", "İ", "A*", "x\u{0}y", "👩‍👩‍👧‍👦",
        "it's", "%_\\",
      ]
      return .string(pick(texts) ?? "")
    case .date: return .date(pick([0, -0.25, 7e8, 63_113_904_000]) ?? 0)
    case .flag: return .boolean(number(2) == 0)
    }
  }

  mutating func expression(_ kind: Kind, in scopes: [Scope], depth: Int) -> Expression {
    guard let scope = pick(scopes) else { return .constant(nil) }
    if depth == 0 || number(4) == 0 {
      if number(4) > 0, let path = attribute(kind, of: scope.entity) {
        return .keyPath(scope.start, path)
      }
      return .constant(constant(kind))
    }
    let below = depth - 1
    if number(8) == 0 {
      return .conditional(
        predicate(in: scopes, depth: below),
        expression(kind, in: scopes, depth: below),
        expression(kind, in: scopes, depth: below)
      )
    }
    if number(6) == 0, let value = aggregate(kind, of: scope, scopes, depth: below) { return value }
    switch kind {
    case .number: return numeric(scopes, below)
    case .text: return textual(scopes, below)
    case .date: return dated(scopes, below)
    case .flag:
      let selector =
        pick(["hasPrefix:", "hasSuffix:", "containsString:", "isEqualToString:"]) ?? ""
      return .function(
        expression(.text, in: scopes, depth: below),
        selector: selector,
        arguments: [expression(.text, in: scopes, depth: below)]
      )
    }
  }

  private mutating func aggregate(
    _ kind: Kind,
    of scope: Scope,
    _ scopes: [Scope],
    depth: Int
  ) -> Expression? {
    guard let many = collection(of: scope.entity) else { return nil }
    var base = Expression.keyPath(scope.start, many.path)
    if number(3) == 0 {
      names += 1
      let inner = scopes + [Scope(start: .variable("v\(names)"), entity: many.entity)]
      base = .subquery(base, variable: "v\(names)", predicate(in: inner, depth: depth))
    }
    if kind == .number, number(2) == 0 { return .keyPath(base, ["@count"]) }
    let operators = kind == .number ? ["@sum", "@avg", "@min", "@max"] : ["@min", "@max"]
    guard let path = attribute(kind, of: many.entity, hops: 1), let name = pick(operators) else {
      return nil
    }
    if case .keyPath(let start, let keys) = base { return .keyPath(start, keys + [name] + path) }
    return .keyPath(base, [name] + path)
  }

  private mutating func numeric(_ scopes: [Scope], _ depth: Int) -> Expression {
    switch number(6) {
    case 0, 1, 2:
      let selectors = [
        "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:",
      ]
      return .call(
        pick(selectors) ?? "",
        [
          expression(.number, in: scopes, depth: depth),
          expression(.number, in: scopes, depth: depth),
        ]
      )
    case 3:
      let selectors = ["abs:", "ceiling:", "floor:", "trunc:", "sqrt:", "exp:", "ln:", "log:"]
      return .call(pick(selectors) ?? "", [expression(.number, in: scopes, depth: depth)])
    case 4:
      let selectors = ["length", "integerValue", "doubleValue", "intValue", "floatValue"]
      return .function(
        expression(.text, in: scopes, depth: depth),
        selector: pick(selectors) ?? "",
        arguments: []
      )
    default:
      let from: Kind = number(2) == 0 ? .text : .date
      return Expression.libraryCall(
        "castObject:toType:",
        [expression(from, in: scopes, depth: depth), .constant(.string("NSNumber"))]
      )
    }
  }

  private mutating func textual(_ scopes: [Scope], _ depth: Int) -> Expression {
    let text = expression(.text, in: scopes, depth: depth)
    switch number(6) {
    case 0: return .call(pick(["uppercase:", "lowercase:", "canonical:"]) ?? "", [text])
    case 1:
      return .function(
        text,
        selector: "stringByAppendingString:",
        arguments: [expression(.text, in: scopes, depth: depth)]
      )
    case 2:
      let number = expression(.number, in: scopes, depth: depth)
      return .call("castObject:toType:", [number, .constant(.string("NSString"))])
    case 3:
      return .function(
        text,
        selector: "stringByReplacingOccurrencesOfString:withString:",
        arguments: [.constant(constant(.text)), expression(.text, in: scopes, depth: depth)]
      )
    case 4:
      return .function(
        text,
        selector: pick(["substringToIndex:", "substringFromIndex:"]) ?? "",
        arguments: [.constant(.integer(Int64(number(6))))]
      )
    default: return .function(text, selector: "capitalizedString", arguments: [])
    }
  }

  private mutating func dated(_ scopes: [Scope], _ depth: Int) -> Expression {
    let number = expression(.number, in: scopes, depth: depth)
    if self.number(2) == 0 { return .call("now", []) }
    if self.number(2) == 0 {
      return .call("castObject:toType:", [number, .constant(.string("NSDate"))])
    }
    return .function(
      expression(.date, in: scopes, depth: depth),
      selector: "dateByAddingTimeInterval:",
      arguments: [number]
    )
  }
}
