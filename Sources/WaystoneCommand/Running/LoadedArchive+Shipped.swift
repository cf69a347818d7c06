internal import ObjectModel

extension LoadedArchive {
  /// The versions that were shipped, in the order of the archive: those that the configuration
  /// names, else all.
  ///
  /// - Throws: ``CommandError`` at the line that names a version which is not there.
  func shippedVersions() throws(CommandError) -> [ModelVersion] {
    guard let configuration, !configuration.shipped.isEmpty else { return archive.versions }
    let named = try configuration.shippedNames(in: archive)
    return archive.versions.filter { named.contains($0.qualifiedName) }
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
