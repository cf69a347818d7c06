import MigrationPlanning
import ObjectModel
import Waystone

extension EdgeSummary {
  /// An edge made by hand: refused without a kind, and a step where its ends are neighbours.
  init(
    from source: Int,
    to destination: Int,
    _ kind: EdgeKind?,
    _ verdict: EdgeVerdict? = nil,
    worst: Risk = .exact,
    files: [String] = [],
    refusal: Finding = Finding(.typeConverted, .error, message: "No.", remedy: "None.")
  ) {
    let finding = Finding(.attributeDropped, .note, risk: worst, message: "", remedy: "")
    let edge = VersionGraph.Edge(
      source: source,
      destination: destination,
      kind: kind ?? .inferred,
      mapping: nil,
      findings: [finding],
      refusals: kind == nil ? [refusal] : [],
      origins: files.map { AuthoredEdge.Origin(name: $0, path: $0, form: .hopFile) }
    )
    self.init(edge, verdict)
  }
}

extension CoverageReport.Edge {
  /// An edge made by hand.
  init(
    from source: Int,
    to destination: Int,
    _ kind: EdgeKind?,
    _ verdict: EdgeVerdict? = nil,
    worst: Risk = .exact,
    files: [String] = []
  ) {
    self.init(
      EdgeSummary(from: source, to: destination, kind, verdict, worst: worst, files: files)
    )
  }
}
