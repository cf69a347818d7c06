extension Finding {
  /// Advice on a finding, whose parts that readers ask for are values beside the words.
  ///
  /// Advice of equal text is equal.
  package struct Advice: Hashable, Sendable {
    fileprivate enum Part: Hashable, Sendable {
      case words(String)
      /// The mark by which a thing is carried to a new name.
      case mark(ModelFramework)
      /// The version to edit.
      case editedVersion
      /// The sentence that a required attribute needs a default.
      case giveDefault(ModelFramework)
    }

    fileprivate let parts: [Part]
    /// The advice in words.
    package let text: String

    fileprivate init(_ parts: [Part]) {
      // Words beside words are one part, so that a search in them finds what is written across both.
      self.parts = parts.reduce(into: []) { all, part in
        if case .words(let end) = part, case .words(let start)? = all.last {
          all[all.count - 1] = .words(start + end)
        } else {
          all.append(part)
        }
      }
      text = Self.text(parts, editing: "this version")
    }

    /// Advice of words alone.
    package init(_ words: String) {
      parts = [.words(words)]
      text = words
    }

    /// The version to edit, which is the place of the finding.
    package static let editedVersion = Advice([.editedVersion])

    /// Returns the advice to give a required attribute a default.
    package static func giveDefault(_ framework: ModelFramework) -> Advice {
      Advice([.giveDefault(framework)])
    }

    /// The framework whose mark it advises to set, so that a thing is carried to a new name; nil where it
    /// names none.
    package var mark: ModelFramework? {
      for case .mark(let framework) in parts { return framework }
      return nil
    }

    /// Whether a default is the first thing that it advises.
    package var givesDefault: Bool {
      if case .giveDefault? = parts.first { true } else { false }
    }

    /// Returns the advice in words.
    ///
    /// - Parameter version: The words for the version to edit.
    package func text(editing version: String) -> String { Self.text(parts, editing: version) }

    private static func text(_ parts: [Part], editing version: String) -> String {
      parts.reduce(into: "") { text, part in
        switch part {
        case .words(let words): text += words
        case .mark(let framework): text += framework.renamingIdentifier
        case .editedVersion: text += version
        case .giveDefault(let framework): text += "Give it \(framework.defaults)"
        }
      }
    }

    /// Returns the advice with other words, and the same values.
    package func mapWords(_ transform: (String) -> String) -> Advice {
      Advice(parts.map { if case .words(let words) = $0 { .words(transform(words)) } else { $0 } })
    }

    /// Returns advice followed by other advice.
    package static func + (left: Advice, right: Advice) -> Advice {
      Advice(left.parts + right.parts)
    }

    /// Returns whether both read the same.
    package static func == (left: Advice, right: Advice) -> Bool { left.text == right.text }

    /// Hashes the text.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }
}

extension Finding.Advice: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The words and values of a literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var parts: [Finding.Advice.Part] = []

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.words(literal)) }
    }

    package mutating func appendInterpolation(_ words: String) { appendLiteral(words) }

    package mutating func appendInterpolation(_ part: Finding.Advice) { parts += part.parts }

    package mutating func appendInterpolation(mark framework: ModelFramework) {
      parts.append(.mark(framework))
    }
  }

  package init(stringLiteral words: String) { self.init(words) }

  package init(stringInterpolation: StringInterpolation) { self.init(stringInterpolation.parts) }

  package var description: String { text }
}
