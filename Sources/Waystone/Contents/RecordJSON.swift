internal import Foundation
internal import ObjectModel
internal import StoreAccess
package import StoreMigration

/// A writer of records as JSON: one object in one line for each.
///
///     {"entity":"Note","objectID":12,"created":"2024-05-01T12:30:00Z","folder":3,"tags":[4,7],"title":"…"}
///
/// Whole numbers have all their digits, dates are ISO 8601, decimal numbers strings of their digits, UUIDs and
/// URIs strings, bytes base64. Values that have no form of their own are objects with one key: `$file`,
/// `$data`, `$real` and `$stored`. A key of a dictionary that begins with `$` has a second one.
package struct RecordJSON {
  /// The bytes that were not taken yet.
  package private(set) var bytes: [UInt8] = []

  /// Receives bytes within a value that is large, so that no more of it is held.
  package var drain: (([UInt8]) -> Void)?

  /// A writer without text.
  package init() {}

  /// Takes the text.
  package mutating func take() -> String {
    defer { bytes.removeAll(keepingCapacity: true) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Lets go of the text, and keeps its memory.
  mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Returns a name with its quotation marks and the colon.
  package static func key(_ name: String) -> [UInt8] {
    var json = RecordJSON()
    json.write(text: name)
    json.append(":")
    return json.bytes
  }

  /// Writes a value.
  package mutating func write(_ value: RecordValue) {
    switch value {
    case .nothing: append("null")
    case .scalar(let scalar): write(scalar: scalar)
    case .composite(let elements):
      append("{")
      for (place, element) in elements.enumerated() {
        if place > 0 { append(",") }
        write(text: element.name)
        append(":")
        write(element.value)
      }
      append("}")
    case .propertyList(let list): write(list: list)
    case .encoded(let data): wrap("$data") { $0.write(base64: data) }
    case .file(let name): wrap("$file") { $0.write(text: name) }
    case .object(let key): DigitText.append(key, to: &bytes)
    case .objects(let keys): write(keys)
    case .list(let values):
      append("[")
      for (place, value) in values.enumerated() {
        if place > 0 { append(",") }
        write(value)
      }
      append("]")
    case .unreadable(let stored): wrap("$stored") { $0.write(scalar: stored) }
    }
  }

  /// Writes a value of the row at hand.
  ///
  /// - Returns: Whether it has such a form; text that is no UTF-8 has none, and nothing is written.
  package mutating func write(_ value: RowValue) -> Bool {
    switch value {
    case .nothing: append("null")
    case .boolean(let flag): append(flag ? "true" : "false")
    case .integer(let number), .object(let number): DigitText.append(number, to: &bytes)
    case .real(let number): write(real: number)
    case .decimal(let number):
      bytes.append(0x22)
      DigitText.append(plain: number, to: &bytes)
      bytes.append(0x22)
    case .wholeDecimal(let number):
      bytes.append(0x22)
      DigitText.append(number, to: &bytes)
      bytes.append(0x22)
    case .date(let seconds): write(date: seconds)
    case .string(let text), .uri(let text):
      guard UTF8Check.holds(text) else { return false }
      text.withMemoryRebound(to: UInt8.self) { write(characters: $0) }
    case .uuid(let identifier):
      bytes.append(0x22)
      append(uuid: identifier)
      bytes.append(0x22)
    case .binary(let data): write(base64: data)
    case .objects(let keys): write(keys)
    }
    return true
  }

  private mutating func write(_ keys: [Int64]) {
    bytes.append(0x5b)
    for (place, key) in keys.enumerated() {
      if place > 0 { bytes.append(0x2c) }
      DigitText.append(key, to: &bytes)
    }
    bytes.append(0x5d)
  }

  private mutating func write(real number: Double) {
    // JSON has no infinity.
    if number.isFinite {
      DigitText.append(number, to: &bytes)
    } else {
      write(text: Self.text(number))
    }
  }

  private mutating func write(date seconds: Double) {
    let start = bytes.count
    bytes.append(0x22)
    if CivilTime.append(secondsSince2001: seconds, to: &bytes) {
      bytes.append(0x22)
    } else {
      bytes.removeSubrange(start...)
      write(real: seconds)
    }
  }

  private mutating func write(scalar value: AttributeValue) {
    switch value {
    case .boolean(let flag): append(flag ? "true" : "false")
    case .integer(let number): DigitText.append(number, to: &bytes)
    case .real(let number): write(real: number)
    case .decimal(let digits): write(text: digits)
    case .string(let text), .uri(let text): write(text: text)
    case .date(let seconds): write(date: seconds)
    case .uuid(let identifier):
      bytes.append(0x22)
      identifier.withUnsafeBytes { append(uuid: $0) }
      bytes.append(0x22)
    case .binary(let data): write(base64: data)
    }
  }

  private mutating func write(list: PropertyListValue) {
    switch list {
    case .string(let text): write(text: text)
    case .integer(let number): write(scalar: .integer(number))
    case .real(let number) where !number.isFinite:
      wrap("$real") { $0.write(text: Self.text(number)) }
    case .real(let number): write(scalar: .real(number))
    case .boolean(let flag): write(scalar: .boolean(flag))
    case .date(let seconds): write(scalar: .date(seconds))
    case .data(let data): wrap("$data") { $0.write(base64: data) }
    case .array(let elements):
      append("[")
      for (place, element) in elements.enumerated() {
        if place > 0 { append(",") }
        write(list: element)
      }
      append("]")
    case .dictionary(let entries):
      append("{")
      let sorted = entries.sorted { ByteOrder.precedes($0.key, $1.key) }
      for (place, entry) in sorted.enumerated() {
        if place > 0 { append(",") }
        write(text: entry.key.hasPrefix("$") ? "$" + entry.key : entry.key)
        append(":")
        write(list: entry.value)
      }
      append("}")
    }
  }

  private mutating func wrap(_ name: String, _ body: (inout RecordJSON) -> Void) {
    append("{\"\(name)\":")
    body(&self)
    append("}")
  }

  /// Returns a number that has no digits in words.
  static func text(_ number: Double) -> String {
    number.isFinite ? "\(number)" : number.isNaN ? "NaN" : number < 0 ? "-Infinity" : "Infinity"
  }

  /// Returns a UUID as Foundation spells it.
  static func uuid(_ bytes: [UInt8]) -> String {
    var json = RecordJSON()
    bytes.withUnsafeBytes { json.append(uuid: $0) }
    return json.take()
  }

  private mutating func append(uuid identifier: UnsafeRawBufferPointer) {
    let isWhole = identifier.count == 16
    for (place, byte) in identifier.enumerated() {
      if isWhole, place == 4 || place == 6 || place == 8 || place == 10 { bytes.append(0x2d) }
      let (high, low) = (byte >> 4, byte & 15)
      bytes.append(high < 10 ? 0x30 + high : 0x37 + high)
      bytes.append(low < 10 ? 0x30 + low : 0x37 + low)
    }
  }

  mutating func append(_ number: Int64) { DigitText.append(number, to: &bytes) }

  /// Writes text as it is.
  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  private mutating func write(base64 data: [UInt8]) {
    data.withUnsafeBytes { write(base64: $0) }
  }

  private mutating func write(base64 data: UnsafeRawBufferPointer) {
    bytes.append(0x22)
    // Pieces of whole groups of three bytes.
    for start in stride(from: 0, to: data.count, by: 98_304) {
      append(
        base64: UnsafeRawBufferPointer(rebasing: data[start..<min(start + 98_304, data.count)])
      )
      if let drain, bytes.count > 1 << 20 {
        drain(bytes)
        removeAll()
      }
    }
    bytes.append(0x22)
  }

  /// Writes bytes in base64, of which the last group may be short.
  private mutating func append(base64 data: UnsafeRawBufferPointer) {
    // One place for all of them, since each single append asks whether there is room.
    var place = bytes.count
    bytes.append(contentsOf: repeatElement(0x3d, count: (data.count + 2) / 3 * 4))
    let digits = Self.base64Digits
    bytes.withUnsafeMutableBufferPointer { text in
      var next = 0
      while next + 2 < data.count {
        let (first, second, third) = (data[next], data[next + 1], data[next + 2])
        text[place] = digits[Int(first >> 2)]
        text[place + 1] = digits[Int((first & 3) << 4 | second >> 4)]
        text[place + 2] = digits[Int((second & 15) << 2 | third >> 6)]
        text[place + 3] = digits[Int(third & 63)]
        next += 3
        place += 4
      }
      guard next < data.count else { return }
      let second = next + 1 < data.count ? data[next + 1] : 0
      text[place] = digits[Int(data[next] >> 2)]
      text[place + 1] = digits[Int((data[next] & 3) << 4 | second >> 4)]
      if next + 1 < data.count { text[place + 2] = digits[Int((second & 15) << 2)] }
    }
  }

  private static let base64Digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  /// Writes text between quotation marks, with what is a control character or ends lines escaped.
  package mutating func write(text: String) {
    var text = text
    text.withUTF8 { write(characters: $0) }
  }

  private mutating func write(characters buffer: UnsafeBufferPointer<UInt8>) {
    bytes.append(0x22)
    var start = 0
    var place = 0
    while true {
      place = Self.plainEnd(buffer, place)
      guard place < buffer.count else { break }
      let (code, length) = Self.special(buffer, place)
      guard let code else {
        place += length
        continue
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start..<place]))
      place += length
      start = place
      switch code {
      case 0x22: append("\\\"")
      case 0x5c: append("\\\\")
      case 0x0a: append("\\n")
      case 0x0d: append("\\r")
      case 0x09: append("\\t")
      default:
        let digits = String(code, radix: 16)
        append("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      }
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: buffer[start...]))
    bytes.append(0x22)
  }

  /// Returns the place of the next byte that may begin a character that is escaped.
  private static func plainEnd(_ buffer: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
    var place = start
    let words = UnsafeRawBufferPointer(buffer)
    // Eight bytes at a time: nearly all of them begin none.
    while place + 8 <= words.count {
      let word = words.loadUnaligned(fromByteOffset: place, as: UInt64.self)
      // Each term has the highest bit of the first byte that is one of these.
      let found =
        (word &- ones &* 0x20) & ~word | zeros(word ^ ones &* 0x22) | zeros(word ^ ones &* 0x5c)
        | zeros(word ^ ones &* 0x7f) | zeros((word | ones &* 0x20) ^ ones &* 0xe2)
      guard found & highBits == 0 else { break }
      place += 8
    }
    while place < buffer.count {
      let byte = buffer[place]
      guard
        byte >= 0x20 && byte != 0x22 && byte != 0x5c && byte != 0x7f && byte != 0xc2
          && byte != 0xe2
      else { break }
      place += 1
    }
    return place
  }

  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highBits: UInt64 = 0x8080_8080_8080_8080

  /// Returns a word with the highest bit of each byte that is zero, and perhaps of bytes behind such a one.
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word }

  /// Returns the code of a character that is escaped, nil for another, and its length in bytes.
  private static func special(
    _ buffer: UnsafeBufferPointer<UInt8>,
    _ place: Int
  ) -> (code: UInt32?, length: Int) {
    let byte = buffer[place]
    if byte < 0x80 { return (UInt32(byte), 1) }
    if byte == 0xc2, place + 1 < buffer.count {
      let code = UInt32(buffer[place + 1])
      return (code < 0xa0 ? code : nil, 2)
    }
    if byte == 0xe2, place + 2 < buffer.count {
      let isSeparator = buffer[place + 1] == 0x80 && (0xa8...0xa9).contains(buffer[place + 2])
      return (isSeparator ? 0x2000 + UInt32(buffer[place + 2]) - 0x80 : nil, 3)
    }
    return (nil, 1)
  }
}
