internal import MigrationPlanning
internal import ObjectModel
package import Waystone

extension CoverageReport {
  /// The number of versions up to which the summary draws the graph.
  private static let drawnNodes = 30

  /// The report as Markdown, for a pull request or GitHub's summary of a step.
  package var markdown: String {
    var lines = ["## Migration coverage", "", headline, runtime.sentence]
    for model in models {
      lines += ["", "### \(MarkdownText.code(model.name))", ""]
      lines += [
        "| Version | The app | Waystone can | Worst | Writes for 100 MB |",
        "|---|---|---|---|--:|",
      ]
      lines += model.paths.map(model.row)
      if model.nodes.count <= Self.drawnNodes, model.nodes.count > 1 {
        lines += ["", "<details><summary>Graph</summary>", "", "```mermaid"]
        lines += model.graph.mermaid.split(separator: "\n").map(String.init)
        lines += ["```", "", "</details>"]
      }
    }
    lines += findingsReport.findingLines
    return lines.joined(separator: "\n") + "\n"
  }
}

extension CoverageReport.Model {
  fileprivate func row(of path: CoverageReport.Path) -> String {
    let store = path.store.map { " \(MarkdownText.cellCode($0))" } ?? ""
    let stops = path.nodes.map { nodes in
      nodes.count < 2 ? "nothing to do" : MarkdownText.escaped(self.stops(nodes))
    }
    let trial =
      path.trial.map { $0.isGood ? "" : " ❌ \(MarkdownText.escaped($0.sentence(of: path)))" } ?? ""
    let cells = [
      names(of: path).map(MarkdownText.cellCode).joined(separator: " = ") + store,
      "\(path.app.kind.words.mark) **\(path.app.kind.words.one)**: \(MarkdownText.escaped(path.app.summary))",
      (stops ?? "✕ **no path**")
        + (path.needs.isEmpty ? "" : " ✕ **\(path.needs.joined(separator: ", "))**") + trial,
      path.worst?.name ?? "",
      path.bytesPerHundredMegabytes.map(Quantity.bytes) ?? "",
    ]
    return "| " + cells.joined(separator: " | ") + " |"
  }
}
