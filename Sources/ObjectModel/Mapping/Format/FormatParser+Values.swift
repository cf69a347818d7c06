// Literals, names, parentheses, and paths that begin at them.
extension FormatParser {
  /// Reads the value without a dot or brackets after it.
  mutating func primary() throws(FormatError) -> Node {
    let start = token.offset
    if let number = takeNumber(isNegative: false) { return number }
    switch token.kind {
    case .text(let text):
      advance()
      return try node(.constant(.string(text)), at: start)
    case .argument(let value):
      advance()
      return try node(.constant(value), at: start)
    case .variable(let name):
      advance()
      return try node(.variable(name), at: start)
    case .sign("("):
      advance()
      let inner = try node(at: .or)
      try expect(")")
      return inner
    case .sign("{"):
      advance()
      let (members, depth) = try values(until: "}")
      return try node(.aggregate(members), depth, at: start)
    case .selector(let name): return try call(name)
    case .word(let word, let isEscaped):
      if !isEscaped, following.kind == .sign("("), !Self.operatorWords.contains(word.uppercased()) {
        return try call(word)
      }
      return try name(word, isEscaped: isEscaped)
    default:
      throw error("\(token.name) stands where a value is wanted.", "Check what precedes it.")
    }
  }

  /// The words that may precede a parenthesis without being a function.
  private static let operatorWords = FormatName.reserved.subtracting([
    "SUBQUERY", "FETCH", "CAST", "FIRST", "LAST", "SIZE",
  ])

  private mutating func name(_ word: String, isEscaped: Bool) throws(FormatError) -> Node {
    let start = token.offset
    switch isEscaped ? "" : word.uppercased() {
    case "SELF": return try constant(.evaluatedObject)
    case "YES", "TRUE": return try constant(.constant(.boolean(true)))
    case "NO", "FALSE": return try constant(.constant(.boolean(false)))
    case "NIL", "NULL": return try constant(.constant(nil))
    case "TRUEPREDICATE":
      advance()
      return try node(.all([]), at: start)
    case "FALSEPREDICATE":
      advance()
      return try node(.any([]), at: start)
    case "AND", "OR", "IN", "NOT", "ALL", "ANY", "SOME", "NONE", "LIKE", "MATCHES", "CONTAINS",
      "BEGINSWITH", "ENDSWITH", "BETWEEN":
      throw error(
        "The keyword \(token.name) stands where a value is wanted.",
        "Write #\(word) if a key has this name."
      )
    default:
      advance()
      let keys = try [word] + path()
      return try node(.keyPath(.evaluatedObject, keys), at: start)
    }
  }

  private mutating func constant(_ expression: Expression) throws(FormatError) -> Node {
    let start = token.offset
    advance()
    return try node(expression, at: start)
  }

  mutating func takeNumber(isNegative: Bool) -> Node? {
    let value: AttributeValue
    switch token.kind {
    case .real(let number): value = .real(isNegative ? -number : number)
    case .integer(let magnitude):
      let whole = isNegative ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude)
      let real = isNegative ? -Double(magnitude) : Double(magnitude)
      value = whole.map { .integer($0) } ?? .real(real)
    default: return nil
    }
    let offset = token.offset
    advance()
    return Node(content: .value(.constant(value)), depth: 1, offset: offset)
  }

  /// Reads the value together with the keys and places that follow it.
  mutating func path(from node: Node) throws(FormatError) -> Node {
    var node = node
    while true {
      guard case .value(let value) = node.content else { return node }
      if token.kind == .sign(".") {
        let keys = try path()
        // `SELF.a` is the path `a`.
        node = try self.node(.keyPath(value, keys), node.depth, at: node.offset)
      } else if take("[") {
        let (place, depth) = try place()
        try expect("]")
        node = try self.node(
          .call("objectFrom:withIndex:", [value, place]),
          node.depth,
          depth,
          at: node.offset
        )
      } else {
        return node
      }
    }
  }

  /// Reads the keys that follow, each behind a dot.
  private mutating func path() throws(FormatError) -> [String] {
    var keys: [String] = []
    while take(".") {
      guard case .word(let key, _) = token.kind else {
        throw error("\(token.name) stands where a key is wanted.", "Write a key after the dot.")
      }
      advance()
      keys.append(key)
    }
    return keys
  }

  private mutating func place() throws(FormatError) -> (Expression, Int) {
    if let word = token.keyword, LibraryFunction.places.contains(word),
      following.kind == .sign("]")
    {
      advance()
      return (.call(word, []), 1)
    }
    return try value(at: .set)
  }

  /// Reads values between commas, up to a closing sign; there may be none.
  mutating func values(until sign: String) throws(FormatError) -> ([Expression], Int) {
    var members: [Expression] = []
    var depth = 0
    if take(sign) { return ([], 0) }
    repeat {
      let (member, height) = try value(at: .set)
      members.append(member)
      depth = max(depth, height)
    } while take(",")
    try expect(sign)
    return (members, depth)
  }
}
