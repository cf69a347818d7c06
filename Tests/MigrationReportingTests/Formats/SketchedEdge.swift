import MigrationPlanning
import ObjectModel
import Waystone

extension CoverageReport.Edge {
  /// An edge made by hand; it is refused without a verdict, and a step where its ends are neighbours.
  init(
    from source: Int,
    to destination: Int,
    _ kind: EdgeKind?,
    _ verdict: EdgeVerdict? = nil,
    worst: Risk = .exact,
    files: [String] = []
  ) {
    let finding = Finding(.attributeDropped, .note, risk: worst, message: "", remedy: "")
    let edge = VersionGraph.Edge(
      source: source,
      destination: destination,
      kind: kind ?? .inferred,
      mapping: nil,
      findings: [finding],
      refusals: [],
      origins: files.map { AuthoredEdge.Origin(name: $0, path: $0, form: .hopFile) }
    )
    self.init(EdgeSummary(edge, verdict))
  }
}
