internal import ObjectModel
internal import SwiftDataImport

/// A writer of findings on edited locked versions in Swift's terms, at the lines of the sources.
struct SourceEdits {
  let sources: SourceVersions

  /// Returns a finding of the lock's audit on an edit, placed in the source; unchanged where it
  /// concerns another model.
  func placed(_ finding: Finding, from old: LockFile.Version, of version: ModelVersion) -> Finding {
    guard let own = sources.version(version), finding.code.has(.lockedEdit) else { return finding }
    var finding = finding
    let entity = finding.place.entity ?? ""
    let property = finding.place.property
    let place = own.schema.place(entity: entity, property: property)
    if own.path == sources.path {
      finding.place.file = SourceVersions.path(of: place.file, in: version.path)
      finding.place.line = place.line
    }
    guard finding.code == .shippedVersionRehashed else { return finding }
    finding.code = version.isCurrent ? .currentSchemaChanged : .frozenSchemaDrifted
    let called = sources.name(of: own)
    let name = called == SourceVersions.currentName ? "" : "\(called)."
    let subject = name + entity + (property.map { ".\($0)" } ?? "")
    let what = what(finding, subject, from: old, to: own.schema)
    // The versions of the app's own plan are known where it has a plan.
    let isPlanned = sources.declared(own.modelName)?.plan != nil
    finding.statement =
      isPlanned
      ? "\(what); stores of \(version: called) will not open: NSCocoaErrorDomain 134504."
      : "\(what); stores of \(version: called) as it was are of no version that the sources have."
    let frozen = version.name == SourceVersions.currentName ? "SchemaV1" : version.name
    // A commit that is no version of the project has it as it was.
    let freeze: Finding.Text =
      own.path == sources.path
      ? " At the tag of its release, `waystone freeze \(argument: frozen)` writes it as it was."
      : ""
    finding.advice =
      version.isCurrent
      ? "Keep \(version: called) as it was, and make the edit in a new VersionedSchema; or accept it: "
        + "`waystone lock --accept \(argument: called) --reason \"...\"`."
      : "Undo the edit, and make it in a new VersionedSchema; or accept it: `waystone lock --accept "
        + "\(argument: called) --reason \"...\"`."
    finding.advice += freeze
    return finding
  }

  private func what(
    _ finding: Finding,
    _ subject: String,
    from old: LockFile.Version,
    to schema: SourceSchema
  ) -> Finding.Text {
    guard let entity = finding.place.entity, let property = finding.place.property else {
      return "\(subject: subject) is not what it was"
    }
    let was = old.entities.first { $0.name == entity }?.property(property)
    let isNow = schema.properties[entity]?[property]
    switch (was, isNow) {
    case (nil, let now?):
      return "\(subject: subject) is new (\(now.type ?? "its type is not written"))"
    case (let was?, nil):
      return "\(subject: subject) was \(SwiftTypeName(was)?.text ?? "there"), and is gone"
    case (let was?, let now?):
      // An element of a composite is optional, however the structure has it.
      let isElement = property.contains(".")
      func shown(_ type: String) -> String {
        isElement && type.hasSuffix("?") ? String(type.dropLast()) : type
      }
      let type = now.type.map(shown) ?? "of another type"
      guard let before = SwiftTypeName(was).map({ shown($0.text) }), before != type else {
        return "\(subject: subject) is \(type), and not what it was"
      }
      return "\(subject: subject) was \(before), is \(type)"
    case (nil, nil): return "\(subject: subject) is not what it was"
    }
  }
}
