/// A mutator of XML and other text that changes lines and quoted values, so that most results stay
/// well-formed.
struct TextMutator {
  private var random: RandomSource
  private let words: [String]

  init(random: RandomSource, words: [String]) {
    self.random = random
    self.words = words
  }

  /// Returns the text with one line or value replaced, doubled, moved or removed.
  mutating func mutated(_ bytes: [UInt8]) -> [UInt8] {
    if random.oneIn(3) {
      var lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
      guard let place = random.place(in: lines), let other = random.place(in: lines) else {
        return bytes
      }
      switch Int.random(in: 0..<4, using: &random) {
      case 0: lines.remove(at: place)
      case 1: lines.insert(lines[place], at: other)
      case 2: lines.swapAt(place, other)
      default: lines[place] = lines[other]
      }
      return Array(lines.joined(separator: [0x0a]))
    }
    // Every odd part between quotes is a value, as long as no text has quotes.
    var parts = bytes.split(separator: 0x22, omittingEmptySubsequences: false)
    guard let place = random.place(in: parts) else { return bytes }
    let value = place | 1
    guard value < parts.count else { return bytes }
    switch Int.random(in: 0..<4, using: &random) {
    case 0:
      parts[value] =
        (random.place(in: parts).map { parts[$0 | 1 < parts.count ? $0 | 1 : $0] } ?? [])
    case 1: parts[value] = Array(number.utf8)[...]
    case 2: parts[value] += parts[value]
    default: parts[value] = Array((words.randomElement(using: &random) ?? "").utf8)[...]
    }
    return Array(parts.joined(separator: [0x22]))
  }

  private var number: String {
    mutating get {
      let numbers = [
        "", "0", "-1", "1e400", "nan", "inf", "9223372036854775807", "-9223372036854775808",
        "9223372036854775808", "0.1", "YES", "NO", "99999999999999999999999999999999999999999",
      ]
      return numbers.randomElement(using: &random) ?? ""
    }
  }
}
