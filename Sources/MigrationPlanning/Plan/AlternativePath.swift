package import ObjectModel

/// A path that a plan could have taken, and why it lost.
package struct AlternativePath: Hashable, Sendable {
  /// Where it stops, both ends included.
  package let nodes: [VersionNode]
  /// What it costs.
  package let cost: PlanCost
  /// One sentence that says why the plan is better.
  package let reason: String
  /// The dearest part in which it costs more; nil where only the options or the order decide.
  package let part: PlanCost.Part?
  /// The findings on which it loses, where it does.
  package let findings: [Finding]
}

extension MigrationPlanner {
  /// The paths next to a plan, by cost, and why each lost; the edge that leads straight and the walk
  /// over all versions are among them where they exist.
  ///
  /// - Parameter limit: How many paths to name besides those two.
  /// - Throws: ``PlanningError`` as for the plan itself.
  /// - Complexity: As for the plan, and O(*s* · *k* · *n*) in edges, paths and nodes.
  package func alternatives(
    to plan: MigrationPlan,
    options: PlanningOptions = PlanningOptions(),
    limit: Int = 3
  ) throws(PlanningError) -> [AlternativePath] {
    try alternatives(to: plan, options: options, limit: limit, evidence: nil)
  }

  /// The paths next to a plan for a store, whose data was asked about them.
  ///
  /// - Throws: ``PlanningError`` as for the plan itself.
  package func alternatives(
    to plan: MigrationPlan,
    options: PlanningOptions,
    limit: Int = 3,
    evidence: StoreEvidence?
  ) throws(PlanningError) -> [AlternativePath] {
    guard !plan.hops.isEmpty else { return [] }
    let route = try route(
      from: plan.source,
      to: plan.destination,
      options: options,
      evidence: evidence
    )
    let chosen = ([plan.source] + plan.hops.map(\.destination)).compactMap { node in
      route.nodes.firstIndex(of: node)
    }
    var paths = route.possiblePaths(limit + 1).map(\.positions).filter { $0 != chosen }
    paths = Array(paths.prefix(limit))
    for path in [[0, route.nodes.count - 1], route.walk]
    where path != chosen && !paths.contains(path) && route.exists(path, allowed: false) {
      paths.append(path)
    }
    while route.learn(paths) {}
    return paths.map { path in route.alternative(path, to: plan) }
  }
}

extension Route {
  fileprivate func alternative(_ path: [Int], to plan: MigrationPlan) -> AlternativePath {
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
      case .walk:
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
    return made(sentence(part, cost, plan.cost, findings.first), part, findings)
  }

  /// The findings of a part of the cost that a path has and the plan has not.
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
          $0.code == finding.code && $0.place.entity == finding.place.entity
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

extension Route.Barrier {
  /// The part of the cost that a barrier is about.
  fileprivate var part: PlanCost.Part? {
    switch self {
    case .notEquivalent: .notEquivalent
    case .unknown: .unknown
    case .loss: .undeclaredLosses
    case .via, .avoided, .walk: nil
    }
  }
}
