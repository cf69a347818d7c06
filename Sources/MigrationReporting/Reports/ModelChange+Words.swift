import ObjectModel

extension ModelChange: MemberEncodable {
  package var members: JSONMembers {
    [
      "action": action.rawValue, "subject": subject, "entity": entityName, "name": name,
      "aspect": aspect, "old": old, "new": new, "similarity": similarity,
      "changesHash": changesHash, "consequence": isConsequence,
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
