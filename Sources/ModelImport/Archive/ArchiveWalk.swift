import ObjectModel

/// A search through folders that collects models, and reads none of them.
struct ArchiveWalk {
  /// A model or a finding of the search, in its order.
  enum Discovery {
    case model(FoundModel)
    case finding(Finding)
  }

  private(set) var discoveries: [Discovery] = []
  /// Whether a project of its own was passed over.
  private(set) var hasPassedProject = false
  /// Whether models of projects of their own count.
  private let entersProjects: Bool
  private var ancestors: [FilePath.Identity] = []
  private var visited: Set<FilePath.Identity> = []

  /// The greatest depth of folders.
  static let greatestDepth = 100

  init(entersProjects: Bool = false) { self.entersProjects = entersProjects }

  /// Reads a path: a model, or all models below a folder.
  mutating func read(_ path: FilePath) throws(ModelImportError) {
    let kind = try path.kind
    guard kind != .missing else { throw path.missing() }
    switch try form(of: path) {
    case .contents, .legacyElements, .compiled, .optimized:
      let name = path.isInnerFile ? path.parent.stem : path.stem
      found(FoundModel(name: name, path: path, versions: [path], kind: .single))
    case .versions: try readVersions(path)
    case .compiledVersions: try readCompiledVersions(path)
    case nil: if kind == .folder { try walk(path) }
    }
  }

  /// Returns the form of a path; that of an empty model is an error once it is read.
  private func form(of path: FilePath) throws(ModelImportError) -> ModelForm? {
    do throws(ModelImportError) {
      return try ModelForm.of(path)
    } catch {
      guard error.isOfContent else { throw error }
      return .contents
    }
  }

  private mutating func walk(_ folder: FilePath) throws(ModelImportError) {
    guard let identity = try folder.identity else { throw folder.missing() }
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
    if !ancestors.isEmpty, try OwnCheckout.isAt(folder.string) { return }
    if !ancestors.isEmpty, !entersProjects, try OtherProject.isAt(folder.string) {
      hasPassedProject = true
      return
    }
    ancestors.append(identity)
    let names = try names(in: folder)
    for name in names {
      let path = folder.appending(name)
      switch try path.kind {
      case .folder: try read(path)
      case .file where path.hasExtension("mom"): try read(path)
      case .file where path.hasExtension("omo") && !names.contains(path.stem + ".mom"):
        leaveOut(path)
      // A file of another name is no model; a link that leads nowhere is none either.
      case .file, .other, .missing: break
      }
    }
    ancestors.removeLast()
  }

  /// Returns the names in a folder that are not hidden.
  private mutating func names(in folder: FilePath) throws(ModelImportError) -> [String] {
    let entries = try folder.entries()
    if entries.hasUnreadableNames {
      discoveries.append(
        .finding(
          Finding(
            .unreadableForm,
            .warning,
            at: Finding.Place(file: folder.string),
            message: "A name in this folder is not UTF-8; what it names is left out.",
            remedy: "Rename it."
          )
        )
      )
    }
    return entries.names.filter { !$0.hasPrefix(".") }
  }

  private mutating func readVersions(_ folder: FilePath) throws(ModelImportError) {
    var versions: [FilePath] = []
    for name in try names(in: folder) where name.hasSuffix(".xcdatamodel") {
      versions.append(folder.appending(name))
    }
    let current = try CurrentVersion.read(in: folder)
    found(
      FoundModel(name: folder.stem, path: folder, versions: versions, kind: .versions(current))
    )
  }

  private mutating func readCompiledVersions(_ folder: FilePath) throws(ModelImportError) {
    var paths: [FilePath] = []
    for name in try names(in: folder) {
      let path = folder.appending(name)
      if try path.kind == .file { paths.append(path) }
    }
    let versions = paths.filter { $0.hasExtension("mom") }
    let names = Set(versions.map(\.stem))
    let optimized = paths.filter { $0.hasExtension("omo") }
    if versions.isEmpty, let first = optimized.first {
      throw OptimizedModel.withoutOriginal(first)
    }
    for path in optimized where !names.contains(path.stem) { leaveOut(path) }
    let info = try VersionInfo.read(in: folder)
    found(
      FoundModel(
        name: folder.stem,
        path: folder,
        versions: versions,
        kind: .compiled(info, optimized: optimized.filter { names.contains($0.stem) })
      )
    )
  }

  private mutating func found(_ model: FoundModel) { discoveries.append(.model(model)) }

  /// Notes that an optimized model is left out because its `.mom` is absent.
  private mutating func leaveOut(_ path: FilePath) {
    let refusal = OptimizedModel.withoutOriginal(path)
    discoveries.append(
      .finding(
        Finding(
          .unreadableForm,
          .warning,
          at: Finding.Place(file: path.string, version: path.stem),
          message: "Version \(path.stem) is left out. \(refusal.message)",
          remedy: refusal.recovery
        )
      )
    )
  }
}
