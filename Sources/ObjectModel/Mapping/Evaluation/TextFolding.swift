/// The folding of text for comparisons with `[c]` and `[d]`.
///
/// `[c]` puts each scalar into lower case as Unicode maps it, regardless of language: İ becomes i with a
/// dot above, ß stays, the two small sigmas differ. `[d]` removes the marks from Latin, Greek and
/// Cyrillic letters, and marks without a letter of any script.
/// Letters that Unicode does not decompose, such as ø and ł, stay, and so do voiced kana.
struct TextFolding: Hashable, Sendable {
  var ignoresCase: Bool
  var ignoresMarks: Bool

  init(ignoresCase: Bool, ignoresMarks: Bool) {
    self.ignoresCase = ignoresCase
    self.ignoresMarks = ignoresMarks
  }

  init(_ comparison: Predicate.Comparison) {
    ignoresCase = comparison.isCaseInsensitive
    ignoresMarks = comparison.isDiacriticInsensitive
  }

  /// Returns the text as it is compared.
  func fold(_ text: String) -> String {
    guard ignoresCase || ignoresMarks else { return text }
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        scalars.append(ignoresCase ? Self.lower(scalar) : scalar)
        continue
      }
      let mapped = ignoresCase ? scalar.properties.lowercaseMapping : String(scalar)
      for scalar in mapped.unicodeScalars {
        guard ignoresMarks else {
          scalars.append(scalar)
          continue
        }
        if Self.isMark(scalar) { continue }
        scalars.append(MarkedLetters.bases[scalar] ?? scalar)
      }
    }
    return String(scalars)
  }

  /// Returns the value as it is compared, the members of collections too.
  func fold(_ value: ExpressionValue) -> ExpressionValue {
    guard ignoresCase || ignoresMarks else { return value }
    return switch value {
    case .scalar(.string(let text)): .scalar(.string(fold(text)))
    case .list(let members): .list(members.map(fold))
    case .set(let members): .set(members.map(fold))
    case .nothing, .scalar, .object: value
    }
  }

  private static func lower(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    ("A"..."Z").contains(scalar) ? Unicode.Scalar(UInt8(scalar.value) + 32) : scalar
  }

  /// Returns whether the scalar is a mark above, below or across a letter.
  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.canonicalCombiningClass.rawValue >= 200
  }
}

/// The patterns of `LIKE`: `?` is one scalar, `*` any number of them, and a backslash makes the next
/// scalar literal.
enum Wildcards {
  /// Returns whether the pattern is the whole text.
  ///
  /// - Complexity: O(*n* · *m*) in the lengths of both.
  static func match(_ text: String, _ pattern: String) -> Bool {
    let text = Array(text.unicodeScalars)
    let parts = Wildcards.parts(of: pattern)
    var place = 0
    var part = 0
    // The position to continue at when the text after the last star does not fit.
    var retry: (place: Int, part: Int)?
    while place < text.count {
      if part < parts.count, parts[part] == .any {
        retry = (place, part + 1)
        part += 1
      } else if part < parts.count, parts[part] == .one || parts[part] == .scalar(text[place]) {
        place += 1
        part += 1
      } else if let last = retry {
        retry = (last.place + 1, last.part)
        place = last.place + 1
        part = last.part
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .any }
  }

  private enum Part: Equatable {
    case any, one
    case scalar(Unicode.Scalar)
  }

  private static func parts(of pattern: String) -> [Part] {
    var parts: [Part] = []
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      switch scalar {
      case _ where isEscaped:
        parts.append(.scalar(scalar))
        isEscaped = false
      case "\\": isEscaped = true
      case "*": parts.append(.any)
      case "?": parts.append(.one)
      default: parts.append(.scalar(scalar))
      }
    }
    return isEscaped ? parts + [.scalar("\\")] : parts
  }
}
