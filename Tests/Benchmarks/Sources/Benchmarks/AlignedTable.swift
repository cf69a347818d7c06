/// Rows of cells whose columns stand below each other.
struct AlignedTable {
  private var lines: [[String]]

  /// A table with its headings.
  init(_ lines: [[String]]) { self.lines = lines }

  /// Appends a row of as many cells as there are headings.
  mutating func append(_ line: [String]) { lines.append(line) }

  /// The rows, one a line.
  ///
  /// - Parameter leadingColumns: Those of words, which start at the left; figures end at the right.
  func text(leadingColumns: Set<Int>) -> String {
    let widths = (0..<(lines.first?.count ?? 0)).map { column in
      lines.map { $0[column].count }.max() ?? 0
    }
    return lines.map { line in
      line.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return leadingColumns.contains(column) ? cell + space : space + cell
      }.joined(separator: "  ")
    }.joined(separator: "\n")
  }
}
