/// The order of numbered names: `Model`, `Model 2`, `Model 10`.
///
/// Names are compared piece by piece, runs of digits by their value and all else by bytes, at first
/// without regard to ASCII case and to what separates words and numbers (space, `_`, `-`, `.`):
/// `ModelV22`, `Model-V 23`. A name that ends earlier comes first.
package enum NaturalOrder {
  /// Returns whether the first name comes before the second.
  package static func precedes(_ first: String, _ second: String) -> Bool {
    let left = pieces(of: first)
    let right = pieces(of: second)
    for (a, b) in zip(left, right) where a != b {
      switch (a, b) {
      case (.number(let a), .number(let b)):
        if a.count != b.count { return a.count < b.count }
        return a.lexicographicallyPrecedes(b)
      case (.text(let a), .text(let b)): return a.lexicographicallyPrecedes(b)
      case (.number, .text): return true
      case (.text, .number): return false
      }
    }
    if left.count != right.count { return left.count < right.count }
    return ByteOrder.precedes(first, second)
  }

  /// A run of digits, or of anything else.
  enum Piece: Hashable {
    case number([UInt8])
    case text([UInt8])
  }

  /// Returns the runs that a name consists of; a run of separators alone is an empty text, which parts
  /// two numbers.
  static func pieces(of name: String) -> [Piece] {
    var pieces: [Piece] = []
    for byte in name.utf8 {
      let isDigit = (0x30...0x39).contains(byte)
      let lower = (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
      switch (pieces.last, isDigit) {
      case (.number(let digits), true):
        pieces[pieces.count - 1] = .number(digits == [0x30] ? [byte] : digits + [byte])
      case (.text(let text), false): pieces[pieces.count - 1] = .text(text + [lower])
      case (_, true): pieces.append(.number([byte]))
      case (_, false): pieces.append(.text([lower]))
      }
    }
    return pieces.map { piece in
      guard case .text(let text) = piece else { return piece }
      let words = text.filter { !separators.contains($0) }
      // A word that stands apart from a number comes before a letter that belongs to it.
      let isApart = !words.isEmpty && text.first.map(separators.contains) == true
      return .text(isApart ? [0x20] + words : words)
    }
  }

  /// The characters between the words and numbers of a name.
  private static let separators = Array(" _-.".utf8)
}
