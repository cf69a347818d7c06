internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// One model of a coverage report, as the page's template and script want it.
struct CoveragePageModel {
  let model: CoverageReport.Model
  let index: Int
  /// The numbers of findings on the page.
  let numbers: [Finding: Int]

  /// What the template shows.
  var context: [String: Any] {
    let layout = GraphLayout(model, sides: sides)
    let pathOfNode = firstPaths
    let nodes = model.nodes.enumerated().map { number, node in
      card(number, node, pathOfNode[number], layout)
    }
    return [
      "model": "\(index)",
      "name": TerminalText.escaped(model.name),
      "width": "\(layout.size.x)",
      "height": "\(layout.size.y)",
      "size": layout.scale.hasLabels ? (model.nodes.count > 8 ? "medium" : "large") : "small",
      "appX": "\(layout.verdicts.app)",
      "waystoneX": "\(layout.verdicts.waystone)",
      "nodeX": "\(layout.cards.first?.origin.x ?? 0)",
      "nodes": nodes,
      "trunks": layout.trunks.map { ["path": $0.path] },
      "edges": model.edges.indices.compactMap { edge($0, layout) },
      "paths": model.paths.map(row),
      "steps": model.edges.indices.map(step),
      "counts": countsSentence,
      "hasRoutes": model.routes != nil,
    ]
  }

  /// What the script needs to know.
  var data: JSONValue {
    [
      "nodes": JSONValue(model.nodes.map { TerminalText.escaped($0.name) }),
      "edges": .array(
        model.edges.map { .array([JSONValue($0.source), JSONValue($0.destination)]) }
      ),
      "paths": .array(model.paths.map(path)),
      "routes": model.routes.map { routes in
        .object(
          Dictionary(
            routes.compactMap { route in
              guard let first = route.first, let last = route.last else { return nil }
              return ("\(first)-\(last)", .string(Self.ranges(route)))
            },
            uniquingKeysWith: { first, _ in first }
          )
        )
      } ?? .null,
    ]
  }

  /// Node indexes in a short form: `0-3,7`.
  static func ranges(_ nodes: [Int]) -> String {
    var parts: [(first: Int, last: Int)] = []
    for node in nodes {
      if let end = parts.last?.last, node == end + 1 {
        parts[parts.count - 1].last = node
      } else {
        parts.append((node, node))
      }
    }
    return parts.map { $0.first == $0.last ? "\($0.first)" : "\($0.first)-\($0.last)" }
      .joined(separator: ",")
  }

  /// The path of each node that is no store's.
  private var firstPaths: [Int: CoverageReport.Path] {
    Dictionary(
      model.paths.sorted { $0.store == nil && $1.store != nil }.map { ($0.source, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// On which side long edges run: on the right where only the app would take them.
  private var sides: [GraphLayout.Side] {
    var way: Set<[Int]> = []
    var app: Set<[Int]> = []
    for path in model.paths {
      for (a, b) in zip(path.nodes ?? [], (path.nodes ?? []).dropFirst()) { way.insert([a, b]) }
      for (a, b) in zip(path.app.nodes, path.app.nodes.dropFirst()) { app.insert([a, b]) }
    }
    return model.edges.map { edge in
      let ends = [edge.source, edge.destination]
      if way.contains(ends) { return .left }
      return app.contains(ends) || edge.kind == nil ? .right : .left
    }
  }

  private func card(
    _ number: Int,
    _ node: CoverageReport.Node,
    _ path: CoverageReport.Path?,
    _ layout: GraphLayout
  ) -> [String: Any] {
    let origin = layout.cards[number].origin
    let middle = origin.y + layout.scale.cardHeight / 2
    var words = [TerminalText.escaped(node.names.joined(separator: " = "))]
    if node.isCurrent { words.append("the current version") }
    if !node.isShipped, !node.isCurrent { words.append("not shipped") }
    if let path {
      words.append("The app: \(path.app.kind.words.one)")
      words.append("Waystone: \(path.waystoneWords)")
    }
    return [
      "node": "\(number)",
      "name": TerminalText.escaped(node.name),
      "short": GraphLayout.shortened(node.name),
      "label": words.joined(separator: ". "),
      "x": "\(origin.x)",
      "y": "\(origin.y)",
      "width": "\(layout.cardWidth)",
      "height": "\(layout.scale.cardHeight)",
      "textX": "\(origin.x + layout.cardWidth / 2)",
      "textY": "\(middle)",
      "appX": "\(layout.verdicts.app)",
      "waystoneX": "\(layout.verdicts.waystone)",
      "endX": "\(layout.size.x)",
      "current": node.isCurrent,
      "unshipped": !node.isShipped && !node.isCurrent,
      "verdict": Self.section(
        path.map { path in
          [
            "app": path.app.kind.rawValue,
            "appMark": path.app.kind.words.mark,
            "appWords": path.app.kind.words.short,
            "waystone": path.nodes == nil ? "fails" : "arrives",
            "waystoneMark": path.nodes == nil ? "✕" : "✓",
            "waystoneWords": path.waystoneWords,
          ]
        }
      ),
      "isTarget": node.isCurrent,
      "isSource": number == model.paths.first?.source,
    ]
  }

  /// A part of the page that may be left out.
  private static func section(_ value: [String: Any]?) -> Any {
    if let value { value } else { false }
  }

  private func edge(_ number: Int, _ layout: GraphLayout) -> [String: Any]? {
    guard let line = layout.lines[number] else { return nil }
    let edge = model.edges[number]
    let words = "\(edge.kind ?? "refused")\(edge.kind == nil ? "" : " · \(edge.drawnRisk.name)")"
    return [
      "edge": "\(number)",
      "look": EdgeLook(edge).name,
      "path": line.path,
      "line": line.ramp ?? line.path,
      "isShared": line.ramp != nil,
      "markX": "\(line.mark.x - 7)",
      "markY": "\(line.mark.y - 7)",
      "label": Self.section(line.label.map { ["x": "\($0.x)", "y": "\($0.y)", "words": words] }),
      "title": "\(title(of: edge)): \(words)",
    ]
  }

  private func title(of edge: CoverageReport.Edge) -> String {
    "\(name(edge.source)) → \(name(edge.destination))"
  }

  private func name(_ node: Int) -> String { TerminalText.escaped(model.name(of: node)) }

  private func stops(_ path: CoverageReport.Path) -> String {
    guard let nodes = path.nodes else { return "no path" }
    guard nodes.count > 1 else { return "nothing to do" }
    return TerminalText.escaped(model.stops(nodes))
  }

  private func row(_ path: CoverageReport.Path) -> [String: Any] {
    [
      "from": name(path.source),
      "to": name(path.destination),
      "store": (path.store ?? "").shown,
      "app": path.app.kind.rawValue,
      "appMark": path.app.kind.words.mark,
      "appWords": path.app.kind.words.one,
      "summary": TerminalText.escaped(path.app.summary),
      "waystone": path.nodes == nil ? "fails" : "arrives",
      "waystoneMark": path.nodes == nil ? "✕" : "✓",
      "stops": stops(path),
      "worst": path.worst?.name ?? "",
      "bytes": path.bytesPerHundredMegabytes.map(Quantity.bytes) ?? "",
      "trial": (path.trial?.sentence ?? "").shown,
      "isTrialBad": path.trial.map { !$0.isGood } ?? false,
    ]
  }

  private func step(_ number: Int) -> [String: Any] {
    let edge = model.edges[number]
    return [
      "edge": "\(number)",
      "title": title(of: edge),
      "kind": edge.kind ?? "refused",
      "look": EdgeLook(edge).name,
      "isConsecutive": edge.isConsecutive,
      "verdict": (edge.isConsecutive ? "" : edge.verdict?.name ?? "").shown,
      "count": edge.changes.isEmpty ? "" : Quantity.count(edge.changes.count, "change"),
      "changes": edge.changes.map(TerminalText.escaped),
      "mappings": edge.mappings.map(TerminalText.escaped),
      "findings": edge.findings.map { finding in
        var finding = finding
        finding.place.file = nil
        return [
          "severity": finding.severity.rawValue,
          "code": finding.code.rawValue,
          "message": TerminalText.escaped(finding.sentence()),
        ]
      },
    ]
  }

  private func path(_ path: CoverageReport.Path) -> JSONValue {
    [
      "from": JSONValue(path.source),
      "to": JSONValue(path.destination),
      "store": JSONValue(path.store.map(TerminalText.escaped)),
      "app": [
        "kind": .string(path.app.kind.rawValue),
        "words": .string("\(path.app.kind.words.mark) \(path.app.kind.words.one)"),
        "nodes": .string(Self.ranges(path.app.nodes)),
        "summary": .string(TerminalText.escaped(path.app.summary)),
        "findings": list(path.app.findings),
      ],
      "nodes": JSONValue(path.nodes.map(Self.ranges)),
      "words": .string(path.waystoneWords),
      "bytes": JSONValue(path.bytesPerHundredMegabytes.map(Quantity.bytes)),
      "trial": JSONValue(path.trial.map { TerminalText.escaped($0.sentence) }),
      "findings": list(path.findings),
      "trialFindings": list(path.trial?.findings ?? []),
    ]
  }

  /// The numbers of findings on the page.
  private func list(_ findings: [Finding]) -> JSONValue {
    .array(findings.compactMap { (numbers[$0] ?? numbers[$0.asReason]).map { JSONValue($0) } })
  }

  private var countsSentence: String {
    let counts = model.counts
    guard counts.all > 0 else { return "" }
    let parts = [
      (counts.faithful, "faithful"), (counts.unfaithful, "unfaithful"),
      (counts.undecided, "undecided"), (counts.refused, "refused"),
    ].filter { $0.0 > 0 }.map { "\(Quantity.grouped($0.0)) \($0.1)" }
    let versions = Quantity.count(model.nodes.count, "version")
    return "\(versions); \(Quantity.count(counts.all, "edge")) in all"
      + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))") + "."
  }
}
