internal import Files
private import Foundation
internal import ModelImport
package import ObjectModel
package import SwiftDataImport

/// The models of a project as they were read: from Xcode's files, and from Swift sources.
package struct ReadModels: Sendable {
  /// The models.
  package var archive: ModelArchive
  /// The versions among them that Swift sources declare; nil where none does.
  package var sources: SourceVersions?

  /// Reads the models at or below a path, or several, one a line: Xcode's, and those that Swift sources
  /// declare.
  ///
  /// Sources are looked for in a folder alone, and at the commits that the path names.
  /// - Throws: An error that names what cannot be read, where there is no model, and where no version of
  ///   any can be understood.
  ///
  /// - Parameter onReference: Called with each commit that the path names, before it is read.
  package init(
    _ text: String,
    options: SwiftDataOptions = SwiftDataOptions(),
    onReference: (String) -> Void = { _ in }
  ) throws {
    let all = try ModelsPath.list(text)
    guard all.count == 1, let models = all.first else {
      let parts = try all.map { path in
        try ReadModels(path.text, options: options, onReference: onReference)
      }
      self = try Self.together(parts)
      archive.path = ModelsPath.text(all.map(\.text))
      return
    }
    let isFolder = try FileSystem.status(models.path)?.kind == .folder
    archive = ModelArchive(models: [])
    archive.path = models.text
    guard isFolder, !Project.isModel(models.path) else {
      guard models.references.isEmpty else {
        throw WaystoneError(
          .badArgument,
          "\(models.path) is no folder of Swift sources, so that it cannot be read at a commit.",
          recovery: "Name a folder of Swift sources, or leave @\(models.references[0]) out."
        )
      }
      archive = try ArchiveLoader.load(models.path)
      archive.path = models.text
      return
    }
    let read = Result {
      try SourceVersions.read(models, options: options, onReference: onReference)
    }
    if models.references.isEmpty {
      do throws(ModelImportError) {
        archive = try ArchiveLoader.load(models.path)
      } catch {
        let isNone = error.code == .notAModel && error.file == models.path
        guard isNone, try read.get() != nil else { throw error }
      }
      archive.path = models.text
    }
    do {
      sources = try read.get()
    } catch let error as SwiftDataImportError where error.code == .unavailable {
      // A user who has Xcode's models too need not have a build that reads the others.
      guard !archive.models.isEmpty else { throw error }
      archive.findings.append(
        Finding(
          .unreadableSource,
          .warning,
          at: Finding.Place(file: models.path),
          message: "\(error.message) Models that are declared there are missing.",
          remedy: error.recovery
        )
      )
    }
    if let sources { try take(sources) }
  }

  /// Returns the models of several paths, each once.
  ///
  /// - Throws: ``WaystoneError`` where sources of several folders declare models: nothing shows the
  ///   order of their versions.
  private static func together(_ parts: [ReadModels]) throws(WaystoneError) -> ReadModels {
    var all = ReadModels(archive: ModelArchive(models: []), sources: nil)
    var paths: Set<String> = []
    for part in parts {
      if let sources = part.sources {
        if let other = all.sources {
          throw WaystoneError(
            .badArgument,
            "Swift sources in \(other.path) and in \(sources.path) both declare models.",
            recovery: "Name one folder of sources among the models: the one that holds both."
          )
        }
        all.sources = sources
      }
      all.archive.models += part.archive.models.filter { model in
        let path = URL(fileURLWithPath: model.path).standardizedFileURL.path
        // The sources have the path of their folder, which may hold a compiled model too.
        return paths.insert(model.name + "\n" + path).inserted
      }
      all.archive.findings += part.archive.findings.filter { !all.archive.findings.contains($0) }
      all.archive.declarations.merge(part.archive.declarations) { first, _ in first }
      all.archive.stages += part.archive.stages
    }
    all.distinguishSources()
    all.archive.models = ArchiveLoader.distinguishingNamesakes(all.archive.models)
    return all
  }

  private init(archive: ModelArchive, sources: SourceVersions?) {
    self.archive = archive
    self.sources = sources
  }

  private mutating func take(_ sources: SourceVersions) throws(WaystoneError) {
    let models = sources.models
    guard !models.allSatisfy(\.versions.isEmpty) || !archive.models.isEmpty else {
      let version = models.lazy.compactMap(\.unreadable.first).first
      throw WaystoneError(
        .badFile,
        "No version that the sources declare is understood. \(version?.reason ?? "")",
        recovery: version?.remedy ?? "Name the folder that holds the app's models."
      )
    }
    archive.models += models
    archive.findings += sources.allFindings
    archive.declarations = sources.declarations
    archive.stages = sources.stages
    distinguishSources()
  }

  /// Gives models of the sources other names where Xcode's models have theirs.
  private mutating func distinguishSources() {
    let others = Set(archive.models.filter { !$0.isOfSwift }.map(\.name))
    guard var sources, !others.isDisjoint(with: sources.modelNames) else { return }
    sources.avoid(others)
    self.sources = sources
    archive.models = archive.models.filter { !$0.isOfSwift } + sources.models
    archive.declarations = sources.declarations
    archive.stages = sources.stages
  }
}
