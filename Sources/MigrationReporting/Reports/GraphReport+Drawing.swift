internal import MigrationPlanning
internal import ObjectModel

extension GraphReport {
  /// The graph as a Mermaid flowchart, which GitHub draws in Markdown.
  package var mermaid: String {
    let numbers = nodeNumbers
    var lines = ["flowchart LR"]
    for (index, node) in nodes.enumerated() {
      lines.append("  n\(index)[\"\(Self.mermaidText(label(of: node)))\"]")
    }
    for edge in drawnEdges {
      guard let from = numbers[edge.from], let to = numbers[edge.to], let kind = edge.kindName
      else {
        continue
      }
      let arrow = edge.isChosen ? "==>" : edge.isConsecutive ? "-->" : "-.->"
      lines.append("  n\(from) \(arrow)|\(kind), \(edge.drawnRisk.name)| n\(to)")
    }
    for (index, node) in nodes.enumerated() where node.isCurrent {
      lines.append("  style n\(index) stroke-width:3px")
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The graph in Graphviz' language.
  package var dot: String {
    let numbers = nodeNumbers
    var lines = ["digraph versions {", "  rankdir=LR;", "  node [shape=box, style=rounded];"]
    // Edges over a hundred versions keep Graphviz busy for minutes, unless it looks less closely.
    if nodes.count > Self.closeNodes {
      lines.append("  nslimit=0.5; nslimit1=0.5; mclimit=0.05;")
    }
    for (index, node) in nodes.enumerated() {
      let pen = node.isCurrent ? ", penwidth=3" : ""
      lines.append("  n\(index) [label=\"\(Self.dotText(label(of: node)))\"\(pen)];")
    }
    for edge in drawnEdges {
      guard let from = numbers[edge.from], let to = numbers[edge.to], let kind = edge.kindName
      else {
        continue
      }
      let line = edge.isConsecutive ? "solid" : "dashed"
      let pen = edge.isChosen ? ", penwidth=3" : ""
      lines.append(
        "  n\(from) -> n\(to) [label=\"\(kind), \(edge.drawnRisk.name)\", style=\(line)\(pen)];"
      )
    }
    return (lines + ["}"]).joined(separator: "\n") + "\n"
  }

  /// The number of versions up to which Graphviz finds the best drawing in no time.
  private static let closeNodes = 40

  private var nodeNumbers: [String: Int] {
    Dictionary(nodes.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Refused edges are not drawn: there would be more of them than of the others.
  private var drawnEdges: [Edge] { edges.filter { !$0.isRefused } }

  private func label(of node: Node) -> String {
    TerminalText.escaped(node.names.joined(separator: " = "))
  }

  /// Returns text for Mermaid, which knows HTML's entities, written with a hash.
  private static func mermaidText(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\"": result += "#quot;"
      case "#": result += "#35;"
      case "<": result += "#lt;"
      case ">": result += "#gt;"
      case "&": result += "#amp;"
      // A backtick would begin Markdown, and two percent signs a directive.
      case "`": result += "#96;"
      case "%": result += "#37;"
      default: result.append(character)
      }
    }
    return result
  }

  private static func dotText(_ text: String) -> String {
    var result = ""
    for character in text {
      if character == "\"" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result
  }
}
