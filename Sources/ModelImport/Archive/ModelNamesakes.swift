import ObjectModel

/// The models of one name, which get unique names: locks, configurations and findings need them.
struct ModelNamesakes {
  /// The folder below which the models were found.
  let root: FilePath

  /// Returns the models, those of one name with the folder that distinguishes them: `Store (Old)`,
  /// or `Store (Old:Data)` where the nearest folders have one name, too.
  func named(_ models: [VersionedModel]) -> [VersionedModel] {
    var models = models
    let namesakes = Dictionary(grouping: models.indices) { models[$0].name }
    for places in namesakes.values where places.count > 1 {
      for (place, label) in zip(places, labels(of: places.map { models[$0] })) {
        let name = "\(models[place].name) (\(label.isEmpty ? "." : label))"
        models[place].name = name
        for version in models[place].versions.indices {
          models[place].versions[version].modelName = name
        }
      }
    }
    return models
  }

  /// Returns the folders that distinguish each model: the nearest, and others around it as needed.
  private func labels(of models: [VersionedModel]) -> [String] {
    let folders = models.map { self.folders(of: $0) }
    let deepest = folders.map { $0.count }.max() ?? 0
    for depth in 1...max(1, deepest) {
      let labels = folders.map { $0.suffix(depth).joined(separator: ":") }
      if Set(labels).count == labels.count { return labels }
    }
    // A source and a compiled model in one folder that are not the same model: their files' names
    // differ.
    return zip(models, folders).map { model, folders in
      (folders + [FilePath(model.path).name]).joined(separator: ":")
    }
  }

  /// Returns the names of the folders between the root and a model.
  private func folders(of model: VersionedModel) -> [String] {
    func parts(_ path: String) -> [String] {
      path.split(separator: "/").filter { $0 != "." }.map(String.init)
    }
    return Array(parts(model.path).dropFirst(parts(root.string).count).dropLast())
  }
}
