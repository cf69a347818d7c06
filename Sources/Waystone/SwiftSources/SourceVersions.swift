internal import Files
internal import ModelImport
package import ObjectModel
package import SwiftDataImport

/// The versions that an app's Swift sources declare, and the migrations that they define.
package struct SourceVersions: Sendable {
  /// A version of the archive, with the schema from which it was made.
  package struct Version: Sendable {
    /// The name of the model whose version it is.
    package var modelName: String
    /// The name of the version.
    package var name: String
    /// The schema.
    package var schema: SourceSchema
    /// The folder, with the commit where it was read at one.
    package var path: String
  }

  /// The name of the only model that sources declare, and of the one whose store has SwiftData's own name.
  package static let aloneName = SourceModel.defaultName
  /// The name of the version that is in no versioned schema.
  package static let currentName = "current"

  /// The declarations of the files as they are; nil where only commits are read.
  package var working: SourceArchive?
  /// The versions of the archive, model by model, the oldest first.
  package var versions: [Version]
  /// The findings on files and containers.
  package var findings: [Finding]
  /// The commits that are left out, since the folder declares no model at them.
  package private(set) var emptyReferences: [String] = []
  /// The use of CloudKit that the target's files show as they are; nil where all files of the folder count.
  private(set) var targetCloudKit: CloudKitSources?
  /// The folder.
  package let path: String

  /// Returns the versions in a folder of sources; nil where they declare no model.
  ///
  /// - Parameter onReference: Called with each commit before it is read.
  /// - Throws: ``WaystoneError`` where files or commits cannot be read, or none of the commits has a model.
  package static func read(
    _ models: ModelsPath,
    options: SwiftDataOptions,
    onReference: (String) -> Void = { _ in }
  ) throws -> SourceVersions? {
    let references = models.references.isEmpty ? [ModelsPath.now] : models.references
    var result = SourceVersions(versions: [], findings: [], path: models.path)
    let repository =
      references == [ModelsPath.now] ? nil : try GitRepository(around: models.path)
    let folder = repository?.pathBelowRoot(models.path) ?? ""
    var history = SourceHistory(isAlone: models.references.isEmpty)
    for reference in references {
      let isNow = reference == ModelsPath.now
      onReference(reference)
      let choice = TargetChoice(options.target, in: models.project, options.conditions)
      let files =
        if let repository, !isNow {
          try GitTree(of: folder, at: reference, in: repository).files(
            withTargets: choice.isNeeded
          )
        } else {
          try SourceFolder.files(below: models.path, withTargets: choice.isNeeded)
        }
      if !SourceParser.isAvailable {
        if let refusal = SwiftDataImportError.refusal(of: files.texts) { throw refusal }
        if models.references.isEmpty { return nil }
      }
      let chosen = try choice.files(files, at: isNow ? nil : reference)
      // A file that only mentions a model, as in a comment, declares none.
      let mentionsModels = chosen.texts.contains(where: \.mentionsModels)
      var archive = try SourceArchive.read(mentionsModels ? chosen.texts : [], options: options)
      if mentionsModels { archive.findings += chosen.findings + passedOver(files.passedOver) }
      guard !archive.schemas.isEmpty || (!archive.findings.isEmpty && models.references.isEmpty)
      else {
        if models.references.isEmpty { return nil }
        guard !isNow else { throw none(models.path) }
        result.leaveOut(reference)
        continue
      }
      if isNow {
        if choice.isNeeded { result.targetCloudKit = CloudKitSources(chosen.texts) }
      }
      result.findings += archive.findings
      history.add(archive, reference: isNow ? nil : reference, isNow: isNow)
    }
    history.name()
    result.working = history.working
    result.versions = history.versions(below: models.path)
    guard !result.versions.isEmpty else {
      throw none("\(models.path) at \(result.emptyReferences.joined(separator: ", "))")
    }
    return result
  }

  private static func none(_ place: String) -> WaystoneError {
    WaystoneError(
      .missingFile,
      "\(place) declares no class with @Model.",
      recovery: "Name a folder and commits that do."
    )
  }

  /// Returns a note on folders that are projects of their own; none where there are none.
  private static func passedOver(_ folders: [String]) -> [Finding] {
    guard let first = folders.first else { return [] }
    let isOne = folders.count == 1
    return [
      Finding(
        .unreadableSource,
        .note,
        at: Finding.Place(file: "\(first)/\(Configuration.fileName)"),
        message: "\(folders.joined(separator: ", ")) \(isOne ? "is a project" : "are projects") of "
          + "\(isOne ? "its" : "their") own, and no model of \(isOne ? "it" : "them") is read here.",
        remedy: "Remove \(Configuration.fileName) from a folder whose models are the app's."
      )
    ]
  }

  private mutating func leaveOut(_ reference: String) {
    emptyReferences.append(reference)
    findings.append(
      Finding(
        .unreadableSource,
        .warning,
        at: Finding.Place(version: reference),
        message:
          "\(version: reference) is left out: \(FileSystem.name(of: path)) declares no class with @Model there.",
        advice:
          "Leave \(version: reference) out of `models:`, or name the folder that held the models then."
      )
    )
  }

  /// The names of the models, in their order.
  package var modelNames: [String] {
    var names: [String] = []
    for version in versions where names.last != version.modelName {
      names.append(version.modelName)
    }
    return names
  }

  /// The models with the versions whose entities are known; the others are unreadable.
  package var models: [VersionedModel] { modelNames.map(model) }

  private func model(called modelName: String) -> VersionedModel {
    let versions = versions.filter { $0.modelName == modelName }
    var known: [ModelVersion] = []
    var unreadable: [UnreadableVersion] = []
    for (index, version) in versions.enumerated() {
      let isCurrent = index == versions.count - 1
      guard version.schema.isWhole, let model = version.schema.model else {
        let cause = cause(version.schema)
        var gap = UnreadableVersion(
          name: version.name,
          reason: cause?.message ?? "Its entities are not known."
        )
        // Where all classes count because no container names them, one that is not understood may be
        // none.
        let other = version.schema.findings.first {
          $0.code == .undecidedContainer && $0.severity == .note
        }
        let remedies = [cause?.remedy, other?.remedy].compactMap(\.self)
        gap.remedy =
          remedies.isEmpty
          ? "See what `waystone check` says of its sources." : remedies.joined(separator: " ")
        gap.isCurrent = isCurrent
        unreadable.append(gap)
        continue
      }
      var made = ModelVersion(
        modelName: modelName,
        name: version.name,
        model: model,
        isCurrent: isCurrent,
        path: version.path
      )
      made.isOfSwift = true
      known.append(made)
    }
    var result = VersionedModel(name: modelName, versions: known, path: path)
    result.isOfSwift = true
    result.versions = known
    result.unreadable = unreadable
    result.hasDeclaredOrder = true
    let names = versions.map(\.name)
    // A tag is a version that was shipped, also where no plan lists it.
    let isOfFiles = versions.allSatisfy { $0.path == path }
    guard isOfFiles, let parents = parents(of: names, in: modelName) else {
      return result.placingUnreadable(in: names)
    }
    let (model, bridged) = result.bridged(parents)
    return model.ordered(byParents: bridged) ?? model
  }

  /// Returns the names of the versions that each version follows, where the app's migration plan does not list all
  /// of them; nil where it does, or where there is none.
  ///
  /// The app takes no store through a schema that its plan does not list. Such a schema, as one that was never
  /// shipped or that belongs to another store, begins a line of its own, which leads to the next one of the plan.
  private func parents(of names: [String], in modelName: String) -> [String: [String]]? {
    let plan = working?.models.first { $0.name == modelName }?.plan
    guard let plan, !plan.lacksSchemas else { return nil }
    let listed = Set(plan.schemas)
    guard let last = names.lastIndex(where: listed.contains),
      names[..<last].contains(where: { !listed.contains($0) })
    else { return nil }
    var parents: [String: [String]] = [:]
    var (line, others): ([String], [String]) = ([], [])
    for (index, name) in names.enumerated() {
      guard index > last || listed.contains(name) else {
        parents[name] = []
        others.append(name)
        continue
      }
      parents[name] = line + others
      (line, others) = ([name], [])
    }
    return parents
  }

  /// Returns the reason why the hashes of a version are unknown.
  private func cause(_ schema: SourceSchema) -> Finding? {
    schema.findings.filter { $0.code.has(.openSchema) }.worstFirst.first
  }

  /// The findings on the sources and on each version.
  ///
  /// A version whose entities are unknown cannot be checked, not even against its lock: that is an
  /// error.
  package var allFindings: [Finding] {
    var result = findings.map { placed($0) }
    result += (working?.models ?? []).flatMap { $0.plan?.findings ?? [] }.map { placed($0) }
    for version in versions {
      result += version.schema.findings.map { finding in
        var finding = placed(finding)
        finding.place.version = name(of: version)
        if !version.schema.isWhole, finding.code.has(.openSchema) { finding.severity = .error }
        return finding
      }
    }
    // Sources of commits have names of their own for files.
    let paths = Set(versions.map(\.path)).sorted()
    for path in paths {
      let own = versions.filter { $0.path == path }
      result += ShapeFindings.findings(of: own.map(\.schema)).map { finding in
        var finding = placed(finding)
        if own.count == 1 { finding.place.version = name(of: own[0]) }
        return finding
      }
    }
    return result
  }

  /// Returns a finding whose file is below the folder, with the file's path.
  package func placed(_ finding: Finding) -> Finding {
    var finding = finding
    // A source that was read at a commit has git's name for it, and is in no file.
    finding.place.file = finding.place.file.map {
      isAtCommit($0) ? $0 : Self.path(of: $0, in: path)
    }
    return finding
  }

  /// Returns the path of a file by its folder's, without the dot of a folder that is called `.`.
  static func path(of file: String, in folder: String) -> String {
    folder == "."
      ? file : folder.hasSuffix("/.") ? "\(folder.dropLast())\(file)" : "\(folder)/\(file)"
  }

  private func isAtCommit(_ file: String) -> Bool {
    versions.contains { version in
      version.path != path && file.hasPrefix("\(version.name):")
    }
  }

  /// The places of the declarations of each version's entities and properties: by the version's
  /// qualified name, and `Entity.property`, `Entity` or nothing.
  package var declarations: [String: [String: Finding.Place]] {
    var result: [String: [String: Finding.Place]] = [:]
    for version in versions where version.path == path {
      var places = ["": place(version.schema.place)]
      for (entity, declaration) in version.schema.entities {
        places[entity] = place(declaration.place)
        for (property, declaration) in version.schema.properties[entity] ?? [:] {
          places["\(entity).\(property)"] = place(declaration.place)
        }
      }
      result[version.qualifiedName] = places
    }
    return result
  }

  private func place(_ place: SourcePlace) -> Finding.Place {
    Finding.Place(file: Self.path(of: place.file, in: path), line: place.line)
  }
}

extension SourceVersions.Version {
  /// The name with the model's.
  package var qualifiedName: String { "\(modelName)/\(name)" }
}

extension SourceVersions {
  /// Returns the shortest name that means one of the versions.
  func name(of version: Version) -> String {
    let count = versions.count { $0.name == version.name && $0.modelName != version.modelName }
    return count == 0 ? version.name : version.qualifiedName
  }

  /// Returns the version with the declaration of one of the archive; nil where the sources do not declare it.
  func version(_ version: ModelVersion) -> Version? {
    guard version.isOfSwift else { return nil }
    return versions.first {
      $0.name == version.name && $0.modelName == version.ownModelName
    }
  }

  /// Returns the version that a name means; nil for one without its model's name that several models have.
  func version(called name: String) -> Version? {
    if let version = versions.first(where: { $0.qualifiedName == name }) { return version }
    let found = versions.filter { $0.name == name }
    return Set(found.map(\.modelName)).count == 1 ? found.first : nil
  }

  /// Returns whether a name means one of the versions.
  func hasVersion(called name: String) -> Bool { version(called: name) != nil }

  /// Returns the model that the files as they are declare, by its name; of a history of several, by that of its
  /// last one.
  func declared(_ model: String, in archive: ModelArchive? = nil) -> SourceModel? {
    let parts = archive?.models.first { $0.name == model }?.parts ?? []
    let own = parts.last?.name ?? model
    return working?.models.first { $0.name == own }
  }

  /// Gives models other names where Xcode's models have theirs.
  mutating func avoid(_ names: Set<String>) {
    func other(_ name: String) -> String { names.contains(name) ? "\(name) (Swift)" : name }
    for index in versions.indices { versions[index].modelName = other(versions[index].modelName) }
    guard var archive = working else { return }
    for index in archive.models.indices {
      archive.models[index].name = archive.models[index].name.map(other)
    }
    working = archive
  }
}

extension VersionedModel {
  /// Whether it joins versions of Core Data's models with those that the app's sources declare.
  var isMovedToSwift: Bool { isJoined && isOfSwift && parts.contains { !$0.isOfSwift } }
}
