import ObjectModel

extension SearchSpace {
  /// Returns the error where a path exists that the options do not allow.
  func notAllowed(_ path: [Int]) -> PlanningError {
    var barriers: [Barrier] = []
    var steps: [PlanningError.BlockedStep] = []
    for (source, destination) in zip(path, path.dropFirst()) {
      guard let entry = entry(source, destination),
        let barrier = barrier(source, destination, entry)
      else { continue }
      barriers.append(barrier)
      steps.append(
        blocked(source, destination, reasons(for: barrier, source, destination, entry))
      )
    }
    let wishes = barriers.contains { barrier in
      switch barrier {
      case .via, .avoided, .history: true
      default: false
      }
    }
    let wanted = [
      barriers.contains(.unknown)
        ? "an edge of which it is unknown whether it does the same as the history" : nil,
      barriers.contains(.notEquivalent) ? "an edge that does not do the same as the history" : nil,
      barriers.contains(.loss) ? "a loss that is not accepted" : nil,
      wishes ? "a version or edge that the options exclude" : nil,
    ]
    .compactMap { $0 }.joined(separator: " and ")
    return PlanningError(
      code: .notAllowed,
      statement: "The only path from \(version: nodes.first) to \(version: nodes.last) has "
        + "\(wanted).",
      advice: wishes
        ? "Leave out --via, --avoid and --history, or write or correct mappings for the steps named."
        : barriers.contains(.notEquivalent)
          ? "Accept each edge by its two versions (--accept-shortcut FROM..TO), or write or correct "
            + "mappings for the steps named."
          : "Write or correct mappings for the steps named. Or accept it: `migrate "
            + (barriers.contains(.unknown)
              ? "--accept-unknown" : "--accept-loss \(accepting(steps))") + "`.",
      blockedSteps: steps
    )
  }

  /// Returns the error where no path leads to the destination.
  func unreachable(_ furthest: Int) -> PlanningError {
    let steps = nodes.indices.dropFirst(furthest + 1).compactMap { next in
      entry(furthest, next).map { entry in
        let reasons =
          entry.isRefused
          ? entry.refusals
          : barrier(furthest, next, entry).map { self.reasons(for: $0, furthest, next, entry) }
            ?? []
        return blocked(furthest, next, reasons)
      }
    }
    // A mapping that is there and cannot run is to be corrected or finished, not written.
    let refusal = steps.first?.reasons.first { $0.code.has(.brokenMapping) }
    let why = refusal.map { refusal -> Finding.Text in
      let line = refusal.place.line.map { ":\($0)" } ?? ""
      return " \(refusal.place.file ?? "")\(line): \(refusal.statement)"
    }
    let own = nodes.last?.model.framework.ownMapping ?? ModelFramework.coreData.ownMapping
    let step: Finding.Text =
      steps.first.map { "the step from \(version: $0.source) to \(version: $0.destination)" }
      ?? "that step"
    return PlanningError(
      code: .unreachable(furthest: nodes[furthest].name),
      statement: "No path leads from \(version: nodes.first) to \(version: nodes.last)"
        + (furthest == 0
          ? "." : "; the last reachable version is \(version: nodes[furthest]).") + (why ?? ""),
      advice: (refusal?.advice
        ?? (isLoss(furthest, furthest + 1)
          ? "Accept what \(step) drops: --accept-loss \(accepting(Array(steps.prefix(1)))). Or write or "
            + "correct \(own) for it."
          : Self.advice(of: steps.first, for: step, own)))
        + (furthest == 0 || refusal != nil
          ? ""
          : " Or migrate to \(version: nodes[furthest].name) only: "
            + "`--to \(argument: nodes[furthest].name)`."),
      blockedSteps: steps
    )
  }

  /// Returns the advice for a step that cannot be inferred: that of the one finding that refuses it, so
  /// that the two agree, or the general one.
  private static func advice(
    of blocked: PlanningError.BlockedStep?,
    for step: Finding.Text,
    _ own: String
  ) -> Finding.Text {
    guard let reasons = blocked?.reasons, let reason = reasons.first, !reason.remedy.isEmpty,
      let entity = reason.place.entity
    else { return "Write \(own) for \(step)." }
    guard reasons.count == 1 else {
      return "Follow the advice of each finding of \(step), or write \(own) for it."
    }
    let place = entity + (reason.place.property.map { ".\($0)" } ?? "")
    return "\(place): \(reason.advice)"
  }

  /// Returns the least acceptance of losses that lets a plan take all steps.
  private func accepting(_ steps: [PlanningError.BlockedStep]) -> String {
    let isDeclared = steps.flatMap(\.reasons).allSatisfy {
      $0.risk.map { $0 < .undeclared } ?? true
    }
    return options.acceptLoss == .none && isDeclared ? "declared" : "any"
  }

  /// Returns whether an edge is excluded only because of its losses.
  private func isLoss(_ source: Int, _ destination: Int) -> Bool {
    guard nodes.indices.contains(destination), let entry = entry(source, destination),
      !entry.isRefused
    else { return false }
    return barrier(source, destination, entry) == .loss
  }

  /// Returns the findings that explain an excluded edge.
  func reasons(
    for barrier: Barrier,
    _ source: Int,
    _ destination: Int,
    _ entry: EdgeSummary
  ) -> [Finding] {
    lazy var edge = graph.edge(from: nodes[source], to: nodes[destination])
    switch barrier {
    case .notEquivalent, .unknown: return graph.findings(of: entry.verdict, on: edge)
    case .loss:
      let least = options.acceptLoss == .none ? Risk.lossy : .undeclared
      let findings = evidence?.knownFindings(of: edge) ?? edge.findings
      return findings.filter {
        $0.risk.map { $0 >= least } ?? false
          || options.acceptLoss == .none && $0.leavesOpenWhatIsKept
      }
    case .via, .avoided, .history: return []
    }
  }

  private func blocked(
    _ source: Int,
    _ destination: Int,
    _ reasons: [Finding]
  ) -> PlanningError.BlockedStep {
    PlanningError.BlockedStep(
      source: nodes[source].name,
      destination: nodes[destination].name,
      reasons: reasons
    )
  }
}
