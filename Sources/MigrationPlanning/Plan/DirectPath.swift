import ObjectModel

/// The edge that leads straight from one version to another, where it is proven to be the least path
/// without a look at any other edge between the two.
///
/// It is, where it is equivalent to the history, nothing about it is conditional or undeclared, and each of
/// its losses is one that every path has: the history drops the same, and what costs nothing before the
/// drops does what the history does. Any other path has a hop more. A path with fewer findings than
/// things dropped is known in three cases, in which nothing is proven:
///
/// - A step drops one side of a relationship and its inverse keeps the links: the later drop of the inverse
///   is then the only loss.
/// - A step moves properties to a common ancestor, or an ancestor has a transient or derived one that may
///   take their names: one finding tells of all of them.
/// - What is dropped has no rows, so that no path needs to drop it by itself.
package struct DirectPath {
  /// What is known of the edge, and of no other.
  let survey: EdgeSurvey

  /// The edge between two nodes of a graph; nil where it is not proven to be the least path.
  ///
  /// - Parameters:
  ///   - options: What the path may contain; nothing is proven where they name versions.
  ///   - evidence: What the data says, where the path is for a store. It is asked about this edge alone.
  /// - Complexity: O(*n* · *e*) in the nodes between and their entities, and the properties of entities
  ///   that changed.
  package init?(
    in graph: VersionGraph,
    from source: VersionNode,
    to destination: VersionNode,
    options: PlanningOptions = PlanningOptions(),
    evidence: StoreEvidence? = nil
  ) {
    guard !options.namesVersions, !options.walksEveryVersion,
      graph.isInferred(from: source.index, to: destination.index)
    else { return nil }
    let edge = graph.edge(from: source, to: destination)
    guard !edge.isRefused, edge.risk != .undeclared else { return nil }
    var cache = PairCache()
    var entry = graph.entry(from: source, to: destination, cache: &cache)
    guard let way = entry.way,
      case .way(let history)? = graph.history(from: source, to: destination, cache: &cache),
      VersionGraph.verdict(on: way, .way(history)) == .equivalent
    else { return nil }
    entry.entry.verdict = .equivalent
    entry.entry.stepCount = destination.index - source.index
    survey = EdgeSurvey(
      nodes: [source.index, destination.index],
      entries: [entry.entry]
    )
    var findings = edge.findings
    var risks = entry.entry.risks
    if let evidence {
      while evidence.learn([(source, destination)]) {}
      evidence.refine(&entry.entry)
      findings = evidence.knownFindings(of: edge)
      risks = entry.entry.risks
    }
    let losses = findings.filter { $0.risk == .lossy }
    guard risks.refuted == 0, risks.conditional == 0, risks.undeclared == 0, risks.used == 0,
      options.acceptLoss != .none || losses.isEmpty, losses.count == risks.lossy,
      losses.allSatisfy({ $0.isDrop(by: history) }),
      evidence == nil || losses.allSatisfy({ $0.evidence?.verdict == .refuted }),
      !graph.mayDropTogether(losses, from: source.index, to: destination.index)
    else { return nil }
  }
}

extension VersionGraph {
  /// The history from a node to a later one, composed from what each step does.
  fileprivate func history(
    from source: VersionNode,
    to destination: VersionNode,
    cache: inout PairCache
  ) -> Walks.Result? {
    var history = Walks.Result.way(NormalMapping(identityOf: source.model))
    for index in source.index..<destination.index {
      let step = entry(from: nodes[index], to: nodes[index + 1], cache: &cache)
      history = history.followed(by: step.way, from: index, to: index + 1)
    }
    return history
  }

  /// Whether nodes follow one another in a line of steps that are all inferred, and nothing that people
  /// wrote or a store brought joins any of them.
  fileprivate func isInferred(from first: Int, to last: Int) -> Bool {
    guard order.isLine, edgesAreInferred, first + 1 < last else { return false }
    return nodes[first...last].allSatisfy { !$0.isRecovered && $0.doubtful.isEmpty }
      && consecutiveEdges[first..<last].allSatisfy { !$0.isRefused && $0.kind != .authored }
      && authoredPairs.allSatisfy { $0.source < first || last < $0.destination }
  }

  /// Whether one finding of another path may tell of several of these drops.
  fileprivate func mayDropTogether(_ losses: [Finding], from first: Int, to last: Int) -> Bool {
    let properties = losses.filter { $0.place.property != nil }
    let steps = consecutiveEdges[first..<last].lazy.flatMap(\.findings)
    if properties.count > 1 {
      if steps.contains(where: { $0.code == .propertyMoved }) { return true }
      if nodes[(first + 1)...last].contains(where: \.model.hasUnstoredProperties) { return true }
    }
    return properties.contains { $0.code == .relationshipDropped }
      && steps.contains { $0.code == .relationshipDropped && $0.risk != .lossy }
  }
}

extension Finding {
  /// Whether it tells of a drop of something that has rows in the source, and that the history drops.
  fileprivate func isDrop(by history: NormalMapping) -> Bool {
    guard FindingCode.drops.contains(code), let entity = place.entity else { return false }
    guard let property = place.property else {
      return history.source[entity]?.isAbstract == false
        && history.destinations(of: entity).isEmpty
    }
    return history.destination.hierarchyNames(below: entity).contains { name in
      (history.origins[name] ?? []).contains { origin in
        guard
          let old = history.source.property(property, of: origin.sourceEntityName)?.property,
          old.isPersistent, old.attribute?.derivationExpression == nil
        else { return false }
        return !origin.values.values.contains { $0.properties.contains(property) }
      }
    }
  }
}

extension ManagedObjectModel {
  /// Whether an entity with entities below it declares a property of which a store has no values of its
  /// own.
  fileprivate var hasUnstoredProperties: Bool {
    let parents = Set(entities.compactMap(\.superentityName))
    return parents.contains { name in
      properties(of: name).contains { declared in
        !declared.property.isPersistent || declared.property.attribute?.derivationExpression != nil
      }
    }
  }
}

extension PlanningOptions {
  /// Whether they name any version or edge.
  fileprivate var namesVersions: Bool {
    !(via.isEmpty && avoided.isEmpty && preferredVersions.isEmpty && preferredEdges.isEmpty
      && acceptedShortcuts.isEmpty)
  }
}
