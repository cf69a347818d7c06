internal import Files
internal import MigrationPlanning
internal import ObjectModel

extension Project {
  /// Whether the models are one model's folder or file, beside which others may lie.
  var isOneModel: Bool {
    Self.isModel(mapped.modelsPath)
  }

  /// Whether a path is of one model's folder or file, by its name.
  static func isModel(_ path: String) -> Bool {
    [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains(where: path.hasSuffix)
  }

  /// The folder of files that belong to the models.
  package var modelsFolder: String {
    isOneModel ? FileSystem.folder(of: mapped.modelsPath) : mapped.modelsPath
  }

  /// The lock, or nil where there is none.
  ///
  /// - Throws: ``WaystoneError`` naming file and line where it cannot be used.
  func lockFile() throws(WaystoneError) -> LockFile? {
    try LockFile.read(lockPath, shownAs: folder.shortened(lockPath))
  }

  /// The versions that were shipped, in the order of the archive: those that the configuration
  /// names, else those that are locked, else all.
  ///
  /// - Throws: ``WaystoneError`` at the line that names a version which is not there.
  func shippedVersions(lock: LockFile?) throws(WaystoneError) -> [ModelVersion] {
    if let configuration, !configuration.shipped.isEmpty {
      let named = try configuration.shippedNames(in: mapped.archive)
      return mapped.archive.versions.filter { named.contains($0.qualifiedName) }
    }
    guard let lock else { return mapped.archive.versions }
    let locked = Set(lock.versions.filter { !$0.isRemoved }.map(\.qualifiedName))
    return mapped.archive.versions.filter { locked.contains($0.qualifiedName) }
  }

  /// The stages by which the app migrates a model, if it does.
  func stages(
    of model: String,
    _ runtime: AppRuntime
  ) throws(WaystoneError) -> MappedArchive.StagedMigration? {
    guard runtime == .staged else { return nil }
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
