import ObjectModel

/// The SQL of a partial index's predicate, for the forms whose SQL is known.
///
/// Known are comparisons of one stored property with an integer, a Boolean or nil, joined by AND or
/// by OR. Core Data parenthesises what is joined. Measured on stores of public apps.
struct PartialIndexCondition {
  typealias Column = (name: String, type: AttributeType?)

  private var tokens: ArraySlice<String>
  private let column: (String) -> Column?

  /// Returns the SQL, or nil where it is not known.
  ///
  /// - Parameters:
  ///   - predicate: The format string, such as `timestamp != nil`.
  ///   - column: The column of a property, where it is stored.
  static func sql(_ predicate: String, column: (String) -> Column?) -> String? {
    guard let tokens = tokens(of: predicate) else { return nil }
    return withoutActuallyEscaping(column) { column in
      var parser = PartialIndexCondition(tokens: tokens[...], column: column)
      guard let sql = parser.disjunction(depth: 0), parser.tokens.isEmpty else { return nil }
      return sql
    }
  }

  /// Returns the words, numbers and operators of a text; nil where it contains anything else.
  private static func tokens(of text: String) -> [String]? {
    var tokens: [String] = []
    var rest = text[...]
    while let first = rest.first {
      if first.isWhitespace {
        rest.removeFirst()
        continue
      }
      let isWord = { (character: Character) in
        character.isLetter || character.isNumber || character == "_"
      }
      let length: Int
      if isWord(first) || first == "-" || first == "#" {
        length = 1 + rest.dropFirst().prefix(while: isWord).count
      } else if let symbol = ["==", "!=", "<>", "<=", ">=", "&&", "||", "(", ")", "=", "<", ">"]
        .first(where: { rest.hasPrefix($0) })
      {
        length = symbol.count
      } else {
        return nil
      }
      tokens.append(String(rest.prefix(length)))
      rest = rest.dropFirst(length)
    }
    return tokens
  }

  private mutating func accept(_ words: String...) -> Bool {
    guard let next = tokens.first, words.contains(next.uppercased()) else { return false }
    tokens.removeFirst()
    return true
  }

  private mutating func disjunction(depth: Int) -> String? {
    // Deeper nesting is no known form.
    guard depth < 8, let first = conjunction(depth: depth) else { return nil }
    var parts = [first]
    while accept("OR", "||") {
      guard let next = conjunction(depth: depth) else { return nil }
      parts.append(next)
    }
    return parts.count == 1 ? first : "(\(parts.joined(separator: " OR ")))"
  }

  private mutating func conjunction(depth: Int) -> String? {
    guard let first = comparison(depth: depth) else { return nil }
    var parts = [first]
    while accept("AND", "&&") {
      guard let next = comparison(depth: depth) else { return nil }
      parts.append(next)
    }
    return parts.count == 1 ? first : "(\(parts.joined(separator: " AND ")))"
  }

  private mutating func comparison(depth: Int) -> String? {
    if accept("(") {
      guard let inner = disjunction(depth: depth + 1), accept(")") else { return nil }
      return inner
    }
    guard let name = tokens.popFirst(), let symbol = tokens.popFirst(),
      let value = tokens.popFirst(),
      let column = column(name.hasPrefix("#") ? String(name.dropFirst()) : name)
    else { return nil }
    let operators = [
      "=": "=", "==": "=", "!=": "<>", "<>": "<>", "<": "<", ">": ">", "<=": "<=", ">=": ">=",
    ]
    guard let sign = operators[symbol] else { return nil }
    let sqlName = SchemaName.sql(column.name)
    switch value.uppercased() {
    case "NIL", "NULL", "NONE":
      if sign == "=" { return "\(sqlName) IS NULL" }
      return sign == "<>" ? "\(sqlName) IS NOT NULL" : nil
    case "YES", "TRUE": return column.type == .boolean ? "\(sqlName) \(sign) 1" : nil
    case "NO", "FALSE": return column.type == .boolean ? "\(sqlName) \(sign) 0" : nil
    default:
      switch column.type {
      case .integer16, .integer32, .integer64, .boolean:
        return Int64(value).map { "\(sqlName) \(sign) \($0)" }
      default: return nil
      }
    }
  }
}
