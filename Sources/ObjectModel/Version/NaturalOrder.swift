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

/// The number that ends a name, such as 2.5.1 in `App paid v2.5.1`.
struct EndNumber {
  /// The words that are alike in names whose numbers count the same.
  struct Series: Hashable {
    /// The first word of the name.
    let stem: String
    /// The letters directly before the number, such as `v`.
    let mark: String
  }

  let series: Series
  /// The numbers, of which a later one counts only where those before it are equal.
  let digits: [Int]

  /// The number of a name of several words; nil where it ends in none.
  init?(_ name: String) {
    let words = name.lowercased().split { " _-.".contains($0) }
    var digits: [Int] = []
    var mark = ""
    for word in words.dropFirst().reversed() {
      let letters = word.prefix { !("0"..."9").contains($0) }
      guard let number = Int(word.dropFirst(letters.count)) else { break }
      digits.insert(number, at: 0)
      mark = String(letters)
      if !letters.isEmpty { break }
    }
    guard !digits.isEmpty else { return nil }
    series = Series(stem: NaturalOrder.firstWord(of: name), mark: mark)
    self.digits = digits
  }
}

extension NaturalOrder {
  /// Returns the first word of a name in lower case, up to a digit or a separator.
  package static func firstWord(of name: String) -> String {
    String(name.lowercased().prefix { !" _-.0123456789".contains($0) })
  }

  /// Returns whether numbers put the first name before the second; nil where the alphabet alone orders them.
  package static func isEarlierByNumber(_ first: String, _ second: String) -> Bool? {
    let isForth = precedes(first, second)
    if step(from: isForth ? first : second, to: isForth ? second : first) != .doubtful {
      return isForth
    }
    guard let one = EndNumber(first), let other = EndNumber(second), one.series == other.series,
      one.digits != other.digits
    else { return nil }
    return one.digits.lexicographicallyPrecedes(other.digits)
  }
}
