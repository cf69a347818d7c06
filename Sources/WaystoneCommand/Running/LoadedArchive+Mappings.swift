internal import ArgumentParser
private import Foundation
internal import MigrationPlanning
internal import ModelImport
internal import ObjectModel

/// Where mappings are taken from, as an option.
struct MappingOptions: ParsableArguments {
  @Option(
    name: .customLong("mappings"),
    help: ArgumentHelp(
      "A mapping, or a folder of them. (default: as waystone.yml says, else those with the models)",
      valueName: "path"
    )
  )
  var paths: [String] = []
}

extension LoadedArchive {
  /// The archive with the mappings that people wrote, bound to its versions.
  ///
  /// - Parameter given: The paths on the command line, which count instead of those in the
  ///   configuration; where neither names any, what lies with the models counts.
  /// - Throws: An error that names the file for the first mapping that cannot be read.
  func binding(mappings given: [String], console: Console) throws -> LoadedArchive {
    var loaded = self
    loaded.givenMappings = given.map(console.resolved)
    let paths = try mappingPaths(loaded.givenMappings)
    var mappings: [AuthoredMapping] = []
    var unread: [Finding] = []
    for path in paths where !StagedImporter.isStaged(path) {
      do {
        let read = try Self.read(path, models: archive.models, console: console)
        mappings += loaded.isBesideModel(path) ? read.filter(concernsModels) : read
      } catch let error as ModelImportError where loaded.isBesideModel(path) {
        unread.append(Self.left(error, console: console))
      }
    }
    loaded.binding = MappingBinding(mappings, to: archive.models, besides: unread)
    loaded.authored = loaded.binding.edges
    loaded.bundled =
      MappingBinding(mappings.filter(\.form.isCoreData), to: archive.models).edges
    for path in paths where StagedImporter.isStaged(path) {
      guard let migration = try stagedMigration(path, console: console) else { continue }
      loaded.stagedMigrations.append(migration)
      for edge in migration.manager.edges(origin: migration.origin) {
        let other = loaded.authored.first {
          $0.source == edge.source && $0.destination == edge.destination
        }
        if let other { throw Self.clash(edge, other) }
        loaded.authored.append(edge)
      }
    }
    return loaded
  }

  /// Whether a mapping was only found beside the model in use, and so may be another model's.
  private func isBesideModel(_ path: String) -> Bool {
    givenMappings.isEmpty && configuration?.mappings == nil
      && (modelsPath.hasSuffix(".xcdatamodeld") || modelsPath.hasSuffix(".xcdatamodel")
        || modelsPath.hasSuffix(".momd"))
  }

  /// Whether a version has an entity that the mapping speaks of.
  private func concernsModels(_ mapping: AuthoredMapping) -> Bool {
    let names = Set(mapping.source.hashes.keys).union(mapping.destination.hashes.keys)
    return names.isEmpty
      || archive.versions.contains { version in names.contains { version.model[$0] != nil } }
  }

  /// What is to be said of a mapping that is left out.
  private static func left(_ error: ModelImportError, console: Console) -> Finding {
    Finding(
      .unreadableForm,
      error.code == .otherModel ? .note : .warning,
      at: Finding.Place(file: console.shortened(error.file), line: error.line),
      message: "This mapping beside the model is left out: \(error.message)",
      remedy: error.code == .otherModel
        ? "Nothing needs to be done."
        : "\(error.recovery) If it is another model's, let it name that: `from: Model/v1`."
    )
  }

  /// The custom stages in a file as edges.
  func staged(_ path: String, console: Console) throws -> [AuthoredEdge] {
    let migration = try stagedMigration(path, console: console)
    return migration.map { $0.manager.edges(origin: $0.origin) } ?? []
  }

  /// The stages in a file; nil where they are another model's.
  private func stagedMigration(_ path: String, console: Console) throws -> StagedMigration? {
    let imported = try StagedImporter.importStages(at: path)
    if areOfOtherModels(imported.stages) { return nil }
    let manager: StagedMigrationManager
    do throws(StagedMigrationError) {
      manager = try StagedMigrationManager(imported.stages, models: archive.models)
    } catch {
      let place = error.line.map { "\(console.shortened(path)):\($0)" } ?? console.shortened(path)
      throw CommandError(.badFile, "\(place): \(error.message)", recovery: error.recovery)
    }
    return StagedMigration(
      manager: manager,
      origin: .init(name: imported.name, path: console.shortened(path), form: .stage)
    )
  }

  /// Whether stages that merely lie where mappings are looked for name versions of models that are
  /// not at hand, and none other: beside one model lie the stages of others.
  private func areOfOtherModels(_ stages: [MigrationStage]) -> Bool {
    guard givenMappings.isEmpty, configuration?.mappings == nil else { return false }
    let names = stages.flatMap(\.versions)
    return !names.isEmpty
      && names.allSatisfy { name in
        guard let slash = name.firstIndex(of: "/") else { return false }
        return !archive.models.contains { $0.name == name[..<slash] }
      }
  }

  private static func clash(_ edge: AuthoredEdge, _ other: AuthoredEdge) -> CommandError {
    CommandError(
      .badFile,
      "\(edge.fileNames) and \(other.fileNames) both say how one version becomes another.",
      recovery: "Keep one of them for that step."
    )
  }

  /// The absolute paths of the mappings that count.
  func mappingPaths(_ given: [String]) throws -> [String] {
    if !given.isEmpty { return try given.flatMap { try MappingFinder.mappings(below: $0) } }
    if let configuration, let entries = configuration.mappings {
      return try entries.flatMap { entry in
        let path = configuration.resolved(entry)
        guard try InputFile.exists(path, shownAs: entry.text) else {
          throw configuration.error(
            line: entry.line,
            "There is no \(entry.text).",
            recovery: "Correct the path, which is meant from the folder of waystone.yml."
          )
        }
        return try MappingFinder.mappings(below: path)
      }
    }
    return modelsPath.isEmpty ? [] : try MappingFinder.mappings(forModels: modelsPath)
  }

  /// The mappings in a file, their own paths shown as the person wrote them.
  static func read(
    _ path: String,
    models: [VersionedModel],
    console: Console
  ) throws -> [AuthoredMapping] {
    try MappingImporter.importMappings(at: path, models: models).map { mapping in
      var mapping = mapping
      mapping.path = console.shortened(path)
      for index in mapping.findings.indices {
        let file = mapping.findings[index].place.file
        mapping.findings[index].place.file = file.map(console.shortened)
      }
      return mapping
    }
  }
}
