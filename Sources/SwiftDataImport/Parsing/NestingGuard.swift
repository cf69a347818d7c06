/// A check for code whose nesting would exhaust a parser's stack or time, before it is parsed.
///
/// The parser counts brackets itself and gives up at 256. It follows nesting without brackets by a call
/// for each level, and some repetitions by a search that begins anew each time: generics in generics,
/// results of results, keywords before keywords, attributes, `#if` in `#if`. It tries code in `[`, or
/// after an attribute in `<`, as a type and as an expression, so that each level multiplies its time. So
/// each is counted here, in one reading of the bytes. Text and comments count as code, so that no text
/// can hide code.
struct NestingGuard {
  /// The greatest depth of brackets.
  private static let greatestDepth = 48
  /// The greatest depth of `\(`, as of texts in texts, and of key paths.
  private static let greatestInterpolation = 16
  /// The greatest depth of `<`, of `#if`, and the most `->`, `@` and modifiers in one
  /// declaration.
  private static let greatestCount = 32
  /// The most words with nothing but space between; comments have marks before each line.
  private static let mostWords = 256
  /// The most `#` in a row, as around a raw text; a comment may be framed by a line of them.
  private static let mostPounds = 160
  /// The most trials, as estimated: each takes some microseconds.
  private static let mostTrials = 1 << 17

  /// Words that begin a declaration.
  private static let beginnings: Set<String> = [
    "func", "var", "let", "init", "case", "subscript", "class", "struct", "enum", "protocol",
    "extension", "import", "typealias", "actor", "static", "return", "if", "guard", "for", "while",
  ]

  /// Modifiers that may have something in brackets, so that spaces alone do not join them.
  private static let modifiers: Set<String> = [
    "nonisolated", "unowned", "private", "fileprivate", "internal", "package", "public", "open",
  ]

  private var depth = 0
  private var squares = 0
  private var parentheses = 0
  /// A bit for each open `(`, the innermost in the lowest bit: whether it belongs to a `\(`.
  private var interpolations: UInt64 = 0
  private var trials = 0
  private var angles = 0
  private var arrows = 0
  private var attributes = 0
  private var modifiers = 0
  private var conditions = 0
  private var words = 0
  private var pounds = 0
  private var previous: UInt8 = 0

  /// Returns the line where code is nested too deep, or nil.
  ///
  /// - Complexity: O(*n*) in the bytes.
  static func lineTooDeep(in bytes: [UInt8]) -> Int? {
    var guarding = NestingGuard()
    var line = 1
    var word = 0..<0
    for (index, byte) in bytes.enumerated() {
      if isOfWord(byte) {
        word = (word.isEmpty ? index : word.lowerBound)..<(index + 1)
        continue
      }
      if !word.isEmpty {
        let mark = word.lowerBound > 0 ? bytes[word.lowerBound - 1] : 0
        guarding.end(word: bytes[word], after: mark, before: byte)
        word = 0..<0
      }
      if byte == UInt8(ascii: "\n") { line += 1 }
      guarding.read(byte)
      if guarding.isTooDeep { return line }
    }
    return nil
  }

  private static func isOfWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "$"), 0x80...:
      true
    default: false
    }
  }

  private var isTooDeep: Bool {
    depth > Self.greatestDepth || angles > Self.greatestCount || arrows > Self.greatestCount
      || attributes > Self.greatestCount || conditions > Self.greatestCount
      || modifiers > Self.greatestCount
      || interpolations.nonzeroBitCount > Self.greatestInterpolation || words > Self.mostWords
      || pounds > Self.mostPounds || trials > Self.mostTrials
  }

  private mutating func end(word: ArraySlice<UInt8>, after mark: UInt8, before next: UInt8) {
    words += 1
    pounds = 0
    guard word.count <= 11 else { return }
    let text = String(decoding: word, as: UTF8.self)
    if mark == UInt8(ascii: "#") {
      if text == "if" { conditions += 1 }
      if text == "endif" { conditions = max(0, conditions - 1) }
    } else if Self.modifiers.contains(text) {
      // A manifest has a label `package:` for each product.
      if next != UInt8(ascii: ":") { modifiers += 1 }
    } else if Self.beginnings.contains(text) {
      endDeclaration()
      // An enumeration may have any number of cases, one on each line.
      if text == "case" { words = 0 }
    }
  }

  private mutating func endDeclaration() {
    angles = 0
    arrows = 0
    attributes = 0
    modifiers = 0
  }

  /// Counts the trials of the code that begins here: by measurement, each `[` around it doubles them,
  /// each `<` somewhat more than doubles them, and two `(` double them.
  private mutating func countTrials() {
    trials += 1 << min(squares + angles * 6 / 5 + parentheses * 3 / 5, 32)
  }

  private mutating func read(_ byte: UInt8) {
    defer { previous = byte }
    switch byte {
    case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): return
    case UInt8(ascii: "#"): pounds += 1
    default: pounds = 0
    }
    words = 0
    switch byte {
    case UInt8(ascii: "("):
      depth += 1
      parentheses += 1
      interpolations = interpolations << 1 | (previous == UInt8(ascii: "\\") ? 1 : 0)
    case UInt8(ascii: "["):
      depth += 1
      squares += 1
      countTrials()
    case UInt8(ascii: "{"):
      depth += 1
      endDeclaration()
    case UInt8(ascii: ")"):
      depth = max(0, depth - 1)
      parentheses = max(0, parentheses - 1)
      interpolations >>= 1
    case UInt8(ascii: "]"):
      depth = max(0, depth - 1)
      squares = max(0, squares - 1)
    case UInt8(ascii: "}"):
      depth = max(0, depth - 1)
      endDeclaration()
    case UInt8(ascii: ";"): endDeclaration()
    case UInt8(ascii: "<"): angles += 1
    case UInt8(ascii: ">") where previous == UInt8(ascii: "-"): arrows += 1
    case UInt8(ascii: ">"): angles = max(0, angles - 1)
    case UInt8(ascii: "@"):
      attributes += 1
      if squares + angles > 0 { countTrials() }
    default: break
    }
  }
}
