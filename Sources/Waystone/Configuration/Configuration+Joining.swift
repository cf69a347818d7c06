internal import ObjectModel

extension Configuration {
  /// Returns the archive in which the models whose versions one order names are one history.
  ///
  /// - Throws: ``WaystoneError`` at the line of the order, where two of these models have a version of
  ///   one name.
  func joined(_ archive: ModelArchive) throws(WaystoneError) -> ModelArchive {
    guard archive.models.count > 1, let (names, line) = orderedNames else { return archive }
    var places: [Int] = []
    for name in names {
      let found = archive.models.indices.filter { archive.models[$0].versionName(of: name) != nil }
      guard found.count == 1 else { continue }
      // The model of the last version comes last.
      places.removeAll { $0 == found[0] }
      places.append(found[0])
    }
    guard places.count > 1, let last = places.last else { return archive }
    let models = places.map { archive.models[$0] }
    try checkNames(of: models, line)
    var joined = archive
    let history = VersionedModel.joining(models)
    joined.models[last] = history
    for place in places.dropLast().sorted(by: >) { joined.models.remove(at: place) }
    // Stages are those of the model that comes last.
    joined.stages = joined.stages.compactMap { stages in
      var stages = stages
      if history.isCalled(stages.modelName) {
        guard stages.modelName == models.last?.name else { return nil }
        stages.modelName = history.name
      }
      return stages
    }
    // The current version of an older model is none of the app's.
    let paths = Set(models.dropLast().map(\.path))
    joined.findings.removeAll { finding in
      finding.code == .currentVersionUnknown && finding.place.file.map(paths.contains) == true
    }
    return joined
  }

  /// The names in the order that is not of one model by its name, with its line; nil where there is none.
  private var orderedNames: (names: [String], line: Int)? {
    if let list = order[""] { return (list.versions, list.line) }
    if let branches = branches[""] {
      let versions = branches.lines.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
      let names = versions.flatMap { (branches.parents[$0.key] ?? []) + [$0.key] }
      return (names, branches.line)
    }
    return nil
  }

  /// Refuses versions of one name, which a joined history could not distinguish.
  private func checkNames(of models: [VersionedModel], _ line: Int) throws(WaystoneError) {
    var owners: [String: String] = [:]
    for model in models {
      for name in model.versions.map(\.name) + model.unreadable.map(\.name) {
        guard let other = owners.updateValue(model.name, forKey: name) else { continue }
        throw error(
          line: line,
          "The order joins \(other) and \(model.name), and both have a version \(name).",
          recovery:
            "Rename one of the two: the file of a version, or its schema. No version hash changes."
        )
      }
    }
  }
}
