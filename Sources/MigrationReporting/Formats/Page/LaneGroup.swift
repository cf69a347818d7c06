internal import MigrationPlanning
internal import Waystone

/// A group of long edges that lead to one version, and the lane that they share.
struct LaneGroup: Hashable, Sendable {
  /// The version that they lead to.
  let destination: Int
  /// The side of the columns.
  let side: GraphLayout.Side
  /// The indexes of the edges.
  private(set) var edges: [Int] = []
  /// The rows along which they run.
  private(set) var rows: ClosedRange<Int>
  /// The lane, from 0, which is next to the columns.
  private(set) var lane = 0

  /// Returns the edges of one side by their destinations, in lanes that no two groups use in the same
  /// row.
  ///
  /// The shortest ones are next to the columns.
  static func groups(
    _ edges: [(index: Int, edge: CoverageReport.Edge)],
    side: GraphLayout.Side
  ) -> [LaneGroup] {
    var groups: [Int: LaneGroup] = [:]
    for (index, edge) in edges {
      let rows = min(edge.source, edge.destination)...max(edge.source, edge.destination)
      var group =
        groups[edge.destination]
        ?? LaneGroup(destination: edge.destination, side: side, rows: rows)
      group.edges.append(index)
      group.rows =
        min(group.rows.lowerBound, rows.lowerBound)...max(group.rows.upperBound, rows.upperBound)
      groups[edge.destination] = group
    }
    var lanes: [[ClosedRange<Int>]] = []
    let ordered = groups.values.sorted {
      ($0.rows.count, $0.destination) < ($1.rows.count, $1.destination)
    }
    return ordered.map { group in
      var group = group
      let free = lanes.firstIndex { taken in !taken.contains { $0.overlaps(group.rows) } }
      group.lane = free ?? lanes.count
      if free == nil { lanes.append([]) }
      lanes[group.lane].append(group.rows)
      return group
    }
  }
}
