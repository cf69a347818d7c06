internal import Files
private import Foundation
internal import ModelCoding
internal import ModelImport
internal import StoreAccess
internal import Waystone

/// The model that an argument means: a version of the archive, a model on disk, or the one that a
/// store carries.
struct NamedModel {
  /// The origin of a model.
  enum Origin: Hashable {
    case archive
    case file
    /// A store, whose metadata has these hashes.
    case store(hashes: [String: VersionHash])
  }

  /// The model, with one version or several.
  let model: VersionedModel
  /// The origin of the model.
  let origin: Origin
  /// The findings of its reader.
  let findings: [Finding]
  /// The name of its one version in reports.
  let label: String
  /// The spelling of it in the project's Swift sources; nil where they do not declare it.
  private(set) var spelling: SwiftSpelling?

  /// Finds the model.
  ///
  /// A path, or a name with the ending of a model or a store, is meant as what exists there; all else as the
  /// name of a version first, as in all verbs.
  init(_ text: String, in session: Session) throws {
    let path = session.console.resolved(text)
    guard try InputFile.exists(path, shownAs: text) else {
      let project = try session.project()
      self.init(try project.names.version(text), of: project)
      return
    }
    let isPath = text.contains("/") || Self.endings.contains(where: text.lowercased().hasSuffix)
    // Where the project cannot be read, a file that exists is meant all the same.
    if !isPath, let project = try? session.project(), let version = try project.names.find(text) {
      self.init(version, of: project)
    } else {
      try self.init(path: path, shownAs: text)
    }
  }

  /// The endings of the names of models and stores.
  private static let endings = [
    ".xcdatamodeld", ".xcdatamodel", ".momd", ".mom", ".sqlite", ".sqlite3", ".store", ".db",
  ]

  private init(_ version: ModelVersion, of project: Project) {
    var model = VersionedModel(name: version.modelName, versions: [version])
    if let whole = project.archive.models.first(where: { $0.name == version.modelName }) {
      model.questions = whole.questions
      model.questions.configurationUse = project.configurationUse(of: whole)
    }
    self.init(
      model: model,
      origin: .archive,
      findings: [],
      label: project.names.name(of: version)
    )
    spelling = project.spelling(of: version)
  }

  /// Returns the only version.
  ///
  /// - Throws: ``WaystoneError`` where there are several.
  func onlyVersion(of text: String) throws(WaystoneError) -> ModelVersion {
    if model.versions.count == 1, let version = model.versions.first { return version }
    // A compiled version is in its model's folder, too.
    let names = model.versions.map { FileSystem.name(of: $0.path) }.filter { !$0.isEmpty }
    let paths = names.suffix(1).map { "\(model.path)/\($0)".shellWord }
    throw WaystoneError(
      .badArgument,
      "\(text) has \(model.versions.count) versions, and one is wanted: "
        + "\(model.versions.prefix(5).map(\.name).joined(separator: ", "))"
        + "\(model.versions.count > 5 ? ", …" : "").",
      recovery:
        "Name the version, or its file, as in \(paths.first ?? "Model.xcdatamodeld/v1.xcdatamodel")."
    )
  }

  /// The largest contents file that is read, in bytes; readers of models refuse smaller ones already.
  private static let greatestContents = 256 << 20

  private init(path: String, shownAs text: String) throws {
    var path = path
    while path.hasSuffix("/"), path.count > 1 { path.removeLast() }
    let file = FileHandle(forReadingAtPath: path)
    let start = (try? file?.read(upToCount: 256)).map { Array($0) } ?? []
    try? file?.close()
    if start.starts(with: Array("SQLite format 3".utf8)) {
      try self.init(store: path, shownAs: text)
    } else if start.first(where: { ![0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf].contains($0) })
      == 0x3c
    {
      // A contents file under any name, as git hands one to a textconv filter.
      let bytes = try InputFile.bytes(of: path, shownAs: text, limit: Self.greatestContents)
      let read = try ModelImporter.importModel(contents: bytes, file: text)
      self.init(read.model, named: Self.stem(of: path), .file, read.findings, label: text)
    } else {
      let archive = try ReadModels(path).archive
      guard archive.models.count == 1, let model = archive.models.first else {
        throw WaystoneError(
          .badArgument,
          archive.models.isEmpty
            ? "\(text) holds no model that can be read."
            : "\(text) holds \(archive.models.count) models, and one is wanted.",
          recovery: "Name one .xcdatamodeld or .xcdatamodel."
        )
      }
      let label = model.versions.count == 1 ? model.versions.first?.name : nil
      self.init(model: model, origin: .file, findings: archive.findings, label: label ?? text)
    }
  }

  private init(store path: String, shownAs text: String) throws {
    let store = try PersistentStore(reading: path)
    guard let cache = store.modelCache else {
      throw WaystoneError(
        .badFile,
        "\(text) carries no model.",
        recovery:
          "Name a version of the archive; `waystone inspect \(text.shellWord)` shows which is near."
      )
    }
    let decoded: DecodedModel
    do {
      decoded = try ModelCache.decode(cache)
    } catch {
      throw WaystoneError(
        .badFile,
        "The model that \(text) carries cannot be read: \(error.message)",
        recovery: error.recovery
      )
    }
    try store.checkUnchanged()
    self.init(
      decoded.model,
      named: Self.stem(of: path),
      .store(hashes: store.metadata.versionHashes),
      decoded.findings,
      label: text
    )
  }

  private init(
    _ model: ManagedObjectModel,
    named name: String,
    _ origin: Origin,
    _ findings: [Finding],
    label: String
  ) {
    let version = ModelVersion(modelName: name, name: name, model: model, isCurrent: true)
    self.init(
      model: VersionedModel(name: name, versions: [version]),
      origin: origin,
      findings: findings,
      label: label
    )
  }

  private init(model: VersionedModel, origin: Origin, findings: [Finding], label: String) {
    self.model = model
    self.origin = origin
    self.findings = findings
    self.label = label
  }

  private static func stem(of path: String) -> String {
    let name = FileSystem.name(of: path)
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex else { return name }
    return String(name[..<dot])
  }
}
