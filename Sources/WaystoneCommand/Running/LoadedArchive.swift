private import Foundation
internal import MigrationPlanning
internal import ModelImport
internal import ObjectModel
internal import StoreAccess
internal import Waystone

/// The models that a command works with, in the order that the project gives them.
@dynamicMemberLookup
struct LoadedArchive {
  /// A staged migration with its file.
  typealias StagedMigration = MappedArchive.StagedMigration

  /// The models, with the configured order and current version, and the mappings between them.
  private(set) var mapped: MappedArchive
  /// The project's configuration, where its models are the ones in use.
  let configuration: Configuration?

  /// What the library knows of the models.
  subscript<Value>(dynamicMember member: KeyPath<MappedArchive, Value>) -> Value {
    mapped[keyPath: member]
  }

  /// Reads the models that the command line names, else those of the configuration, else those in
  /// the default folder.
  static func load(models: String?, console: Console) throws -> LoadedArchive {
    if let models {
      return try load(models: console.resolved(models), configuration: nil, console: console)
    }
    guard let configuration = try Configuration.find(from: console.workingDirectory) else {
      let path = console.resolved(Configuration.defaultModels)
      guard try InputFile.exists(path) else {
        throw CommandError(
          .missingFile,
          "There is no \(Configuration.fileName) here or above, and no folder "
            + "\(Configuration.defaultModels).",
          recovery: "Name the models: --models PATH."
        )
      }
      return try load(models: path, configuration: nil, console: console)
    }
    let path =
      configuration.models.map(configuration.resolved)
      ?? "\(configuration.folder)/\(Configuration.defaultModels)"
    return try load(models: path, configuration: configuration, console: console)
  }

  /// The archive with the mappings that people wrote, bound to its versions.
  ///
  /// - Parameter given: The paths on the command line, which count instead of those in the
  ///   configuration; where neither names any, what lies with the models counts.
  /// - Throws: An error that names the file for the first mapping that cannot be read.
  func withMappings(_ given: [String], console: Console) throws -> LoadedArchive {
    var loaded = self
    loaded.mapped = try mapped.binding(
      mappings: given.map(console.resolved),
      listed: given.isEmpty ? configuration?.mappingPaths() : nil,
      shown: console.shortened
    )
    return loaded
  }

  /// Reads models at an absolute path, and puts them in the order of their configuration.
  static func load(
    models path: String,
    configuration: Configuration?,
    console: Console
  ) throws -> LoadedArchive {
    var archive = try read(path, shownAs: console.shortened(path))
    archive = try configuration?.arrange(archive) ?? archive
    archive.path = path
    let arranged = archive
    archive.findings += arranged.models.filter { configuration?.orders($0, in: arranged) != true }
      .flatMap(\.orderFindings)
    var mapped = MappedArchive(archive)
    mapped.listsMappings = configuration?.mappings != nil
    return LoadedArchive(mapped: mapped, configuration: configuration)
  }

  /// The absolute path of the store that is given as a sample of a version, on the command line or
  /// else in the configuration.
  func samplePath(for node: VersionNode, given path: String?, console: Console) -> String? {
    if let path { return console.resolved(path) }
    let names = mapped.names
    return configuration.flatMap { configuration in
      node.versions.lazy.compactMap { version in
        configuration.samples[names.name(of: version)]
          ?? configuration.samples[version.qualifiedName]
      }.first.map(configuration.resolved)
    }
  }

  /// The columns of each table of the store that is given as a sample of a version, on the command
  /// line or else in the configuration.
  func sample(
    for node: VersionNode,
    given path: String?,
    console: Console
  ) throws -> [String: [String]]? {
    try samplePath(for: node, given: path, console: console).map {
      try mapped.sampleColumns(ofStoreAt: $0, shownAs: console.shortened($0), for: node)
    }
  }

  /// The models below a path, their own paths shown as the person wrote it.
  private static func read(_ path: String, shownAs shown: String) throws -> ModelArchive {
    var archive = try ArchiveLoader.load(path)
    func show(_ text: String) -> String {
      text.hasPrefix(path) ? shown + text.dropFirst(path.count) : text
    }
    for model in archive.models.indices {
      archive.models[model].path = show(archive.models[model].path)
      for version in archive.models[model].versions.indices {
        let full = archive.models[model].versions[version].path
        archive.models[model].versions[version].path = show(full)
      }
    }
    for index in archive.findings.indices {
      archive.findings[index].place.file = archive.findings[index].place.file.map(show)
    }
    return archive
  }
}

extension Configuration {
  /// The absolute paths of the mappings that the file lists; nil where it lists none.
  fileprivate func mappingPaths() throws -> [String]? {
    try mappings?.flatMap { entry in
      let path = resolved(entry)
      guard try InputFile.exists(path, shownAs: entry.text) else {
        throw error(
          line: entry.line,
          "There is no \(entry.text).",
          recovery: "Correct the path, which is meant from the folder of waystone.yml."
        )
      }
      return try MappingFinder.mappings(below: path)
    }
  }

  /// The archive with the order and the current version that the file gives.
  ///
  /// - Throws: ``CommandError`` naming the line that does not fit the archive.
  func arrange(_ archive: ModelArchive) throws(CommandError) -> ModelArchive {
    var archive = archive
    let orders = orders(in: archive)
    for (name, wanted) in orders.lists.sorted(by: { $0.key < $1.key }) {
      let index = try modelIndex(name, wanted.line, archive)
      archive.models[index].versions = try arrange(archive.models[index].versions, as: wanted)
    }
    for (name, wanted) in orders.branches.sorted(by: { $0.key < $1.key }) {
      let index = try modelIndex(name, wanted.line, archive)
      archive.models[index] = try arrange(archive.models[index], as: wanted)
    }
    guard let current else { return archive }
    let names = VersionNames(archive)
    guard let version = try? names.find(current.text) else {
      throw error(
        line: current.line,
        "No version, or more than one, is called \(current.text).",
        recovery: "Name one that `waystone versions` shows."
      )
    }
    for model in archive.models.indices where archive.models[model].name == version.modelName {
      for index in archive.models[model].versions.indices {
        let isCurrent = archive.models[model].versions[index].name == version.name
        archive.models[model].versions[index].isCurrent = isCurrent
      }
    }
    return archive
  }

  /// The place of the model that an order is for.
  private func modelIndex(
    _ name: String,
    _ line: Int,
    _ archive: ModelArchive
  ) throws(CommandError) -> Int {
    let found = archive.models.indices.filter { name.isEmpty || archive.models[$0].name == name }
    guard found.count == 1, let index = found.first else {
      throw error(
        line: line,
        name.isEmpty
          ? "There are \(found.count) models, so the order must say whose it is."
          : "There are \(found.count) models called \(name).",
        recovery: "Write the order below the model's name: `order: {Model: [v1, v2]}`."
      )
    }
    return index
  }

  private func arrange(
    _ versions: [ModelVersion],
    as wanted: Order
  ) throws(CommandError) -> [ModelVersion] {
    var result: [ModelVersion] = []
    for name in wanted.versions {
      guard let version = versions.first(where: { $0.name == name }) else {
        throw error(
          line: wanted.line,
          "The order names \(name), which is no version.",
          recovery: "Correct the name, or remove it."
        )
      }
      result.append(version)
    }
    if let missing = versions.first(where: { !wanted.versions.contains($0.name) }) {
      throw error(
        line: wanted.line,
        "The order does not say where \(missing.name) stands.",
        recovery: "Add it to the list."
      )
    }
    return result
  }
}
