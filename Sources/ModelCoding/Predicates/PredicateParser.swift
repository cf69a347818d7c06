import ObjectModel

/// Reads a predicate's format string, as far as its archived form is known.
///
/// The grammar is that of Apple's "Predicate Format String Syntax", without functions, aggregates
/// and subqueries.
struct PredicateParser {
  private static let maximumDepth = 64

  private var tokens: ArraySlice<PredicateLexer.Token>
  private var depth = 0

  /// The condition that the text spells; nil where it has a form that is not known.
  static func predicate(_ text: String) -> ModelPredicate? {
    guard let tokens = PredicateLexer.tokens(of: text) else { return nil }
    var parser = PredicateParser(tokens: tokens[...])
    guard let predicate = parser.disjunction(), parser.tokens.isEmpty else { return nil }
    return predicate
  }

  private mutating func disjunction() -> ModelPredicate? {
    list("OR", "||", { $0.conjunction() }).map { $0.count == 1 ? $0[0] : .any($0) }
  }

  private mutating func conjunction() -> ModelPredicate? {
    list("AND", "&&", { $0.negation() }).map { $0.count == 1 ? $0[0] : .all($0) }
  }

  /// One or more parts, with the word or sign between them.
  private mutating func list(
    _ word: String,
    _ sign: String,
    _ part: (inout Self) -> ModelPredicate?
  ) -> [ModelPredicate]? {
    var parts: [ModelPredicate] = []
    repeat {
      guard let next = part(&self) else { return nil }
      parts.append(next)
    } while take(word) || take(sign: sign)
    return parts
  }

  private mutating func negation() -> ModelPredicate? {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { return nil }
    if take("NOT") || take(sign: "!") { return negation().map { .not($0) } }
    if take(sign: "(") {
      guard let inner = disjunction(), take(sign: ")") else { return nil }
      return inner
    }
    if take("TRUEPREDICATE") { return .all([]) }
    if take("FALSEPREDICATE") { return .any([]) }
    return comparison()
  }

  private mutating func comparison() -> ModelPredicate? {
    var quantifier = ModelPredicate.Quantifier.direct
    if take("ANY") || take("SOME") { quantifier = .any } else if take("ALL") { quantifier = .all }
    guard let left = operand(), let relation = relation() else { return nil }
    var letters = ""
    if take(sign: "[") {
      guard case .word(let text) = tokens.popFirst(), take(sign: "]") else { return nil }
      letters = text
    }
    guard letters.allSatisfy({ $0 == "c" || $0 == "d" }), let right = operand() else { return nil }
    return .comparison(
      .init(
        left: left,
        relation: relation,
        right: right,
        quantifier: quantifier,
        isCaseInsensitive: letters.contains("c"),
        isDiacriticInsensitive: letters.contains("d")
      )
    )
  }

  private mutating func relation() -> ModelPredicate.Relation? {
    switch tokens.popFirst() {
    case .sign("=="), .sign("="): .equal
    case .sign("!="), .sign("<>"): .notEqual
    case .sign("<"): .lessThan
    case .sign("<="), .sign("=<"): .lessThanOrEqual
    case .sign(">"): .greaterThan
    case .sign(">="), .sign("=>"): .greaterThanOrEqual
    case .word(let word):
      switch word.uppercased() {
      case "MATCHES": .matches
      case "IN": .isIn
      case "CONTAINS": .contains
      default: nil
      }
    default: nil
    }
  }

  private mutating func operand() -> ModelPredicate.Operand? {
    switch tokens.popFirst() {
    case .literal(let value): return .constant(value)
    case .variable(let text):
      guard let names = Self.path(text) else { return nil }
      return .variable(names[0], Array(names.dropFirst()))
    case .word(let word):
      switch word.uppercased() {
      case "SELF": return .evaluatedObject
      case "YES", "TRUE": return .constant(.boolean(true))
      case "NO", "FALSE": return .constant(.boolean(false))
      case "NIL", "NULL": return .constant(nil)
      case "CAST": return date()
      default:
        let names = Self.path(word)
        return names?.first == "SELF"
          ? names.map { .keyPath(Array($0.dropFirst())) } : names.map { .keyPath($0) }
      }
    default: return nil
    }
  }

  /// A date, the one constant that is spelled as a call: `CAST(seconds, "NSDate")`.
  private mutating func date() -> ModelPredicate.Operand? {
    guard take(sign: "("), case .literal(let number) = tokens.popFirst(), take(sign: ","),
      tokens.popFirst() == .literal(.string("NSDate")), take(sign: ")")
    else { return nil }
    switch number {
    case .integer(let seconds): return .constant(.date(Double(seconds)))
    case .real(let seconds): return .constant(.date(seconds))
    default: return nil
    }
  }

  private static func path(_ text: String) -> [String]? {
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return names.contains("") ? nil : names
  }

  private mutating func take(_ keyword: String) -> Bool {
    guard case .word(let word) = tokens.first, word.uppercased() == keyword else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func take(sign: String) -> Bool {
    guard tokens.first == .sign(sign) else { return false }
    tokens.removeFirst()
    return true
  }
}
