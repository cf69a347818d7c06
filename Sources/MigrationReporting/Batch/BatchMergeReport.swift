package import BatchMigration

/// A report on ledgers that were merged into one.
package struct BatchMergeReport: Report, MemberEncodable {
  package static let verb = "batch-merge"

  private let ledger: String
  private let merges: [(path: String, report: MergeReport)]

  /// The merges into a ledger, in order; paths as they are shown.
  package init(into ledger: String, _ merges: [(path: String, report: MergeReport)]) {
    self.ledger = ledger
    self.merges = merges
  }

  private var conflicts: Int { merges.reduce(0) { $0 + $1.report.conflicts.count } }

  package var members: JSONMembers {
    [
      "ledger": ledger, "conflicts": conflicts,
      "merged": merges.map { path, report in
        [
          "ledger": path, "added": report.added, "taken": report.taken, "kept": report.kept,
          "conflicts": report.conflicts,
        ] as JSONMembers
      },
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for (path, report) in merges {
      lines.append(
        "\(path, .strong)  \(report.added) added, \(report.taken) taken over, \(report.kept) kept"
      )
      lines += report.conflicts.map { "  \("conflict", .bad)  \($0.name): \($0.reason)" }
    }
    let total = "\(Quantity.count(merges.count, "ledger")) merged into \(ledger)"
    guard conflicts > 0 else { return lines + ["\(total): no conflict."] }
    return lines + [
      "",
      "The stores in conflict stay in \(ledger) as they were. To take another ledger's outcome of "
        + "those that did not reach the version,",
      "have them wait with `waystone batch retry`, and merge again.",
      "\(total): \(Quantity.count(conflicts, "conflict"))",
    ]
  }
}
