internal import ArgumentParser
internal import Files
internal import MigrationPlanning
internal import ObjectModel
internal import StoreAccess
internal import Waystone

/// Where the lock is, as an option.
struct LockOptions: ParsableArguments {
  @Option(
    name: .customLong("lock"),
    help: ArgumentHelp(
      "The lock. (default: waystone.lock beside waystone.yml, else with the models)",
      valueName: "file"
    )
  )
  var path: String?
}

extension LoadedArchive {
  /// Whether the models are one model's folder or file, beside which others may lie.
  var isOneModel: Bool {
    [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains { mapped.modelsPath.hasSuffix($0) }
  }

  /// The folder of files that belong to the models.
  var modelsFolder: String {
    isOneModel ? FileSystem.folder(of: mapped.modelsPath) : mapped.modelsPath
  }

  /// The absolute path of the lock: beside `waystone.yml`, else with the models.
  func lockPath(given path: String? = nil, console: Console) -> String {
    path.map(console.resolved) ?? "\(configuration?.folder ?? modelsFolder)/\(LockFile.fileName)"
  }

  /// The lock, or nil where there is none.
  ///
  /// - Throws: ``CommandError`` naming file and line where it cannot be used.
  func lock(given path: String? = nil, console: Console) throws(CommandError) -> LockFile? {
    let path = lockPath(given: path, console: console)
    return try LockFile.read(path, shownAs: console.shortened(path))
  }

  /// The versions that were shipped, in the order of the archive: those that the configuration
  /// names, else those that are locked, else all.
  ///
  /// - Throws: ``CommandError`` at the line that names a version which is not there.
  func shippedVersions(lock: LockFile?) throws(CommandError) -> [ModelVersion] {
    if let configuration, !configuration.shipped.isEmpty {
      let named = try configuration.shippedNames(in: mapped.archive)
      return mapped.archive.versions.filter { named.contains($0.qualifiedName) }
    }
    guard let lock else { return mapped.archive.versions }
    let locked = Set(lock.versions.filter { !$0.isRemoved }.map(\.qualifiedName))
    return mapped.archive.versions.filter { locked.contains($0.qualifiedName) }
  }
}

extension Configuration {
  /// The qualified names of the versions that the file calls shipped.
  ///
  /// A model of which the file does not speak has none.
  /// - Throws: ``CommandError`` at the line that names a version which is not there.
  func shippedNames(in archive: ModelArchive) throws(CommandError) -> Set<String> {
    var result: Set<String> = []
    for model in shipped.keys.sorted(by: ByteOrder.precedes) {
      guard let list = shipped[model] else { continue }
      let part = ModelArchive(
        models: archive.models.filter { model.isEmpty || $0.name == model }
      )
      guard !part.models.isEmpty else {
        throw error(
          line: list.line,
          "There is no model called \(model).",
          recovery: "Name one that `waystone versions` shows."
        )
      }
      let names = VersionNames(part)
      for name in list.versions {
        guard let version = try? names.find(name) else {
          throw error(
            line: list.line,
            "No version, or more than one, is called \(name), which `shipped` names.",
            recovery: "Name one that `waystone versions` shows, or remove it."
          )
        }
        result.insert(version.qualifiedName)
      }
    }
    return result
  }
}
