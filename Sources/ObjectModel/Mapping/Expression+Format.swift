extension Expression {
  /// Creates the expression that a text spells in the syntax of `NSExpression(format:)`.
  ///
  /// `%@` is replaced by the next argument, `%K` by the key path that it spells; text in quotation marks
  /// stays as it is. Assignments are refused. `-x` is read as `0 - x`, and a cast of a
  /// constant that has no literal of its own, such as `CAST(12.5, "NSDate")`, as that constant.
  ///
  /// - Throws: ``FormatError``, also for more than 1,000,000 bytes or 200 levels, and where there are
  ///   more or fewer arguments than places.
  /// - Complexity: O(n) in the length of the text.
  public init(format: String, _ arguments: AttributeValue?...) throws(FormatError) {
    self = try FormatParser.expression(format, arguments)
  }

  /// Returns a call in its plain form: a cast that gives a constant is that constant, and one to a
  /// class is the class.
  package static func libraryCall(_ selector: String, _ arguments: [Expression]) -> Expression {
    guard selector == "castObject:toType:", arguments.count == 2,
      case .constant(.string(let type)) = arguments[1], case .constant(let value?) = arguments[0]
    else { return .call(selector, arguments) }
    switch (type, value) {
    case ("Class", .string(let name)): return .className(name)
    case ("NSDate", .integer(let seconds)): return .constant(.date(Double(seconds)))
    case ("NSDate", .real(let seconds)): return .constant(.date(seconds))
    case ("NSDecimalNumber", .string(let digits)) where Double(digits)?.isFinite == true:
      return .constant(.decimal(digits))
    case ("NSURL", .string(let text)): return .constant(.uri(text))
    case ("NSData", .string(let digits)):
      if let bytes = Hexadecimal.bytes(digits) { return .constant(.binary(bytes)) }
    case ("NSUUID", .string(let digits)):
      let bytes = Hexadecimal.bytes(digits.filter { $0 != "-" })
      if let bytes, bytes.count == 16 { return .constant(.uuid(bytes)) }
    case ("NSNumber", .string(let text)) where ["inf", "-inf", "nan"].contains(text):
      if let number = Double(text) { return .constant(.real(number)) }
    default: break
    }
    return .call(selector, arguments)
  }

  /// Returns a method's result in its plain form: `valueForKeyPath:` with a constant is a key path.
  package static func method(
    of target: Expression,
    selector: String,
    arguments: [Expression]
  ) -> Expression {
    if selector == "valueForKeyPath:", case .constant(.string(let text)) = arguments.first {
      let keys = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      if !keys.contains("") { return .keyPath(target, keys) }
    }
    return .function(target, selector: selector, arguments: arguments)
  }
}

extension Predicate {
  /// Creates the condition that a text spells in the syntax of `NSPredicate(format:)`.
  ///
  /// `%@` is replaced by the next argument, `%K` by the key path that it spells:
  /// `try Predicate(format: "%K == %@", .string("author.name"), .string(name))`. Text in quotation
  /// marks stays as it is. Assignments are refused; `NONE` becomes a negated `ANY`.
  ///
  /// - Throws: ``FormatError``, also for more than 1,000,000 bytes or 200 levels, and where there are
  ///   more or fewer arguments than places.
  /// - Complexity: O(n) in the length of the text.
  public init(format: String, _ arguments: AttributeValue?...) throws(FormatError) {
    try self.init(format: format, arguments: arguments)
  }

  /// Creates the condition that a text with the values of its places spells.
  package init(format: String, arguments: [AttributeValue?]) throws(FormatError) {
    self = try FormatParser.predicate(format, arguments)
  }
}
