import ObjectModel

extension ModelLint {
  /// Checks the step between two consecutive versions.
  mutating func check(from old: ModelVersion, to new: ModelVersion) {
    let difference = ModelDifference(from: old.model, to: new.model)
    if !difference.isEmpty, !difference.changesHashes { reportEqual(old, new) }
    let rehashed = Set(difference.rehashedEntityNames)
    for change in difference.changes {
      if change.action == .suspectedRename {
        reportSuspicion(change, new)
      } else if change.aspect == .versionHashModifier {
        reportNeedless(change, among: difference.changes, new)
      } else if !change.isConsequence, let entity = change.entityName, !rehashed.contains(entity) {
        reportUnseen(change, new)
      }
    }
  }

  private mutating func reportEqual(_ old: ModelVersion, _ new: ModelVersion) {
    report(
      .equalVersions,
      .note,
      new,
      nil,
      nil,
      "\(new.name) hashes like \(old.name), so that a store cannot tell them apart.",
      "If stores are to be told apart, set a hash modifier; else nothing needs to be done."
    )
  }

  private mutating func reportSuspicion(_ change: ModelChange, _ version: ModelVersion) {
    guard let old = change.old, let entity = change.entityName else { return }
    let thing = change.name.map { "\(entity).\($0)" } ?? entity
    let likeness = Int(((change.similarity ?? 0) * 100).rounded())
    report(
      .suspectedRename,
      .warning,
      version,
      entity,
      change.name,
      "\(thing) is new and \(old) is gone, and they are alike by \(likeness) %: without a renaming "
        + "identifier the data of \(old) is dropped.",
      "If it is the same, set its renaming identifier to \(old)."
    )
  }

  /// Tells of a change in an entity whose hash stays, so that Core Data carries its rows unseen.
  private mutating func reportUnseen(_ change: ModelChange, _ version: ModelVersion) {
    guard change.action == .changed, let aspect = change.aspect, let entity = change.entityName
    else { return }
    let place = change.name.map { "\(entity).\($0)" } ?? entity
    switch aspect {
    case .valueTransformer:
      report(
        .hashModifierForgotten,
        .warning,
        version,
        entity,
        change.name,
        "\(place) has another transformer (\(change.old ?? "none") → \(change.new ?? "none")), "
          + "which the hash does not see: stores keep bytes of the old one.",
        "Set a hash modifier, and convert the values by a mapping with a policy."
      )
    case .className where change.subject == .attribute:
      report(
        .hashModifierForgotten,
        .note,
        version,
        entity,
        change.name,
        "\(place) has values of another class (\(change.old ?? "none") → "
          + "\(change.new ?? "none")), which the hash does not see.",
        "If stored values cannot be read as the new class, set a hash modifier and convert them."
      )
    case .defaultValue, .validation, .indexes, .deletionRule:
      report(
        .unseenEdit,
        .note,
        version,
        entity,
        change.name,
        "\(place) changes in a way that the hash does not see: "
          + "\(Self.word(aspect)) \(change.old ?? "none") → \(change.new ?? "none"). "
          + (aspect == .indexes
            ? "Stores get the index only when something else is migrated too."
            : "Rows that exist keep what they have."),
        "If stores must follow, set a hash modifier; else nothing needs to be done."
      )
    default: break
    }
  }

  private static func word(_ aspect: ModelAspect) -> String {
    switch aspect {
    case .defaultValue: "default"
    case .deletionRule: "deletion rule"
    default: aspect.rawValue
    }
  }

  /// Tells of a modifier that was set although the hash changes without it.
  private mutating func reportNeedless(
    _ change: ModelChange,
    among changes: [ModelChange],
    _ version: ModelVersion
  ) {
    guard change.new != nil, let entity = change.entityName else { return }
    let isNeedless = changes.contains { other in
      other != change && other.entityName == entity && other.changesHash && !other.isConsequence
        && other.aspect != .versionHashModifier
        && (change.name == nil || other.name == change.name)
    }
    guard isNeedless else { return }
    report(
      .hashModifierNeedless,
      .note,
      version,
      entity,
      change.name,
      "\(change.name.map { "\(entity).\($0)" } ?? entity) gets a hash modifier in a version in "
        + "which its hash changes anyhow.",
      "Leave it out: a modifier is only needed where nothing else changes the hash."
    )
  }
}
