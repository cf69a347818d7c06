package import MigrationPlanning
package import ObjectModel

/// The versions as versions and the steps between them as edges.
package struct GraphReport: Report, MemberEncodable {
  package static let verb = "graph"

  /// A group of versions with the same hashes.
  package struct Node: Hashable, MemberEncodable, Sendable {
    /// The names, the last one first.
    package var names: [String]
    /// Whether one of them is the model's current version.
    package var isCurrent: Bool

    /// Makes a group with its names.
    package init(names: [String], isCurrent: Bool) {
      self.names = names
      self.isCurrent = isCurrent
    }

    /// The first name of the group.
    package var name: String { names.first ?? "" }

    package var members: JSONMembers { ["name": name, "versions": names, "current": isCurrent] }
  }

  /// An edge from one version to another, possible or refused.
  @dynamicMemberLookup package struct Edge: Hashable, MemberEncodable, Sendable {
    /// The name of the version that it starts from.
    package var from: String
    /// The name of the version that it leads to.
    package var to: String
    /// The edge in a few words, whose members are the edge's.
    package var summary: EdgeSummary
    /// The risk by which it is drawn.
    package var drawnRisk: Risk
    /// Whether a path that was chosen takes it.
    package var isChosen = false

    /// An edge between two versions, by their names.
    package init(from: String, to: String, _ summary: EdgeSummary) {
      self.from = from
      self.to = to
      self.summary = summary
      drawnRisk = summary.risks.worst
    }

    /// A member of the summary.
    package subscript<Value>(dynamicMember member: KeyPath<EdgeSummary, Value>) -> Value {
      summary[keyPath: member]
    }

    /// The reasons for a refusal; empty where there is a mapping.
    fileprivate var reasons: [String] {
      summary.refusals.map { $0.sentence(about: $0.place.version) }
    }

    package var members: JSONMembers {
      [
        "from": from, "to": to, "kind": summary.kindName, "consecutive": summary.isConsecutive,
        "worst": summary.isRefused ? nil : summary.risks.worst.name, "reasons": reasons,
        "mappings": summary.origins.map(\.path), "policies": summary.policyNames,
        "verdict": summary.verdict?.name, "differences": summary.verdict?.differences ?? [],
        "cost": summary.isRefused ? nil : summary.cost,
      ]
    }
  }

  /// The versions in their order.
  package var nodes: [Node]
  /// The edges in the order of their ends.
  package var edges: [Edge]
  /// The number of edges that were not evaluated: inferred or refused ones over several versions.
  package internal(set) var omittedEdgeCount = 0
  /// The versions where the least path between each two stops, where these were asked for.
  package var paths: [[String]]?
  /// The findings on the graph.
  package var findings: [Finding]

  /// A graph in words.
  package init(nodes: [Node], edges: [Edge], findings: [Finding]) {
    self.nodes = nodes
    self.edges = edges
    self.findings = findings
  }

  package var members: JSONMembers {
    ["nodes": nodes, "edges": edges, "paths": paths, "findings": findings]
  }

  /// The number of versions up to which all edges are shown unasked.
  static let fewNodes = 8

  package func lines(isVerbose: Bool) -> [StyledText] {
    let showsAll = isVerbose || nodes.count <= Self.fewNodes
    var lines: [StyledText] = []
    for node in nodes {
      var line: StyledText = "\(node.name, .strong)"
      if node.names.count > 1 {
        line += "  " + StyledText("= \(node.names.dropFirst().joined(separator: ", "))", .caution)
      }
      if node.isCurrent { line += "  " + StyledText("current", .good) }
      lines.append(line)
      var table = TextTable(Array(repeating: ("", .left), count: 6))
      for edge in edges where edge.from == node.name {
        guard edge.isConsecutive || showsAll || !edge.origins.isEmpty else { continue }
        table.append([
          edge.isConsecutive ? "→" : "⇢",
          StyledText(edge.to),
          StyledText(edge.kindName ?? "refused", edge.isRefused ? .bad : .plain),
          edge.isRefused
            ? StyledText(edge.reasons.first ?? "")
            : StyledText(edge.risks.worst.words, edge.risks.worst.style),
          edge.verdictText,
          StyledText(edge.origins.map(\.fileName).joined(separator: ", "), .faint),
        ])
      }
      lines += table.lines(indentation: 2)
    }
    if omittedEdgeCount > 0 {
      lines += [
        "",
        StyledText(
          "Longer edges: \(Quantity.grouped(omittedEdgeCount)) inferred or refused; --verbose shows them.",
          .faint
        ),
      ]
    }
    // The graph itself shows versions with the same hashes and missing steps.
    let others = findings.filter { $0.code != .equalVersions && $0.code != .missingStep }
    return lines + others.section("Findings", isVerbose: isVerbose)
  }
}

extension GraphReport.Edge {
  /// The verdict and the first property that prevents equivalence; nothing for consecutive versions.
  fileprivate var verdictText: StyledText {
    guard let verdict = summary.verdict, !summary.isConsecutive else { return "" }
    let text = StyledText(verdict.name, verdict.style)
    guard let first = verdict.differences.first else { return text }
    let place = [first.entityName, first.propertyName ?? ""].filter { !$0.isEmpty }
    return text + " in \(place.joined(separator: "."))"
  }
}
