/// The positions of entities in the bytes of a model's `contents` file.
///
/// This is no XML parser: it returns nothing for a file in which a part could differ from its
/// appearance; libxml2 then reads that as a whole.
enum EntityRanges {
  /// Returns the ranges of the elements `entity` right below the root, tags included; nil where that is
  /// not certain.
  ///
  /// Outside of comments, CDATA and processing instructions each `<` begins a tag, and in a tag only quotation
  /// marks hide a `>`.
  /// - Complexity: O(*n*) in the bytes.
  static func ranges(in bytes: [UInt8]) -> [Range<Int>]? {
    guard var index = endOfDeclaration(bytes) else { return nil }
    var ranges: [Range<Int>] = []
    var depth = 0
    var start: Int?
    while let tag = bytes[index...].firstIndex(of: UInt8(ascii: "<")) {
      guard tag + 1 < bytes.count, let end = endOfTag(bytes, from: tag + 1) else { return nil }
      index = end + 1
      switch bytes[tag + 1] {
      case UInt8(ascii: "!"), UInt8(ascii: "?"): return nil
      case UInt8(ascii: "/"):
        depth -= 1
        if depth == 1, let first = start {
          ranges.append(first..<index)
          start = nil
        }
      default:
        let isEmpty = bytes[end - 1] == UInt8(ascii: "/")
        // A namespace would lend names another meaning.
        if depth == 0, bytes[tag...end].contains(UInt8(ascii: ":")) { return nil }
        if depth == 1, isEntity(bytes[(tag + 1)...end]) {
          if isEmpty { ranges.append(tag..<index) } else { start = tag }
        }
        if !isEmpty { depth += 1 }
      }
      guard depth > 0 || index == bytes.count || isBlank(bytes[index...]) else { return nil }
    }
    return depth == 0 && start == nil ? ranges : nil
  }

  /// Returns the place after the XML declaration, of a file in UTF-8.
  private static func endOfDeclaration(_ bytes: [UInt8]) -> Int? {
    let known = [
      #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#,
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
    ]
    return known.first { bytes.starts(with: $0.utf8) }.map(\.utf8.count)
  }

  /// Returns the place of the `>` that ends a tag.
  private static func endOfTag(_ bytes: [UInt8], from start: Int) -> Int? {
    var quote: UInt8?
    for index in start..<bytes.count {
      let byte = bytes[index]
      if let open = quote {
        if byte == open { quote = nil }
      } else if byte == UInt8(ascii: ">") {
        return index
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        quote = byte
      }
    }
    return nil
  }

  private static func isEntity(_ tag: ArraySlice<UInt8>) -> Bool {
    guard tag.starts(with: "entity".utf8) else { return false }
    switch tag[tag.startIndex + 6] {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\n"), UInt8(ascii: "\r"),
      UInt8(ascii: "/"), UInt8(ascii: ">"):
      return true
    default: return false
    }
  }

  private static func isBlank(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.allSatisfy {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
    }
  }
}
