internal import ObjectModel

/// A report on the contents of a generated store.
package struct GenerationReport: Report {
  package static let verb = "generate"

  private let store: String
  private let version: String
  private let rowCounts: [String: Int]
  private let seed: UInt64
  private let bytes: Int
  private let hasGuessedNames: Bool

  /// A generated store.
  package init(
    store: String,
    version: String,
    rowCounts: [String: Int],
    seed: UInt64,
    bytes: Int,
    hasGuessedNames: Bool
  ) {
    self.store = store
    self.version = version
    self.rowCounts = rowCounts
    self.seed = seed
    self.bytes = bytes
    self.hasGuessedNames = hasGuessedNames
  }

  private var rows: Int { rowCounts.values.reduce(0, +) }

  package var members: [String: JSONValue] {
    [
      "store": .string(store),
      "version": .string(version),
      "rows": JSONValue(rows),
      "rowCounts": .object(rowCounts.mapValues { JSONValue($0) }),
      // A seed may be greater than what JSON's readers keep exactly.
      "seed": .string("\(seed)"),
      "bytes": JSONValue(bytes),
      "hasGuessedNames": .boolean(hasGuessedNames),
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    let size = Quantity.bytes(bytes)
    var lines: [StyledText] = [
      "\(store, .strong) is a store of \(version, .strong) with \(Quantity.count(rows, "row"))"
        + "  \("seed \(seed), \(size)", .faint)"
    ]
    if hasGuessedNames {
      lines.append(
        "  The model does not settle the names of its join tables: the store's are guesses, and it is no sample "
          + "for --like."
      )
    }
    guard isVerbose else { return lines }
    var table = TextTable([("entity", .left), ("rows", .right)])
    for name in rowCounts.keys.sorted(by: ByteOrder.precedes) {
      table.append([StyledText(name), StyledText(Quantity.grouped(rowCounts[name] ?? 0))])
    }
    lines += table.lines(indentation: 2)
    return lines
  }
}
