package import ObjectModel

extension VersionGraph {
  /// The name of a version that only a store has.
  package static let recoveredName = "recovered"

  /// Makes the graph of a model's versions and of one more, which was recovered from a store.
  ///
  /// No declaration places that version. It is put before the version that its objects reach with the
  /// least loss: of those from the nearest version, by the entities that differ, to the wanted one, the
  /// first whose step can be inferred and drops the fewest things. A store written between two versions
  /// so continues to the later one, rather than back to the earlier one, where it would lose its newer
  /// properties. No version declares the losses of that step, so they are undeclared. Where a later
  /// version is reached with as little loss, the store may also be of a version before that one: the
  /// losses of the steps up to it are undeclared, too.
  /// - Returns: Nil where no version shares an entity with the recovered one.
  /// - Complexity: O(*v* · *p*) in versions and properties of one version.
  package init?(
    _ model: VersionedModel,
    recovering recovered: ManagedObjectModel,
    towards wanted: ModelVersion,
    authored: [AuthoredEdge] = []
  ) {
    let identification = VersionIdentification(
      storeHashes: recovered.entityVersionHashes,
      versions: model.versions,
      storeModel: recovered
    )
    let nodes = Self.nodes(of: model)
    let near = identification.nearest.first?.version.model.entityVersionHashes
    guard let near, let first = nodes.first(where: { $0.hashes == near }) else { return nil }
    let last = nodes.last { $0.hashes == wanted.model.entityVersionHashes } ?? first
    var pool = EntityPool()
    let prepared = PreparedModel(recovered, sharing: &pool)
    let between = VersionOrder(nodes, of: model).between(first.index, last.index)
    var reached: [(node: VersionGroup, mapping: MappingModel, loss: Int)] = []
    for node in between.isEmpty ? [first] : between.map({ nodes[$0] }) {
      let result = MappingInference.infer(
        from: prepared,
        to: PreparedModel(node.model, sharing: &pool)
      )
      guard let mapping = result.mapping else { continue }
      reached.append((node, mapping, result.findings.count { ($0.risk ?? .exact) >= .lossy }))
    }
    let leastLoss = reached.map(\.loss).min()
    let places = reached.filter { $0.loss == leastLoss }
    let next = places.first?.node ?? first
    let doubtful = Dictionary(
      reached.filter { next.index <= $0.node.index && $0.node.index < places.last?.node.index ?? 0 }
        .map {
          let resolved = ResolvedMapping($0.mapping, from: recovered, to: $0.node.model)
          return ($0.node.hashes, Self.carried(by: resolved))
        },
      uniquingKeysWith: { $1 }
    )
    var recovering = model
    recovering.versions.insert(
      ModelVersion(modelName: model.name, name: Self.recoveredName, model: recovered),
      at: next.position
    )
    // It may well be the version before that place which cannot be read.
    for index in recovering.unreadable.indices {
      recovering.unreadable[index].followers.removeAll { $0 == next.name }
    }
    // Among branches it begins one of its own, which meets the others there.
    recovering.parents?[next.name, default: []].append(Self.recoveredName)
    var ordered = Self.nodes(of: recovering)
    if ordered.indices.contains(next.index) { ordered[next.index].isRecovered = true }
    for index in ordered.indices where !ordered[index].isRecovered {
      ordered[index].doubtful = doubtful[ordered[index].hashes] ?? []
    }
    self.init(recovering, nodes: ordered, authored: authored)
  }

  /// Returns the entities of a destination that get objects, and their properties that get a value of
  /// these.
  private static func carried(by mapping: ResolvedMapping) -> Set<String> {
    var carried: Set<String> = []
    for entity in mapping.entities.compactMap(\.self) {
      carried.insert(entity.destination)
      for (name, value) in entity.attributes.merging(entity.relationships, uniquingKeysWith: { $1 })
      where value.unchanged.carriedProperty != nil {
        carried.insert("\(entity.destination).\(name)")
      }
    }
    return carried
  }

  /// The version that was recovered from a store, if there is one.
  package var recoveredNode: VersionGroup? { nodes.first(where: \.isRecovered) }
}

extension VersionGraph.Edge {
  /// Returns the edge, with its losses undeclared where no version declares them.
  func leaving(_ source: VersionGroup, for name: String) -> VersionGraph.Edge {
    guard source.isRecovered || !source.doubtful.isEmpty else { return self }
    let undeclared = findings.map { finding in
      guard finding.risk == .lossy, source.isDoubtful(finding.place) else { return finding }
      var undeclared = finding
      undeclared.risk = .undeclared
      return undeclared
    }
    guard source.isRecovered || undeclared != findings else { return self }
    let remedy = "`waystone export STORE -o NAME.xcdatamodel`."
    let finding = Finding(
      .recoveredVersion,
      .note,
      at: Finding.Place(version: name),
      message: source.isRecovered
        ? "The store's version is in no archive; it is recovered from the model that the "
          + "store carries, and no version declares what the step from it means."
        : "The store's version is in no archive, and may be newer than \(version: source.name): a later version "
          + "has what the step to \(version: name) drops, and no version declares that the store loses it.",
      advice: "Archive it\(source.isRecovered ? "" : " in its place"): \(remedy)"
    )
    var edge = self
    edge.findings = [finding] + undeclared
    return edge
  }
}

extension VersionGroup {
  /// Returns whether no version declares that the objects of a recovered version lose something here.
  fileprivate func isDoubtful(_ place: Finding.Place) -> Bool {
    guard !isRecovered else { return true }
    guard let entity = place.entity else { return !doubtful.isEmpty }
    let suffix = place.property.map { "." + $0 } ?? ""
    return model.hierarchyNames(below: entity).contains { doubtful.contains($0 + suffix) }
  }
}
