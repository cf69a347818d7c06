internal import ObjectModel
package import Waystone

/// A report on the contents of a generated store.
package struct GenerationReport: Report, MemberEncodable {
  package static let verb = "generate"

  private let store: String
  private let made: GeneratedStore
  private let seed: UInt64

  /// A generated store.
  package init(_ made: GeneratedStore, at store: String, seed: UInt64) {
    self.store = store
    self.made = made
    self.seed = seed
  }

  private var rows: Int { made.rowCounts.values.reduce(0, +) }

  package var members: JSONMembers {
    [
      "store": store, "version": made.version, "rows": rows, "rowCounts": made.rowCounts,
      // A seed may be greater than what JSON's readers keep exactly.
      "seed": "\(seed)", "bytes": made.bytes, "hasGuessedNames": made.hasGuessedNames,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    let size = Quantity.bytes(made.bytes)
    var lines: [StyledText] = [
      "\(store, .strong) is a store of \(made.version, .strong) with \(Quantity.count(rows, "row"))"
        + "  \("seed \(seed), \(size)", .faint)"
    ]
    if made.hasGuessedNames {
      lines.append(
        "  The model does not settle the names of its join tables: the store's are guesses, and it is no sample "
          + "for --like."
      )
    }
    guard isVerbose else { return lines }
    var table = TextTable([("entity", .left), ("rows", .right)])
    for name in made.rowCounts.keys.sorted(by: ByteOrder.precedes) {
      table.append([StyledText(name), StyledText(Quantity.grouped(made.rowCounts[name] ?? 0))])
    }
    lines += table.lines(indentation: 2)
    return lines
  }
}
