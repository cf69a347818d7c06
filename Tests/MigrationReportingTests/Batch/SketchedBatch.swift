import BatchMigration
import Foundation
import MigrationTestSupport

/// A ledger with a store in each state, the same on every machine.
final class SketchedBatch {
  let ledger: BatchLedger
  private let hold: LedgerHold
  private let folder: ScratchFolder

  private init(
    _ ledger: consuming BatchLedger,
    _ hold: consuming LedgerHold,
    _ folder: ScratchFolder
  ) {
    self.ledger = ledger
    self.hold = hold
    self.folder = folder
  }

  /// Makes a ledger.
  ///
  /// - Parameters:
  ///   - names: The names of stores, the first ones get the outcomes.
  ///   - outcomes: States with a code and a message.
  static func make(
    _ names: [String],
    _ outcomes: [(StoreState, code: String?, message: String?)],
    oddities: [(name: String, reason: String)] = [],
    recovery: String = "Take it from a backup."
  ) throws -> SketchedBatch {
    let folder = try ScratchFolder()
    let path = folder.path + "/b.sqlite"
    let ledger = try BatchLedger(
      creating: path,
      BatchDescription(
        id: "5a1b",
        created: Date(timeIntervalSince1970: 1_800_000_000),
        tool: "waystone 0.1.0",
        version: "v4",
        output: "/out",
        options: ["accept-loss": "Note.title"]
      )
    )
    try ledger.add(names.enumerated().map { found($0, $1) })
    try ledger.end(root: "/old", SearchTally(files: 70, others: 58, oddities: oddities))
    let hold = try ledger.hold(joining: false)
    let stores = try ledger.claim(
      outcomes.count,
      holder: hold,
      where: LedgerSelection(order: .smallestFirst)
    )
    for (store, (state, code, message)) in zip(stores, outcomes) {
      if state == .running { continue }
      if state == .waiting {
        try ledger.release(store.id)
      } else {
        var outcome = outcome(store, state, code, message)
        if message != nil { outcome.recovery = recovery }
        try ledger.record(outcome, of: store.id)
      }
    }
    // The machine and the clock are not the sketch's.
    try AppDatabase.run(
      path,
      "UPDATE store SET host = 'mac-1' WHERE host IS NOT NULL; UPDATE store SET started = 1800000050 WHERE state = 'running'"
    )
    return SketchedBatch(ledger, hold, folder)
  }

  private static func found(_ number: Int, _ name: String) -> FoundStore {
    let place: StorePlace =
      switch number % 3 {
      case 0: .file("/old/\(name)")
      case 1: .member(archive: "/old/a.zip", files: ["N.sqlite": name])
      default: .backup(folder: "/old/Backup", files: ["N.sqlite": "/old/Backup/3d/3d0d"])
      }
    return FoundStore(
      name: name,
      destination: "Old/\(number).sqlite",
      place: place,
      bytes: Int64(4096 * (number + 1)),
      modified: nil,
      head: "h"
    )
  }

  private static func outcome(
    _ store: LedgerStore,
    _ state: StoreState,
    _ code: String?,
    _ message: String?
  ) -> StoreOutcome {
    let seconds = 0.25 * Double(store.id)
    let started = Date(timeIntervalSince1970: 1_800_000_000 + Double(store.id))
    var outcome = StoreOutcome(state, started: started, seconds: seconds)
    outcome.code = code
    outcome.message = message
    if state == .damaged { return outcome }
    outcome.model = "Notes"
    outcome.version = store.id.isMultiple(of: 2) ? "v2" : "v10"
    if state == .migrated {
      outcome.path = ["v2", "v4"]
      outcome.result = "/out/\(store.found.destination)"
      outcome.certificate = try? certificate(store)
      outcome.sourceDigest = "aa"
      outcome.resultDigest = "bb"
      outcome.resultBytes = store.found.bytes + 1
      outcome.memory = 30_000_000
    }
    return outcome
  }

  /// A certificate with losses: of the names that do harm, where the store has one.
  private static func certificate(_ store: LedgerStore) throws -> [UInt8] {
    func line(_ property: String?, _ kind: String, _ fate: String) -> [String: Any] {
      let entity = store.found.name.contains("<") ? store.found.name + "|`x`" : "Note"
      return [
        "entity": entity, "kind": kind, "fate": fate, "count": store.id * 3, "to": [String](),
      ].merging(property.map { ["property": $0] } ?? [:]) { $1 }
    }
    let lines = [
      line(nil, "objects", "carried"), line("draft", "values", "dropped"),
      line("title", "values", "changed"), line("tags", "links", "unordered"),
    ]
    let whole: [String: Any] = [
      "total": ["departures": lines], "unexplained": [["place": "ZNOTE.ZEXTRA", "count": 2]],
    ]
    let options: JSONSerialization.WritingOptions = [.sortedKeys]
    return Array(try JSONSerialization.data(withJSONObject: whole, options: options))
  }

  /// A batch in which every state occurs.
  static func ordinary() throws -> SketchedBatch {
    try make(
      (1...12).map { "Old/\($0)/Notes.sqlite" },
      [
        (.migrated, nil, nil), (.migrated, nil, nil), (.current, nil, nil),
        (.refused, "noPath", "No path leads from v10 to v4."),
        (.damaged, "badFile", "Page 3 of the file is damaged."),
        (.failed, "blocked", "Note.title is empty in 3 rows."),
        (.failed, "blocked", "Note.title is empty in 1 row."),
        (.timedOut, "timeOut", "The migration took longer than 60 s."),
        (.skipped, nil, "It is not of this part."), (.running, nil, nil),
      ],
      oddities: [
        ("Old/b.zip", "a file in it would be 4 TB"), ("Old/n.sqlite", "it is no database"),
      ]
    )
  }

  /// A batch whose names and messages would do harm where they are not escaped.
  static func hostile() throws -> SketchedBatch {
    try make(
      [
        "=cmd|' /C calc'!A0.sqlite", "Old/<script>alert(1)</script>.sqlite",
        "Old/\u{1b}[31m\u{202e}evil.sqlite", "Old/a,\"b\"\n.sqlite", "Old/`|@team.sqlite",
      ],
      [
        (.failed, "]]>", "<img src=x> & \u{1b}[0m ]]> | `code` @team"), (.migrated, nil, nil),
        (.failed, "\"}\n", "{{{style}}}"), (.skipped, nil, "-1+1"),
      ],
      oddities: [("</li><b>", "\"oddFiles\": [] \u{2028}")]
    )
  }
}
