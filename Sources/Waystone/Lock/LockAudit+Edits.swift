internal import ObjectModel
internal import SwiftDataImport

extension LockAudit {
  /// Returns the finding on a version that is as it was locked, but for what stores have shown since of
  /// its Swift types; nil for any other.
  func lockedAsAssumed(_ version: ModelVersion, _ old: LockFile.Version) -> Finding? {
    guard let assumed = project.lessons.assumed[version.qualifiedName],
      EntityOutline.changes(from: old.entities, to: assumed).isEmpty
    else { return nil }
    let name = project.names.name(of: version)
    let known = (project.lessons.learned + project.lessons.confirmed).filter { !$0.confirmsRule }
      .map { "\($0.key) is \($0.form), as \($0.store) shows" }
    return Finding(
      .lockedAsAssumed,
      .warning,
      at: Finding.Place(file: path, line: old.line, version: name),
      message:
        "\(version: name) was locked with hashes that rest on assumed rules"
        + (known.isEmpty
          ? ", and waystone.yml states others." : ": \(known.joined(separator: ", "))."),
      advice: "Lock it anew: `waystone lock --accept \(argument: name) --reason \"measured\"`."
    )
  }

  /// Returns the edits of a version since it was locked, property by property.
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
        message: "\(subject: entity) \(.has) other class names, annotations or the like than when "
          + "\(version: name) was locked; no data depends on them.",
        advice: "Nothing needs to be done."
      )
    }
    if old.remainder != new.remainder {
      findings.append(
        Finding(
          .shippedVersionAnnotated,
          .note,
          at: Finding.Place(file: version.contentsPath, version: name),
          message:
            "\(version: name) has other stored fetches or identifiers than when it was locked; no data "
            + "depends on them.",
          advice: "Nothing needs to be done."
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
      message: "\(subject: subject) \(what(change)). \(effect)",
      advice: "Undo the edit, and make it in a new version; or accept it: `waystone lock --accept "
        + "\(argument: name) --reason \"...\"`."
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
