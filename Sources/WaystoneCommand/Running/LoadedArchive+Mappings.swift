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
    let mappings = try mappingPaths(loaded.givenMappings).flatMap { path in
      try Self.read(path, models: archive.models, console: console)
    }
    loaded.binding = MappingBinding(mappings, to: archive.models)
    return loaded
  }

  private func mappingPaths(_ given: [String]) throws -> [String] {
    if !given.isEmpty { return try given.flatMap { try MappingFinder.mappings(below: $0) } }
    if let configuration, let entries = configuration.mappings {
      return try entries.flatMap { entry in
        let path = configuration.resolved(entry)
        guard FileManager.default.fileExists(atPath: path) else {
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
