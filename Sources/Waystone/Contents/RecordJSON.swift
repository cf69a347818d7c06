internal import Foundation
internal import ObjectModel
package import StoreMigration

/// A writer of records as JSON: one object in one line for each.
///
///     {"entity":"Note","objectID":12,"created":"2024-05-01T12:30:00Z","folder":3,"tags":[4,7],"title":"…"}
///
/// Whole numbers have all their digits, dates are ISO 8601, decimal numbers strings of their digits, UUIDs and
/// URIs strings, bytes base64. Values that have no form of their own are objects with one key: `$file`,
/// `$data` and `$stored`.
package struct RecordJSON {
  /// The bytes that were not taken yet.
  package private(set) var bytes: [UInt8] = []

  /// Takes text within a value that is large, so that no more of it is held.
  package var drain: ((String) -> Void)?

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
    case .object(let key): append(String(key))
    case .objects(let keys):
      append("[")
      for (place, key) in keys.enumerated() {
        if place > 0 { bytes.append(0x2c) }
        append(String(key))
      }
      append("]")
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

  private mutating func write(scalar value: AttributeValue) {
    switch value {
    case .boolean(let flag): append(flag ? "true" : "false")
    case .integer(let number): append(String(number))
    case .real(let number):
      // JSON has no infinity.
      if number.isFinite { append(number.description) } else { write(text: Self.text(number)) }
    case .decimal(let digits): write(text: digits)
    case .string(let text), .uri(let text): write(text: text)
    case .date(let seconds):
      guard let text = CivilTime.iso8601(secondsSince2001: seconds) else {
        return write(scalar: .real(seconds))
      }
      quote(text)
    case .uuid(let identifier):
      bytes.append(0x22)
      append(uuid: identifier)
      bytes.append(0x22)
    case .binary(let data): write(base64: data)
    }
  }

  private mutating func write(list: PropertyListValue) {
    switch list {
    case .string(let text): write(text: text)
    case .integer(let number): write(scalar: .integer(number))
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
        write(text: entry.key)
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
    number.isFinite ? "\(number)" : number < 0 ? "-Infinity" : "Infinity"
  }

  /// Returns a UUID as Foundation spells it.
  static func uuid(_ bytes: [UInt8]) -> String {
    var json = RecordJSON()
    json.append(uuid: bytes)
    return json.take()
  }

  private mutating func append(uuid identifier: [UInt8]) {
    let isWhole = identifier.count == 16
    for (place, byte) in identifier.enumerated() {
      if isWhole, place == 4 || place == 6 || place == 8 || place == 10 { bytes.append(0x2d) }
      let (high, low) = (byte >> 4, byte & 15)
      bytes.append(high < 10 ? 0x30 + high : 0x37 + high)
      bytes.append(low < 10 ? 0x30 + low : 0x37 + low)
    }
  }

  /// Writes text in which nothing is to be escaped.
  private mutating func quote(_ text: String) {
    bytes.append(0x22)
    bytes += text.utf8
    bytes.append(0x22)
  }

  /// Writes text as it is.
  package mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func append(_ more: [UInt8]) { bytes.append(contentsOf: more) }

  private mutating func write(base64 data: [UInt8]) {
    bytes.append(0x22)
    // Pieces of whole groups of three bytes.
    for start in stride(from: 0, to: data.count, by: 98_304) {
      append(base64: data[start..<min(start + 98_304, data.count)])
      if let drain, bytes.count > 1 << 20 { drain(take()) }
    }
    bytes.append(0x22)
  }

  /// Writes bytes in base64, of which the last group may be short.
  private mutating func append(base64 data: ArraySlice<UInt8>) {
    // One place for all of them, since each single append asks whether there is room.
    var place = bytes.count
    bytes.append(contentsOf: repeatElement(0x3d, count: (data.count + 2) / 3 * 4))
    let digits = Self.base64Digits
    bytes.withUnsafeMutableBufferPointer { text in
      data.withUnsafeBufferPointer { data in
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
  }

  private static let base64Digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )

  /// Writes text between quotation marks, with what is a control character or ends lines escaped.
  package mutating func write(text: String) {
    var text = text
    bytes.append(0x22)
    text.withUTF8 { buffer in
      var start = 0
      var place = 0
      while place < buffer.count {
        let byte = buffer[place]
        // Nearly all bytes are none of these.
        let isPlain =
          byte >= 0x20 && byte != 0x22 && byte != 0x5c && byte != 0x7f && byte != 0xc2
          && byte != 0xe2
        if isPlain {
          place += 1
          continue
        }
        let (code, length) = Self.special(buffer, place)
        guard let code else {
          place += length
          continue
        }
        bytes.append(contentsOf: buffer[start..<place])
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
      bytes.append(contentsOf: buffer[start..<buffer.count])
    }
    bytes.append(0x22)
  }

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
