import ObjectModel

extension ModelLint {
  /// Checks the step between two consecutive versions.
  ///
  /// What the step changes is found by ``UnseenChanges``, as for the edges of plans. Added here is what
  /// concerns hashes alone.
  mutating func check(from old: ModelVersion, to new: ModelVersion) {
    let changes = UnseenChanges(from: old.model, to: new.model)
    let difference = changes.difference
    if !difference.isEmpty, !difference.changesHashes { reportEqual(old, new) }
    for change in difference.changes {
      switch change.aspect {
      case .versionHashModifier: reportNeedless(change, among: difference.changes, new)
      case .validation where !changes.isRehashed(change): reportValidation(change, new)
      default: break
      }
    }
    var collector = FindingCollector()
    changes.report(to: &collector)
    changes.reportTransformers(to: &collector)
    report(collector.findings.map { $0.placed(in: new.name) })
  }

  private mutating func reportEqual(_ old: ModelVersion, _ new: ModelVersion) {
    report(
      .equalVersions,
      .note,
      new,
      nil,
      nil,
      "\(new.name) has the same hashes as \(old.name): Core Data migrates no store from one to the other.",
      "If stores must be migrated, set a hash modifier; else nothing needs to be done."
    )
  }

  /// Reports bounds that change in an entity whose hash stays.
  private mutating func reportValidation(_ change: ModelChange, _ version: ModelVersion) {
    report(
      .unseenEdit,
      .note,
      version,
      change.entityName,
      change.name,
      "\(change.place) has another validation (\(change.old ?? "none") → "
        + "\(change.new ?? "none")), which the hash does not see. Rows that exist keep their values.",
      "If stores must follow, set a hash modifier; else nothing needs to be done."
    )
  }

  /// Reports a modifier that was set although the hash changes without it.
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
      "\(change.place) gets a hash modifier in a version in which its hash changes anyhow.",
      "Leave it out: a modifier is only needed where nothing else changes the hash."
    )
  }
}

extension ModelChange {
  /// The entity or the property, as `Entity.property`.
  fileprivate var place: String {
    [entityName, name].compactMap(\.self).joined(separator: ".")
  }
}
