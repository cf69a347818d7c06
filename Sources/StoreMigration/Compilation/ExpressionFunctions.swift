import ObjectModel
package import StoreAccess

/// The SQL functions that compiled expressions call, each made of the evaluator's own code.
package enum ExpressionFunctions {
  /// `waystone_call(selector, tags, value, …)`: a function or method of values.
  static let call = "waystone_call"
  /// `waystone_method(selector, tags, value, …)`: a method of the first value.
  static let method = "waystone_method"
  /// `waystone_compare(relation, options, left, right)`: a comparison of texts.
  static let compare = "waystone_compare"
  /// `waystone_is_text(text)`: whether the bytes of a text are UTF-8.
  static let isText = "waystone_is_text"
  /// `waystone_fold(options, text)`: a text as folded by `[c]` and `[d]`.
  static let fold = "waystone_fold"
  /// `waystone_is_rounded(text)`: whether a text is read as another number than is written.
  static let isRounded = "waystone_is_rounded"
  /// `waystone_has_empty_parts(text, separator)`: whether a split makes nothing of a part of a text.
  static let hasEmptyParts = "waystone_has_empty_parts"
  /// `waystone_has_parts(text, separator, trims)`: whether a split makes something of a text.
  private static let hasParts = "waystone_has_parts"
  /// `waystone_loses_digits(number)`: whether a column keeps fewer digits than a decimal number has.
  static let losesDigits = "waystone_loses_digits"
  /// `waystone_stored(number)`: a number as a column keeps it, that of a decimal number's digits too.
  static let stored = "waystone_stored"
  /// `waystone_holds(type, number)`: whether a type of numbers holds a number.
  static let holds = "waystone_holds"
  /// `waystone_float(number)`: the nearest float.
  static let float = "waystone_float"

  /// Returns the SQL of whether a split makes something of a text.
  static func hasParts(_ text: String, _ separator: String, trims: Bool) -> String {
    "\(hasParts)(\(text), \(SQL.literal(separator)), \(trims ? 1 : 0))"
  }

  /// Registers the functions on a connection.
  ///
  /// A function that refuses its values makes the statement fail; `takeFunctionError()` then gives
  /// the `EvaluationError`.
  ///
  /// - Throws: ``SQLiteError``.
  package static func register(
    on connection: borrowing SQLiteConnection
  ) throws(SQLiteError) {
    try connection.createFunction(call, argumentCount: -1) { arguments in
      let values = try Self.values(arguments)
      return stored(
        try ExpressionPrimitives.function(try arguments.text(0) ?? "", values)
      )
    }
    try connection.createFunction(method, argumentCount: -1) { arguments in
      let values = try Self.values(arguments)
      let selector = try arguments.text(0) ?? ""
      guard let target = values.first,
        let result = try ExpressionPrimitives.method(
          selector,
          of: target,
          Array(values.dropFirst())
        )
      else { throw EvaluationError.unknownMethod(selector, of: "a value") }
      return stored(result)
    }
    let evaluator = ExpressionEvaluator()
    try connection.createFunction(compare, argumentCount: 4) { arguments in
      guard let relation = Predicate.Relation(rawValue: arguments.int64(0)) else {
        return .integer(0)
      }
      var comparison = Predicate.Comparison(.evaluatedObject, relation, .evaluatedObject)
      comparison.isCaseInsensitive = arguments.int64(1) & 1 != 0
      comparison.isDiacriticInsensitive = arguments.int64(1) & 2 != 0
      let holds = try evaluator.holds(
        try value(arguments.value(2), tag: "s"),
        like: comparison,
        try value(arguments.value(3), tag: "s")
      )
      return .integer(holds ? 1 : 0)
    }
    try connection.createFunction(fold, argumentCount: 2) { arguments in
      guard let text = try arguments.text(1) else { return .null }
      let options = arguments.int64(0)
      return .text(
        ExpressionPrimitives.fold(text, case: options & 1 != 0, marks: options & 2 != 0)
      )
    }
    try connection.createFunction(isText, argumentCount: 1) { arguments in
      if case .text = arguments.value(0) { .integer(1) } else { .integer(0) }
    }
    try connection.createFunction(isRounded, argumentCount: 1) { arguments in
      guard case .text(let text) = arguments.value(0) else { return .integer(0) }
      return .integer(ExpressionPrimitives.isRounded(text) ? 1 : 0)
    }
    try connection.createFunction(hasEmptyParts, argumentCount: 2) { arguments in
      guard case .text(let text) = arguments.value(0), !text.isEmpty else { return .integer(0) }
      var pieces = EntityMapping.Pieces(of: .evaluatedObject, separator: try arguments.text(1))
      let some = pieces.parts(of: text).count
      pieces.trimsBlanks = false
      return .integer(some < pieces.parts(of: text).count ? 1 : 0)
    }
    try connection.createFunction(hasParts, argumentCount: 3) { arguments in
      guard case .text(let text) = arguments.value(0) else { return .integer(0) }
      let pieces = EntityMapping.Pieces(
        of: .evaluatedObject,
        separator: try arguments.text(1),
        trimsBlanks: arguments.int64(2) != 0
      )
      return .integer(pieces.parts(of: text).isEmpty ? 0 : 1)
    }
    try connection.createFunction(losesDigits, argumentCount: 1) { arguments in
      guard case .text(let digits) = arguments.value(0) else { return .integer(0) }
      return .integer(DecimalText.stored(digits)?.isExact == false ? 1 : 0)
    }
    try connection.createFunction(stored, argumentCount: 1) { arguments in
      let value = arguments.value(0)
      guard case .text(let digits) = value, let (number, _) = DecimalText.stored(digits) else {
        return value
      }
      return stored(.scalar(number))
    }
    try connection.createFunction(holds, argumentCount: 2) { arguments in
      guard let type = AttributeType(rawValue: Int32(clamping: arguments.int64(0))) else {
        return .integer(0)
      }
      let value = arguments.value(1)
      return .integer(value == .null || StoredNumber.stored(column: value, as: type) != nil ? 1 : 0)
    }
    try connection.createFunction(float, argumentCount: 1) { arguments in
      arguments.isNull(0) ? .null : .real(Double(Float(arguments.double(0))))
    }
  }

  private static func values(
    _ arguments: borrowing SQLiteArguments
  ) throws -> [ExpressionValue] {
    let tags = Array(try arguments.text(1) ?? "")
    var values: [ExpressionValue] = []
    for index in 2..<max(2, arguments.count) {
      let tag = tags.indices.contains(index - 2) ? tags[index - 2] : "n"
      values.append(try value(arguments.value(index), tag: tag))
    }
    return values
  }

  /// Returns the expression value of a stored one, given the letter of its kind.
  ///
  /// - Throws: ``MigrationError`` for text that is no UTF-8, which no expression can read.
  private static func value(_ stored: SQLiteValue, tag: Character) throws -> ExpressionValue {
    switch (stored, tag) {
    case (.null, _): .nothing
    case (.integer(let number), "b"): .scalar(.boolean(number != 0))
    case (.integer(let number), "d"): .scalar(.date(Double(number)))
    case (.integer(let number), "m"): .scalar(.decimal(String(number)))
    case (.integer(let number), _): .scalar(.integer(number))
    case (.real(let seconds), "d"): .scalar(.date(seconds))
    case (.real(let number), "m"): .scalar(.decimal(DecimalText.plain(number)))
    case (.real(let number), _): .scalar(.real(number))
    // The digits of a decimal number, in which a whole one that overflowed ends too.
    case (.text(let digits), "m"), (.text(let digits), "n"): .scalar(.decimal(digits))
    case (.text(let text), "l"): .scalar(.uri(text))
    case (.text(let text), _): .scalar(.string(text))
    case (.malformedText, _): throw AttributeSlot.malformedText(at: "an expression")
    case (.blob(let bytes), "u"): .scalar(.uuid(bytes))
    case (.blob(let bytes), _): .scalar(.binary(bytes))
    }
  }

  /// Returns a value as SQL has it, a decimal number as the text of its digits; NULL for what no column keeps.
  static func stored(_ value: ExpressionValue) -> SQLiteValue {
    guard case .scalar(let scalar) = value else { return .null }
    return switch scalar {
    case .integer(let number): .integer(number)
    case .real(let number), .date(let number): .real(number)
    case .decimal(let digits): .text(digits)
    case .string(let text), .uri(let text): .text(text)
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .binary(let bytes), .uuid(let bytes): .blob(bytes)
    }
  }
}
