package import ObjectModel

/// A path that a plan could have taken, and why it lost.
package struct AlternativePath: Hashable, Sendable {
  /// The versions of the path, both ends included.
  package let nodes: [VersionGroup]
  /// The cost of the path.
  package let cost: PlanCost
  /// A sentence on why the plan is better.
  package let reason: String
  /// The most important part in which it costs more; nil where only the options or the order decide.
  package let part: PlanCost.Part?
  /// The findings on which it loses, where it does.
  package let findings: [Finding]
}

extension MigrationPlanner {
  /// Returns the least plan, and the next paths by cost, each with the reason why the plan is better;
  /// they include the direct edge and the history where these exist.
  ///
  /// - Parameters:
  ///   - limit: The number of paths besides those two.
  ///   - evidence: The evidence of a store's rows, where the plan is for a store.
  /// - Throws: ``PlanningError`` as for the plan alone.
  /// - Complexity: One survey for all of them, as for the plan; and O(*s* · *k* · *n*) in edges, paths
  ///   and versions.
  package func planAndAlternatives(
    from source: VersionGroup,
    to destination: VersionGroup,
    options: PlanningOptions = PlanningOptions(),
    limit: Int = 3,
    evidence: StoreEvidence? = nil
  ) throws(PlanningError) -> (plan: MigrationPlan, alternatives: [AlternativePath]) {
    let route = try route(from: source, to: destination, options: options, evidence: evidence)
    let plan = try plan(along: route)
    return (plan, route.alternatives(to: plan, limit: limit))
  }
}

extension SearchSpace {
  fileprivate func alternatives(to plan: MigrationPlan, limit: Int) -> [AlternativePath] {
    guard !plan.hops.isEmpty else { return [] }
    let chosen = ([plan.source] + plan.hops.map(\.destination)).compactMap { node in
      nodes.firstIndex(of: node)
    }
    var paths = possiblePaths(limit + 1).map(\.positions).filter { $0 != chosen }
    paths = Array(paths.prefix(limit))
    for path in [[0, nodes.count - 1], history]
    where path != chosen && !paths.contains(path) && exists(path, allowed: false) {
      paths.append(path)
    }
    while learn(paths) {}
    return paths.map { alternative($0, to: plan) }
  }

  private func alternative(_ path: [Int], to plan: MigrationPlan) -> AlternativePath {
    let steps = Array(zip(path, path.dropFirst()))
    let hops = hops(along: path)
    let cost = hops.cost
    func made(
      _ reason: String,
      _ part: PlanCost.Part?,
      _ findings: [Finding] = []
    ) -> AlternativePath {
      AlternativePath(
        nodes: path.map { nodes[$0] },
        cost: cost,
        reason: reason,
        part: part,
        findings: findings
      )
    }
    for (source, destination) in steps {
      guard let entry = entry(source, destination),
        let barrier = barrier(source, destination, entry)
      else { continue }
      switch barrier {
      case .via(let name): return made("It does not go through \(name).", nil)
      case .avoided(let name): return made("It goes through \(name), which is to be avoided.", nil)
      case .history:
        return made("It passes over versions, and every version is to be stopped at.", nil)
      case .notEquivalent, .unknown, .loss:
        let findings = reasons(for: barrier, source, destination, entry)
        return made(
          findings.first?.message ?? "The options do not accept it.",
          barrier.part,
          findings
        )
      }
    }
    guard let part = cost.firstDifference(from: plan.cost) else {
      return made("It costs the same, and its versions come later in order.", nil)
    }
    let findings = excess(of: part, hops, over: plan)
    // Findings on items that a store of the source can have matter more than those that the path makes.
    let passing = passing(findings, on: hops)
    let decisive = findings.first { !passing.contains($0) } ?? findings.first
    var words = sentence(part, cost, plan.cost, decisive)
    if let decisive, passing.contains(decisive) {
      words += " An earlier hop adds it: no store of \(plan.source.name) has any of it."
    }
    return made(words, part, findings)
  }

  /// Returns the findings on items that no store of the source has, because an earlier hop makes them.
  ///
  /// - Complexity: O(*h* · *p*) in hops and properties of one version.
  private func passing(_ findings: [Finding], on hops: [Hop]) -> Set<Finding> {
    guard !findings.isEmpty else { return [] }
    var passing: Set<Finding> = []
    for step in hops.mappings {
      let own = Set(step.hop.findings)
      passing.formUnion(
        findings.filter { own.contains($0) }.filter { finding in
          // A dropped item has its old name.
          (finding.code.has(.drop) ? step.before : step.after).makesAnew(finding.place)
        }
      )
    }
    return passing
  }

  /// Returns the findings of a part of the cost that a path has and the plan has not.
  private func excess(of part: PlanCost.Part, _ hops: [Hop], over plan: MigrationPlan) -> [Finding]
  {
    let wanted: (Finding) -> Bool =
      switch part {
      case .notEquivalent:
        {
          [.inequivalentShortcut, .resurrected, .reusedName, .bypassedTransformation].contains(
            $0.code
          )
        }
      case .unknown: { $0.code == .unknownShortcut }
      case .undeclaredLosses: { $0.risk == .undeclared }
      case .refuted: { $0.risk == .conditional && $0.evidence?.verdict == .refuted }
      case .unknownPreconditions:
        {
          $0.risk == .unknown || $0.risk == .conditional && $0.evidence?.verdict != .refuted
        }
      case .lossyFindings: { $0.risk == .lossy }
      default: { _ in false }
      }
    let own = plan.allFindings
    return hops.flatMap(\.findings).filter { finding in
      wanted(finding)
        && !own.contains {
          ($0.code == finding.code || $0.code.has(.drop) && finding.code.has(.drop))
            && $0.place.entity == finding.place.entity
            && $0.place.property == finding.place.property
        }
    }
  }

  private func sentence(
    _ part: PlanCost.Part,
    _ cost: PlanCost,
    _ best: PlanCost,
    _ finding: Finding?
  ) -> String {
    let counts = "\(cost[part]) against \(best[part])"
    let detail = finding.map { ": \($0.message)" } ?? "."
    switch part {
    case .notEquivalent: return "More of its edges are not equivalent, \(counts)\(detail)"
    case .refuted: return "More of its conditions do not hold, \(counts)\(detail)"
    case .unknown: return "It skips more steps with unknown effect, \(counts)\(detail)"
    case .undeclaredLosses: return "It has more undeclared losses, \(counts)\(detail)"
    case .unknownPreconditions: return "It has more conditions on the data, \(counts)\(detail)"
    case .lossyFindings: return "It drops more, \(counts)\(detail)"
    case .neglectedPreferences: return "It passes over more that is preferred, \(counts)."
    case .hops: return "It has more hops, \(counts)."
    case .estimatedBytes: return "It writes more bytes, \(counts)."
    }
  }
}

extension ComposedMapping {
  /// Returns whether nothing of the source becomes what the destination has at a place.
  fileprivate func makesAnew(_ place: Finding.Place) -> Bool {
    guard opaqueSteps.isEmpty, let entity = place.entity, destination[entity] != nil else {
      return false
    }
    let made = destination.hierarchyNames(below: entity).flatMap { origins[$0] ?? [] }
    guard !made.contains(where: \.isOpaque) else { return false }
    guard let name = place.property else { return made.isEmpty }
    guard let property = destination.property(name, of: entity)?.property else { return false }
    func isEmpty(_ name: String, _ origins: [Origin]) -> Bool {
      origins.allSatisfy { $0.values[name].map(\.properties.isEmpty) ?? true }
    }
    guard isEmpty(name, made) else { return false }
    guard let relationship = property.relationship,
      let inverse = destination.inverse(of: relationship)?.property.name
    else { return true }
    let others = destination.hierarchyNames(below: relationship.destinationEntityName)
    return isEmpty(inverse, others.flatMap { origins[$0] ?? [] })
  }
}

extension SearchSpace.Barrier {
  /// The part of the cost that a barrier is about.
  fileprivate var part: PlanCost.Part? {
    switch self {
    case .notEquivalent: .notEquivalent
    case .unknown: .unknown
    case .loss: .undeclaredLosses
    case .via, .avoided, .history: nil
    }
  }
}
