// Words before a parenthesis: functions, and the words that only look like one.
extension FormatParser {
  mutating func call(_ name: String) throws(FormatError) -> Node {
    let start = token.offset
    advance()
    try expect("(")
    switch name.uppercased() {
    case "SUBQUERY": return try subquery(start)
    case "TERNARY": return try ternary(start)
    case "FETCH": return try fetch(start)
    case "CAST": return try cast(start)
    case "FUNCTION": return try function(start)
    default: return try libraryCall(name, start)
    }
  }

  private mutating func libraryCall(_ name: String, _ start: Int) throws(FormatError) -> Node {
    var (arguments, depth) = try values(until: ")")
    if LibraryFunction.places.contains(name), arguments.isEmpty {
      return try node(.call(name, []), at: start)
    }
    // The colon of a function with one argument may be left out.
    let known = [name, name + ":"].filter { LibraryFunction.selectors.contains($0) }
    guard let last = known.last else {
      throw error(
        "\u{201c}\(name)\u{201d} is no function of NSExpression.",
        "For a method of an object write FUNCTION(object, \"selector:\", argument).",
        at: start
      )
    }
    var selector = known.first { Self.argumentCount(of: $0) == arguments.count } ?? last
    if LibraryFunction.ofCollections.contains(last), arguments.count > 1 {
      arguments = [.aggregate(arguments)]
      selector = last
      depth += 1
    }
    let wanted = Self.argumentCount(of: selector)
    guard wanted == arguments.count else {
      throw error(
        "\u{201c}\(selector)\u{201d} wants \(wanted) argument\(wanted == 1 ? "" : "s"), "
          + "not \(arguments.count).",
        "Give it one for each colon of its name.",
        at: start
      )
    }
    return try node(.libraryCall(selector, arguments), depth, at: start)
  }

  private static func argumentCount(of selector: String) -> Int {
    selector.utf8.count { $0 == UInt8(ascii: ":") }
  }

  /// Reads `FUNCTION(target, "selector:", argument)`, after the parenthesis.
  private mutating func function(_ start: Int) throws(FormatError) -> Node {
    let (target, height) = try value(at: .set)
    try expect(",")
    let place = token.offset
    guard case .text(let selector) = token.kind, !selector.isEmpty else {
      throw error(
        "The second argument of FUNCTION must be the selector in quotation marks.",
        "Write it with its colons, as in FUNCTION($manager, \"name:other:\", a, b)."
      )
    }
    advance()
    var arguments: [Expression] = []
    var depth = height
    if take(",") {
      let rest = try values(until: ")")
      arguments = rest.0
      depth = max(depth, rest.1)
    } else {
      try expect(")")
    }
    let wanted = Self.argumentCount(of: selector)
    guard wanted == arguments.count else {
      throw error(
        "The selector has \(wanted) colon\(wanted == 1 ? "" : "s"), but \(arguments.count) "
          + "argument\(arguments.count == 1 ? " follows" : "s follow").",
        "Give one argument for each colon of the selector.",
        at: place
      )
    }
    return try node(
      .method(of: target, selector: selector, arguments: arguments),
      depth,
      at: start
    )
  }

  private mutating func subquery(_ start: Int) throws(FormatError) -> Node {
    let (collection, height) = try value(at: .set)
    try expect(",")
    guard case .variable(let name) = token.kind else {
      throw error(
        "The second argument of SUBQUERY must be a variable.",
        "Write a name with a dollar, as in SUBQUERY(notes, $n, $n.title == \"x\")."
      )
    }
    advance()
    try expect(",")
    let (predicate, depth) = try condition(at: .or)
    try expect(")")
    return try node(
      .subquery(collection, variable: name, predicate),
      height,
      depth,
      at: start
    )
  }

  private mutating func ternary(_ start: Int) throws(FormatError) -> Node {
    let (predicate, height) = try condition(at: .or)
    try expect(",")
    let (first, depth) = try value(at: .set)
    try expect(",")
    let (second, other) = try value(at: .set)
    try expect(")")
    return try node(.conditional(predicate, first, second), height, depth, other, at: start)
  }

  private mutating func fetch(_ start: Int) throws(FormatError) -> Node {
    let (request, height) = try value(at: .set)
    try expect(",")
    let (context, depth) = try value(at: .set)
    try expect(",")
    let place = token.offset
    let isCount: Bool
    switch try value(at: .set).0 {
    case .constant(.boolean(let flag)): isCount = flag
    case .constant(.integer(0)): isCount = false
    case .constant(.integer(1)): isCount = true
    default:
      throw error("The third argument of FETCH must be YES or NO.", "Write NO.", at: place)
    }
    try expect(")")
    return try node(.fetch(request, context: context, countOnly: isCount), height, depth, at: start)
  }

  private mutating func cast(_ start: Int) throws(FormatError) -> Node {
    let (value, depth) = try value(at: .set)
    try expect(",")
    let (type, _) = try self.value(at: .set)
    try expect(")")
    return try node(.libraryCall("castObject:toType:", [value, type]), depth, at: start)
  }
}
