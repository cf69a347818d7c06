import ObjectModel

/// A walk through folders that collects the models on its way.
struct ArchiveWalk {
  private(set) var models: [VersionedModel] = []
  private(set) var findings: [Finding] = []
  private var ancestors: [FilePath.Identity] = []
  private var visited: Set<FilePath.Identity> = []

  /// The greatest depth of folders.
  static let greatestDepth = 100

  /// Reads what lies at a path: a model, or all models below a folder.
  mutating func read(_ path: FilePath) throws(ModelImportError) {
    let kind = path.kind
    guard kind != .missing else { throw path.missing() }
    switch try ModelForm.of(path) {
    case .contents:
      if let version = try version(path, modelName: path.modelName) {
        models.append(
          VersionedModel(name: version.modelName, versions: [version], path: path.string)
        )
      }
    case .legacyElements: _ = try version(path, modelName: path.modelName)
    case .versions: try readVersions(path)
    case nil: if kind == .folder { try walk(path) }
    }
  }

  private mutating func walk(_ folder: FilePath) throws(ModelImportError) {
    guard let identity = folder.identity else { throw folder.missing() }
    guard !ancestors.contains(identity), ancestors.count < Self.greatestDepth else {
      throw ModelImportError(
        .folderLoop,
        file: folder.string,
        message: ancestors.contains(identity)
          ? "The folder contains itself through a symbolic link."
          : "The folder lies more than \(Self.greatestDepth) folders deep.",
        recovery: "Remove the link, or name a folder that does not contain it."
      )
    }
    guard visited.insert(identity).inserted else { return }
    ancestors.append(identity)
    for name in try names(in: folder) {
      let path = folder.appending(name)
      // A file of another name is no model; a link that leads nowhere is none either.
      if path.kind == .folder { try read(path) }
    }
    ancestors.removeLast()
  }

  /// The names in a folder that are not hidden.
  private mutating func names(in folder: FilePath) throws(ModelImportError) -> [String] {
    let entries = try folder.entries()
    if entries.hasUnreadableNames {
      findings.append(
        Finding(
          .unreadableForm,
          .warning,
          at: Finding.Place(file: folder.string),
          message: "A name in this folder is not UTF-8; what it names is left out.",
          remedy: "Rename it."
        )
      )
    }
    return entries.names.filter { !$0.hasPrefix(".") }
  }

  private mutating func readVersions(_ folder: FilePath) throws(ModelImportError) {
    let current = CurrentVersion.read(in: folder)
    var versions: [ModelVersion] = []
    for name in try names(in: folder) where name.hasSuffix(".xcdatamodel") {
      guard var version = try version(folder.appending(name), modelName: folder.stem) else {
        continue
      }
      version.isCurrent = current.name == name
      versions.append(version)
    }
    if let finding = current.finding(versions: versions, folder: folder) {
      findings.append(finding)
    }
    models.append(VersionedModel(name: folder.stem, versions: versions, path: folder.string))
  }

  /// One version, or nil with a finding where its form is not read.
  private mutating func version(
    _ path: FilePath,
    modelName: String
  ) throws(ModelImportError) -> ModelVersion? {
    guard try ModelForm.of(path) != .legacyElements else {
      findings.append(
        Finding(
          .unreadableForm,
          .warning,
          at: Finding.Place(file: path.string, version: path.stem),
          message: "The version is in the form of Xcode 3 (elements) and is left out.",
          remedy: "Open it in Xcode and save it, which writes a contents file."
        )
      )
      return nil
    }
    let imported = try ModelImporter.importModel(at: path)
    findings += imported.findings.map { finding in
      var finding = finding
      finding.place.version = path.stem
      return finding
    }
    let name = path.name == "contents" ? modelName : path.stem
    return ModelVersion(
      modelName: modelName,
      name: name,
      model: imported.model,
      path: path.string
    )
  }
}

extension FilePath {
  /// The name of a model that stands alone: its own, or for a `contents` file its folder's.
  fileprivate var modelName: String {
    guard name == "contents" else { return stem }
    let parent = string.split(separator: "/").dropLast().last.map(String.init)
    return parent.map { FilePath($0).stem } ?? stem
  }
}
