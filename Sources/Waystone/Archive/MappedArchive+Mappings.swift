package import MigrationPlanning
internal import ModelImport
package import ObjectModel
internal import StoreMigration

extension MappedArchive {
  /// Returns the archive with its authored mappings, bound to its versions.
  ///
  /// - Parameters:
  ///   - given: The absolute paths that the caller names, which replace all others.
  ///   - listed: The paths of each entry of the project's list; nil where the files beside the models
  ///     count. Mappings between the same versions run in the order of entries.
  ///   - shown: The text of a path in reports.
  /// - Throws: An error that names the file for the first mapping that cannot be read.
  package func binding(
    mappings given: [String],
    listed: [[String]]? = nil,
    shown: (String) -> String = { $0 }
  ) throws -> MappedArchive {
    var mapped = self
    mapped.stagedMigrations = []
    mapped.givenMappings = given
    mapped.listsMappings = listsMappings || listed != nil
    let entries =
      given.isEmpty ? listed : try given.map { try MappingFinder.mappings(below: $0) }
    let paths =
      try entries?.flatMap(\.self)
      ?? Self.mappings(besides: modelsPaths)
    mapped.mappingPaths = paths
    let places = Dictionary(
      (entries ?? []).enumerated().flatMap { place, paths in paths.map { (shown($0), place) } },
      uniquingKeysWith: { first, _ in first }
    )
    var mappings: [AuthoredMapping] = []
    var unread: [Finding] = []
    for path in paths {
      do {
        if StagedImporter.isStaged(path) {
          if let finding = try mapped.missingVersion(ofStages: path, shown: shown) {
            unread.append(finding)
          }
          continue
        }
        let read = try mapped.read(path, shown: shown)
        mapped.readMappings[path] = read
        mappings += mapped.isBesideModel ? read.filter(concernsModels) : read
      } catch let error as ModelImportError where mapped.leavesOut(path, error) {
        unread.append(Self.left(path, error, shown: shown))
      }
    }
    mapped.binding =
      MappingBinding(mappings, to: archive.models, besides: unread, inOrder: places) {
        CompiledHop.refusal(of: $0, from: $1, to: $2).map { ($0.message, $0.recovery) }
      }
    mapped.authored = mapped.binding.edges
    let models = mappings.filter(\.form.isCoreData)
    mapped.bundled = MappingBinding(models, to: archive.models, inOrder: places).edges.map { edge in
      var edge = edge
      // Core Data knows methods that Waystone does not.
      edge.refusals.removeAll { $0.code == .unusableMapping }
      return edge
    }
    for path in paths where StagedImporter.isStaged(path) {
      guard let migration = try mapped.stagedMigration(path, shown: shown) else { continue }
      mapped.stagedMigrations.append(migration)
      try mapped.add(migration.manager.edges(origin: migration.origin))
    }
    mapped.addDeclaredStages(shown: shown)
    return mapped
  }

  /// Adds the stages that the app's own sources declare.
  ///
  /// A hop file for a step replaces the stage's code, which only the app has. Where a plan is not
  /// understood as a whole, the app's migration is unknown, and its custom stages still count.
  private mutating func addDeclaredStages(shown: (String) -> String) {
    for declared in archive.stages { add(declared, shown: shown) }
  }

  private mutating func add(_ declared: DeclaredStages, shown: (String) -> String) {
    guard let model = archive.models.first(where: { $0.name == declared.modelName })
    else { return }
    let origin = AuthoredEdge.Origin(
      name: declared.name,
      path: shown(declared.path),
      form: .stage
    )
    if declared.isComplete,
      let manager = try? StagedMigrationManager(declared.stages(from: model), model: model)
    {
      stagedMigrations.append(StagedMigration(manager: manager, origin: origin))
    }
    for stage in declared.stages {
      let single = try? StagedMigrationManager([stage], model: model)
      for edge in single?.edges(origin: origin) ?? [] {
        let isWritten = authored.contains {
          $0.source == edge.source && $0.destination == edge.destination
        }
        if !isWritten { authored.append(edge) }
      }
    }
  }

  /// Returns the archive with the mappings and edges that the options of a program name.
  func binding(_ paths: [String], _ edges: [AuthoredEdge]) throws -> MappedArchive {
    var mapped = try binding(mappings: paths)
    try mapped.add(edges)
    return mapped
  }

  /// Adds edges; each is the only one between its versions.
  private mutating func add(_ edges: [AuthoredEdge]) throws {
    for edge in edges {
      let other = authored.first {
        $0.source == edge.source && $0.destination == edge.destination
      }
      if let other { throw Self.clash(edge, other) }
      authored.append(edge)
    }
  }

  /// Returns the mappings in a file, their own paths as reports show them.
  ///
  /// A file that was bound to the versions is not read again.
  package func read(_ path: String, shown: (String) -> String) throws -> [AuthoredMapping] {
    if let known = readMappings[path] { return known }
    return try MappingImporter.importMappings(at: path, models: archive.models).map { mapping in
      var mapping = mapping
      mapping.path = shown(path)
      for index in mapping.findings.indices {
        mapping.findings[index].place.file = mapping.findings[index].place.file.map(shown)
      }
      return mapping
    }
  }

  /// Returns the custom stages in a file as edges; none where they are another model's.
  package func staged(_ path: String, shown: (String) -> String) throws -> [AuthoredEdge] {
    let migration = try stagedMigration(path, shown: shown)
    return migration.map { $0.manager.edges(origin: $0.origin) } ?? []
  }

  /// Returns the paths of the mappings beside models, each once.
  package static func mappings(besides models: [String]) throws -> [String] {
    var seen: Set<String> = []
    return try models.filter { !$0.isEmpty }.flatMap(MappingFinder.mappings(forModels:))
      .filter { seen.insert($0).inserted }
  }

  /// Whether mappings are merely those beside the models.
  private var areFound: Bool { givenMappings.isEmpty && !listsMappings }

  /// Whether mappings were only found beside the model in use, and so may be another model's.
  var isBesideModel: Bool {
    areFound
      && modelsPaths.contains { path in
        [".xcdatamodeld", ".xcdatamodel", ".momd"].contains(where: path.hasSuffix)
      }
  }

  /// Returns whether a mapping that cannot be read is left out, with a finding: unless the user names it, a
  /// damaged one of Xcode's hides no other, as no damaged version does.
  func leavesOut(_ path: String, _ error: ModelImportError) -> Bool {
    isBesideModel || error.isOfMissingVersion
      || givenMappings.isEmpty && Self.isDamaged(path, error)
  }

  /// Returns whether a mapping model of Xcode's is damaged, so that it joins versions that are not known.
  private static func isDamaged(_ path: String, _ error: ModelImportError) -> Bool {
    MappingFinder.isOfCoreData(path) && (error.isOfContent || error.code == .missing)
  }

  /// Returns whether a version has an entity that the mapping names.
  private func concernsModels(_ mapping: AuthoredMapping) -> Bool {
    let names = Set(mapping.source.hashes.keys).union(mapping.destination.hashes.keys)
    return names.isEmpty
      || archive.versions.contains { version in names.contains { version.model[$0] != nil } }
  }

  /// Returns the finding on a mapping that is left out: an error where it may be for a step of these models.
  private static func left(
    _ path: String,
    _ error: ModelImportError,
    shown: (String) -> String
  ) -> Finding {
    let (severity, remedy): (Finding.Severity, String) =
      switch error.code {
      case .otherModel, .ignoredVersion: (.note, "Nothing needs to be done.")
      case .unreadableVersion: (.warning, error.recovery)
      case .unknownVersion: (.warning, "\(error.recovery) \(otherModelAdvice)")
      default:
        (
          .error,
          isDamaged(path, error)
            ? "\(error.recovery) Or name the mappings to use: `--mappings`."
            : "\(error.recovery) \(otherModelAdvice)"
        )
      }
    let message =
      severity == .error
      ? "\(error.message) A run refuses a path with an inferred step, which may be the one that this mapping "
        + "is for."
      : "This mapping \(error.isOfMissingVersion ? "" : "beside the model ")is left out: "
        + error.message
    return Finding(
      .unreadableForm,
      severity,
      at: Finding.Place(file: shown(error.file), line: error.line),
      message: message,
      remedy: remedy
    )
  }

  private static let otherModelAdvice =
    "If it is another model's, let it name that: `from: Model/v1`."

  /// Returns the finding on stages that have a version which the project leaves out, or which cannot be
  /// read; nil where all are there.
  private func missingVersion(
    ofStages path: String,
    shown: (String) -> String
  ) throws -> Finding? {
    let models = archive.models
    let names = try StagedImporter.importStages(at: path).stages.flatMap(\.versions)
    func finding(_ severity: Finding.Severity, _ what: String, _ remedy: String) -> Finding {
      Finding(
        .unreadableForm,
        severity,
        at: Finding.Place(file: shown(path)),
        message: "This mapping is left out: \(what).",
        remedy: remedy
      )
    }
    if let name = names.first(where: { name in models.contains { $0.hasIgnored(name) } }) {
      let what = "it has the version \(name), which `ignore` in waystone.yml leaves out"
      return finding(.note, what, "Nothing needs to be done.")
    }
    guard let name = names.first(where: { name in models.contains { $0.hasUnreadable(name) } })
    else { return nil }
    return finding(
      .warning,
      "its version \(name) cannot be read",
      "Look at `waystone versions`, and correct that version."
    )
  }

  /// Returns the stages in a file; nil where they are another model's.
  private func stagedMigration(
    _ path: String,
    shown: (String) -> String
  ) throws -> StagedMigration? {
    let imported = try StagedImporter.importStages(at: path)
    // The archive's findings report a version that cannot be read; a manager without it would be
    // another.
    let names = imported.stages.flatMap(\.versions)
    let isIncomplete = archive.models.contains { model in
      names.contains { model.hasUnreadable($0) || model.hasIgnored($0) }
    }
    if isIncomplete || areOfOtherModels(imported.stages) { return nil }
    let manager: StagedMigrationManager
    do throws(StagedMigrationError) {
      manager = try StagedMigrationManager(imported.stages, models: archive.models)
    } catch {
      let place = error.line.map { "\(shown(path)):\($0)" } ?? shown(path)
      throw WaystoneError(.badFile, "\(place): \(error.message)", recovery: error.recovery)
    }
    return StagedMigration(
      manager: manager,
      origin: .init(name: imported.name, path: shown(path), form: .stage)
    )
  }

  /// Returns whether stages that are merely in a place where mappings are searched name only versions
  /// of models that were not read: the stages of other models may be beside one model.
  private func areOfOtherModels(_ stages: [MigrationStage]) -> Bool {
    guard areFound else { return false }
    let names = stages.flatMap(\.versions)
    return !names.isEmpty
      && names.allSatisfy { name in
        guard let slash = name.firstIndex(of: "/") else { return false }
        return !archive.models.contains {
          $0.name == name[..<slash] || $0.hasVersion(called: name)
        }
      }
  }

  private static func name(_ edge: AuthoredEdge) -> String {
    edge.origins.isEmpty ? "An edge of the program" : edge.fileNames
  }

  private static func clash(_ edge: AuthoredEdge, _ other: AuthoredEdge) -> WaystoneError {
    WaystoneError(
      .badFile,
      "\(name(edge)) and \(name(other)) both migrate the same two versions.",
      recovery: "Keep one of them for that step."
    )
  }
}

extension ModelImportError {
  /// Whether a file is well, and names a version that cannot be read or that the project leaves out.
  var isOfMissingVersion: Bool { [.unreadableVersion, .ignoredVersion].contains(code) }
}
