import MigrationPlanning
import ObjectModel
import Waystone

extension CoverageReport: Report {
  package static let verb = "coverage"

  package var members: [String: JSONValue] {
    let totals = totals
    return [
      "runtime": .string(runtime.rawValue),
      "reliesOn": .string(reliance.rawValue),
      "complete": .boolean(isComplete),
      "changedSince": JSONValue(changedSince),
      "models": .array(models.map(json)),
      "paths": .array(models.flatMap(paths)),
      "findings": .array(findings.map(\.json)),
      "accepted": .array(accepted.map(\.json)),
      "summary": [
        "versions": JSONValue(models.reduce(0) { $0 + $1.nodes.reduce(0) { $0 + $1.names.count } }),
        "paths": JSONValue(totals.paths),
        "arrive": JSONValue(totals.outcomes[.arrives] ?? 0),
        "otherDefaults": JSONValue(totals.outcomes[.otherDefaults] ?? 0),
        "keep": JSONValue(totals.outcomes[.keeps] ?? 0),
        "drop": JSONValue(totals.dropping),
        "lose": JSONValue(totals.outcomes[.loses] ?? 0),
        "fail": JSONValue(totals.outcomes[.fails] ?? 0),
        "unknown": JSONValue(totals.outcomes[.unknown] ?? 0),
        "ifDataFit": JSONValue(totals.conditional),
        "percent": JSONValue(totals.percent),
        "minimum": JSONValue(minimumPercent),
        "reachable": JSONValue(totals.reachable),
        "edges": edgeTotals?.json ?? .null,
      ],
    ]
  }

  private func json(_ model: Model) -> JSONValue {
    // Edges over many versions drop the same things: each is written once, and named by its place.
    var told = ToldFindings()
    let edges = model.edges.map { $0.json(in: model, telling: &told) }
    return [
      "name": .string(model.name),
      "current": JSONValue(model.nodes.first(where: \.isCurrent)?.name),
      "versions": .array(
        model.nodes.map { node in
          [
            "name": .string(node.name),
            "names": JSONValue(node.names),
            "files": JSONValue(node.files),
            "current": .boolean(node.isCurrent),
            "shipped": .boolean(node.isShipped),
          ]
        }
      ),
      "edges": model.counts?.json ?? .null,
      "findings": .array(told.findings.map { .line($0.json) }),
      "shown": .array(edges),
    ]
  }

  private func paths(of model: Model) -> [JSONValue] {
    let edges = Dictionary(
      model.edges.map { (NodePair(source: $0.source, destination: $0.destination), $0) },
      uniquingKeysWith: { first, _ in first }
    )
    return model.paths.map { path in
      let nodes = path.nodes ?? []
      let hops = zip(nodes, nodes.dropFirst())
        .compactMap { edges[NodePair(source: $0, destination: $1)] }
      return json(path, over: hops, in: model)
    }
  }

  private func json(_ path: Path, over hops: [Edge], in model: Model) -> JSONValue {
    let gaps = path.gaps(from: threshold)
    return [
      "model": .string(model.name),
      "from": .string(model.nodes[path.source].name),
      "to": .string(model.nodes[path.destination].name),
      "versions": JSONValue(
        path.versions.isEmpty ? model.nodes[path.source].names : path.versions
      ),
      "store": JSONValue(path.store),
      "gap": .boolean(!gaps.isEmpty),
      "app": [
        "outcome": .string(path.app.kind.rawValue),
        "summary": .string(path.app.summary),
        "runsCode": .boolean(path.app.runsCode),
        "drops": .line(JSONValue(path.app.dropNames)),
        "via": JSONValue(path.app.nodes.map { model.nodes[$0].name }),
        "findings": .array(path.app.findings.map(\.json)),
      ],
      "reachable": .boolean(path.isReachable),
      "hops": JSONValue(path.nodes.map { $0.count - 1 }),
      "via": path.nodes.map { JSONValue($0.map { model.nodes[$0].name }) } ?? .null,
      "kinds": JSONValue(hops.compactMap(\.kind)),
      "worst": JSONValue(path.worst?.name),
      "bytesPerHundredMegabytes": JSONValue(path.bytesPerHundredMegabytes),
      "findings": .array(path.findings.dropFirst(path.hopFindingCount).map(\.json)),
      "accepted": .array(path.accepted.map(\.json)),
      "trial": path.trial?.json ?? .null,
    ]
  }
}

extension CoverageReport.Model {
  /// Returns the kinds of a path's hops, in their order.
  func kinds(of path: CoverageReport.Path) -> [String] {
    let nodes = path.nodes ?? []
    return zip(nodes, nodes.dropFirst()).compactMap { edge(from: $0, to: $1)?.kind }
  }
}

extension CoverageReport.Edge {
  fileprivate func json(
    in model: CoverageReport.Model,
    telling told: inout ToldFindings
  ) -> JSONValue {
    [
      "from": .string(model.nodes[source].name),
      "to": .string(model.nodes[destination].name),
      "kind": JSONValue(kind),
      "consecutive": .boolean(isConsecutive),
      "verdict": JSONValue(verdict?.name),
      "worst": JSONValue(kind == nil ? nil : worst.name),
      "findings": .line(.array(findings.map { .integer(Int64(told.place(of: $0))) })),
      "mappings": JSONValue(mappings),
      "changes": JSONValue(changes.map(\.text)),
    ]
  }
}

/// The findings of a model's edges, each once.
private struct ToldFindings {
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

extension CoverageReport.EdgeCounts {
  fileprivate var json: JSONValue {
    [
      "all": JSONValue(all),
      "equivalent": JSONValue(equivalent),
      "notEquivalent": JSONValue(notEquivalent),
      "unknown": JSONValue(unknown),
      "refused": JSONValue(refused),
    ]
  }
}

extension CoverageReport.Trial {
  fileprivate var json: JSONValue {
    [
      "verified": .boolean(isVerified),
      "rows": JSONValue(rows),
      "failure": JSONValue(failure),
      "exercises": .array(
        exercises.map { exercise in
          [
            "kind": .string(exercise.kind.rawValue),
            "name": .string(exercise.name),
            "count": JSONValue(exercise.count),
          ]
        }
      ),
      "findings": .array(findings.map(\.json)),
    ]
  }
}
