/// The progress of a run.
package struct ProgressState: Hashable, Sendable {
  /// The present activity, such as `v1 → v2` or `verifying`.
  package var title: String
  /// The hop's number from 1, and how many there are; nil outside of hops.
  package var hop: (number: Int, count: Int)? {
    get { hopNumber.map { ($0, hopCount) } }
    set {
      hopNumber = newValue?.number
      hopCount = newValue?.count ?? 0
    }
  }
  /// The unit that is counted, in the singular.
  package var unit = "row"
  /// Rows done so far.
  package var rows: Int
  /// All rows, where it is known.
  package var totalRows: Int?
  /// Seconds since the title last changed.
  package var elapsed: Double

  private var hopNumber: Int?
  private var hopCount = 0

  /// A state; rows are counted from the title's begin.
  package init(
    title: String,
    hop: (number: Int, count: Int)? = nil,
    rows: Int,
    totalRows: Int?,
    elapsed: Double
  ) {
    self.title = title
    self.rows = rows
    self.totalRows = totalRows
    self.elapsed = elapsed
    self.hop = hop
  }

  /// The part done, from 0 to 1, where the whole is known.
  package var fraction: Double? {
    guard let totalRows, totalRows > 0 else { return nil }
    return min(1, max(0, Double(rows) / Double(totalRows)))
  }

  /// The rows per second, once enough time has passed.
  package var rate: Double? {
    elapsed > 0.2 && rows > 0 ? Double(rows) / elapsed : nil
  }

  /// The remaining seconds at this rate, where it is known.
  package var remaining: Double? {
    guard let totalRows, let rate, totalRows >= rows else { return nil }
    return Double(totalRows - rows) / rate
  }
}

extension ProgressState {
  /// Returns a line for a terminal of some columns: title, bar, rows, rate and remaining time.
  package func line(columns: Int) -> StyledText {
    var head = StyledText()
    if let hop { head += "\("hop \(hop.number)/\(hop.count)", .faint)  " }
    head += "\(title, .strong)  "
    var tail = StyledText()
    if let totalRows {
      tail += "\(rows) of \(Quantity.count(totalRows, unit))"
    } else if rows > 0 {
      tail += "\(Quantity.count(rows, unit))"
    }
    if let rate { tail += "  \(Int(min(rate, 1e15)))/s" }
    if let remaining { tail += "  \(Quantity.seconds(remaining)) left" }
    guard let fraction else { return head + tail }
    return head + .bar(fraction, columns: columns - head.width - tail.width) + tail
  }

  /// The state for programs, one line of newline-delimited JSON.
  package var json: JSONValue {
    [
      "schema": "waystone.progress/1", "title": .string(title), "hop": JSONValue(hop?.number),
      "hops": JSONValue(hop?.count), "unit": .string(unit), "rows": JSONValue(rows),
      "totalRows": JSONValue(totalRows), "elapsed": .number(Quantity.rounded(elapsed)),
    ]
  }
}

extension StyledText {
  /// Returns a bar for the part done, from 0 to 1, and its percentage; nothing where there is no room.
  static func bar(_ fraction: Double, columns: Int) -> StyledText {
    let room = min(30, columns - 8)
    guard room >= 5 else { return StyledText() }
    let filled = Int((fraction * Double(room)).rounded(.down))
    let percent = String(Int(fraction * 100))
    let padding = String(repeating: " ", count: 3 - percent.count)
    return StyledText()
      + "\(String(repeating: "━", count: filled), .good)"
      + "\(String(repeating: "━", count: room - filled), .faint)"
      + " \(padding)\(percent)%  "
  }
}
