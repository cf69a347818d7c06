package import ObjectModel

extension ModelChange {
  /// The change as an object of JSON results.
  var json: JSONValue {
    [
      "action": .string(action.rawValue),
      "subject": .string(subject.rawValue),
      "entity": JSONValue(entityName),
      "name": JSONValue(name),
      "aspect": JSONValue(aspect?.rawValue),
      "old": JSONValue(old),
      "new": JSONValue(new),
      "similarity": similarity.map { .number($0) } ?? .null,
      "changesHash": .boolean(changesHash),
      "consequence": .boolean(isConsequence),
    ]
  }

  /// What happens, after the word for it; the entity stands above.
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
    case .changed:
      return "\(thing): \(aspect?.word ?? "") \(old ?? "none") → \(new ?? "none")"
    }
  }
}

extension ModelChange.Action {
  /// The word that begins a line, as wide as the others.
  var word: String {
    switch self {
    case .added: "added   "
    case .removed: "removed "
    case .renamed: "renamed "
    case .suspectedRename: "perhaps "
    case .moved: "moved   "
    case .changed: "changed "
    }
  }

  /// How a terminal shows the word.
  var style: StyledText.Style {
    switch self {
    case .added: .good
    case .removed: .bad
    case .renamed, .moved, .changed: .plain
    case .suspectedRename: .caution
    }
  }
}

extension ModelChange.Subject {
  /// The subject as people call it.
  var word: String {
    switch self {
    case .model: "model"
    case .entity: "entity"
    case .attribute: "attribute"
    case .relationship: "relationship"
    case .fetchedProperty: "fetched property"
    case .fetchRequest: "fetch request"
    case .configuration: "configuration"
    case .composite: "composite"
    }
  }
}

extension ModelAspect {
  /// The aspect as people call it.
  package var word: String {
    switch self {
    case .isAbstract: "abstract"
    case .superentity: "parent"
    case .uniquenessConstraints: "uniqueness constraints"
    case .indexes: "indexes"
    case .className: "class"
    case .codeGeneration: "code generation"
    case .isSyncable: "syncable"
    case .versionHashModifier: "hash modifier"
    case .renamingIdentifier: "renaming identifier"
    case .userInfo: "user info"
    case .type: "type"
    case .isOptional: "optional"
    case .isTransient: "transient"
    case .defaultValue: "default"
    case .validation: "validation"
    case .externalStorage: "external storage"
    case .historyPreservation: "preserved in history"
    case .cloudEncryption: "encrypted in CloudKit"
    case .valueTransformer: "transformer"
    case .scalarType: "scalar type"
    case .derivation: "derivation"
    case .spotlight: "Spotlight"
    case .composite: "composite"
    case .destination: "destination"
    case .inverse: "inverse"
    case .cardinality: "count"
    case .minCount: "least count"
    case .maxCount: "greatest count"
    case .isOrdered: "ordered"
    case .deletionRule: "deletion rule"
    case .fetchRequest: "fetch"
    case .members: "members"
    case .versionIdentifiers: "identifiers"
    case .kind: "kind"
    case .configurations: "configurations"
    case .versionHash: "version hash"
    }
  }
}
