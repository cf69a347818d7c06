/// A source file's bytes and the name by which findings call it.
package struct SourceText: Hashable, Sendable {
  /// The name of the file, which findings show.
  package var name: String
  /// The contents of the file.
  package var bytes: [UInt8]
  /// The name of the target that compiles it, where that is known.
  package var module = ""

  /// A file's bytes under a name.
  package init(name: String, bytes: [UInt8]) {
    self.name = name
    self.bytes = bytes
  }

  /// The white space before the first line behind an opening brace; nil where there is none.
  var indentation: String? {
    var isOpen = false
    for line in bytes.split(separator: 0x0a, maxSplits: 10_000) {
      let white = line.prefix { $0 == 0x20 || $0 == 0x09 }
      if isOpen, !white.isEmpty, white.count < line.count, white.count <= 8 {
        return String(decoding: white, as: UTF8.self)
      }
      isOpen = line.last { $0 != 0x20 && $0 != 0x0d } == UInt8(ascii: "{") && white.isEmpty
    }
    return nil
  }

  /// Returns whether text occurs in the bytes.
  ///
  /// - Complexity: O(*n*) in the bytes, for text whose first byte is rare.
  package func contains(_ text: String) -> Bool { has(text) { _ in true } }

  /// Returns whether a text is there, at a place that counts.
  private func has(_ text: String, where counts: (Range<Int>) -> Bool) -> Bool {
    let wanted = Array(text.utf8)
    guard let first = wanted.first, bytes.count >= wanted.count else { return false }
    var rest = bytes[...]
    while let place = rest.firstIndex(of: first) {
      if bytes[place...].starts(with: wanted), counts(place..<(place + wanted.count)) {
        return true
      }
      rest = bytes[(place + 1)...]
    }
    return false
  }

  /// Whether a model may be declared in the file: by `@Model` that begins no longer name, and stands behind no `//`.
  package var mentionsModels: Bool {
    ["@Model", "@SwiftData.Model"].contains { macro in
      has(macro) { place in
        let next = place.upperBound < bytes.count ? bytes[place.upperBound] : 0x20
        let isName = next == 0x5f || next >= 0x80 || Character(UnicodeScalar(next)).isLetter
        let line = bytes[..<place.lowerBound].lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        let before = bytes[line..<place.lowerBound].drop { $0 == 0x20 || $0 == 0x09 }
        return !isName && !before.starts(with: [0x2f, 0x2f])
      }
    }
  }

  /// Whether a container may be made in the file.
  var mentionsContainers: Bool { contains("odelContainer") || contains("DocumentGroup") }

  /// Whether a model may be declared in the file, or a container made.
  package var mentionsSwiftData: Bool {
    mentionsModels || contains("odelContainer") || contains("Schema")
  }

  /// The line of the first conflict that a merge has left, from 1.
  package var lineOfConflict: Int? {
    let marks = [UInt8(ascii: "<"), UInt8(ascii: "="), UInt8(ascii: ">")]
    guard contains("<<<<<<< ") else { return nil }
    var first: Int?
    var wanted = 0
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated()
    where line.prefix(7).count == 7 && line.prefix(7).allSatisfy({ $0 == marks[wanted] }) {
      first = first ?? index + 1
      wanted += 1
      if wanted == marks.count { return first }
    }
    return nil
  }
}
