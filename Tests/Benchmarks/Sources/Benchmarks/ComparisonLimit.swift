/// The most that one ratio of a comparison may be.
struct ComparisonLimit {
  let name: String
  let limit: Double
  /// The ratio of wall time; nil where it was not measured.
  let wall: Double?
  let processor: Double?

  init(_ name: String, _ limit: Double, _ wall: Double?, _ processor: Double?) {
    self.name = name
    self.limit = limit
    self.wall = wall
    self.processor = processor
  }

  /// Whether it holds for both.
  var isKept: Bool { [wall, processor].allSatisfy { $0.map { $0 <= limit } ?? false } }

  /// The limit's row in the report.
  var cells: [String] {
    [
      name, wall.map(ResultTable.text) ?? "", processor.map(ResultTable.text) ?? "",
      ResultTable.text(limit), isKept ? "ok" : "OVER",
    ]
  }
}
