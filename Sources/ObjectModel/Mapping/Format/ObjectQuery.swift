/// A question for the objects of an entity, as one text.
///
///     Note where title CONTAINS[cd] "x" sort by created desc, title limit 20 offset 40
///     Note select title, folder.name
///     count Note where isPinned == YES
///
/// The condition is in the format of `NSPredicate(format:)` and is read by the same parser, which also finds
/// its end: `limit` is a key where a value is wanted, and a clause behind a condition. A name that is no
/// word is put into quotation marks. A key that is a reserved word begins with `#`, as in predicates.
package struct ObjectQuery: Hashable, Sendable {
  /// A name in the text, and its place.
  package struct Name: Hashable, Sendable {
    /// The name.
    package var text: String
    /// The place in the text, in UTF-8 bytes.
    package var offset: Int
  }

  /// A key path in the text.
  package struct Path: Hashable, Sendable {
    /// The keys, at least one.
    package var keys: [Name]

    /// The path with dots between its keys.
    package var text: String { keys.map(\.text).joined(separator: ".") }
    /// The path as an expression on the object.
    package var expression: Expression { .keyPath(.evaluatedObject, keys.map(\.text)) }
  }

  /// A path by whose values the objects are ordered.
  package struct SortKey: Hashable, Sendable {
    /// The path.
    package var path: Path
    /// Whether smaller values come first.
    package var isAscending: Bool
  }

  /// The whole text.
  package private(set) var text: String
  /// Whether only the number of the objects is wanted.
  package private(set) var isCount = false
  /// The name of the entity.
  package private(set) var entity: Name
  /// The condition; nil for all objects.
  package private(set) var predicate: Predicate?
  /// The place of the condition.
  package private(set) var predicateOffset = 0
  /// The order; the keys' where it is empty.
  package private(set) var sortKeys: [SortKey] = []
  /// The wanted values; all properties of the entity where it is empty.
  package private(set) var selection: [Path] = []
  /// The greatest number of objects; nil for all.
  package private(set) var limit: Int?
  /// The number of objects that are left out at the beginning.
  package private(set) var offset = 0

  /// Reads a question.
  ///
  /// - Throws: ``FormatError``, which names the place.
  /// - Complexity: O(n) in the length of the text.
  package init(_ text: String) throws(FormatError) {
    var parser = try FormatParser(text, [])
    self.text = text
    if parser.token.keyword == "COUNT", let next = parser.next, next.isName,
      next.keyword.flatMap(Clause.init) == nil
    {
      parser.advance()
      isCount = true
    }
    entity = try parser.name("the name of an entity")
    var seen: Set<Clause> = []
    while parser.token.kind != .end {
      guard let clause = parser.token.keyword.flatMap(Clause.init) else {
        throw parser.error(
          "\(parser.token.name) begins no clause.",
          "Go on with where, sort by, limit, offset or select."
        )
      }
      guard seen.insert(clause).inserted else {
        throw parser.error("\(parser.token.name) is there twice.", "Leave one out.")
      }
      parser.advance()
      try read(clause, &parser)
    }
    if isCount, !selection.isEmpty || !sortKeys.isEmpty {
      throw parser.error(
        "A count has no order and no values.",
        "Leave sort and select out, or count.",
        at: 0
      )
    }
  }

  private enum Clause: String {
    case `where` = "WHERE", sort = "SORT", limit = "LIMIT"
    case offset = "OFFSET", select = "SELECT"
  }

  private mutating func read(_ clause: Clause, _ parser: inout FormatParser) throws(FormatError) {
    switch clause {
    case .where:
      predicateOffset = parser.token.offset
      predicate = try parser.condition(at: .or).0
    case .sort:
      _ = parser.takeKeyword("BY")
      repeat {
        let path = try parser.path()
        let falls = parser.takeKeyword("DESC") || parser.takeKeyword("DESCENDING")
        if !falls { _ = parser.takeKeyword("ASC") || parser.takeKeyword("ASCENDING") }
        sortKeys.append(SortKey(path: path, isAscending: !falls))
      } while parser.take(",")
    case .select:
      repeat {
        let path = try parser.path()
        guard !selection.contains(where: { $0.text == path.text }) else {
          throw parser.error(
            "\(path.text) is there twice.",
            "Leave one out.",
            at: path.keys[0].offset
          )
        }
        selection.append(path)
      } while parser.take(",")
    case .limit: limit = try parser.count()
    case .offset: offset = try parser.count()
    }
  }

  /// Takes the order away, which a count does not need.
  package mutating func dropOrder() { sortKeys = [] }

  /// Gives texts of the condition that are compared with dates and UUIDs the types of these.
  ///
  /// `NSPredicate` gets such values as arguments, which a text has not got.
  ///
  /// - Parameters:
  ///   - type: Returns the type of the attribute that an expression leads to.
  ///   - leadsToObjects: Returns whether an expression leads to objects.
  /// - Throws: ``FormatError`` for a text that is neither, and where the two sides of a comparison are never
  ///   equal, as a number and a text.
  package mutating func convertTexts(
    leadsToObjects: (Expression) -> Bool,
    _ type: (Expression) -> AttributeType?
  ) throws(FormatError) {
    var mistake: FormatError?
    predicate?.forEachComparison { comparison in
      mistake = mistake ?? self.mistake(in: comparison, leadsToObjects, type)
    }
    if let mistake { throw mistake }
    predicate = try predicate.map { predicate throws(FormatError) in try converted(predicate, type)
    }
  }

  /// Returns an error where the two sides are of kinds that are never equal, as a number and a text: the
  /// condition would hold for no object, or for all.
  private func mistake(
    in comparison: Predicate.Comparison,
    _ leadsToObjects: (Expression) -> Bool,
    _ type: (Expression) -> AttributeType?
  ) -> FormatError? {
    let relations: Set<Predicate.Relation> = [
      .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .equal, .notEqual, .isIn,
      .between,
    ]
    guard relations.contains(comparison.relation) else { return nil }
    for (path, other) in [
      (comparison.left, comparison.right), (comparison.right, comparison.left),
    ] {
      let members = if case .aggregate(let members) = other { members } else { [other] }
      let values = members.compactMap { member in
        if case .constant(let value?) = member { value } else { nil }
      }
      guard !values.isEmpty else { continue }
      if leadsToObjects(path) {
        return error(
          at: predicateOffset,
          "The condition compares objects with a value.",
          "Go on to an attribute of theirs, as in `folder.name`."
        )
      }
      guard let type = type(path) else { continue }
      for value in values {
        switch value {
        case .string(let text) where type.isNumeric:
          return error(
            at: offset { $0 == .text(text) },
            "A text is compared with a \(type == .boolean ? "Boolean" : "number").",
            type == .boolean
              ? "Write YES or NO, without quotation marks."
              : "Write the number without quotation marks."
          )
        case .integer, .real, .decimal, .boolean:
          guard [.string, .uuid, .uri].contains(type) else { continue }
          return error(
            at: predicateOffset,
            "The condition compares a number with a text.",
            "Put it into quotation marks."
          )
        default: continue
        }
      }
    }
    return nil
  }

  private func converted(
    _ predicate: Predicate,
    _ type: (Expression) -> AttributeType?
  ) throws(FormatError) -> Predicate {
    switch predicate {
    case .comparison(var comparison):
      if let type = type(comparison.left) {
        comparison.right = try converted(comparison.right, to: type)
      } else if let type = type(comparison.right) {
        comparison.left = try converted(comparison.left, to: type)
      }
      return .comparison(comparison)
    case .all(let parts):
      return .all(try parts.map { part throws(FormatError) in try converted(part, type) })
    case .any(let parts):
      return .any(try parts.map { part throws(FormatError) in try converted(part, type) })
    case .not(let part): return .not(try converted(part, type))
    }
  }

  private func converted(
    _ expression: Expression,
    to type: AttributeType
  ) throws(FormatError) -> Expression {
    switch expression {
    case .aggregate(let members):
      return .aggregate(
        try members.map { member throws(FormatError) in try converted(member, to: type) }
      )
    case .constant(.string(let text)?):
      if type == .date {
        guard let seconds = CivilTime.secondsSince2001(iso8601: text) else {
          throw error(
            at: offset { $0 == .text(text) },
            "A text that is no date is compared with a date.",
            "Write it as \"2024-05-01\" or \"2024-05-01T12:30:00Z\"."
          )
        }
        return .constant(.date(seconds))
      }
      guard type == .uuid else { return expression }
      guard let bytes = Hexadecimal.bytes(text.replacing("-", with: "")), bytes.count == 16 else {
        throw error(
          at: offset { $0 == .text(text) },
          "A text that is no UUID is compared with a UUID.",
          "Write all its 32 digits."
        )
      }
      return .constant(.uuid(bytes))
    default: return expression
    }
  }

  /// Returns an error at a place of the text.
  package func error(at offset: Int, _ message: String, _ recovery: String) -> FormatError {
    FormatError(Array(text.utf8), offset: offset, message, recovery: recovery)
  }

  /// Returns the place of a key in the condition; that of the condition where it is not found.
  package func offset(ofKey key: String) -> Int {
    offset {
      if case .word(let word, _) = $0 { word == key } else { false }
    }
  }

  private func offset(where isWanted: (FormatToken.Kind) -> Bool) -> Int {
    let tokens = (try? FormatLexer.tokens(of: Array(text.utf8))) ?? []
    return tokens.first { $0.offset >= predicateOffset && isWanted($0.kind) }?.offset
      ?? predicateOffset
  }
}

extension FormatToken {
  /// Whether it can be a name in a question: a word, or text in quotation marks.
  fileprivate var isName: Bool {
    switch kind {
    case .word, .text: true
    default: false
    }
  }
}

extension FormatParser {
  /// The token after the one at hand.
  fileprivate var next: FormatToken? {
    tokens.indices.contains(position + 1) ? tokens[position + 1] : nil
  }

  /// Reads a name: a word, or any text in quotation marks.
  fileprivate mutating func name(_ what: String) throws(FormatError) -> ObjectQuery.Name {
    let found: String
    switch token.kind {
    case .word(let word, _): found = word
    case .text(let text) where !text.isEmpty: found = text
    default:
      throw error(
        "\(token.name) stands where \(what) is wanted.",
        "Write it as the model does; in quotation marks where it is no word."
      )
    }
    defer { advance() }
    return ObjectQuery.Name(text: found, offset: token.offset)
  }

  /// Reads a key path.
  fileprivate mutating func path() throws(FormatError) -> ObjectQuery.Path {
    var keys = [try name("a key")]
    while take(".") { keys.append(try name("a key")) }
    return ObjectQuery.Path(keys: keys)
  }

  /// Reads a whole number that is not negative.
  fileprivate mutating func count() throws(FormatError) -> Int {
    guard case .integer(let number) = token.kind else {
      throw error("\(token.name) is no whole number.", "Write a number, as in limit 20.")
    }
    advance()
    return Int(clamping: number)
  }
}
