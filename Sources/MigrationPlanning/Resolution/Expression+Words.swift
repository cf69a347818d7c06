import ObjectModel

extension Expression {
  /// Returns the expression in words: `title`, `the upper case of title`; without the syntax of
  /// `NSExpression`, which sentences about an app do not use.
  ///
  /// - Parameter inputs: The phrases that replace the variables `$1`, `$2` and so on.
  func words(_ inputs: [String] = []) -> String {
    switch self {
    case .constant(let value): value.map(\.words) ?? "nothing"
    case .evaluatedObject, .variable("source"): "the object"
    case .variable(let name):
      Int(name).flatMap { $0 > 0 && $0 <= inputs.count ? inputs[$0 - 1] : nil } ?? name
    case .keyPath(.variable("source"), let path), .keyPath(.evaluatedObject, let path):
      path.joined(separator: ".")
    case .keyPath(let operand, let path):
      "\(path.joined(separator: ".")) of \(operand.words(inputs))"
    case .function, .call: callWords(inputs)
    case .conditional(let predicate, let first, let second):
      "\(first.words(inputs)) if \(predicate.words(inputs)), otherwise \(second.words(inputs))"
    case .setOperation(let operation, let left, let right):
      "\(left.words(inputs)) \(operation.word) \(right.words(inputs))"
    case .aggregate(let members): members.map { $0.words(inputs) }.joined(separator: ", ")
    case .className, .subquery, .fetch: computedWords(inputs)
    }
  }

  private func callWords(_ inputs: [String]) -> String {
    switch self {
    case .function(
      .variable("manager"),
      Self.destinationInstancesForSourceRelationship,
      let list
    ) where list.count == 2:
      return "the links of \(list[1].words(inputs))"
    case .function(
      .variable("manager"),
      Self.destinationInstancesForEntityMapping,
      let list
    ) where list.count == 2:
      return "what becomes of \(list[1].words(inputs))"
    case .function(let text, "componentsSeparatedByString:", let list) where list.count == 1:
      return "the parts of \(Self.split(text, at: list[0], inputs))"
    case .call(let name, let list) where list.count == 1:
      guard let word = Self.ofOne[name] else { return computedWords(inputs) }
      return "\(word) \(list[0].words(inputs))"
    case .call("objectFrom:withIndex:", let list) where list.count == 2:
      let place: String
      switch list[1] {
      case .call("FIRST", _): place = "the first"
      case .call("LAST", _): place = "the last"
      case .call("SIZE", _): return "the number of \(list[0].words(inputs))"
      case .constant(.integer(let index)?):
        if case .function(let text, "componentsSeparatedByString:", let marks) = list[0],
          marks.count == 1
        {
          return "part \(Self.ordinal(index)) of \(Self.split(text, at: marks[0], inputs))"
        }
        return "member \(Self.ordinal(index)) of \(list[0].words(inputs))"
      default: return computedWords(inputs)
      }
      if case .function(let text, "componentsSeparatedByString:", let marks) = list[0],
        marks.count == 1
      {
        return "\(place) part of \(Self.split(text, at: marks[0], inputs))"
      }
      return "\(place) of \(list[0].words(inputs))"
    case .call("castObject:toType:", let list) where list.count == 2:
      guard case .constant(.string(let type)?) = list[1], let word = Self.types[type] else {
        return computedWords(inputs)
      }
      return "\(list[0].words(inputs)) as \(word)"
    case .call(let name, let list) where list.count == 2:
      guard let sign = LibraryFunction.signs[name] else { return computedWords(inputs) }
      return "\(list[0].words(inputs)) \(sign) \(list[1].words(inputs))"
    case .call("now", _): return "the time of the run"
    default: return computedWords(inputs)
    }
  }

  /// Returns the place that an index names, counted from 1; an index before the first is left as it is.
  private static func ordinal(_ index: Int64) -> String {
    UInt64(exactly: index).map { "\($0 + 1)" } ?? "\(index)"
  }

  /// Returns the words for a text that is split, with its separator.
  private static func split(_ text: Expression, at mark: Expression, _ inputs: [String]) -> String {
    "\(text.words(inputs)), split at \(mark.words(inputs))"
  }

  /// Returns a phrase that names the values from which the expression is computed.
  private func computedWords(_ inputs: [String]) -> String {
    var read: [String] = []
    _ = replacing { part in
      switch part {
      case .keyPath(.variable("source"), _), .variable:
        let words = part.words(inputs)
        if part != .variable("manager"), part != .variable("entityPolicy"), !read.contains(words) {
          read.append(words)
        }
        return part
      default: return nil
      }
    }
    return read.isEmpty
      ? "a computed value" : "a value computed from \(read.joined(separator: ", "))"
  }

  private static let ofOne = [
    "uppercase:": "the upper case of", "lowercase:": "the lower case of",
    "canonical:": "the plain letters of", "length:": "the length of", "count:": "the number of",
    "sum:": "the sum of", "average:": "the average of", "min:": "the least of",
    "max:": "the greatest of",
  ]

  private static let types = [
    "NSString": "text", "NSNumber": "a number", "NSDecimalNumber": "a decimal number",
    "NSDate": "a date", "NSURL": "a URL", "NSData": "bytes", "NSUUID": "a UUID",
  ]
}

extension Predicate {
  /// Returns the condition as a sentence names it.
  func words(_ inputs: [String] = []) -> String {
    switch self {
    case .comparison(let comparison):
      let left = comparison.left.words(inputs)
      switch (comparison.relation, comparison.right, comparison.quantifier) {
      case (.notEqual, .constant(nil), .direct): return "\(left) has a value"
      case (.equal, .constant(nil), .direct): return "\(left) is empty"
      default:
        let quantifier =
          comparison.quantifier == .direct ? "" : comparison.quantifier == .all ? "all " : "any "
        let relation =
          comparison.relation == .contains ? "contains" : comparison.relation.text
        return "\(quantifier)\(left) \(relation) \(comparison.right.words(inputs))"
      }
    case .all(let parts):
      return parts.isEmpty ? "always" : parts.map { $0.words(inputs) }.joined(separator: " and ")
    case .any(let parts):
      return parts.isEmpty ? "never" : parts.map { $0.words(inputs) }.joined(separator: " or ")
    case .not(let part): return "not \(part.words(inputs))"
    }
  }
}

extension Expression.SetOperation {
  fileprivate var word: String {
    switch self {
    case .union: "with"
    case .intersect: "as far as also in"
    case .minus: "without"
    }
  }
}

extension AttributeValue {
  /// A default as a sentence names it: the value, where that is short and has a text.
  var defaultWords: String {
    switch self {
    case .binary: EmptyCollection(self)?.literal ?? "the default"
    case .date, .uuid: "the default"
    default: words.utf8.count > 40 || words.contains("\n") ? "the default" : words
    }
  }

  /// The value in words; for one without text, its kind.
  fileprivate var words: String {
    switch self {
    case .integer, .real, .boolean, .string: Expression.constant(self).description
    case .decimal(let digits): digits
    case .uri(let text): text
    case .date: "a date"
    case .binary: "bytes"
    case .uuid: "a UUID"
    }
  }
}
