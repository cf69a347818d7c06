import ObjectModel

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
}

extension ModelChange.Action {
  /// The style of the word on a terminal.
  var style: StyledText.Style {
    switch self {
    case .added: .good
    case .removed: .bad
    case .renamed, .moved, .changed: .plain
    case .suspectedRename: .caution
    }
  }
}
