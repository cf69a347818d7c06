extension String {
  /// Returns the sentence with a version's name replaced where it is a word of its own: not where it
  /// begins a longer name, as `Model` begins `Model 117`.
  func replacingVersion(_ name: String, with words: String) -> String {
    guard !name.isEmpty else { return self }
    var result = ""
    var rest = self[...]
    while let range = rest.firstRange(of: name) {
      let before = rest[..<range.lowerBound].last ?? result.last
      let isWord = before?.continuesName != true && rest[range.upperBound...].startsWord
      result += rest[..<range.lowerBound]
      result += isWord ? words : String(rest[range])
      rest = rest[range.upperBound...]
      // Other names of the same hashes are those of one version alone.
      if isWord, rest.hasPrefix(" (= "), let end = rest.firstIndex(of: ")") {
        rest = rest[rest.index(after: end)...]
      }
    }
    return result + rest
  }
}

extension Character {
  /// Whether the character continues a name rather than ends it.
  fileprivate var continuesName: Bool { isLetter || isNumber || self == "_" || self == "-" }
}

extension Substring {
  /// Whether a name before ends here: at the end, or at a character that continues no name.
  fileprivate var startsWord: Bool {
    guard let first else { return true }
    if first == "." { return dropFirst().first?.continuesName != true }
    return !first.continuesName && !(first == " " && dropFirst().first?.isNumber == true)
  }
}
