package import ObjectModel

extension ModelLint {
  /// Returns the Renaming IDs that a version has lost, as errors, where the hashes stay.
  package static func lostIdentifiers(
    from old: ModelVersion,
    to new: ModelVersion
  ) -> [Finding] {
    var lint = ModelLint()
    let changes = UnhashedChanges(from: old.model, to: new.model)
    for change in changes.difference.changes
    where change.aspect == .renamingIdentifier && !changes.isRehashed(change) {
      lint.reportLostIdentifier(change, old, new, [old])
    }
    return lint.findings.map { finding in
      var finding = finding
      finding.severity = .error
      finding.place.version = nil
      return finding
    }
  }

  /// Checks the step between two consecutive versions.
  ///
  /// ``UnhashedChanges`` finds the changes of the step, as for the edges of plans. Added here is what
  /// concerns hashes alone.
  mutating func check(
    from old: ModelVersion,
    to new: ModelVersion,
    earlier: ArraySlice<ModelVersion>
  ) {
    let changes = UnhashedChanges(from: old.model, to: new.model)
    let difference = changes.difference
    if !difference.isEmpty, !difference.changesHashes {
      reportEqual(old, new)
      reportUnseenRenames(old, new)
    }
    for change in difference.changes {
      switch change.aspect {
      case .versionHashModifier: reportNeedless(change, among: difference.changes, old, new)
      case .validation where !changes.isRehashed(change): reportValidation(change, new)
      case .renamingIdentifier where !changes.isRehashed(change):
        reportLostIdentifier(change, old, new, earlier)
      default: break
      }
    }
    let collector = FindingCollector()
    changes.report(to: collector)
    changes.reportTransformers(to: collector)
    changes.reportReadings(to: collector)
    report(collector.findings.map { $0.placed(in: new.name) })
  }

  private mutating func reportEqual(_ old: ModelVersion, _ new: ModelVersion) {
    report(
      .equalVersions,
      .note,
      at: Finding.Place(version: new.name),
      "\(version: new.name) has the same hashes as \(version: old.name): Core Data migrates no store from one to the other.",
      "If stores must be migrated, set a hash modifier; else nothing needs to be done."
    )
  }

  /// Reports Renaming IDs by which names change places, where both versions have the same hashes: no
  /// migration follows them.
  private mutating func reportUnseenRenames(_ old: ModelVersion, _ new: ModelVersion) {
    func canonicalNames(_ entity: EntityDescription) -> [String: String] {
      Dictionary(
        entity.attributes.map { ($0.name, $0.canonicalName) }
          + entity.relationships.map { ($0.name, $0.canonicalName) },
        uniquingKeysWith: { first, _ in first }
      )
    }
    for entity in new.model.entities {
      guard let former = old.model[entity.name] else { continue }
      if former.canonicalName != entity.canonicalName,
        let other = new.model[entity.canonicalName], other.canonicalName != other.name
      {
        reportUnseenRename(of: entity.name, (entity.name, nil), other.name, new)
      }
      let (before, after) = (canonicalNames(former), canonicalNames(entity))
      for (name, identifier) in after.sorted(by: { ByteOrder.precedes($0.key, $1.key) })
      where before[name] != identifier && after[identifier].map({ $0 != identifier }) == true {
        reportUnseenRename(of: "\(entity.name).\(name)", (entity.name, name), identifier, new)
      }
    }
  }

  private mutating func reportUnseenRename(
    of words: String,
    _ place: (entity: String, property: String?),
    _ identifier: String,
    _ version: ModelVersion
  ) {
    report([
      Finding(
        .renameUnseen,
        .warning,
        risk: .lossy,
        at: Finding.Place(version: version.name, entity: place.entity, property: place.property),
        message:
          "\(subject: words) has the \(version.model.framework.renamingIdentifier) \"\(identifier)\" from now on, but no hash changes, so that Core Data "
          + "migrates no store: \(words) keeps what it has, and does not get what \(identifier) has.",
        advice:
          "Set a hash modifier on \(words), so that the migration runs, or leave the \(version.model.framework.renamingIdentifier) out."
      )
    ])
  }

  /// Returns whether the hash of an entity of both models changes though all modifiers stay what they
  /// were.
  private static func isRehashed(
    _ name: String,
    from old: ManagedObjectModel,
    to new: ManagedObjectModel
  ) -> Bool {
    var entities = new.entities
    guard let former = old[name], let index = entities.firstIndex(where: { $0.name == name }) else {
      return true
    }
    entities[index].versionHashModifier = former.versionHashModifier
    for place in entities[index].attributes.indices {
      let before = former.attributes.first { $0.name == entities[index].attributes[place].name }
      entities[index].attributes[place].versionHashModifier = before?.versionHashModifier
    }
    for place in entities[index].relationships.indices {
      let before = former.relationships.first {
        $0.name == entities[index].relationships[place].name
      }
      entities[index].relationships[place].versionHashModifier = before?.versionHashModifier
    }
    let plain = try? ManagedObjectModel(entities: entities, composites: new.composites)
    return plain?.entityVersionHashes[name] != old.entityVersionHashes[name]
  }

  /// Reports bounds that change in an entity whose hash stays.
  private mutating func reportValidation(_ change: ModelChange, _ version: ModelVersion) {
    report(
      .unseenEdit,
      .note,
      at: Finding.Place(version: version.name, entity: change.entityName, property: change.name),
      "\(subject: change.place) \(.changes) \(.its) validation from \(change.old ?? "none") to "
        + "\(change.new ?? "none"), and \(.its) hash stays. Existing rows keep their values.",
      "If stores must follow, set a hash modifier; else nothing needs to be done."
    )
  }

  /// Reports that a version lacks the identifier by which an earlier one of the same hash renamed something.
  ///
  /// No store is migrated between the two. An app that migrates straight from before the rename to the
  /// later one reads only the later one's identifiers. Where the hash changes, the step itself reports
  /// it.
  private mutating func reportLostIdentifier(
    _ change: ModelChange,
    _ old: ModelVersion,
    _ new: ModelVersion,
    _ earlier: ArraySlice<ModelVersion>
  ) {
    guard let entityName = change.entityName, let entity = new.model[entityName],
      let former = old.model[entityName]
    else { return }
    let name = change.name ?? entityName
    let names: (old: String?, new: String?)
    if let property = change.name {
      names = (
        old.model.property(property, of: entityName)?.property.canonicalName,
        new.model.property(property, of: entityName)?.property.canonicalName
      )
    } else {
      names = (former.canonicalName, entity.canonicalName)
    }
    guard let identifier = names.old, identifier != name, names.new != identifier,
      change.name == nil
        ? earlier.contains(where: { $0.model.hasEntity(called: identifier) })
        : Self.isKnown(identifier, of: entity, in: new, earlier)
    else { return }
    let place = change.name.map { "\(entityName).\($0)" } ?? entityName
    let term = new.model.framework.renamingIdentifier
    // An identifier that was never a name, such as a UUID, renames nothing.
    let isFormerName =
      change.name == nil
      ? earlier.contains { $0.model[identifier] != nil }
      : Self.isName(identifier, of: entity, in: new, earlier)
    report([
      Finding(
        .canonicalNamesDisagree,
        .warning,
        risk: .lossy,
        at: Finding.Place(version: new.name, entity: entityName, property: change.name),
        message:
          isFormerName
          ? "\(subject: place) \(.has) lost the \(term) \"\(identifier)\", by which \(version: old.name) renames it. "
            + "An app that opens a store from before that with the model of \(version: new.name) drops \(identifier)."
          : "\(subject: place) \(.has) lost the \(term) \"\(identifier)\" that \(version: old.name) has. "
            + "Older versions are joined by it: an app that opens an older store with the model of "
            + "\(version: new.name) may drop the data of \(place).",
        advice:
          "Set the \(new.model.framework.renamingIdentifier) of \(name) to \"\(identifier)\" in \(version: new.name) and later versions: "
          + "that changes no version hash."
      )
    ])
  }

  /// Reports a modifier that was set although the hash changes without it.
  private mutating func reportNeedless(
    _ change: ModelChange,
    among changes: [ModelChange],
    _ old: ModelVersion,
    _ version: ModelVersion
  ) {
    guard change.new != nil, let entity = change.entityName else { return }
    let isNeedless = changes.contains { other in
      other != change && other.entityName == entity && other.changesHash && !other.isConsequence
        && other.aspect != .versionHashModifier
        && (change.name == nil || other.name == change.name)
    }
    guard isNeedless, Self.isRehashed(entity, from: old.model, to: version.model) else { return }
    report(
      .hashModifierNeedless,
      .note,
      at: Finding.Place(version: version.name, entity: entity, property: change.name),
      "\(subject: change.place) \(.gets) a hash modifier in a version in which \(.its) hash changes anyhow.",
      "In a version that has not shipped, leave it out. In a shipped one, keep it."
    )
  }
}

extension ModelChange {
  /// The entity or the property, as `Entity.property`.
  fileprivate var place: String {
    [entityName, name].compactMap(\.self).joined(separator: ".")
  }
}
