package import MigrationPlanning
package import ObjectModel

/// An explanation of a plan's path: the direct edge, the chosen path, and the faults of the others.
package struct ExplanationReport: Report, MemberEncodable {
  package static let verb = "explain"

  /// The edge straight from the one version to the other.
  package struct Direct: MemberEncodable, Sendable {
    /// The edge; a store's rows may have decided its findings.
    package var edge: VersionGraph.Edge
    /// The verdict on the edge; nil where it is refused.
    package var verdict: EdgeVerdict?
    /// The findings that explain the verdict.
    package var verdictFindings: [Finding]

    /// An edge with its verdict.
    package init(edge: VersionGraph.Edge, verdict: EdgeVerdict?, verdictFindings: [Finding]) {
      self.edge = edge
      self.verdict = verdict
      self.verdictFindings = verdictFindings
    }

    package var members: JSONMembers {
      [
        "kind": edge.kind.rawValue, "possible": verdict != nil, "verdict": verdict?.name,
        "worst": edge.risk.name, "mappings": edge.origins.map(\.path),
        "differences": verdict?.differences ?? [], "losses": verdictFindings,
        "findings": edge.findings, "refusals": edge.refusals,
      ]
    }
  }

  /// The path that a plan takes, or how far one gets.
  package var plan: PlanReport
  /// The edge that leads straight; nil where both versions have the same hashes.
  package var direct: Direct?
  /// The versions of the history from one to the other, both included.
  package var history: [String]
  /// The mappings that were made for versions near these two.
  package var nearMappings: [Finding]

  /// An explanation in words.
  package init(plan: PlanReport, direct: Direct?, history: [String], nearMappings: [Finding]) {
    self.plan = plan
    self.direct = direct
    self.history = history
    self.nearMappings = nearMappings
  }

  package var members: JSONMembers {
    plan.members + ["direct": direct, "history": history, "nearMappings": nearMappings]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = [
      "\(plan.from, .strong) → \(plan.to, .strong)" + (plan.refused.map { "  \($0, .bad)" } ?? ""),
      "", "\(plan.isComplete ? "The plan" : "No plan", .strong)",
    ]
    for hop in plan.hops {
      let kind = StyledText(hop.kind ?? "")
      lines.append(
        "  \(hop.from, .strong) → \(hop.to, .strong)  \(kind)  "
          + StyledText(hop.worst.words, hop.worst.style)
      )
      lines += TerminalText.wrapped(hop.reason, indentation: 5).map {
        StyledText("     ") + StyledText($0, .faint)
      }
    }
    if plan.hops.isEmpty, plan.isComplete {
      lines.append("  Nothing to do: both versions have the same hashes.")
    }
    lines += plan.blockedLines(indentation: 2)
    if let direct {
      lines += ["", "\("Direct shortcut", .strong)"] + self.lines(of: direct, isVerbose)
    }
    if !plan.alternatives.isEmpty {
      lines += ["", "\("Other paths, and why they are not taken", .strong)"]
      lines += plan.alternatives.flatMap(\.lines)
    }
    if !nearMappings.isEmpty {
      lines += ["", "Mappings that nearly fit"]
      lines += nearMappings.lines(indentation: 2)
    }
    return lines + plan.findings.section("Findings", isVerbose: isVerbose) + plan.refusalLines
      + ["", plan.totals]
  }

  private func lines(of direct: Direct, _ isVerbose: Bool) -> [StyledText] {
    guard let verdict = direct.verdict else {
      return ["  \("refused", .bad)"]
        + direct.edge.refusals.lines(indentation: 5, about: plan.to)
    }
    var lines: [StyledText] = [
      "  \(direct.edge.kind.rawValue)  "
        + StyledText(direct.edge.risk.words, direct.edge.risk.style) + "  "
        + StyledText(verdict.name, verdict.style)
    ]
    for origin in direct.edge.origins { lines.append("     by \(origin.path, .strong)") }
    let words: String? =
      switch verdict {
      case .equivalent where direct.edge.kind == .authored:
        "It was written by hand, and counts as equivalent."
      case .equivalent where history.count > 2:
        "It does the same as migrating through the \(Quantity.count(history.count - 2, "version")) between."
      case .equivalent: "It is a step between consecutive versions."
      case .notEquivalent, .unknown: nil
      }
    lines += (words.map { TerminalText.wrapped($0, indentation: 5) } ?? []).map {
      StyledText("     ") + StyledText($0, .faint)
    }
    let shown = direct.edge.findings.filter { isVerbose || $0.severity > .note }
    return lines
      + (direct.verdictFindings + shown)
      .lines(indentation: 5, about: plan.to, isFolded: !isVerbose)
  }
}
