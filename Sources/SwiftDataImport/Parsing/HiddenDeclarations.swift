internal import ObjectModel

/// The declarations that unread text may contain, judged by its words.
///
/// A name in unread text may be declared there, too, so a lookup of that name has no answer: one more
/// unknown type is better than a wrong one.
package struct HiddenDeclarations: Hashable, Sendable {
  /// The names behind `class`, `struct`, `enum`, `typealias` and the like.
  private(set) var names: Set<String> = []
  /// The last names of the types behind `extension`.
  private(set) var extended: Set<String> = []
  /// Whether a model may be declared, or a container made.
  private(set) var mayHaveModels = false
  /// Whether a version of the models may be declared, or a migration plan.
  private(set) var mayHaveVersions = false

  private static let kinds: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "typealias", "macro",
  ]

  /// The names by which containers and versions are made.
  private static let makers: Set<String> = [
    "ModelContainer", "modelContainer", "DocumentGroup", "VersionedSchema",
  ]

  /// Makes an empty set.
  init() {}

  /// - Complexity: O(*n*) in the bytes.
  init(in text: SourceText) {
    mayHaveModels = text.mentionsModels
    mayHaveVersions = text.contains("VersionedSchema") || text.contains("SchemaMigrationPlan")
    var words = WordScan(text.bytes)
    while let word = words.next() {
      // Texts and other frameworks name schemas, too: `Schema(…)` is SwiftData's.
      if Self.makers.contains(word) || word == "Schema" && words.isBeforeCall {
        mayHaveModels = true
      }
      if Self.kinds.contains(word) {
        if let name = words.name() { names.insert(name) }
      } else if word == "extension", let name = words.name() {
        var last = name
        while let inner = words.member() { last = inner }
        extended.insert(last)
      }
    }
  }

  /// Returns the warning that they are not read as an error where a version may be among them, and as a note
  /// where nothing is of SwiftData: a property of a model whose type may be among them has a finding of its own.
  func weighed(_ finding: Finding) -> Finding {
    var finding = finding
    if mayHaveVersions {
      finding.severity = .error
    } else if !mayHaveModels, finding.severity == .warning {
      finding.severity = .note
    }
    return finding
  }

  /// Adds the names that other text may declare.
  mutating func formUnion(_ other: HiddenDeclarations) {
    names.formUnion(other.names)
    extended.formUnion(other.extended)
    mayHaveModels = mayHaveModels || other.mayHaveModels
    mayHaveVersions = mayHaveVersions || other.mayHaveVersions
  }
}

/// The words of text, including those in comments and string literals.
private struct WordScan {
  private let bytes: [UInt8]
  private var place = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), 0x80...:
      true
    default: false
    }
  }

  /// Whether a `(` is right behind the word that was read.
  var isBeforeCall: Bool { place < bytes.count && bytes[place] == UInt8(ascii: "(") }

  /// Returns the next word, wherever it is.
  mutating func next() -> String? {
    while place < bytes.count, !Self.isOfWord(bytes[place]) { place += 1 }
    return word()
  }

  /// Returns the word that follows, behind space, comments and the mark around a keyword that is a name.
  mutating func name() -> String? {
    skipSpace()
    if place < bytes.count, bytes[place] == UInt8(ascii: "`") { place += 1 }
    return word()
  }

  /// Returns the word behind a dot that follows.
  mutating func member() -> String? {
    let start = place
    if place < bytes.count, bytes[place] == UInt8(ascii: "`") { place += 1 }
    skipSpace()
    if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
      place += 1
      if let name = name() { return name }
    }
    place = start
    return nil
  }

  private mutating func word() -> String? {
    let start = place
    while place < bytes.count, Self.isOfWord(bytes[place]) { place += 1 }
    return start == place ? nil : String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func skipSpace() {
    while place < bytes.count {
      if bytes[place] <= UInt8(ascii: " ") {
        place += 1
      } else if starts(with: "//") {
        while place < bytes.count, bytes[place] != UInt8(ascii: "\n") { place += 1 }
      } else if starts(with: "/*") {
        skipComment()
      } else {
        return
      }
    }
  }

  /// Skips a comment, which may contain others.
  private mutating func skipComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        place += 2
      } else if starts(with: "*/") {
        depth -= 1
        place += 2
      } else {
        place += 1
      }
    } while depth > 0 && place < bytes.count
  }

  private func starts(with text: StaticString) -> Bool {
    place + 1 < bytes.count && bytes[place] == text.utf8Start[0]
      && bytes[place + 1] == text.utf8Start[1]
  }
}
