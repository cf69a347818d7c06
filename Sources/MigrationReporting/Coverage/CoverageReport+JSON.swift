import MigrationPlanning
import ObjectModel
import Waystone

extension CoverageReport: Report, MemberEncodable {
  package static let verb = "coverage"

  package var members: JSONMembers {
    let totals = totals
    return [
      "runtime": runtime.rawValue, "reliesOn": reliance.rawValue, "complete": isComplete,
      "changedSince": changedSince, "models": models, "paths": models.flatMap(paths),
      "findings": findings, "accepted": accepted,
      "summary": [
        "versions": models.reduce(0) { $0 + $1.nodes.reduce(0) { $0 + $1.names.count } },
        "paths": totals.paths, "arrive": totals.outcomes[.arrives] ?? 0,
        "otherDefaults": totals.outcomes[.otherDefaults] ?? 0,
        "keep": totals.outcomes[.keeps] ?? 0, "drop": totals.dropping,
        "lose": totals.outcomes[.loses] ?? 0, "fail": totals.outcomes[.fails] ?? 0,
        "unknown": totals.outcomes[.unknown] ?? 0, "ifDataFit": totals.conditional,
        "percent": totals.percent, "minimum": minimumPercent, "reachable": totals.reachable,
        "edges": edgeTotals,
      ] as JSONMembers,
    ]
  }

  private func paths(of model: Model) -> [JSONMembers] {
    let edges = Dictionary(
      model.edges.map { (NodePair(source: $0.source, destination: $0.destination), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    return model.paths.map { path in
      let nodes = path.nodes ?? []
      let hops = zip(nodes, nodes.dropFirst())
        .compactMap { edges[NodePair(source: $0, destination: $1)] }
      return members(path, over: hops, in: model)
    }
  }

  private func members(_ path: Path, over hops: [Edge], in model: Model) -> JSONMembers {
    [
      "model": model.name, "from": model.nodes[path.source].name,
      "to": model.nodes[path.destination].name,
      "versions": path.versions.isEmpty ? model.nodes[path.source].names : path.versions,
      "store": path.store, "gap": !path.gaps(from: threshold).isEmpty,
      "app": [
        "outcome": path.app.kind.rawValue, "summary": path.app.summary,
        "runsCode": path.app.runsCode, "drops": OneLine(path.app.dropNames),
        "via": path.app.nodes.map { model.nodes[$0].name }, "findings": path.app.findings,
      ] as JSONMembers, "reachable": path.isReachable, "hops": path.nodes.map { $0.count - 1 },
      "via": path.nodes.map { $0.map { model.nodes[$0].name } },
      "kinds": hops.compactMap(\.kindName), "worst": path.worst?.name,
      "bytesPerHundredMegabytes": path.bytesPerHundredMegabytes,
      "findings": Array(path.findings.dropFirst(path.hopFindingCount)),
      "accepted": path.accepted, "trial": path.trial,
    ]
  }
}

extension CoverageReport.Model: MemberEncodable {
  package var members: JSONMembers {
    // Edges over many versions drop the same things: each is written once, and named by its place.
    var numbered = NumberedFindings()
    let edges = edges.map { $0.members(in: self, numbering: &numbered) }
    return [
      "name": name, "current": nodes.first(where: \.isCurrent)?.name, "versions": nodes,
      "edges": counts, "findings": numbered.findings.map { OneLine($0) }, "shown": edges,
    ]
  }
}

extension CoverageReport.Node: MemberEncodable {
  package var members: JSONMembers {
    ["name": name, "names": names, "files": files, "current": isCurrent, "shipped": isShipped]
  }
}

extension CoverageReport.Model {
  /// Returns the kinds of a path's hops, in their order.
  func kinds(of path: CoverageReport.Path) -> [String] {
    let nodes = path.nodes ?? []
    return zip(nodes, nodes.dropFirst()).compactMap { edge(from: $0, to: $1)?.kindName }
  }
}

extension CoverageReport.Edge {
  fileprivate func members(
    in model: CoverageReport.Model,
    numbering numbered: inout NumberedFindings
  ) -> JSONMembers {
    [
      "from": model.nodes[summary.source].name, "to": model.nodes[summary.destination].name,
      "kind": summary.kindName, "consecutive": summary.isConsecutive,
      "verdict": summary.verdict?.name,
      "worst": summary.isRefused ? nil : summary.risks.worst.name,
      "findings": OneLine(findings.map { numbered.place(of: $0) }),
      "mappings": summary.origins.map(\.path), "changes": changes.map(\.text),
    ]
  }
}

/// The findings of a model's edges, each once.
private struct NumberedFindings {
  /// The findings in the order of the edges.
  private(set) var findings: [Finding] = []
  private var places: [Finding: Int] = [:]

  /// Returns the place of a finding among them, the last where no edge had it.
  mutating func place(of finding: Finding) -> Int {
    if let known = places[finding] { return known }
    places[finding] = findings.count
    findings.append(finding)
    return findings.count - 1
  }
}

extension CoverageReport.Trial: MemberEncodable {
  package var members: JSONMembers {
    [
      "verified": isVerified, "rows": rows, "failure": failure, "exercises": exercises,
      "findings": findings,
    ]
  }
}
