// The methods of text.
extension ValueMethod {
  static func string(
    _ selector: String,
    _ text: String,
    _ arguments: [ExpressionValue]
  ) throws -> ExpressionValue? {
    if let value = plain(selector, text) { return value }
    switch selector {
    case "substringToIndex:": return try slice(text, 0, index(arguments, selector), selector)
    case "substringFromIndex:":
      return try slice(text, index(arguments, selector), text.utf16.count, selector)
    case "stringByAppendingString:":
      return .scalar(.string(text + (try argument(arguments, 0, selector))))
    case "componentsSeparatedByString:":
      return .list(
        parts(of: text, try argument(arguments, 0, selector)).map { .scalar(.string($0)) }
      )
    case "stringByReplacingOccurrencesOfString:withString:":
      let parts = parts(of: text, try argument(arguments, 0, selector))
      let other = try argument(arguments, 1, selector)
      let length = parts.reduce((parts.count - 1) * other.utf8.count) { $0 + $1.utf8.count }
      guard length <= greatestLength else { throw EvaluationError.tooLong(selector) }
      return .scalar(.string(parts.joined(separator: other)))
    case "hasPrefix:":
      let other = try argument(arguments, 0, selector)
      return .scalar(.boolean(text.utf8.starts(with: other.utf8)))
    case "hasSuffix:":
      let other = try argument(arguments, 0, selector)
      let isEnd = text.utf8.reversed().starts(with: other.utf8.reversed())
      return .scalar(.boolean(isEnd))
    case "containsString:":
      return .scalar(.boolean(text.hasPart(try argument(arguments, 0, selector))))
    case "compare:": return try compare(.scalar(.string(text)), arguments)
    default: return nil
    }
  }

  /// Returns the result of a method without arguments; nil where it is none of these.
  private static func plain(_ selector: String, _ text: String) -> ExpressionValue? {
    switch selector {
    case "length": .scalar(.integer(Int64(text.utf16.count)))
    case "uppercaseString", "localizedUppercaseString": .scalar(.string(text.uppercased()))
    case "lowercaseString", "localizedLowercaseString": .scalar(.string(text.lowercased()))
    case "capitalizedString": .scalar(.string(capitalized(text)))
    case "description", "stringValue": .scalar(.string(text))
    case "integerValue", "longLongValue": .scalar(.integer(ValueCast.integer(text)))
    case "intValue":
      .scalar(.integer(Int64(Int32(clamping: ValueCast.integer(text)))))
    case "doubleValue": .real(ValueCast.double(text))
    case "floatValue": .real(Double(Float(ValueCast.double(text))))
    case "boolValue": .scalar(.boolean(isTrue(text)))
    // Foundation has no method without a character set that trims; this name is Waystone's.
    case "stringByTrimmingWhitespace": .scalar(.string(ValueCast.trimmed(text)))
    default: nil
    }
  }

  /// Returns a text with each word's first letter in upper case, the rest in lower; white space ends a word.
  private static func capitalized(_ text: String) -> String {
    var result = ""
    var isFirst = true
    for character in text {
      result += isFirst ? character.uppercased() : character.lowercased()
      isFirst = character.isWhitespace
    }
    return result
  }

  /// Returns whether the text is yes: after blanks, a sign and zeros comes one of `YyTt1`…`9`.
  private static func isTrue(_ text: String) -> Bool {
    var rest = text.drop(while: \.isWhitespace).utf8[...]
    if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      rest.removeFirst()
    }
    guard let first = rest.drop(while: { $0 == UInt8(ascii: "0") }).first else { return false }
    switch first {
    case UInt8(ascii: "1")...UInt8(ascii: "9"): return true
    default: return first | 0x20 == UInt8(ascii: "y") || first | 0x20 == UInt8(ascii: "t")
    }
  }

  /// Returns the parts of a text between occurrences of another; an empty one separates nothing.
  private static func parts(of text: String, _ separator: String) -> [String] {
    guard !separator.isEmpty else { return [text] }
    var parts: [String] = []
    var rest = text[...]
    while let range = rest.range(ofPart: separator) {
      parts.append(String(rest[..<range.lowerBound]))
      rest = rest[range.upperBound...]
    }
    return parts + [String(rest)]
  }

  /// The most bytes of a text that a method makes of one that is shorter.
  private static var greatestLength: Int { 1 << 28 }

  private static func slice(
    _ text: String,
    _ start: Int,
    _ end: Int,
    _ selector: String
  ) throws -> ExpressionValue {
    let units = Array(text.utf16)
    guard start >= 0, start <= end, end <= units.count else {
      throw EvaluationError.outOfBounds(selector)
    }
    return .scalar(.string(String(decoding: units[start..<end], as: UTF16.self)))
  }

  private static func index(_ arguments: [ExpressionValue], _ selector: String) throws -> Int {
    guard case .scalar(.integer(let number)) = arguments.first, let index = Int(exactly: number)
    else { throw EvaluationError.wrongKind(selector, arguments.first ?? .nothing) }
    return index
  }

  static func argument(
    _ arguments: [ExpressionValue],
    _ index: Int,
    _ selector: String
  ) throws -> String {
    guard arguments.count > index, case .scalar(.string(let text)) = arguments[index] else {
      let value = arguments.count > index ? arguments[index] : .nothing
      throw EvaluationError.wrongKind(selector, value)
    }
    return text
  }
}
