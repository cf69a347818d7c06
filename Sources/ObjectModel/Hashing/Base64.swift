/// The conversion of bytes to base64 text with padding (RFC 4648 §4), and back.
package enum Base64 {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
  )
  /// The value of each byte as a digit, or 64.
  private static let values: [UInt32] = {
    var values = [UInt32](repeating: 64, count: 256)
    for (value, digit) in alphabet.enumerated() { values[Int(digit)] = UInt32(value) }
    return values
  }()

  /// Returns the padded text of the bytes, on one line.
  package static func string(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for digit in 0..<4 {
        let index = Int(bits >> UInt32(18 - 6 * digit) & 63)
        text.append(digit <= group.count ? alphabet[index] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns the bytes that the text spells, white space ignored; nil where it is not base64.
  ///
  /// - Complexity: O(*n*) in the length of the text.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    // An array is read many times faster than the bytes of text of any kind.
    bytes(digits: Array(text.utf8))
  }

  private static func bytes(digits text: [UInt8]) -> [UInt8]? {
    let values = values
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var bits: UInt32 = 0
    var digits = 0
    var padding = 0
    for character in text {
      let value = values[Int(character)]
      guard value < 64 else {
        if character == UInt8(ascii: "=") {
          padding += 1
        } else if character != 0x20 && !(character >= 0x09 && character <= 0x0d) {
          return nil
        }
        continue
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | value
      digits += 1
      if digits & 3 == 0 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
        bits = 0
      }
    }
    switch (digits % 4, padding) {
    case (0, 0): return bytes
    case (2, 2): return bytes + [UInt8(truncatingIfNeeded: bits >> 4)]
    case (3, 1):
      return bytes + [UInt8(truncatingIfNeeded: bits >> 10), UInt8(truncatingIfNeeded: bits >> 2)]
    default: return nil
    }
  }
}
