import ObjectModel

/// The options that name versions, by positions.
struct PathConstraints {
  private var via: [(position: Int, name: String)] = []
  private var avoided: [(position: Int, name: String)] = []
  private var preferred: [Int] = []
  private var preferredEdges: [(source: Int, destination: Int)] = []
  private var accepted: [(source: Int, destination: Int)] = []

  /// Makes empty constraints.
  init() {}

  init(
    _ options: PlanningOptions,
    _ nodes: VersionSlice,
    _ graph: VersionGraph
  ) throws(PlanningError) {
    func position(_ name: String) throws(PlanningError) -> Int? {
      guard let node = graph.node(named: name) else {
        throw PlanningError(
          code: .unknownVersion(name),
          statement: "Version \(name) is not one of the model \(graph.modelName).",
          advice: "Name a version of that model."
        )
      }
      return nodes.indexes.firstIndex(of: node.index)
    }
    let ends = "\(nodes.first?.name ?? "") and \(nodes.last?.name ?? "")"
    for name in options.via {
      guard let place = try position(name) else {
        throw PlanningError(
          code: .notOnPath(name),
          statement: "Version \(name) is not between \(ends), so that no plan goes through it.",
          advice: "Name a version between the two."
        )
      }
      via.append((place, name))
    }
    for name in options.avoided {
      guard let place = try position(name) else { continue }
      guard place > 0, place < nodes.count - 1 else {
        throw PlanningError(
          code: .notOnPath(name),
          statement:
            "Version \(name) is where the plan starts or ends, so that it cannot be avoided.",
          advice: "Name a version between \(ends)."
        )
      }
      avoided.append((place, name))
    }
    for name in options.preferredVersions {
      if let place = try position(name) { preferred.append(place) }
    }
    for pair in options.preferredEdges {
      if let first = try position(pair.source), let last = try position(pair.destination) {
        preferredEdges.append((first, last))
      }
    }
    for pair in options.acceptedShortcuts {
      if let first = try position(pair.source), let last = try position(pair.destination) {
        accepted.append((first, last))
      }
    }
  }

  /// Returns the branches that the options choose where several meet, of those among some versions.
  func choice(among nodes: VersionSlice) -> BranchChoice {
    let wanted =
      via.map(\.position) + preferred + preferredEdges.flatMap { [$0.source, $0.destination] }
    return BranchChoice(
      wanted: Set(wanted.map { nodes.indexes[$0] }),
      avoided: Set(avoided.map { nodes.indexes[$0.position] })
    )
  }

  func barrier(_ source: Int, _ destination: Int) -> SearchSpace.Barrier? {
    if let version = via.first(where: { source < $0.position && $0.position < destination }) {
      return .via(version.name)
    }
    return avoided.first { $0.position == source || $0.position == destination }
      .map { .avoided($0.name) }
  }

  /// Returns whether a not equivalent edge was named.
  func accepts(_ source: Int, _ destination: Int) -> Bool {
    accepted.contains { $0 == (source, destination) }
  }

  /// Returns the number of preferred versions that an edge skips, and of preferred edges that it
  /// replaces.
  ///
  /// Exactly one edge of a path leaves the start of a preferred edge, so a path's sum counts each
  /// preferred edge that it does not take once.
  func neglected(by source: Int, _ destination: Int) -> Int {
    preferred.count { source < $0 && $0 < destination }
      + preferredEdges.count {
        source <= $0.source && $0.source < destination && $0 != (source, destination)
      }
  }
}
