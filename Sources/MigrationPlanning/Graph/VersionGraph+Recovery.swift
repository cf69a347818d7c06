public import ObjectModel

extension VersionGraph {
  /// The name of a version that only a store has.
  public static let recoveredName = "recovered"

  /// The graph of a model's versions and of one more, which was recovered from a store.
  ///
  /// Nobody declared where that version belongs. It is put before the version that its objects
  /// reach with the least loss: of those from the nearest version, by the entities that differ, to
  /// the one wanted, the first whose step can be inferred and drops the fewest things. A store
  /// written between two versions thereby goes on to the later one, rather than back to the earlier
  /// and on without what it already had. As no version declares what that step drops, a loss there
  /// is an undeclared one.
  /// - Returns: Nil where no version shares an entity with the recovered one.
  /// - Complexity: O(*v* · *p*) in versions and properties of one version.
  public init?(
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
    let nodes = Self.nodes(of: model.versions)
    let near = identification.nearest.first?.version.model.entityVersionHashes
    guard let near, let first = nodes.first(where: { $0.hashes == near }) else { return nil }
    let last = nodes.last { $0.hashes == wanted.model.entityVersionHashes } ?? first
    var pool = EntityPool()
    let prepared = PreparedModel(recovered, sharing: &pool)
    var next = first
    var leastLoss = Int.max
    let between = VersionOrder(nodes, of: model).between(first.index, last.index)
    for node in between.isEmpty ? [first] : between.map({ nodes[$0] }) {
      let result = MappingInference.infer(
        from: prepared,
        to: PreparedModel(node.model, sharing: &pool)
      )
      guard result.mapping != nil else { continue }
      let loss = result.findings.count { $0.risk.map { $0 >= .lossy } ?? false }
      if loss < leastLoss { (leastLoss, next) = (loss, node) }
    }
    var recovering = model
    recovering.versions.insert(
      ModelVersion(modelName: model.name, name: Self.recoveredName, model: recovered),
      at: next.position
    )
    // Among branches it begins one of its own, which meets the others there.
    recovering.parents?[next.name, default: []].append(Self.recoveredName)
    var ordered = Self.nodes(of: recovering.versions)
    if ordered.indices.contains(next.index) { ordered[next.index].isRecovered = true }
    self.init(recovering, nodes: ordered, authored: authored)
  }

  /// The node of the version that was recovered from a store, if there is one.
  public var recoveredNode: VersionNode? { nodes.first(where: \.isRecovered) }
}

extension VersionGraph.Edge {
  /// The edge with what must be said where no version declares what it drops.
  func leavingRecovered(for name: String) -> VersionGraph.Edge {
    let finding = Finding(
      .recoveredVersion,
      .note,
      at: Finding.Place(version: name),
      message: "The store's version is in no archive; it is recovered from the model that the "
        + "store carries, and no version declares what the step from it means.",
      remedy: "Archive it: `waystone export STORE -o NAME.xcdatamodel`."
    )
    return VersionGraph.Edge(
      source: source,
      destination: destination,
      kind: kind,
      mapping: mapping,
      findings: [finding]
        + findings.map { finding in
          guard finding.risk == .lossy else { return finding }
          var undeclared = finding
          undeclared.risk = .undeclared
          return undeclared
        },
      refusals: refusals,
      origins: origins
    )
  }
}
