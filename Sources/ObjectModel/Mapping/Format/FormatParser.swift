/// A parser of the format strings of expressions and predicates.
///
/// The grammar is that of Apple's "Predicate Format String Syntax" (Predicate Programming Guide) and of
/// `NSExpression(format:)`. One function reads both conditions and values, because only the text after a
/// parenthesis decides which of the two it contains.
///
/// - Complexity: O(n) in the length of the text.
struct FormatParser {
  /// The greatest depth; no authored expression is deeper.
  static let maximumDepth = 200

  /// The precedence of operators, from the loosest to the tightest.
  enum Level: Int, Comparable {
    case or, and, not, comparison, set, additive, multiplicative, unary, power

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  /// A part that was read.
  struct Node {
    enum Content {
      case value(Expression)
      case condition(Predicate)
    }

    var content: Content
    /// The height of the tree.
    var depth: Int
    /// The offset of the part.
    var offset: Int
  }

  let bytes: [UInt8]
  let tokens: [FormatToken]
  private(set) var position = 0
  private var nesting = 0

  init(_ text: String, _ arguments: [AttributeValue?]) throws(FormatError) {
    bytes = Array(text.utf8)
    tokens = try FormatLexer.tokens(of: bytes, arguments: arguments)
  }

  static func expression(
    _ text: String,
    _ arguments: [AttributeValue?]
  ) throws(FormatError) -> Expression {
    var parser = try FormatParser(text, arguments)
    let (expression, _) = try parser.value(at: .or)
    try parser.finish()
    return expression
  }

  static func predicate(
    _ text: String,
    _ arguments: [AttributeValue?]
  ) throws(FormatError) -> Predicate {
    var parser = try FormatParser(text, arguments)
    let (predicate, _) = try parser.condition(at: .or)
    try parser.finish()
    return predicate
  }

  func finish() throws(FormatError) {
    guard token.kind == .end else {
      throw error("\(token.name) stands where the text should end.", "Check what precedes it.")
    }
  }

  /// Reads a part whose operators bind at least as tightly as the level.
  mutating func node(at level: Level) throws(FormatError) -> Node {
    nesting += 1
    defer { nesting -= 1 }
    guard nesting <= Self.maximumDepth else { throw tooDeep(token.offset) }
    var left = try prefix(at: level)
    while let next = try continuation(of: left, at: level) { left = next }
    return left
  }

  /// Reads the part with the operator after it and the operand of that; nil where no operator follows.
  private mutating func continuation(
    of left: Node,
    at level: Level
  ) throws(FormatError) -> Node? {
    switch left.content {
    case .condition(let predicate):
      for (word, sign, own) in [("AND", "&&", Level.and), ("OR", "||", .or)]
      where level <= own && (token.keyword == word || token.kind == .sign(sign)) {
        return try list(predicate, of: left, word, sign, own)
      }
      return nil
    case .value(let value):
      if case .sign(let sign) = token.kind, let selector = LibraryFunction.operators[sign],
        let own = Self.levels[sign], level <= own
      {
        advance()
        // Powers group from the right, everything else from the left.
        let next = own == .power ? Level.unary : Level(rawValue: own.rawValue + 1) ?? .power
        let (right, depth) = try self.value(at: next)
        return try node(.call(selector, [value, right]), left.depth, depth, at: left.offset)
      }
      if level <= .set, let operation = token.keyword.flatMap(Expression.SetOperation.init) {
        advance()
        let (right, depth) = try self.value(at: .additive)
        return try node(.setOperation(operation, value, right), left.depth, depth, at: left.offset)
      }
      guard level <= .comparison, let relation = takeRelation() else { return nil }
      return try comparison(value, relation, .direct, left)
    }
  }

  private static let levels: [String: Level] = [
    "+": .additive, "-": .additive, "*": .multiplicative, "/": .multiplicative, "**": .power,
  ]

  /// Reads `a AND b AND c` after its first part.
  private mutating func list(
    _ first: Predicate,
    of left: Node,
    _ word: String,
    _ sign: String,
    _ level: Level
  ) throws(FormatError) -> Node {
    var parts = [first]
    var depth = left.depth
    while takeKeyword(word) || take(sign) {
      let (part, height) = try condition(at: level == .or ? .and : .not)
      parts.append(part)
      depth = max(depth, height)
    }
    return try node(level == .or ? .any(parts) : .all(parts), depth, at: left.offset)
  }

  private mutating func prefix(at level: Level) throws(FormatError) -> Node {
    let start = token.offset
    if level <= .not, takeKeyword("NOT") || take("!") {
      let (part, depth) = try condition(at: .not)
      return try node(.not(part), depth, at: start)
    }
    if level <= .comparison, let quantifier = takeQuantifier() {
      let left = try node(at: .set)
      guard case .value(let value) = left.content, let relation = takeRelation() else {
        throw error(
          "ANY, SOME, ALL and NONE want a comparison.",
          "Write it behind, as in ANY notes.title == \"x\"."
        )
      }
      let node = try comparison(value, relation, quantifier.quantifier, left)
      guard quantifier.isNegated, case .condition(let predicate) = node.content else { return node }
      return try self.node(.not(predicate), node.depth, at: start)
    }
    guard take("-") else { return try path(from: primary()) }
    // The sign of a number is a part of it; before anything else it is a subtraction from nothing.
    if let number = takeNumber(isNegative: true) { return try path(from: number) }
    let (value, depth) = try value(at: .power)
    return try node(.call("from:subtract:", [.constant(.integer(0)), value]), depth, at: start)
  }

  private mutating func comparison(
    _ value: Expression,
    _ relation: Predicate.Relation,
    _ quantifier: Predicate.Quantifier,
    _ left: Node
  ) throws(FormatError) -> Node {
    var comparison = Predicate.Comparison(value, relation, .evaluatedObject, quantifier: quantifier)
    if take("[") { try readOptions(into: &comparison) }
    let start = token.offset
    let (right, depth) = try self.value(at: .set)
    if relation == .between, case .aggregate(let bounds) = right, bounds.count != 2 {
      throw error("BETWEEN wants two bounds.", "Write them as {least, greatest}.", at: start)
    }
    comparison.right = right
    return try node(.comparison(comparison), left.depth, depth, at: left.offset)
  }

  /// Reads the letters of `[cd]`; `n` means no folding, so it cancels the others.
  private mutating func readOptions(into comparison: inout Predicate.Comparison) throws(FormatError)
  {
    let start = token.offset
    guard case .word(let text, _) = token.kind, text.allSatisfy({ "cdn".contains($0) }) else {
      throw error(
        "The options of a comparison are letters among c, d and n.",
        "Write [c] to ignore case, [d] to ignore accents, or [cd].",
        at: start
      )
    }
    advance()
    try expect("]")
    comparison.isCaseInsensitive = text.contains("c") && !text.contains("n")
    comparison.isDiacriticInsensitive = text.contains("d") && !text.contains("n")
  }
}

// Tokens, and the results that are made of parts.
extension FormatParser {
  var token: FormatToken { tokens[position] }

  /// The token after the next one.
  var following: FormatToken { tokens[min(position + 1, tokens.count - 1)] }

  /// Goes to the next token; the end is never passed.
  mutating func advance() { position = min(position + 1, tokens.count - 1) }

  mutating func take(_ sign: String) -> Bool {
    guard token.kind == .sign(sign) else { return false }
    advance()
    return true
  }

  mutating func takeKeyword(_ keyword: String) -> Bool {
    guard token.keyword == keyword else { return false }
    advance()
    return true
  }

  mutating func expect(_ sign: String) throws(FormatError) {
    guard take(sign) else {
      throw error(
        "\u{201c}\(sign)\u{201d} is missing before \(token.name).",
        "Check the parentheses and commas."
      )
    }
  }

  private mutating func takeRelation() -> Predicate.Relation? {
    let relation: Predicate.Relation? =
      switch token.kind {
      case .sign("=="), .sign("="): .equal
      case .sign("!="), .sign("<>"): .notEqual
      case .sign("<"): .lessThan
      case .sign("<="), .sign("=<"): .lessThanOrEqual
      case .sign(">"): .greaterThan
      case .sign(">="), .sign("=>"): .greaterThanOrEqual
      default: token.keyword.flatMap { Self.relations[$0] }
      }
    if relation != nil { advance() }
    return relation
  }

  private static let relations: [String: Predicate.Relation] = Dictionary(
    uniqueKeysWithValues: Predicate.Relation.allCases.filter { $0.text.first?.isLetter == true }
      .map { ($0.text, $0) }
  )

  private mutating func takeQuantifier() -> (quantifier: Predicate.Quantifier, isNegated: Bool)? {
    if takeKeyword("ANY") || takeKeyword("SOME") { return (.any, false) }
    if takeKeyword("ALL") { return (.all, false) }
    return takeKeyword("NONE") ? (.any, true) : nil
  }

  /// Reads a value and the height of its tree.
  mutating func value(at level: Level) throws(FormatError) -> (Expression, Int) {
    let node = try node(at: level)
    guard case .value(let value) = node.content else {
      throw error(
        "A condition stands where a value is wanted.",
        "To make a value of it, write TERNARY(condition, YES, NO).",
        at: node.offset
      )
    }
    return (value, node.depth)
  }

  /// Reads a condition and the height of its tree.
  mutating func condition(at level: Level) throws(FormatError) -> (Predicate, Int) {
    let node = try node(at: level)
    guard case .condition(let predicate) = node.content else {
      if token.kind == .sign(":=") {
        throw error("Assignments are not supported.", "Compare with == instead.")
      }
      if case .word = token.kind, token.keyword != "AND", token.keyword != "OR" {
        throw error(
          "\(token.name) is no comparison.",
          "Write one such as ==, IN, CONTAINS, LIKE or MATCHES."
        )
      }
      throw error(
        "A value stands where a condition is wanted.",
        "Compare it with something, as in \u{201c}x == YES\u{201d}.",
        at: node.offset
      )
    }
    return (predicate, node.depth)
  }

  func node(
    _ value: Expression,
    _ depths: Int...,
    at offset: Int
  ) throws(FormatError) -> Node {
    try node(.value(value), depths.max() ?? 0, at: offset)
  }

  func node(
    _ predicate: Predicate,
    _ depths: Int...,
    at offset: Int
  ) throws(FormatError) -> Node {
    try node(.condition(predicate), depths.max() ?? 0, at: offset)
  }

  private func node(
    _ content: Node.Content,
    _ depth: Int,
    at offset: Int
  ) throws(FormatError) -> Node {
    guard depth < Self.maximumDepth else { throw tooDeep(offset) }
    return Node(content: content, depth: depth + 1, offset: offset)
  }

  private func tooDeep(_ offset: Int) -> FormatError {
    error(
      "The expression is nested more than \(Self.maximumDepth) levels deep.",
      "Split it into several, or compute it in a policy.",
      at: offset
    )
  }

  func error(_ message: String, _ recovery: String, at offset: Int? = nil) -> FormatError {
    FormatError(bytes, offset: offset ?? token.offset, message, recovery: recovery)
  }
}
