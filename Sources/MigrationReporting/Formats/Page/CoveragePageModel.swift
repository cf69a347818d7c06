internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// A model of a coverage report, in the form of the page's template and script.
struct CoveragePageModel {
  let model: CoverageReport.Model
  let index: Int
  /// The numbers of findings on the page.
  let numbers: [Finding: Int]

  /// The values for the template.
  var context: [String: Any] {
    let layout = GraphLayout(model, sides: sides)
    let pathOfNode = firstPaths
    let nodes = model.nodes.enumerated().map { number, node in
      card(number, node, pathOfNode[number], layout)
    }
    let steps = model.edges.indices.filter(isShown).map(step)
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
      "map": map,
      "mapWidth": "\(max(1, model.nodes.count) * 10)",
      "trunks": layout.trunks.map { ["path": $0.path] },
      "edges": model.edges.indices.compactMap { edge($0, layout) },
      "ranges": PathRange.ranges(of: model).map(range),
      "losing": steps.filter { $0["isLosing"] as? Bool == true },
      "steps": steps.filter { $0["isLosing"] as? Bool != true },
      "counts": countsSentence,
      "hasRoutes": model.routes != nil,
    ]
  }

  /// The values for the script.
  var data: JSONMembers {
    var texts = PageTexts()
    let paths = model.paths.map { path($0, &texts) }
    return [
      "nodes": model.nodes.map { TerminalText.escaped($0.name) },
      "edges": model.edges.map { [$0.source, $0.destination] }, "paths": paths,
      "texts": texts.all, "current": model.nodes.firstIndex(where: \.isCurrent),
      "routes": model.routes.map(routes),
    ]
  }

  /// Returns the stops between each two versions: for each version, the length of the first hop to each
  /// later one, in short, or 0 where no path leads there.
  ///
  /// The list ``odd`` has the stops of paths that do not continue from their first stop as the path from
  /// there does.
  private func routes(_ routes: [[Int]]) -> JSONMembers {
    let count = model.nodes.count
    var known: [Int: [Int]] = [:]
    for route in routes {
      guard let first = route.first, let last = route.last, first >= 0, first < last, last < count
      else { continue }
      known[first * count + last] = route
    }
    var odd: [String: String] = [:]
    let rows = (0..<count).map { first in
      let hops = ((first + 1)..<max(first + 1, count)).map { last in
        guard let route = known[first * count + last], route.count > 1 else { return 0 }
        let rest = Array(route.dropFirst())
        if rest.count > 1, known[rest[0] * count + last] != rest {
          odd["\(first)-\(last)"] = Self.ranges(route)
        }
        return route[1] - first
      }
      return Self.runs(hops)
    }
    return ["rows": rows, "odd": odd]
  }

  /// Returns the indexes of versions in a short form: `0-3,7`.
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

  /// Returns numbers in a short form: `1-3,7x4` is 1, 2, 3 and four times 7.
  static func runs(_ numbers: [Int]) -> String {
    var parts: [(first: Int, last: Int, count: Int)] = []
    for number in numbers {
      if let end = parts.last, end.first == end.last, end.last == number {
        parts[parts.count - 1].count += 1
      } else if let end = parts.last, end.count == 1, end.last + 1 == number {
        parts[parts.count - 1].last = number
      } else {
        parts.append((number, number, 1))
      }
    }
    return parts.map { part in
      part.count > 1
        ? "\(part.first)x\(part.count)" : ranges(Array(part.first...part.last))
    }
    .joined(separator: ",")
  }

  /// The path of each version that is no store's.
  var firstPaths: [Int: CoverageReport.Path] {
    Dictionary(
      model.paths.sorted { $0.store == nil && $1.store != nil }.map { ($0.source, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The side of each long edge: the right where only the app would take it.
  private var sides: [GraphLayout.Side] {
    var own: Set<[Int]> = []
    var app: Set<[Int]> = []
    for path in model.paths {
      for (a, b) in zip(path.nodes ?? [], (path.nodes ?? []).dropFirst()) { own.insert([a, b]) }
      for (a, b) in zip(path.app.nodes, path.app.nodes.dropFirst()) { app.insert([a, b]) }
    }
    return model.edges.map { edge in
      let ends = [edge.source, edge.destination]
      if own.contains(ends) { return .left }
      return app.contains(ends) || edge.isRefused ? .right : .left
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
    let look = path.map { PathStyle($0) }
    if let look {
      words.append("The app: \(look.app.words)")
      words.append("Waystone: \(look.inShort.waystoneWords)")
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
        look.map { look in
          [
            "app": look.app.name,
            "appMark": look.app.mark,
            "appWords": path?.app.kind.words.short ?? "",
            "waystone": look.waystone.name,
            "waystoneMark": look.waystone.mark,
            "waystoneWords": look.inShort.waystoneWords,
          ]
        }
      ),
      "isSource": number == model.paths.first?.source,
    ]
  }

  /// Returns a part of the page that may be left out.
  static func section(_ value: [String: Any]?) -> Any {
    if let value { value } else { false }
  }

  private func edge(_ number: Int, _ layout: GraphLayout) -> [String: Any]? {
    guard let line = layout.lines[number] else { return nil }
    let edge = model.edges[number]
    let words = edge.kindName.map { "\($0) · \(edge.drawnRisk.words)" } ?? "refused"
    return [
      "edge": "\(number)",
      "look": EdgeLook(edge).name,
      "path": line.path,
      "line": line.ramp ?? line.path,
      "isShared": line.ramp != nil,
      "markX": "\(line.mark.x - 7)",
      "markY": "\(line.mark.y - 7)",
      "label": Self.section(line.label.map { ["x": "\($0.x)", "y": "\($0.y)", "words": words] }),
    ]
  }

  func title(of edge: CoverageReport.Edge) -> String {
    "\(name(edge.source)) → \(name(edge.destination))"
  }

  func name(_ node: Int) -> String { TerminalText.escaped(model.name(of: node)) }

  func stops(_ path: CoverageReport.Path) -> String {
    guard let nodes = path.nodes else { return "no path" }
    guard nodes.count > 1 else { return "nothing to do" }
    return ([TerminalText.escaped(model.stops(nodes))] + path.needs).joined(separator: ", ")
  }

  /// Returns the script's values of a path, without those that it lacks.
  private func path(_ path: CoverageReport.Path, _ texts: inout PageTexts) -> JSONMembers {
    let look = PathStyle(path)
    var members: JSONMembers = [
      "from": path.source, "to": path.destination,
      "app": [
        "kind": look.app.name, "words": texts.number(of: "\(look.app.mark) \(look.app.words)"),
        "nodes": Self.ranges(path.app.nodes),
        "summary": texts.number(of: TerminalText.escaped(path.app.summary)),
        "findings": list(path.app.findings),
      ] as JSONMembers,
      "words": texts.number(of: "\(look.waystone.mark) \(look.waystoneWords)"),
      "look": look.waystone.name, "findings": list(path.findings),
    ]
    if let nodes = path.nodes { members += ["nodes": Self.ranges(nodes)] }
    if let store = path.store { members += ["store": TerminalText.escaped(store)] }
    if let bytes = path.bytesPerHundredMegabytes { members += ["bytes": Quantity.bytes(bytes)] }
    if let trial = path.trial {
      members += [
        "trial": TerminalText.escaped(trial.sentence(of: path)),
        "trialFindings": list(trial.findings),
      ]
    }
    return members
  }

  /// Returns the numbers of findings on the page, in a short form.
  private func list(_ findings: [Finding]) -> String {
    Self.ranges(findings.compactMap { numbers[$0] ?? numbers[$0.asReason] })
  }

  private var countsSentence: String {
    guard let counts = model.counts, counts.all > 0 else { return "" }
    let parts = [
      (counts.equivalent, "equivalent to the history"), (counts.notEquivalent, "not equivalent"),
      (counts.unknown, "unknown"), (counts.refused, "without a mapping"),
    ].filter { $0.0 > 0 }.map { "\(Quantity.grouped($0.0)) \($0.1)" }
    let versions = Quantity.count(model.nodes.reduce(0) { $0 + $1.names.count }, "version")
    return "\(versions); \(Quantity.count(counts.all, "edge")) in all"
      + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))") + "."
  }
}
