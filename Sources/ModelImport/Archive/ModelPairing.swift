import ObjectModel

/// A pairing of models that exist both as Xcode's source and compiled, which makes one of each two.
struct ModelPairing {
  /// The models, in byte order of their paths.
  private(set) var models: [VersionedModel]
  /// The differences between the two forms of a version.
  private(set) var findings: [Finding] = []

  init(_ models: [VersionedModel]) { self.models = models }

  /// Makes one model of each two that are the same.
  ///
  /// The source's versions count, as they have more facts; compiled versions whose source is gone
  /// are added to them.
  mutating func pair() {
    var merged: Set<Int> = []
    for index in models.indices where models[index].isCompiled {
      guard let source = source(of: models[index]) else { continue }
      merge(models[index], into: source)
      merged.insert(index)
    }
    guard !merged.isEmpty else { return }
    models = models.indices.filter { !merged.contains($0) }.map { models[$0] }
  }

  /// Returns the source of a compiled model: of its name, with most versions of the same hashes, and
  /// among several the nearest in the folders.
  ///
  /// The only source of the name counts even if no version hashes alike, provided that one has the
  /// same name: then the two differ, and that must be reported.
  private func source(of compiled: VersionedModel) -> Int? {
    let named = models.indices.filter {
      !models[$0].isCompiled && models[$0].name == compiled.name
    }
    var best: (index: Int, equal: Int, near: Int)?
    for index in named {
      let source = models[index]
      let equal = compiled.versions.count { version in
        source.version(version.name)?.model.entityVersionHashes
          == version.model.entityVersionHashes
      }
      let near = zip(source.path.utf8, compiled.path.utf8).prefix { $0 == $1 }.count
      if (equal, near) > (best?.equal ?? -1, best?.near ?? -1) { best = (index, equal, near) }
    }
    guard let best else { return nil }
    if best.equal > 0 { return best.index }
    let isShared = compiled.versions.contains { models[best.index].version($0.name) != nil }
    return named.count == 1 && isShared ? best.index : nil
  }

  private mutating func merge(_ compiled: VersionedModel, into index: Int) {
    var added: [ModelVersion] = []
    for version in compiled.versions {
      guard let source = models[index].version(version.name) else {
        var version = version
        // The source names the current version, or is known not to.
        version.isCurrent =
          models[index].unreadable.first { $0.name == version.name }?.isCurrent ?? false
        added.append(version)
        continue
      }
      findings += CompiledComparison(source: source, compiled: version).findings
    }
    let model = models[index]
    var known = Set((model.versions + added).map(\.name))
    let unreadable = (model.unreadable + compiled.unreadable).filter {
      known.insert($0.name).inserted
    }
    guard !added.isEmpty || unreadable != model.unreadable else { return }
    models[index] = VersionedModel(
      name: model.name,
      versions: model.versions + added,
      path: model.path,
      unreadable: unreadable
    )
  }
}

extension VersionedModel {
  /// Whether it was read from a `.momd` or `.mom`.
  fileprivate var isCompiled: Bool {
    let path = FilePath(path)
    return ["momd", "mom", "omo"].contains(path.fileExtension)
  }

  fileprivate func version(_ name: String) -> ModelVersion? {
    versions.first { $0.name == name }
  }
}
