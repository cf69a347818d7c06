import BatchMigration
import Foundation

/// Ledgers with made-up stores, for tests.
enum SampleLedger {
  static func description(shard: BatchShard? = nil, version: String = "v4") -> BatchDescription {
    BatchDescription(
      tool: "waystone test",
      version: version,
      output: "/tmp/out",
      options: ["history": "true", "accept-loss": "Note.title"],
      shard: shard
    )
  }

  /// A store that a search found, the larger the number the larger.
  static func found(_ number: Int) -> FoundStore {
    FoundStore(
      name: "Old/\(number).sqlite",
      destination: "Old/\(number).sqlite",
      place: .file("/archive/Old/\(number).sqlite"),
      bytes: Int64(1000 + number),
      modified: 5,
      head: "h\(number)"
    )
  }

  /// A new ledger with the stores 0, 1, … that wait.
  static func make(
    _ path: String,
    count: Int,
    _ description: BatchDescription = description()
  ) throws -> BatchLedger {
    let ledger = try BatchLedger(creating: path, description)
    try ledger.add((0..<count).map(found))
    return ledger
  }

  /// The outcome of an attempt, with what a migrated store has.
  static func outcome(_ state: StoreState, code: String? = nil) -> StoreOutcome {
    var outcome = StoreOutcome(state, started: Date(timeIntervalSince1970: 100), seconds: 2)
    outcome.model = "Notes"
    outcome.version = "v1"
    if state == .migrated {
      outcome.path = ["v1", "v2", "v4"]
      outcome.result = "/tmp/out/Old.sqlite"
      outcome.certificate = certificate
      outcome.sourceDigest = "aa"
      outcome.resultDigest = "bb"
      outcome.resultBytes = 4096
      outcome.memory = 1 << 20
    } else {
      outcome.code = code
      outcome.message = "Something is wrong."
      outcome.recovery = "Make it right."
    }
    return outcome
  }

  static let certificate = Array(
    (#"{"schema":"waystone.certificate/1","n":"# + String(repeating: "1", count: 500) + "}").utf8
  )

  /// Claims the next store of a ledger and ends its attempt.
  @discardableResult
  static func end(
    _ ledger: borrowing BatchLedger,
    _ hold: borrowing LedgerHold,
    _ state: StoreState,
    code: String? = nil,
    names: String = "*"
  ) throws -> Int64? {
    let store = try ledger.claim(
      1,
      holder: hold,
      where: LedgerSelection(names: names, order: .largestFirst)
    ).first
    guard let store else { return nil }
    try ledger.record(outcome(state, code: code), of: store.id)
    return store.id
  }

  /// All stores of a ledger.
  static func stores(
    _ ledger: borrowing BatchLedger,
    where selection: LedgerSelection = LedgerSelection()
  ) throws -> [LedgerStore] {
    var stores: [LedgerStore] = []
    try ledger.stores(where: selection) { stores.append($0) }
    return stores
  }
}
