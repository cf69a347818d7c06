/// A table of cells in aligned columns.
package struct TextTable: Sendable {
  /// The side on which a column's cells are aligned.
  package enum Alignment: Hashable, Sendable {
    /// Names.
    case left
    /// Numbers.
    case right
  }

  private var alignments: [Alignment]
  private var rows: [[StyledText]]
  private let isHeaded: Bool

  /// An empty table with headings, which are shown in capitals.
  package init(_ columns: [(heading: String, alignment: Alignment)]) {
    alignments = columns.map(\.alignment)
    isHeaded = columns.contains { !$0.heading.isEmpty }
    rows = [columns.map { StyledText($0.heading.uppercased(), .faint) }]
  }

  /// Appends a row; missing cells are empty, further ones are dropped.
  package mutating func append(_ cells: [StyledText]) {
    let missing = max(0, alignments.count - cells.count)
    rows.append(
      Array(cells.prefix(alignments.count)) + Array(repeating: StyledText(), count: missing)
    )
  }

  /// Whether no row was appended.
  package var isEmpty: Bool { rows.count == 1 }

  /// Returns the lines of the table, each after the indentation, without trailing spaces.
  package func lines(indentation: Int = 0) -> [StyledText] {
    let shown = isHeaded ? rows[...] : rows.dropFirst()
    let widths = alignments.indices.map { column in
      shown.map { $0[column].width }.max() ?? 0
    }
    return shown.map { row in
      var line = StyledText(String(repeating: " ", count: indentation))
      let last = row.lastIndex { !$0.isEmpty } ?? -1
      for (column, cell) in row.enumerated() where column <= last {
        let padding = StyledText(String(repeating: " ", count: widths[column] - cell.width))
        if column > 0 { line += "  " }
        switch alignments[column] {
        case .left: line += column == last ? cell : cell + padding
        case .right: line += padding + cell
        }
      }
      return line
    }
  }
}
