package import BatchMigration
package import Foundation

/// A report on the progress of a batch, and the causes that kept stores from the wanted version.
///
/// It is made from a ledger. Details of single stores are read while the report is written, see
/// ``write(_:of:to:)``, and are never all in memory.
package struct BatchReport: Report, MemberEncodable {
  package static let verb = "batch"

  /// The most oddities that are named one by one, but in JSON.
  private static let mostOddities = 200

  let batch: BatchDescription
  let totals: LedgerTotals
  /// The first oddities.
  let oddities: [SearchTally.Oddity]
  /// The ledger's path, as it is shown.
  let ledger: String
  /// The data that migrations dropped or changed; nil where certificates were not read.
  let losses: MigrationLosses?
  /// Whether text names each loss, and not only when it is asked for more.
  package var namesLosses = false

  /// Makes a report on the present state of a ledger.
  ///
  /// - Parameters:
  ///   - path: The ledger's path, as it is shown.
  ///   - countsLosses: Whether each certificate is read for its migration's losses.
  /// - Throws: `WaystoneError`, `SQLiteError`.
  package init(
    _ ledger: borrowing BatchLedger,
    shownAs path: String,
    countsLosses: Bool = true
  ) throws {
    self.ledger = path
    batch = try ledger.description
    var totals = try ledger.totals()
    let name = LedgerName(path)
    for index in totals.causes.indices {
      totals.causes[index].recovery = totals.causes[index].recovery.map(name.advice)
    }
    self.totals = totals
    losses = countsLosses ? try ledger.losses() : nil
    var oddities: [SearchTally.Oddity] = []
    try ledger.oddities { name, reason in
      if oddities.count < Self.mostOddities {
        oddities.append(SearchTally.Oddity(name: name, reason: reason))
      }
    }
    self.oddities = oddities
  }

  package var members: JSONMembers {
    let total = totals.total
    return [
      "batch": batchMembers, "total": total.stores,
      "states": Self.counts(StoreState.allCases.filter(\.isFinal), totals.states),
      "remaining": Self.counts([.waiting, .running], totals.states),
      "versions": versions.map { version, states in
        [
          "version": version, "stores": states.values.reduce(0) { $0 + $1.stores },
          "states": Self.counts(StoreState.allCases, states),
        ] as JSONMembers
      }, "causes": totals.causes, "losses": losses?.members, "oddities": totals.oddities,
      "files": totals.files, "others": totals.others, "unsearchedRoots": totals.unsearchedRoots,
      "bytes": [
        "found": total.bytes, "ended": total.bytes - totals.remaining.bytes,
        "results": total.resultBytes,
      ], "workSeconds": total.seconds, "storesPerSecond": totals.rate, "memory": totals.memory,
    ]
  }

  private var batchMembers: JSONMembers {
    [
      "id": batch.id, "ledger": ledger, "created": UniversalTime.text(batch.created),
      "tool": batch.tool, "to": batch.version, "output": batch.output,
      "shard": batch.shard?.description, "options": batch.options,
    ]
  }

  private static func counts(
    _ states: [StoreState],
    _ sums: [StoreState: LedgerTotals.Sum]
  ) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: states.map { ($0.rawValue, sums[$0]?.stores ?? 0) })
  }

  /// Returns the number of stores that a cause kept, with their version.
  static func stores(of cause: LedgerTotals.Cause) -> String {
    Quantity.count(cause.stores, "store") + (cause.version.map { " of \($0)" } ?? "")
  }

  /// The versions of the stores, in natural order, the unknown ones last.
  var versions: [(version: String?, states: [StoreState: LedgerTotals.Sum])] {
    let known = totals.versions.keys.compactMap { $0 }.sorted {
      $0.compare($1, options: [.numeric, .literal]) == .orderedAscending
    }
    return known.map { ($0, totals.versions[$0] ?? [:]) }
      + (totals.versions[nil].map { [(nil, $0)] } ?? [])
  }

  /// Returns the number of stores in some states.
  func count(_ states: StoreState...) -> Int { totals.sum(states).stores }
}

extension UniversalTime {
  /// Returns a moment in UTC, to the second.
  package static func text(_ date: Date) -> String {
    let seconds = date.timeIntervalSince1970
    // Beyond the years of four digits there is no such text.
    guard abs(seconds) < 250_000_000_000 else { return "?" }
    return text(Int(seconds.rounded(.down)))
  }
}
