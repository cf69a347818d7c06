extension ModelChange {
  /// The change as text that follows the word for its action, without the entity, which is a heading.
  package var sentence: String {
    let thing = name.map { "\(subject.word) \($0)" } ?? subject.word
    switch action {
    case .added: return new.map { "\(thing): \($0)" } ?? thing
    case .removed: return old.map { "\(thing): \($0)" } ?? thing
    case .renamed: return "\(thing), was \(old ?? "")"
    case .suspectedRename:
      let likeness = similarity.map { ", alike by \(Int(($0 * 100).rounded())) %" } ?? ""
      return "\(thing) may be \(old ?? "") under another name\(likeness)"
    case .moved where subject == .entity:
      return "\(thing): parent \(old ?? "none") → \(new ?? "none")"
    case .moved: return "\(thing): declared by \(old ?? "") → \(new ?? "")"
    case .changed: return "\(thing): \(values)"
    }
  }
}

extension ModelChange {
  /// The aspect that changes, with its values before and after.
  package var values: String {
    let word = aspect?.word ?? ""
    guard aspect == .defaultValue else { return "\(word) \(old ?? "none") → \(new ?? "none")" }
    switch (old.map(Self.defaultWords), new.map(Self.defaultWords)) {
    case (let old?, let new?): return "\(word) \(old) → \(new)"
    case (let old?, nil): return "the default \(old) is removed"
    case (nil, let new): return "the default \(new ?? "") is added"
    }
  }

  /// Returns a default as sentences name it; texts are quoted, so that only a Boolean is a bare word.
  package static func defaultWords(_ value: String) -> String {
    ["yes": "YES", "no": "NO"][value] ?? value
  }
}

extension ModelChange.Action {
  /// The word that begins a line, as wide as the others.
  package var word: String {
    switch self {
    case .added: "added   "
    case .removed: "removed "
    case .renamed: "renamed "
    case .suspectedRename: "perhaps "
    case .moved: "moved   "
    case .changed: "changed "
    }
  }
}

extension ModelChange.Subject {
  /// The subject in words.
  package var word: String { rawValue.spaced }
}

extension ModelAspect {
  /// The aspect in words.
  package var word: String {
    switch self {
    case .superentity: "parent"
    case .className: "class"
    case .versionHashModifier: "hash modifier"
    case .defaultValue: "default"
    case .historyPreservation: "preserved in history"
    case .cloudEncryption: "encrypted in CloudKit"
    case .valueTransformer: "transformer"
    case .spotlight: "Spotlight"
    case .cardinality: "count"
    case .minCount: "least count"
    case .maxCount: "greatest count"
    case .fetchRequest: "fetch"
    case .versionIdentifiers: "identifiers"
    default: rawValue.spaced
    }
  }
}

extension String {
  /// The words of a name in camel case, in small letters and with spaces between.
  fileprivate var spaced: String {
    reduce(into: "") { $0 += $1.isUppercase ? " \($1.lowercased())" : "\($1)" }
  }
}
