internal import Files
internal import MigrationPlanning
internal import ModelImport
package import ObjectModel
internal import SwiftDataImport

/// A version as a frozen `VersionedSchema`, with its place in the app's migration plan.
package struct FrozenSchema: Sendable {
  /// The name of the schema.
  package let name: String
  /// The version.
  package let version: ModelVersion
  /// The Swift source.
  package let contents: String
  /// The parts of the version that the source lacks.
  package let findings: [Finding]
  /// The line to add to the stages of the plan; nil where no schema comes before it.
  package let stage: String?
  /// The name of the plan; nil where the sources declare none.
  package let plan: String?
  /// Whether the plan lists the schema, and a stage to it, already.
  package let isPlanned: Bool
}

extension Project {
  /// Throws where the sources declare a schema of a name, and no version is called so, as with versions of tags.
  package func requireVersion(ofSchema name: String) throws(WaystoneError) {
    guard sources?.working?.schemas.contains(where: { $0.name == name }) == true else { return }
    throw WaystoneError(
      .badArgument,
      "The sources declare \(name), which is none of the versions here: the current models would be written as it.",
      recovery:
        "Name the tag or version that has it: `waystone freeze \(name.shellWord) --from TAG`."
    )
  }
}

/// The writer of frozen schemas: a version of a project, or of another model.
package struct SchemaFreezer {
  /// The project, whose sources show style and plan; nil where there is none.
  package let project: Project?

  /// The freezer for a project.
  package init(_ project: Project?) { self.project = project }

  private var sources: SourceVersions? { project?.sources }

  /// Returns a version as a frozen `VersionedSchema`, in the style of the app's sources where they declare it.
  ///
  /// The source is read again: its hashes, and what it declares of each entity, are those of the version.
  /// - Parameters:
  ///   - model: The model with the one version.
  ///   - isOfSources: Whether the version is one of the project's, so that its sources may declare it.
  ///   - name: The name of the schema.
  /// - Throws: ``WaystoneError`` where SwiftData cannot express the version, or the source would be read as
  ///   another one.
  package func frozen(
    _ model: VersionedModel,
    isOfSources: Bool,
    named name: String
  ) throws -> FrozenSchema {
    guard model.versions.count == 1, let version = model.versions.first else {
      throw WaystoneError(
        .badArgument,
        "\(model.name) has \(model.versions.count) versions, and one schema is one version.",
        recovery: "Name one of them."
      )
    }
    let own = isOfSources ? sources?.version(version) : nil
    let declared = declared(for: name, own == nil ? nil : version)
    if own == nil { try VersionedModel.requireKnownHashes(of: version) }
    var form = SwiftSchemaWriter.Form()
    form.verb = "freeze"
    form.spelling = own?.schema.spelling
    form.identifier = identifier(of: name, own?.schema, declared)
    let output = try SwiftSchemaWriter.write(version.model, named: name, as: form)
    if VersionedModel.readsSwift {
      try requireSame(output.contents, version.model, leftOut: form.spelling?.leftOut ?? [])
    }
    let place = stage(to: name, version, isOfSources: isOfSources, declared)
    return FrozenSchema(
      name: name,
      version: version,
      contents: output.contents,
      findings: output.findings,
      stage: place.stage,
      plan: declared?.plan?.name,
      isPlanned: place.isPlanned
    )
  }

  /// Returns the model of the sources that a schema is to be in: the version's, else the one that has a schema
  /// of that name, else the only one.
  private func declared(for name: String, _ version: ModelVersion?) -> SourceModel? {
    if let version { return sources?.declared(version.ownModelName) }
    let models = sources?.working?.models ?? []
    return models.first { model in model.schemas.contains { $0.name == name } }
      ?? (models.count == 1 ? models.first : nil)
  }

  /// Returns the identifier that the schema of this name has in the sources; else one that none of them
  /// has.
  private func identifier(
    of name: String,
    _ schema: SourceSchema?,
    _ model: SourceModel?
  ) -> String? {
    let declared = model?.schemas.filter { $0.name != nil } ?? []
    if let known = declared.first(where: { $0.name == name })?.identifier { return known }
    if declared.isEmpty { return schema.map { $0.identifier ?? "1.0.0" } }
    let majors = declared.compactMap {
      $0.identifier?.split(separator: ".").first.flatMap { Int($0) }
    }
    return "\(min(majors.max() ?? 0, 999_999) + 1).0.0"
  }

  private func requireSame(
    _ contents: String,
    _ model: ManagedObjectModel,
    leftOut: [SwiftSpelling.LeftOut]
  ) throws {
    let text = SourceText(name: "the schema", bytes: Array(contents.utf8))
    let read = try SourceArchive.read([text]).current?.model
    /// Returns the part of an outline that concerns data, without defaults that are left out.
    func shapes(_ model: ManagedObjectModel?) -> [String: EntityOutline] {
      var result: [String: EntityOutline] = [:]
      for var outline in model?.entityOutlines ?? [] {
        outline.remainder = ""
        for index in outline.properties.indices {
          let property = SwiftSpelling.LeftOut(
            entity: outline.name,
            property: outline.properties[index].name
          )
          if leftOut.contains(property) { outline.properties[index].values[.defaultValue] = nil }
          // A copy has names of its own for types.
          outline.properties[index].codings = outline.properties[index].codings?.map(\.unnamed)
        }
        result[outline.name] = outline
      }
      return result
    }
    // A store or a model of Xcode has shapes that no class has, such as validation.
    let isSwift = model.framework == .swiftData
    let (was, isNow) = (shapes(model), shapes(read))
    let wrong = Set(was.keys).union(isNow.keys).filter { name in
      isSwift ? was[name] != isNow[name] : was[name]?.hash != isNow[name]?.hash
    }
    guard let first = wrong.min(by: ByteOrder.precedes) else { return }
    throw WaystoneError(
      .refused,
      "A frozen copy of \(first) would be read as another entity than the version has.",
      recovery:
        "Copy the class into a VersionedSchema by hand, and compare the two: `waystone diff`."
    )
  }

  private func stage(
    to name: String,
    _ version: ModelVersion,
    isOfSources: Bool,
    _ model: SourceModel?
  ) -> (stage: String?, isPlanned: Bool) {
    guard let model else { return (nil, false) }
    let declared = model.schemas.compactMap(\.name)
    let previous =
      declared.firstIndex(of: name).map { $0 > 0 ? declared[$0 - 1] : nil } ?? declared.last
    let plan = model.plan
    let isListed = plan?.schemas.contains(name) == true
    // The place of an older version in the history is not known.
    guard let previous, declared.contains(name) || version.isCurrent && isOfSources else {
      return (nil, isListed)
    }
    let ends = "(fromVersion: \(previous).self, toVersion: \(name).self"
    let stages = plan?.stages ?? []
    let isPlanned = isListed && stages.contains { $0.from == previous && $0.to == name }
    let source = sources?.models.first { $0.name == model.name }?.versions.first {
      $0.name == previous
    }
    let isRefused =
      source.map { source in
        let step = VersionedModel(name: version.modelName, versions: [source, version])
        return VersionGraph(step, authored: []).consecutiveEdges.contains { $0.isRefused }
      } ?? false
    return (
      isRefused
        ? ".custom\(ends), willMigrate: nil, didMigrate: nil)" : ".lightweight\(ends))",
      isPlanned
    )
  }

}

extension Project {
  /// Returns the sources' spelling of a version that they declare; nil for any other.
  package func spelling(of version: ModelVersion) -> SwiftSpelling? {
    sources?.version(version)?.schema.spelling
  }

  /// Returns a check's findings on schemas that are locked, and on types that they share with the current
  /// one.
  ///
  /// - Throws: ``WaystoneError`` where there is no lock, or as ``check(_:)``.
  package func checkFrozen() throws(WaystoneError) -> CheckReport {
    guard try lockFile() != nil else {
      throw WaystoneError(
        .missingFile,
        "There is no lock, so that nothing says what the frozen schemas were.",
        recovery: "Write it: `waystone lock`."
      )
    }
    var report = try check()
    report.mappings = []
    report.findings.removeAll { !$0.code.has(.frozenSchema) }
    return report
  }
}
