internal import MigrationPlanning
internal import ObjectModel
internal import Waystone

/// A layout of a model's versions and the edges between them.
///
/// Each version has a layer of its own, oldest on top, and branches have columns of their own. Edges
/// over several versions run in lanes beside the columns: those that Waystone may take on the left,
/// those that only the app would take on the right. Edges to one version share a lane, so that a hundred
/// of them are one trunk with a ramp for each.
struct GraphLayout: Sendable {
  /// A point of the drawing, in pixels from its left upper corner.
  struct Point: Hashable, Sendable {
    var x: Int
    var y: Int
  }

  /// A version's place.
  struct Card: Hashable, Sendable {
    /// The left upper corner.
    var origin: Point
    /// The branch, from 0.
    var column: Int
  }

  /// The side of the columns on which a long edge runs.
  enum Side: Hashable, Sendable {
    case left
    case right
  }

  /// An edge's line.
  struct Line: Hashable, Sendable {
    /// The whole line, as SVG spells paths.
    var path: String
    /// The part that is the edge's own, where it shares a lane with edges of other styles.
    var ramp: String?
    /// The position of the risk's mark.
    var mark: Point
    /// The position of the label; nil where there is no room for one.
    var label: Point?
    /// The side where it runs, if it is a long one.
    var side: Side?
  }

  /// The part of a lane that several edges share.
  struct Trunk: Hashable, Sendable {
    /// The line, as SVG spells paths.
    var path: String
    /// The version that it leads to.
    var destination: Int
  }

  /// The sizes that follow from how many versions there are.
  struct Scale: Hashable, Sendable {
    let cardHeight: Int
    let pitch: Int
    let fontSize: Int
    let hasLabels: Bool

    init(count: Int) {
      switch count {
      case ...8: (cardHeight, pitch, fontSize, hasLabels) = (38, 78, 14, true)
      case ...30: (cardHeight, pitch, fontSize, hasLabels) = (28, 54, 13, true)
      default: (cardHeight, pitch, fontSize, hasLabels) = (20, 36, 12, false)
      }
    }
  }

  /// The sizes.
  let scale: Scale
  /// The width of a card.
  let cardWidth: Int
  /// The cards of the versions, in their order.
  private(set) var cards: [Card] = []
  /// The lines of the edges, in their order; nil for an edge whose ends are not there.
  private(set) var lines: [Line?] = []
  /// The trunks.
  private(set) var trunks: [Trunk] = []
  /// The left ends of the columns with the two verdicts.
  private(set) var verdicts: (app: Int, waystone: Int) = (0, 0)
  /// The size of the drawing.
  private(set) var size = Point(x: 0, y: 0)

  /// The height of the headings.
  static let top = 34
  private static let margin = 14
  private static let laneGap = 14
  private static let columnGap = 30
  private static let labelWidth = 150

  /// The layout of a model's graph.
  ///
  /// - Parameter sides: On which side each edge runs if it is a long one, in the edges' order.
  /// - Complexity: O(*n* + *e* log *e* + *g* · *l*) in versions, edges, and trunks and lanes.
  init(_ model: CoverageReport.Model, sides: [Side]) {
    scale = Scale(count: model.nodes.count)
    let widest = model.nodes.map { TerminalText.width(Self.shortened($0.name)) }.max() ?? 0
    cardWidth = max(64, widest * (scale.fontSize * 62) / 100 + 26)
    let columns = Self.columns(of: model)
    let isInside = model.edges.map { edge in
      model.nodes.indices.contains(edge.source) && model.nodes.indices.contains(edge.destination)
        && edge.source != edge.destination
    }
    let isLong = model.edges.indices.map { index in
      isInside[index] && !model.edges[index].isConsecutive
    }
    var groups: [LaneGroup] = []
    for side in [Side.left, .right] {
      let own = model.edges.indices.filter { isLong[$0] && sides[$0] == side }
      groups += LaneGroup.groups(own.map { ($0, model.edges[$0]) }, side: side)
    }
    let lanes = (
      left: 1 + (groups.filter { $0.side == .left }.map(\.lane).max() ?? -1),
      right: 1 + (groups.filter { $0.side == .right }.map(\.lane).max() ?? -1)
    )
    let left = Self.margin + lanes.left * Self.laneGap + (lanes.left > 0 ? 12 : 0)
    for index in model.nodes.indices {
      let x = left + columns[index] * (cardWidth + Self.columnGap)
      cards.append(
        Card(origin: Point(x: x, y: Self.top + index * scale.pitch), column: columns[index])
      )
    }
    let isAlone = columns.allSatisfy { $0 == 0 }
    // Words beside short edges are where the lanes on the right would run.
    let words = scale.hasLabels && isAlone ? left + cardWidth / 2 + Self.labelWidth : 0
    let right = max(left + (columns.max() ?? 0) * (cardWidth + Self.columnGap) + cardWidth, words)
    verdicts.app = right + lanes.right * Self.laneGap + 40
    verdicts.waystone = verdicts.app + 164
    let verdictWords = model.paths.map { PathStyle($0).inShort.waystoneWords }
    let longest = verdictWords.map(TerminalText.width).max() ?? 0
    size = Point(
      x: verdicts.waystone + 30 + max(96, longest * 8),
      y: Self.top + max(0, model.nodes.count - 1) * scale.pitch + scale.cardHeight + Self.margin
    )
    lines = Array(repeating: nil, count: model.edges.count)
    for index in model.edges.indices where isInside[index] && !isLong[index] {
      lines[index] = consecutiveLine(model.edges[index], isAlone: isAlone)
    }
    for group in groups { draw(group, model, from: group.side == .left ? left : right) }
  }

  /// Returns a name that fits on a card.
  static func shortened(_ name: String, most: Int = 26) -> String {
    var result = ""
    for character in TerminalText.escaped(name) {
      guard TerminalText.width(result) < most else { return result + "…" }
      result.append(character)
    }
    return result
  }

  /// Returns the branch of each version: that of a version before it, unless another one follows that
  /// already.
  private static func columns(of model: CoverageReport.Model) -> [Int] {
    var sources: [Int: [Int]] = [:]
    var last: [Int: Int] = [:]
    for edge in model.edges where edge.isConsecutive && edge.source < edge.destination {
      sources[edge.destination, default: []].append(edge.source)
      last[edge.source] = max(last[edge.source] ?? 0, edge.destination)
    }
    var columns: [Int] = []
    var continued: Set<Int> = []
    // The row up to which each column is in use.
    var ends: [Int] = []
    for index in model.nodes.indices {
      let before = (sources[index] ?? []).sorted()
      let column: Int
      if let source = before.first(where: { !continued.contains($0) && $0 < columns.count }) {
        column = columns[source]
        continued.insert(source)
      } else {
        column = ends.firstIndex { $0 <= index } ?? ends.count
      }
      while ends.count <= column { ends.append(0) }
      ends[column] = max(last[index] ?? index, index)
      columns.append(column)
    }
    return columns
  }

  private func top(_ node: Int) -> Point {
    Point(x: cards[node].origin.x + cardWidth / 2, y: cards[node].origin.y)
  }

  private func bottom(_ node: Int) -> Point {
    Point(x: cards[node].origin.x + cardWidth / 2, y: cards[node].origin.y + scale.cardHeight)
  }

  /// Returns a step from one version to the next: straight down, or over to another branch.
  private func consecutiveLine(_ edge: CoverageReport.Edge, isAlone: Bool) -> Line {
    let from = bottom(min(edge.source, edge.destination))
    let to = top(max(edge.source, edge.destination))
    let end = to.y - 5
    guard from.x != to.x else {
      let middle = (from.y + to.y) / 2
      return Line(
        path: "M\(from.x) \(from.y)V\(end)",
        mark: Point(x: from.x, y: middle - 1),
        label: scale.hasLabels && isAlone ? Point(x: from.x + 16, y: middle + 3) : nil
      )
    }
    let gap = scale.pitch - scale.cardHeight
    if to.x > from.x {
      // A branch leaves at once, and goes down in its own column.
      let bend = from.y + gap
      let curve = "M\(from.x) \(from.y)C\(from.x) \(bend) \(to.x) \(from.y) \(to.x) \(bend)"
      return Line(
        path: curve + (end > bend ? "V\(end)" : ""),
        mark: Point(x: (from.x + to.x) / 2, y: from.y + gap / 2)
      )
    }
    // It comes back only at the end.
    let bend = to.y - gap
    let curve = "C\(from.x) \(end) \(to.x) \(bend) \(to.x) \(end)"
    return Line(
      path: "M\(from.x) \(from.y)" + (bend > from.y ? "V\(bend)" : "") + curve,
      mark: Point(x: (from.x + to.x) / 2, y: bend + gap / 2)
    )
  }

  /// Draws the edges of a lane that lead to one version.
  private mutating func draw(_ group: LaneGroup, _ model: CoverageReport.Model, from edge: Int) {
    let sign = group.side == .left ? -1 : 1
    let lane = edge + sign * (16 + group.lane * Self.laneGap)
    let radius = 7
    func side(_ node: Int) -> Point {
      let x = cards[node].origin.x + (group.side == .left ? 0 : cardWidth)
      return Point(x: x, y: cards[node].origin.y + scale.cardHeight / 2)
    }
    // Lines leave and arrive a little apart, so that an arriving one is not taken for a leaving one.
    let shift = max(3, scale.cardHeight / 6)
    let arrival = side(group.destination)
    let looks = Set(group.edges.map { EdgeLook(model.edges[$0]) })
    let isShared = group.edges.count > 1 && looks.count > 1
    var farthest: (distance: Int, trunk: String) = (0, "")
    for index in group.edges {
      let start = side(model.edges[index].source)
      let down = arrival.y >= start.y ? 1 : -1
      let y = start.y + shift * down
      let endY = arrival.y - shift * down
      let ramp =
        "M\(start.x) \(y)H\(lane - sign * radius)Q\(lane) \(y) \(lane) \(y + radius * down)"
      let rest =
        "V\(endY - radius * down)Q\(lane) \(endY) \(lane - sign * radius) \(endY)"
        + "H\(arrival.x + sign * 5)"
      lines[index] = Line(
        path: ramp + rest,
        ramp: isShared ? ramp : nil,
        mark: Point(x: (start.x + lane) / 2 + sign * 2, y: y),
        side: group.side
      )
      if abs(endY - y) > farthest.distance {
        farthest = (abs(endY - y), "M\(lane) \(y + radius * down)" + rest)
      }
    }
    if isShared { trunks.append(Trunk(path: farthest.trunk, destination: group.destination)) }
  }
}

/// The style of an edge: its risk, or that it is refused.
struct EdgeLook: Hashable, Sendable {
  /// The class that the style sheet knows.
  let name: String

  init(_ edge: CoverageReport.Edge) { name = edge.isRefused ? "refused" : edge.drawnRisk.name }
}
