/// The statement that makes a table, as far as it is one list of columns with a type each.
struct CreateTableText {
  private var bytes: [UInt8]

  init(_ sql: String) { bytes = Array(sql.utf8) }

  /// The statement.
  var sql: String { String(decoding: bytes, as: UTF8.self) }

  /// Whether it has the form that Core Data and SQLite write, so that ALTER rewrites it correctly.
  ///
  /// SQLite removes parts of the text by their place, and errs where comments or space are between them
  /// (measured on SQLite 3.40).
  var isPlain: Bool {
    guard let list = bytes.firstIndex(of: UInt8(ascii: "(")), parts != nil else { return false }
    let words = bytes[..<list].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    let head = words.last == [] ? words.dropLast() : words[...]
    return head.count == 3 && head[0].elementsEqual("CREATE".utf8)
      && head[1].elementsEqual("TABLE".utf8) && !head[2].contains { Self.isSpace($0) }
      && !bytes.contains { $0 == 10 || $0 == 13 }
  }

  /// Returns the range of a column's declared type; nil where the column has more than a name and type, or
  /// the statement is not understood.
  func place(of column: String, declaredAs type: String) -> Range<Int>? {
    var found: Range<Int>?
    for part in parts ?? [] {
      guard let name = name(in: part), Self.isEqual(name.text, Array(column.utf8)) else { continue }
      let rest = trimmed(name.end..<part.upperBound)
      guard found == nil, name.end < rest.lowerBound, Self.isEqual(bytes[rest], Array(type.utf8))
      else { return nil }
      found = rest
    }
    return found
  }

  /// Replaces the text in a range.
  mutating func replace(_ place: Range<Int>, with text: String) {
    bytes.replaceSubrange(place, with: text.utf8)
  }

  /// The ranges between the commas of the one list, without the space around them; nil where there are
  /// comments, unusual quotes, or words behind the list.
  private var parts: [Range<Int>]? {
    guard let start = bytes.firstIndex(of: UInt8(ascii: "(")),
      let end = bytes.lastIndex(of: UInt8(ascii: ")")), start < end,
      trimmed(end + 1..<bytes.count).isEmpty
    else { return nil }
    var parts: [Range<Int>] = []
    var depth = 0
    var isQuoted = false
    var begin = start + 1
    for index in start + 1..<end {
      switch bytes[index] {
      case UInt8(ascii: "\""): isQuoted.toggle()
      case UInt8(ascii: "'"), UInt8(ascii: "`"), UInt8(ascii: "["), UInt8(ascii: "/"),
        UInt8(ascii: "-"):
        return nil
      case UInt8(ascii: "(") where !isQuoted: depth += 1
      case UInt8(ascii: ")") where !isQuoted: depth -= 1
      case UInt8(ascii: ",") where !isQuoted && depth == 0:
        parts.append(trimmed(begin..<index))
        begin = index + 1
      default: break
      }
      guard depth >= 0 else { return nil }
    }
    guard depth == 0, !isQuoted else { return nil }
    return parts + [trimmed(begin..<end)]
  }

  /// Returns the name with which a part begins, and where it ends.
  private func name(in part: Range<Int>) -> (text: ArraySlice<UInt8>, end: Int)? {
    let quote = UInt8(ascii: "\"")
    guard let first = part.first, bytes[first] == quote else {
      let end = part.first { Self.isSpace(bytes[$0]) } ?? part.upperBound
      return (bytes[part.lowerBound..<end], end)
    }
    guard let end = part.dropFirst().first(where: { bytes[$0] == quote }),
      end + 1 == part.upperBound || Self.isSpace(bytes[end + 1])
    else { return nil }
    return (bytes[first + 1..<end], end + 1)
  }

  private func trimmed(_ range: Range<Int>) -> Range<Int> {
    guard let first = range.first(where: { !Self.isSpace(bytes[$0]) }),
      let last = range.last(where: { !Self.isSpace(bytes[$0]) })
    else { return range.upperBound..<range.upperBound }
    return first..<last + 1
  }

  private static func isSpace(_ byte: UInt8) -> Bool { [9, 10, 12, 13, 32].contains(byte) }

  /// Returns whether names are equal, as SQLite compares them.
  private static func isEqual(_ left: some Collection<UInt8>, _ right: [UInt8]) -> Bool {
    func lower(_ byte: UInt8) -> UInt8 { 65...90 ~= byte ? byte + 32 : byte }
    return left.elementsEqual(right) { lower($0) == lower($1) }
  }
}
