import ObjectModel
import XMLParsing

/// A reader of the values of one attribute in a store of the XML kind.
struct XMLStoreValue {
  /// The reason why a text is no value of the attribute, as a clause.
  struct Fault: Error { let words: String }

  let attribute: AttributeDescription

  /// The names of types that files were seen with: those of each other type are assumed.
  private static let measured: [String: AttributeType] = [
    "int16": .integer16, "int32": .integer32, "int64": .integer64, "float": .float,
    "double": .double, "decimal": .decimal, "string": .string, "bool": .boolean, "date": .date,
    "binary": .binary,
  ]

  /// Returns the value as a column has it.
  ///
  /// - Parameter note: Receives what is changed.
  func stored(
    _ value: XMLStoreObject.Value,
    note: (XMLStoreNote.Kind) -> Void
  ) throws(Fault) -> SQLiteValue {
    try check(type: value.type)
    let number = value.text.utf8.drop { $0 <= 0x20 }
    let trimmed = Substring(number).trimmedEnd
    switch attribute.attributeType {
    case .integer16: return .integer(Int64(try whole(trimmed, as: Int16.self)))
    case .integer32: return .integer(Int64(try whole(trimmed, as: Int32.self)))
    case .integer64: return .integer(try whole(trimmed, as: Int64.self))
    case .boolean:
      guard trimmed == "1" || trimmed == "0" else { throw Fault(words: "is neither 1 nor 0") }
      return .integer(trimmed == "1" ? 1 : 0)
    case .double, .date: return real(try double(trimmed), note)
    case .float:
      let number = try double(trimmed)
      guard !number.isFinite || Float(number).isFinite else {
        throw Fault(words: "is beyond its type, Float")
      }
      return real(Double(Float(number)), note)
    case .decimal: return try decimal(trimmed, note)
    case .string:
      if EscapedText.isDoubtful(value.text) { note(.doubtfulEscape) }
      return .text(EscapedText.unescaped(value.text))
    case .uri:
      let text = EscapedText.unescaped(value.text)
      guard !text.isEmpty else { throw Fault(words: "is no URI") }
      return .text(text)
    case .uuid:
      let bytes = UUIDText.bytes(trimmed) ?? Base64.bytes(trimmed)
      guard let bytes, bytes.count == 16 else { throw Fault(words: "is no UUID") }
      return .blob(bytes)
    case .binary, .transformable:
      guard let bytes = Base64.bytes(value.text) else { throw Fault(words: "is no base64") }
      return .blob(attribute.allowsExternalBinaryDataStorage ? [1] + bytes : bytes)
    case .undefined, .objectID, .composite:
      throw Fault(words: "is of a type whose form in stores of the XML kind is not known")
    }
  }

  /// Throws if the file names another type than the model does.
  private func check(type: String) throws(Fault) {
    let own = attribute.attributeType
    guard let named = Self.measured[type.lowercased()], named != own else { return }
    // Types that no file was seen with may be written as one of the others.
    switch (own, named) {
    case (.transformable, .binary), (.uuid, .binary), (.uuid, .string), (.uri, .string): return
    default:
      throw Fault(words: "is of type \(type), and the model's is \(own.nameInXcode)")
    }
  }

  private func whole<Number: FixedWidthInteger>(
    _ text: Substring,
    as _: Number.Type
  ) throws(Fault) -> Number {
    if let number = Number(text) { return number }
    let digits = text.hasPrefix("-") ? text.dropFirst() : text
    guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw Fault(words: "is no whole number")
    }
    throw Fault(words: "is beyond its type, \(attribute.attributeType.nameInXcode)")
  }

  private func double(_ text: Substring) throws(Fault) -> Double {
    // Swift's own reader knows hexadecimal numbers, which no framework writes.
    let isPlain = text.utf8.allSatisfy { $0 | 0x20 != UInt8(ascii: "x") && $0 != UInt8(ascii: "(") }
    guard isPlain, let number = Double(text) else { throw Fault(words: "is no number") }
    if number.isInfinite, text.utf8.contains(where: { (0x30...0x39).contains($0) }) {
      throw Fault(words: "is beyond its type, \(attribute.attributeType.nameInXcode)")
    }
    return number
  }

  private func real(_ number: Double, _ note: (XMLStoreNote.Kind) -> Void) -> SQLiteValue {
    guard number.isNaN else { return .real(number) }
    note(.notANumber)
    return .null
  }

  private func decimal(
    _ text: Substring,
    _ note: (XMLStoreNote.Kind) -> Void
  ) throws(Fault) -> SQLiteValue {
    if text.lowercased() == "nan" { return .text(DecimalText.notANumber) }
    let isPlain = text.utf8.allSatisfy {
      (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0)
    }
    guard isPlain, let (value, isExact) = DecimalText.stored(String(text)) else {
      throw Fault(words: "is no decimal number")
    }
    if !isExact { note(.rounded) }
    switch value {
    case .integer(let number): return .integer(number)
    case .real(let number) where number.isFinite: return .real(number)
    default: throw Fault(words: "is beyond its type, Decimal")
    }
  }
}

extension Substring {
  /// The text without space at its end.
  fileprivate var trimmedEnd: Substring {
    var text = self
    while let last = text.utf8.last, last <= 0x20 { text = Substring(text.utf8.dropLast()) }
    return text
  }
}
