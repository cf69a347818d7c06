extension Finding {
  /// A text of a finding, whose names and numbers that readers change are values beside the words.
  ///
  /// Texts that read the same are equal. `"\(subject: place) \(.loses) \(.its) order."` can be read for one
  /// thing and for several, `"a store of \(version: name)"` for other versions.
  package struct Text: Hashable, Sendable {
    fileprivate enum Part: Hashable, Sendable {
      case words(String)
      /// The thing that the text is about, as its first word.
      case subject(String)
      /// Words that agree with the number of things.
      case agreeing(Agreement)
      /// The names of new things; the subject may be one of them, renamed.
      case candidates([String])
      case version(String)
      /// A version with the others of the same hashes.
      indirect case versions(String, label: String)
      /// A version as one word of a command.
      case argument(String)
      case mappingModel(from: String)
      /// The mark by which a thing is carried to a new name.
      case mark(ModelFramework)
      /// The version to edit.
      case editedVersion
      /// The sentence that a required attribute of a type needs a default, or another value where the type has
      /// none.
      case giveValue(ModelFramework, AttributeType)
      /// The advice to write a mapping, or a value in one, in words.
      case mapping(String)

      /// The part as it is read for one thing and its own version.
      var words: String {
        switch self {
        case .words(let words), .subject(let words), .version(let words), .mapping(let words): words
        case .agreeing(let agreement): agreement.rawValue
        case .candidates(let names): Self.sentence(names)
        case .versions(_, let label): label
        case .argument(let name): name.shellWord
        case .mappingModel(let version): "a mapping model from \(version)"
        case .mark(let framework): framework.renamingIdentifier
        case .editedVersion: "this version"
        case .giveValue(let framework, let type):
          (framework.takesDefault(type) ? "Give it " : "Make it optional, or give it ")
            + framework.values(for: type)
        }
      }

      private static func sentence(_ names: [String]) -> String {
        guard names.count > 1, let last = names.last else { return "\(names.first ?? "") is new" }
        return "\(names.dropLast().joined(separator: ", ")) and \(last) are new"
      }

      /// Returns the part as it is read for another version than one, or for several.
      func naming(_ version: String, as reader: Reader) -> Part {
        switch (self, reader) {
        case (.version(version), .version(let name)), (.versions(version, _), .version(let name)),
          (.version(version), .versions(let name, _, _)),
          (.versions(version, _), .versions(let name, _, _)):
          .version(name)
        case (.argument(version), .version(let name)): .argument(name)
        case (.argument(version), .versions): .words("VERSION")
        case (.mappingModel(version), .versions(let words, let count, let areShared))
        where count > 1:
          .words(
            "\(count) mapping models, one from each of \(words)"
              + (areShared ? " (versions with the same hashes share one)," : ",")
          )
        case (.mappingModel(version), .version(let name)),
          (.mappingModel(version), .mappingModel(let name)),
          (.mappingModel(version), .versions(let name, _, _)):
          .mappingModel(from: name)
        default: self
        }
      }
    }

    /// Words that agree with the number of things, as they are of one.
    package enum Agreement: String, Sendable {
      case `is`, has, becomes, changes, must, loses, gets, moves, requires, takes, leads, names
      case its, it
      case itStays = "it stays"
      case newEntity = "a new entity"

      /// The words as they are of several things.
      fileprivate var several: String {
        switch self {
        case .is: "are"
        case .has: "have"
        case .must: "must each"
        case .takes: "each take"
        case .leads: "each lead"
        case .its: "their"
        case .it: "them"
        case .itStays: "they stay"
        case .newEntity: "new"
        case .becomes, .changes, .loses, .gets, .moves, .requires, .names:
          String(rawValue.dropLast())
        }
      }
    }

    /// The version, or versions, that a text is read for.
    package enum Reader: Sendable {
      case version(String)
      /// Several versions, in words such as `these versions`.
      ///
      /// Where they need several mapping models, `models` is their number, and `areShared` states that versions
      /// of the same hashes need one.
      case versions(String, models: Int = 1, areShared: Bool = false)
      /// A version, or several in words, where the text advises to write a mapping model, and as it is elsewhere.
      case mappingModel(from: String)
    }

    /// The values beside the words; none where there are only words.
    private let parts: [Part]
    /// The text as it is read for one thing and its own version.
    package let text: String

    fileprivate init(parts: [Part]) {
      self.init(parts: parts, text: parts.reduce(into: "") { $0 += $1.words })
    }

    /// A text of parts that is rendered already.
    fileprivate init(parts: [Part], text: String) {
      let isPlain = parts.allSatisfy { if case .words = $0 { true } else { false } }
      self.parts = isPlain ? [] : parts
      self.text = text
    }

    /// A text of words alone.
    package init(_ words: String) { (parts, text) = ([], words) }

    /// Some texts, with a space between them.
    package init(_ texts: [Text]) {
      self.init(parts: Array(texts.map(\.all).joined(separator: [.words(" ")])))
    }

    /// A list of versions.
    package init(versions names: [String]) {
      self.init(parts: Array(names.map { [.version($0)] }.joined(separator: [.words(", ")])))
    }

    private var all: [Part] { parts.isEmpty ? [.words(text)] : parts }

    /// The version to edit, which is the place of the finding.
    package static let editedVersion = Text(parts: [.editedVersion])

    /// Returns the advice to give a required attribute a value: a default, where its type has one.
    package static func giveValue(_ framework: ModelFramework, _ type: AttributeType) -> Text {
      Text(parts: [.giveValue(framework, type)])
    }

    // MARK: Values

    /// The framework whose mark it advises to set, so that a thing is carried to a new name; nil where it
    /// names none.
    package var mark: ModelFramework? {
      for case .mark(let framework) in parts { return framework }
      return nil
    }

    /// Whether a default is the first thing that it advises.
    package var givesDefault: Bool {
      if case .giveValue(let framework, let type)? = parts.first {
        framework.takesDefault(type)
      } else {
        false
      }
    }

    /// Whether the first thing that it advises is to make an attribute optional whose type has no default.
    package var makesOptional: Bool {
      if case .giveValue? = parts.first { !givesDefault } else { false }
    }

    /// Whether it advises to write a mapping, or a value in one beside other advice.
    package var givesMapping: Bool {
      parts.contains { if case .mapping = $0 { true } else { false } }
    }

    /// The names of new things; the subject may be one of them, renamed.
    package var candidates: [String] {
      for case .candidates(let names) in parts { return names }
      return []
    }

    /// Returns whether the first word is the subject of a place, or its version where it has none.
    package func begins(with place: Place) -> Bool {
      switch parts.first {
      case .subject(let name): name == place.subject
      case .version(let name):
        place.subject == nil && name == place.version && parts.dropFirst().first?.words.first == " "
      default: false
      }
    }

    /// Returns the text behind the subject of a place; nil where it does not begin with that.
    package func predicate(at place: Place) -> Text? {
      guard parts.count > 1, case .subject(place.subject) = parts[0],
        parts[1].words.hasPrefix(" ")
      else { return nil }
      return Text(parts: Array(parts.dropFirst()))
    }

    // MARK: Readings

    /// Returns a sentence on several things, of a text behind its subject, without its full stop.
    ///
    /// It is of each of them where the text does not begin with a verb that agrees.
    ///
    /// - Parameter things: Their number, with a noun.
    package func sentence(on things: String) -> String {
      let isPlural =
        if parts.first == .words(" "), case .agreeing = parts[1] { true } else { false }
      let text = all.reduce(into: isPlural ? things : "Each of \(things)") { text, part in
        if isPlural, case .agreeing(let agreement) = part {
          text += agreement.several
        } else {
          text += part.words
        }
      }
      return text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    /// The text as the rest of a sentence that has begun; a name or code at its start stays as it is.
    package var clause: Text {
      switch all[0] {
      case .words, .giveValue, .mapping: break
      default: return self
      }
      let first = all[0].words
      guard first.dropFirst().first.map({ $0.isLowercase || $0 == " " }) == true else {
        return self
      }
      return Text(
        parts: [.words(first.prefix(1).lowercased() + first.dropFirst())] + all.dropFirst()
      )
    }

    /// Returns the text for another version than one that it names, or for several.
    package func naming(_ version: String, as reader: Reader) -> Text {
      parts.isEmpty ? self : Text(parts: parts.map { $0.naming(version, as: reader) })
    }

    /// Returns the text with the name of the version to edit.
    package func editing(_ version: String) -> Text {
      parts.isEmpty
        ? self : Text(parts: parts.map { $0 == .editedVersion ? .version(version) : $0 })
    }

    /// Returns the words between the names of a version.
    package func words(around version: String) -> [String] {
      all.reduce(into: [""]) { words, part in
        switch part {
        case .version(version), .versions(version, _): words.append("")
        default: words[words.count - 1] += part.words
        }
      }
    }

    /// Returns a text followed by another.
    package static func + (left: Text, right: Text) -> Text {
      let isPlain = left.parts.isEmpty && right.parts.isEmpty
      return Text(parts: isPlain ? [] : left.all + right.all, text: left.text + right.text)
    }

    /// Adds another text.
    package static func += (left: inout Text, right: Text) { left = left + right }

    /// Returns whether both read the same.
    package static func == (left: Text, right: Text) -> Bool { left.text == right.text }

    /// Hashes the text.
    package func hash(into hasher: inout Hasher) { hasher.combine(text) }
  }
}

extension Finding.Text: ExpressibleByStringInterpolation, CustomStringConvertible {
  /// The words and values of a literal.
  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate private(set) var parts: [Finding.Text.Part] = []
    fileprivate private(set) var text = ""

    package init(literalCapacity: Int, interpolationCount: Int) {
      parts.reserveCapacity(2 * interpolationCount + 1)
    }

    private mutating func append(_ part: Finding.Text.Part) {
      parts.append(part)
      text += part.words
    }

    package mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { append(.words(literal)) }
    }

    package mutating func appendInterpolation(_ words: String) { appendLiteral(words) }

    package mutating func appendInterpolation(_ type: AttributeType) { appendLiteral("\(type)") }

    @_disfavoredOverload
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      appendLiteral(value.description)
    }

    package mutating func appendInterpolation(_ text: Finding.Text) {
      parts += text.all
      self.text += text.text
    }

    package mutating func appendInterpolation(_ agreement: Finding.Text.Agreement) {
      append(.agreeing(agreement))
    }

    package mutating func appendInterpolation(subject name: String) { append(.subject(name)) }

    package mutating func appendInterpolation(areNew names: [String]) { append(.candidates(names)) }

    package mutating func appendInterpolation(version name: String, label: String? = nil) {
      append(label.map { .versions(name, label: $0) } ?? .version(name))
    }

    package mutating func appendInterpolation(argument version: String) {
      append(.argument(version))
    }

    package mutating func appendInterpolation(mappingModelFrom version: String) {
      append(.mappingModel(from: version))
    }

    package mutating func appendInterpolation(mapping words: String) { append(.mapping(words)) }

    package mutating func appendInterpolation(mark framework: ModelFramework) {
      append(.mark(framework))
    }
  }

  package init(stringLiteral words: String) { self.init(words) }

  package init(stringInterpolation: StringInterpolation) {
    self.init(parts: stringInterpolation.parts, text: stringInterpolation.text)
  }

  package var description: String { text }
}
