internal import ObjectModel
internal import StoreAccess
internal import SwiftDataImport

/// A comparison of schemas with the stores that were kept of them.
struct SourceSamples {
  let sources: SourceVersions
  let project: Project

  /// Returns the differences between a schema and the store that `samples:` names for it; none where
  /// all hashes that are known are equal.
  func findings(on name: String, _ store: StoreInspection) -> [Finding] {
    guard let version = sources.version(called: name) else { return [] }
    let hashes = store.metadata.versionHashes
    let schema = version.schema
    let known = schema.knownHashes
    let names = Set(known.keys).union(hashes.keys)
    let differing = names.filter { entity in
      !schema.unknownEntities.contains(entity) && known[entity] != hashes[entity]
    }.sorted(by: ByteOrder.precedes)
    let changes = changes(from: store, to: schema)
    return differing.flatMap { entity -> [Finding] in
      let own = changes.filter { $0.entityName == entity && $0.changesHash }
      return own.isEmpty
        ? [finding(entity, nil, version, hashes[entity] == nil, known[entity] == nil)]
        : own.map { finding(entity, $0, version, false, false) }
    }
  }

  /// Returns the differences between the model that a store carries and a schema.
  private func changes(from store: StoreInspection, to schema: SourceSchema) -> [ModelChange] {
    let carried = store.recoveredModel ?? store.identification.versions.last?.model
    guard let model = schema.model, let carried else { return [] }
    return ModelDifference(from: carried, to: model).changes
  }

  private func finding(
    _ entity: String,
    _ change: ModelChange?,
    _ version: SourceVersions.Version,
    _ isNew: Bool,
    _ isGone: Bool
  ) -> Finding {
    let property = change?.name
    let name = sources.name(of: version)
    let subject = "\(name).\(entity)" + (property.map { ".\($0)" } ?? "")
    let what: String
    switch change?.action {
    case .added: what = "is not in the store that was kept of it"
    case .removed: what = "is in the store that was kept of it, and gone"
    case .some:
      let aspect = change?.aspect?.word ?? ""
      what =
        "is not what it is in the store that was kept of it: \(aspect) \(change?.old ?? "none") → "
        + "\(change?.new ?? "none")"
    case nil:
      what =
        isNew
        ? "is not in the store that was kept of it"
        : isGone
          ? "is in the store that was kept of it, and gone"
          : "hashes unlike the store that was kept"
    }
    let place = version.schema.place(entity: entity, property: property)
    var finding = Finding(
      .sampleDiffersFromSchema,
      .error,
      at: place.finding(entity: entity, property: property),
      message:
        "\(subject) \(what); stores of \(version: name) will not open: NSCocoaErrorDomain 134504.",
      advice: "Make \(version: name) again what it was when the store was made."
    )
    finding.place.version = name
    finding = sources.placed(finding)
    finding.place.file = finding.place.file.map(project.folder.shortened)
    return finding
  }
}
