internal import ObjectModel

extension LockAudit {
  /// Returns a finding for each property of a version that was edited since the version was locked.
  static func edits(
    of version: ModelVersion,
    from old: LockFile.Version,
    to new: LockFile.Version,
    _ names: VersionNames
  ) -> [Finding] {
    let name = names.name(of: version)
    let changes = EntityOutline.changes(from: old.entities, to: new.entities)
    var findings = changes.map { finding($0, in: version, named: name) }
    let annotated = EntityOutline.annotatedNames(from: old.entities, to: new.entities)
    findings += annotated.map { entity in
      Finding(
        .shippedVersionAnnotated,
        .note,
        at: Finding.Place(file: version.contentsPath, version: name, entity: entity),
        message: "\(entity) has other class names, annotations or the like than when \(name) was "
          + "locked; no data depends on them.",
        remedy: "Nothing needs to be done."
      )
    }
    if old.remainder != new.remainder {
      findings.append(
        Finding(
          .shippedVersionAnnotated,
          .note,
          at: Finding.Place(file: version.contentsPath, version: name),
          message:
            "\(name) has other stored fetches or identifiers than when it was locked; no data "
            + "depends on them.",
          remedy: "Nothing needs to be done."
        )
      )
    }
    return findings
  }

  private static func finding(
    _ change: ModelChange,
    in version: ModelVersion,
    named name: String
  ) -> Finding {
    let entity = change.entityName ?? ""
    let subject = change.name.map { "\(entity).\($0)" } ?? entity
    let effect =
      change.changesHash
      ? "The version hash changes with it, so that stores made before the edit fit no version any more."
      : "No hash sees it, and the apps out there have the old one."
    return Finding(
      change.changesHash ? .shippedVersionRehashed : .shippedVersionEdited,
      .error,
      at: Finding.Place(
        file: version.contentsPath,
        version: name,
        entity: entity,
        property: change.name
      ),
      message: "\(subject) \(what(change)). \(effect)",
      remedy: "Undo the edit, and make it in a new version; or accept it: `waystone lock --accept "
        + "\(name.shellWord) --reason \"...\"`."
    )
  }

  private static func what(_ change: ModelChange) -> String {
    switch change.action {
    case .added: return "was added after its version was locked"
    case .removed: return "was removed after its version was locked"
    case .renamed, .suspectedRename, .moved, .changed:
      return "was edited after its version was locked: \(change.values)"
    }
  }
}
