extension LibraryFunction {
  /// Returns the result of one of the functions, `now` excepted.
  ///
  /// - Throws: ``EvaluationError``, also for functions whose result is not the same each time.
  static func call(
    _ selector: String,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue {
    let first = arguments.first ?? .nothing
    let second = arguments.count > 1 ? arguments[1] : .nothing
    switch selector {
    case "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:",
      "raise:toPower:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:",
      "leftshift:by:", "rightshift:by:":
      return try Arithmetic.call(selector, first, second)
    case "abs:", "ceiling:", "floor:", "trunc:", "sqrt:", "exp:", "log:", "ln:", "onesComplement:":
      return try Arithmetic.call(selector, first)
    case _ where ofCollections.contains(selector):
      return try CollectionFunction.call(selector, first)
    case "uppercase:", "lowercase:", "canonical:", "length:": return try text(selector, first)
    case "noindex:": return first
    case "distinct:":
      if case .nothing = first { return .nothing }
      guard let members = first.members else { throw EvaluationError.wrongKind(selector, first) }
      return .list(ValueKey.distinct(members))
    case "castObject:toType:": return try ValueCast.cast(first, to: second)
    case "objectFrom:withIndex:": return try member(of: first, at: second)
    case "random", "random:", "randomn:":
      throw EvaluationError.unsupported(selector, "its result is not the same each time")
    case _ where places.contains(selector):
      // The word itself, which only an index looks at.
      return .scalar(.string(selector))
    default:
      throw EvaluationError.unsupported(selector, "what it gives is known to Apple's systems only")
    }
  }

  private static func text(_ selector: String, _ value: ExpressionValue) throws -> ExpressionValue {
    switch value {
    case .nothing: return .nothing
    case .scalar(.string(let text)):
      switch selector {
      case "uppercase:": return .scalar(.string(text.uppercased()))
      case "lowercase:": return .scalar(.string(text.lowercased()))
      case "length:": return .scalar(.integer(Int64(text.utf16.count)))
      default:
        let folding = TextFolding(ignoresCase: true, ignoresMarks: true)
        return .scalar(.string(folding.fold(text)))
      }
    default: throw EvaluationError.wrongKind(selector, value)
    }
  }

  /// Returns the value of `list[place]`; the first and last of nothing are nil.
  private static func member(
    of value: ExpressionValue,
    at place: ExpressionValue
  ) throws -> ExpressionValue {
    switch (value, place) {
    case (.nothing, _): return .nothing
    case (.list(let members), .scalar(.string("FIRST"))): return members.first ?? .nothing
    case (.list(let members), .scalar(.string("LAST"))): return members.last ?? .nothing
    case (.list(let members), .scalar(.string("SIZE"))),
      (.set(let members), .scalar(.string("SIZE"))):
      return .scalar(.integer(Int64(members.count)))
    case (.list(let members), .scalar(.integer(let index))):
      guard index >= 0, index < members.count else { throw EvaluationError.outOfBounds("An index") }
      return members[Int(index)]
    case (.object(let object), .scalar(.string(let key))): return try object.value(forKey: key)
    case (.list, _): throw EvaluationError.wrongKind("An index", place)
    default: throw EvaluationError.wrongKind("An index", value)
    }
  }
}
