package import BatchMigration
package import Foundation

/// A report on the progress of a batch, and the causes that kept stores from the wanted version.
///
/// It is made from a ledger. Details of single stores are read while the report is written, see
/// ``write(_:of:to:)``, and are never all in memory.
package struct BatchReport: Report {
  package static let verb = "batch"

  /// A file that a search could not read, or refused.
  struct Oddity: Sendable {
    var name: String
    var reason: String
  }

  /// The most oddities that are named one by one, but in JSON.
  private static let mostOddities = 200

  let batch: BatchDescription
  let totals: LedgerTotals
  /// The first oddities.
  let oddities: [Oddity]
  /// The ledger's path, as it is shown.
  let ledger: String
  /// The data that migrations dropped or changed; nil where certificates were not read.
  let losses: LossTotals?
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
    var oddities: [Oddity] = []
    try ledger.oddities { name, reason in
      if oddities.count < Self.mostOddities { oddities.append(Oddity(name: name, reason: reason)) }
    }
    self.oddities = oddities
  }

  package var members: [String: JSONValue] {
    let total = totals.total
    let finals = StoreState.allCases.filter(\.isFinal)
    return [
      "batch": batchJSON,
      "total": .integer(Int64(total.stores)),
      "states": Self.json(finals, totals.states),
      "remaining": Self.json([.waiting, .running], totals.states),
      "versions": .array(
        versions.map { version, states in
          [
            "version": JSONValue(version),
            "stores": .integer(Int64(states.values.reduce(0) { $0 + $1.stores })),
            "states": Self.json(StoreState.allCases, states),
          ]
        }
      ),
      "causes": .array(totals.causes.map(Self.json)),
      "losses": lossJSON,
      "oddities": .integer(Int64(totals.oddities)),
      "files": .integer(Int64(totals.files)),
      "others": .integer(Int64(totals.others)),
      "unsearchedRoots": .integer(Int64(totals.unsearchedRoots)),
      "bytes": [
        "found": .integer(total.bytes),
        "ended": .integer(total.bytes - totals.remaining.bytes),
        "results": .integer(total.resultBytes),
      ],
      "workSeconds": .number(total.seconds),
      "storesPerSecond": totals.rate.map(JSONValue.number) ?? .null,
      "memory": totals.memory.map(JSONValue.integer) ?? .null,
    ]
  }

  private var batchJSON: JSONValue {
    [
      "id": .string(batch.id),
      "ledger": .string(ledger),
      "created": .string(UniversalTime.text(batch.created)),
      "tool": .string(batch.tool),
      "to": .string(batch.version),
      "output": JSONValue(batch.output),
      "shard": JSONValue(batch.shard?.description),
      "options": .object(batch.options.mapValues(JSONValue.string)),
    ]
  }

  private static func json(
    _ states: [StoreState],
    _ sums: [StoreState: LedgerTotals.Sum]
  ) -> JSONValue {
    .object(
      Dictionary(
        uniqueKeysWithValues: states.map {
          ($0.rawValue, .integer(Int64(sums[$0]?.stores ?? 0)))
        }
      )
    )
  }

  /// Returns the number of stores that a cause kept, with their version.
  static func stores(of cause: LedgerTotals.Cause) -> String {
    Quantity.count(cause.stores, "store") + (cause.version.map { " of \($0)" } ?? "")
  }

  private static func json(_ cause: LedgerTotals.Cause) -> JSONValue {
    [
      "state": .string(cause.state.rawValue),
      "code": JSONValue(cause.code),
      "version": JSONValue(cause.version),
      "stores": .integer(Int64(cause.stores)),
      "example": .string(cause.example),
      "message": JSONValue(cause.message),
      "recovery": JSONValue(cause.recovery),
    ]
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
