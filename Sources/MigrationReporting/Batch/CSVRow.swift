/// A row of comma-separated values (RFC 4180).
enum CSVRow {
  /// A value.
  enum Cell: Sendable, ExpressibleByStringLiteral {
    /// Foreign text.
    case text(String)
    /// Digits of ours.
    case number(String)

    init(stringLiteral value: String) { self = .text(value) }
  }

  /// Returns the row with its line break.
  static func line(_ cells: [Cell]) -> String {
    cells.map(field).joined(separator: ",") + "\r\n"
  }

  /// Returns the row of headings.
  static func line(_ names: [String]) -> String { line(names.map(Cell.text)) }

  private static func field(_ cell: Cell) -> String {
    switch cell {
    case .number(let digits): return digits
    case .text(let foreign):
      var text = TerminalText.escaped(foreign)
      // A spreadsheet would compute it; the apostrophe makes it text, and is not shown.
      if let first = text.first, "=+-@".contains(first) { text = "'" + text }
      guard text.contains(where: { $0 == "," || $0 == "\"" }) else { return text }
      return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
  }
}
