/// A reader of property lists in the text form of NeXTSTEP, in which Xcode writes its projects.
///
/// It knows dictionaries, arrays, strings and data; the form has no numbers, dates or truth values.
struct TextPropertyListReader {
  /// The greatest number of bytes; the largest project of a public app has 6 MB.
  static let greatestSize = 32 << 20
  /// The greatest depth of containers; projects have six.
  static let greatestDepth = 64

  private let bytes: [UInt8]
  private var place = 0
  private var depth = 0

  /// A reader of some bytes.
  ///
  /// - Throws: `PropertyListError`, where they are too many, or another form than text.
  init(_ bytes: [UInt8]) throws(PropertyListError) {
    guard bytes.count <= Self.greatestSize else {
      throw PropertyListError(
        .tooLarge,
        "The text has \(bytes.count >> 20) MiB, more than \(Self.greatestSize >> 20)."
      )
    }
    self.bytes = bytes
    if bytes.starts(with: [0xef, 0xbb, 0xbf]) { place = 3 }
    if bytes.starts(with: "bplist".utf8) || bytes[place...].starts(with: "<?xml".utf8) {
      throw PropertyListError(
        .notAPropertyList,
        "The property list is in its binary or XML form, and not in that of Xcode's projects."
      )
    }
  }

  /// Returns the value of the whole text.
  ///
  /// - Throws: `PropertyListError`, which names the first line that is not understood.
  mutating func root() throws(PropertyListError) -> PropertyList {
    let value = try value()
    try skipSpace()
    guard place == bytes.count else { throw malformed("text stands behind the end of the list") }
    return value
  }

  private mutating func value() throws(PropertyListError) -> PropertyList {
    try skipSpace()
    switch peek {
    case UInt8(ascii: "{")?: return .dictionary(try nested(Self.dictionary))
    case UInt8(ascii: "(")?: return .array(try nested(Self.array))
    case UInt8(ascii: "<")?: return .data(try data())
    default: return .string(try string())
    }
  }

  private mutating func nested<Value>(
    _ read: (inout Self) throws(PropertyListError) -> Value
  ) throws(PropertyListError) -> Value {
    depth += 1
    guard depth <= Self.greatestDepth else {
      throw PropertyListError(
        .tooDeep,
        "Line \(line): containers are nested deeper than \(Self.greatestDepth)."
      )
    }
    place += 1
    let value = try read(&self)
    depth -= 1
    return value
  }

  private static func dictionary(
    _ reader: inout Self
  ) throws(PropertyListError) -> [String: PropertyList] {
    var entries: [String: PropertyList] = [:]
    while try !reader.takes("}") {
      let key = try reader.string()
      guard try reader.takes("=") else { throw reader.malformed("a key without = stands here") }
      // As Apple's reader does, of two values for a key the last one is taken.
      entries[key] = try reader.value()
      guard try reader.takes(";") else { throw reader.malformed("a ; is missing here") }
    }
    return entries
  }

  private static func array(_ reader: inout Self) throws(PropertyListError) -> [PropertyList] {
    var elements: [PropertyList] = []
    while try !reader.takes(")") {
      elements.append(try reader.value())
      if try reader.takes(",") { continue }
      guard try reader.takes(")") else { throw reader.malformed("a comma is missing here") }
      break
    }
    return elements
  }

  private mutating func data() throws(PropertyListError) -> [UInt8] {
    place += 1
    var digits: [UInt8] = []
    while let next = peek, next != UInt8(ascii: ">") {
      place += 1
      if Self.isSpace(next) { continue }
      guard let digit = Character(UnicodeScalar(next)).hexDigitValue else {
        throw malformed("data has a character that is no hexadecimal digit")
      }
      digits.append(UInt8(digit))
    }
    guard peek != nil, digits.count.isMultiple(of: 2) else { throw malformed("data has no end") }
    place += 1
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  // MARK: Strings

  private mutating func string() throws(PropertyListError) -> String {
    try skipSpace()
    guard let first = peek else { throw malformed("the text ends within the list") }
    if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") { return try quoted(first) }
    let start = place
    while let next = peek, Self.isPlain(next) { place += 1 }
    guard place > start else { throw malformed("a character stands here that begins no value") }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func quoted(_ quote: UInt8) throws(PropertyListError) -> String {
    place += 1
    let start = place
    while let next = peek, next != quote, next != UInt8(ascii: "\\") { place += 1 }
    // Most strings have no escape.
    if peek == quote {
      place += 1
      return String(decoding: bytes[start..<(place - 1)], as: UTF8.self)
    }
    var text = Array(bytes[start..<place])
    while let next = peek, next != quote {
      place += 1
      if next == UInt8(ascii: "\\") { text += try escaped() } else { text.append(next) }
    }
    guard peek != nil else {
      place = start
      throw malformed("the string that begins here has no end")
    }
    place += 1
    return String(decoding: text, as: UTF8.self)
  }

  private mutating func escaped() throws(PropertyListError) -> [UInt8] {
    guard let next = peek else { throw malformed("the text ends within a string") }
    place += 1
    switch next {
    case UInt8(ascii: "n"): return [0x0a]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "r"): return [0x0d]
    case UInt8(ascii: "a"): return [0x07]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0c]
    case UInt8(ascii: "v"): return [0x0b]
    case UInt8(ascii: "U"): return scalar(radix: 16, digits: 4)
    case UInt8(ascii: "0")...UInt8(ascii: "7"):
      place -= 1
      return scalar(radix: 8, digits: 3)
    default: return [next]
    }
  }

  private mutating func scalar(radix: Int, digits: Int) -> [UInt8] {
    var value: UInt32 = 0
    for _ in 0..<digits {
      guard let next = peek, let digit = Character(UnicodeScalar(next)).hexDigitValue, digit < radix
      else { break }
      value = value * UInt32(radix) + UInt32(digit)
      place += 1
    }
    return Array(String(UnicodeScalar(value).map(Character.init) ?? "\u{fffd}").utf8)
  }

  // MARK: Characters

  private var peek: UInt8? { place < bytes.count ? bytes[place] : nil }

  /// Takes a character, where it is the next one behind white space.
  private mutating func takes(_ mark: Unicode.Scalar) throws(PropertyListError) -> Bool {
    try skipSpace()
    guard peek == UInt8(ascii: mark) else { return false }
    place += 1
    return true
  }

  private mutating func skipSpace() throws(PropertyListError) {
    while let next = peek {
      if Self.isSpace(next) {
        place += 1
      } else if bytes[place...].starts(with: "//".utf8) {
        while let next = peek, next != 0x0a { place += 1 }
      } else if bytes[place...].starts(with: "/*".utf8) {
        let start = place
        place += 2
        while place < bytes.count, !bytes[place...].starts(with: "*/".utf8) { place += 1 }
        guard place < bytes.count else {
          place = start
          throw malformed("the comment that begins here has no end")
        }
        place += 2
      } else {
        return
      }
    }
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || (0x09...0x0d).contains(byte)
  }

  /// Returns whether a byte may be in a string without quotes.
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "$"),
      UInt8(ascii: "+"), UInt8(ascii: "@"), UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private var line: Int { 1 + bytes.prefix(place).count { $0 == 0x0a } }

  private func malformed(_ what: String) -> PropertyListError {
    PropertyListError(.malformedText, "Line \(line): \(what).")
  }
}
