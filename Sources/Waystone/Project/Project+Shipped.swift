internal import Files
internal import MigrationPlanning
internal import ObjectModel

extension Project {
  /// Whether the models are one model's folder or file, or several such, beside which there may be
  /// others.
  var isOneModel: Bool {
    mapped.modelsPaths.allSatisfy(Self.isModel)
  }

  /// Returns whether a path is of one model's folder or file, by its name.
  static func isModel(_ path: String) -> Bool {
    [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains(where: path.hasSuffix)
  }

  /// The folder of files that belong to the models.
  package var modelsFolder: String {
    let path = mapped.modelsPath
    return Self.isModel(path) ? FileSystem.folder(of: path) : path
  }

  /// Reads the lock; nil where there is none.
  ///
  /// - Throws: ``WaystoneError`` naming file and line where it cannot be used.
  func lockFile() throws(WaystoneError) -> LockFile? {
    try LockFile.read(lockPath, shownAs: folder.shortened(lockPath)).map(renamed)
  }

  /// Returns the versions that were shipped, in the order of the archive: those that the configuration names,
  /// else those that are locked, else all.
  ///
  /// - Throws: ``WaystoneError`` at the line that names a version which is not there.
  func shippedVersions(lock: LockFile?) throws(WaystoneError) -> [ModelVersion] {
    if let configuration, !configuration.shipped.isEmpty {
      let named = try configuration.shippedNames(in: mapped.archive)
      return mapped.archive.versions.filter { named.contains($0.qualifiedName) }
    }
    // Before a first lock a version after the current one counts as new, as a first lock leaves it out; where
    // the order is in doubt, it may be an old one.
    guard let lock else {
      return mapped.archive.models.flatMap { model in
        let current = model.versions.lastIndex(where: \.isCurrent)
        guard model.orderDoubt == nil, let current else { return model.versions }
        return Array(model.versions[...current])
      }
    }
    let locked = Set(lock.versions.filter { !$0.isRemoved }.map(\.qualifiedName))
    return mapped.archive.versions.filter { locked.contains($0.qualifiedName) }
  }

  /// Returns the versions to lock, in the order of the archive.
  ///
  /// - Throws: ``WaystoneError`` where one is not known.
  func versions(
    _ choice: LockChoice,
    lock: LockFile?
  ) throws(WaystoneError) -> [ModelVersion] {
    switch choice {
    case .all: return mapped.archive.versions
    case .named(let versions):
      var wanted: Set<String> = []
      for version in versions {
        wanted.insert(try names.version(version.text).qualifiedName)
      }
      return mapped.archive.versions.filter { wanted.contains($0.qualifiedName) }
    case .shipped:
      let isNamed = configuration.map { !$0.shipped.isEmpty } ?? false
      guard lock == nil, !isNamed else { return try shippedVersions(lock: lock) }
      // An app of one version has shipped that, or will: there is no other that a first lock could take.
      return firstLockVersions.isEmpty
        ? Self.onlyVersions(of: mapped.archive.models, in: folder) : firstLockVersions
    }
  }

  /// The versions that a first lock takes where nothing names others.
  var firstLockVersions: [ModelVersion] {
    Self.firstLockVersions(of: mapped.archive.models, in: folder)
  }

  /// Returns the versions before the current one of each model, but for models in folders of tests, of
  /// which no user may have stores.
  package static func firstLockVersions(
    of models: [VersionedModel],
    in folder: WorkingFolder
  ) -> [ModelVersion] {
    ofApp(models, in: folder).flatMap(\.versionsBeforeCurrent)
  }

  /// Returns the version of each model that has one alone, but for models in folders of tests.
  private static func onlyVersions(
    of models: [VersionedModel],
    in folder: WorkingFolder
  ) -> [ModelVersion] {
    ofApp(models, in: folder).flatMap { $0.versions.count == 1 ? $0.versions : [] }
  }

  /// Returns the models that are in no folder of tests.
  static func ofApp(
    _ models: [VersionedModel],
    in folder: WorkingFolder
  ) -> [VersionedModel] {
    models.filter { model in
      !isOfTests(folder.shortened(model.path).split(separator: "/").map(String.init))
    }
  }

  /// Returns whether a path is in a folder that is named as one of tests: `Tests`, `AppTests`, `Test Data`,
  /// `Fixtures`.
  ///
  /// - Parameter parts: The path's parts, below the project's folder.
  package static func isOfTests(_ parts: [String]) -> Bool {
    parts.dropLast().contains { part in
      let name = part.lowercased()
      return name == "test" || name.hasSuffix("tests") || name.hasPrefix("test ")
        || name.hasPrefix("testdata") || name.hasSuffix("fixtures")
    }
  }

  /// Returns the stages of the app's migration of a model, if it has any.
  func stages(
    of model: String,
    _ runtime: AppRuntime
  ) throws(WaystoneError) -> MappedArchive.StagedMigration? {
    guard runtime.isStaged else { return nil }
    let own = mapped.stagedMigrations.filter { $0.manager.model.name == model }
    guard own.count <= 1 else {
      throw WaystoneError(
        .badFile,
        "\(own.map(\.origin.fileName).joined(separator: " and ")) are both stages of \(model).",
        recovery: "An app has one staged migration for a model: keep one of the files."
      )
    }
    return own.first
  }
}

extension VersionedModel {
  /// The versions that lead to the current one: each was the current one once.
  fileprivate var versionsBeforeCurrent: [ModelVersion] {
    guard let current, let position = versions.firstIndex(of: current) else { return [] }
    var before: Set<Int> = []
    var next = parentPositions(of: position)
    while let parent = next.popLast() {
      if before.insert(parent).inserted { next += parentPositions(of: parent) }
    }
    return before.sorted().map { versions[$0] }
  }
}
