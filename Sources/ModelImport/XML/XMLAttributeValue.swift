import ObjectModel
import XMLParsing

/// A reader of the values that models write as text, by the type of their attribute.
struct XMLAttributeValue {
  let type: AttributeType

  /// Returns a value of the type, or nil where the text is none.
  func value(_ text: String) -> AttributeValue? {
    switch type {
    case .integer16: integer(text, within: Int64(Int16.min)...Int64(Int16.max))
    case .integer32: integer(text, within: Int64(Int32.min)...Int64(Int32.max))
    case .integer64: integer(text, within: Int64.min...Int64.max)
    case .decimal: Self.isPlainDecimal(text) ? .decimal(text) : nil
    case .double, .float: Double(text).flatMap { $0.isFinite ? .real($0) : nil }
    case .string: .string(text)
    case .boolean: XMLModelReader.boolean(text).map { .boolean($0) }
    case .uuid: UUIDText.bytes(text).map { .uuid($0) }
    case .uri: text.isEmpty ? nil : .uri(text)
    case .undefined, .date, .binary, .transformable, .objectID, .composite: nil
    }
  }

  /// Returns a bound of the type: for text a length in characters.
  func bound(_ text: String) -> AttributeValue? {
    type == .string ? integer(text, within: 0...Int64.max) : value(text)
  }

  /// Returns the value that Xcode's compiler reads from an invalid text: its start, else 0 or NO.
  ///
  /// Measured on stores of a public app, whose cached models have 0 where the XML has `NO` for an
  /// integer; `integerValue` and `boolValue` of `NSString` are documented so.
  func compiled(_ text: String) -> AttributeValue? {
    let start = text.drop { $0 == " " }
    switch type {
    case .integer16, .integer32, .integer64:
      let sign = start.prefix { $0 == "-" || $0 == "+" }.prefix(1)
      let digits = start.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber }
      return digits.isEmpty ? .integer(0) : value(String(sign + digits))
    case .boolean:
      let first = start.drop { $0 == "+" || $0 == "-" || $0 == "0" }.first
      return .boolean(first.map { "YyTt123456789".contains($0) } ?? false)
    default: return nil
    }
  }

  private func integer(_ text: String, within range: ClosedRange<Int64>) -> AttributeValue? {
    // Xcode keeps the text from before a change of the type, so `0.0` is a common integer.
    let value = Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
    return value.flatMap { range.contains($0) ? .integer($0) : nil }
  }

  /// Returns whether the text is digits with at most one point among them, after at most one sign.
  private static func isPlainDecimal(_ text: String) -> Bool {
    let unsigned = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = unsigned.split(separator: ".", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count)
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
      }
  }
}
