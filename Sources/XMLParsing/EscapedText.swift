/// The text of an attribute in a store of Core Data's XML kind, whose escapes are not those of XML.
///
/// A character that XML would escape is `\u` and the four hexadecimal digits of its UTF-16 unit, the two
/// bytes swapped: `\u3c00` is `<`, `\u2600` is `&`. Measured on 36 files of public projects, written by
/// versions 186 to 1340 of the framework: these and `\u3e00` are the only ones there; other characters,
/// ends of lines and text that is not ASCII are plain. Assumed of the same form: characters that XML
/// cannot have, and the backslash. Any other `\u` stays as it is written: a text of the app's own may have it, as
/// JSON or a path.
package enum EscapedText {
  /// The characters that are known to be escaped: `<`, `>` and `&`.
  private static let known: Set<UInt16> = [0x3c, 0x3e, 0x26]

  /// Returns whether a character is taken to be escaped, although no file is known that has one.
  private static func isAssumed(_ unit: UInt16) -> Bool {
    unit < 0x20 || unit == 0x5c || unit >= 0xfffe
  }

  /// Returns the text that is meant.
  package static func unescaped(_ text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
    var units: [UInt16] = []
    let source = Array(text.utf16)
    var index = 0
    while index < source.count {
      if let unit = unit(at: index, of: source)?.byteSwapped,
        known.contains(unit) || isAssumed(unit)
      {
        units.append(unit)
        index += 6
      } else {
        units.append(source[index])
        index += 1
      }
    }
    return String(decoding: units, as: UTF16.self)
  }

  /// Returns whether a text has a `\u` with four digits that is no known escape.
  package static func isDoubtful(_ text: String) -> Bool {
    guard text.utf8.contains(UInt8(ascii: "\\")) else { return false }
    let source = Array(text.utf16)
    return source.indices.contains {
      unit(at: $0, of: source).map { !known.contains($0.byteSwapped) } ?? false
    }
  }

  /// Returns the number of the escape that begins at a place; nil where none does.
  private static func unit(at index: Int, of source: [UInt16]) -> UInt16? {
    guard source[index] == 0x5c, index + 5 < source.count, source[index + 1] == 0x75 else {
      return nil
    }
    let text = String(decoding: source[index + 2..<index + 6], as: UTF16.self)
    return text.utf8.allSatisfy { $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }
      ? UInt16(text, radix: 16) : nil
  }
}
