package import ObjectModel

extension VersionedModel {
  /// Returns the versions of a merged store: one version of each of several models, step by step.
  ///
  /// The first has the models' versions that the store has, the last those wanted; between, the
  /// models move on one after the other, each through its own versions in order, so that every step
  /// is one consecutive step of one model.
  ///
  /// - Parameters:
  ///   - source: The versions that the store has, one per model.
  ///   - destination: The versions wanted; a model that is not named stays as it is.
  ///   - models: The models with all their versions.
  /// - Throws: ``ModelError`` where versions of different models do not go together.
  package static func combining(
    from source: [ModelVersion],
    to destination: [ModelVersion],
    of models: [VersionedModel]
  ) throws(ModelError) -> VersionedModel {
    let start = source.sorted { ByteOrder.precedes($0.modelName, $1.modelName) }
    var current = start
    var chain = [try combined(current)]
    var unreadable: [UnreadableVersion] = []
    for (position, version) in start.enumerated() {
      guard let model = models.first(where: { $0.name == version.modelName }),
        let wanted = destination.first(where: { $0.modelName == version.modelName }),
        let first = model.versions.firstIndex(of: version),
        let last = model.versions.firstIndex(of: wanted), first != last
      else { continue }
      // Downwards, where the wanted version is the older one: the planner then refuses.
      let order = VersionOrder(parents: model.versions.indices.map(model.parentPositions(of:)))
      let forth = order.history(from: first, to: last)
      let back = order.history(from: last, to: first).map { Array($0.reversed()) }
      var previous = first
      for index in (forth ?? back ?? [first, last]).dropFirst() {
        current[position] = model.versions[index]
        let next = try combined(current)
        unreadable += model.unreadable(between: previous, and: index).map { version in
          var version = version
          version.followers = [next.name]
          return version
        }
        previous = index
        chain.append(next)
      }
    }
    var combination = VersionedModel(
      name: start.map(\.modelName).joined(separator: "+"),
      versions: []
    )
    combination.versions = chain
    combination.unreadable = unreadable
    let parts = models.filter { model in start.contains { $0.modelName == model.name } }
    combination.questions.orderDoubt = doubt(of: parts)
    let uses = Set(parts.map(\.questions.configurationUse))
    if uses.count == 1, let use = uses.first { combination.questions.configurationUse = use }
    return combination
  }

  /// Returns the doubts about the orders of some models as one, with the severity of the worst; nil
  /// where there is none.
  private static func doubt(of models: [VersionedModel]) -> Finding? {
    let doubts = models.compactMap(\.orderDoubt)
    guard var doubt = doubts.max(by: { $0.severity < $1.severity }) else { return nil }
    let others = doubts.filter { $0 != doubt }
    doubt.statement = Finding.Text([doubt.statement] + others.map(\.statement))
    doubt.advice = Finding.Text([doubt.advice] + others.map(\.advice))
    return doubt
  }

  /// Returns the versions of a model, cut down to the entities that a store of one configuration holds.
  ///
  /// A version that names the configuration is cut down to its entities; one that does not, to the
  /// entities of the others that it has.
  ///
  /// - Throws: ``ModelError`` where a relationship leads out of the configuration.
  package func restricted(
    toConfiguration name: String?,
    storedEntities: Set<String>
  ) throws(ModelError) -> VersionedModel {
    var result = self
    result.versions = []
    for version in versions {
      var version = version
      let configured = name.flatMap { version.model.configurations[$0] }.map(Set.init)
      version.model = try version.model.restricted(to: configured ?? storedEntities)
      result.versions.append(version)
    }
    return result
  }

  /// Returns the union of some versions, whose name is the list of theirs.
  private static func combined(_ versions: [ModelVersion]) throws(ModelError) -> ModelVersion {
    ModelVersion(
      modelName: "",
      name: versions.map(\.qualifiedName).joined(separator: ","),
      model: try ManagedObjectModel.merging(versions.map(\.model)),
      path: versions.first?.path ?? ""
    )
  }
}
