package import Foundation
internal import StoreAccess
internal import Waystone

extension BatchLedger {
  /// Notes that a root is searched, whose search has not ended until ``end(root:_:changed:)``.
  package func begin(root: String) throws {
    try connection.execute(
      "INSERT INTO root (path) VALUES (?) ON CONFLICT (path) DO UPDATE SET searched = NULL",
      [.text(root)]
    )
  }

  /// Returns the time when the last search of a root ended; nil where none has, or another has begun since.
  package func searched(root: String) throws -> Date? {
    let rows = try connection.rows("SELECT searched FROM root WHERE path = ?", [.text(root)])
    guard case .real(let time) = rows.first?[0] else { return nil }
    return Date(timeIntervalSince1970: time)
  }

  /// The roots that were searched, as ``begin(root:)`` received them.
  package var roots: [String] {
    get throws {
      try connection.rows("SELECT path FROM root ORDER BY rowid").compactMap { $0[0].text }
    }
  }

  /// Adds stores that wait, in one transaction; one that is known stays in its state.
  ///
  /// Where the ledger is for a part of the stores, nothing is written of others.
  ///
  /// - Returns: The stores that were brought to the version, and whose files are others than then, with
  ///   their numbers; the ledger keeps of them what was found then.
  /// - Throws: ``WaystoneError``, `refused`, where two names have one destination, or one leads out of
  ///   the output tree; `SQLiteError`.
  @discardableResult
  package func add(_ stores: [FoundStore]) throws -> [(id: Int64, found: FoundStore)] {
    let batch = try description
    return try connection.transaction {
      var changed: [(Int64, FoundStore)] = []
      for store in stores {
        guard batch.shard?.holds(Self.key(of: store.sharedName)) ?? true else { continue }
        guard Self.isBelow(store.destination) else {
          throw WaystoneError(
            .refused,
            "\(store.name) would get the path \(store.destination), which leads out of the output.",
            recovery: "Rename it, or leave it out."
          )
        }
        if let known = try known(store.name) {
          let isInPlace = batch.output == nil
          if try look(at: store, known, isInPlace: isInPlace) { changed.append((known.id, store)) }
        } else if try !isOther(store) {
          try insert(store)
        }
      }
      return changed
    }
  }

  private typealias Known = (
    id: Int64, state: StoreState, bytes: Int64, modified: Int64?, head: String
  )

  private func known(_ name: String) throws -> Known? {
    let statement = try connection.prepare(
      "SELECT id, state, bytes, modified, head FROM store WHERE name = ?"
    )
    try statement.bind(name, at: 1)
    guard try statement.step() else { return nil }
    guard let state = try statement.text(1).flatMap(StoreState.init),
      let head = try statement.text(4)
    else { throw damaged("a store has no head, or a state that there is not") }
    let modified = statement.isNull(3) ? nil : statement.int64(3)
    return (statement.int64(0), state, statement.int64(2), modified, head)
  }

  /// Takes what is found of a store that is known, where it was not brought to the version yet.
  ///
  /// - Returns: Whether it was, and is another file since.
  private func look(at store: FoundStore, _ known: Known, isInPlace: Bool) throws -> Bool {
    let isSame =
      (store.bytes, store.modified, store.head) == (known.bytes, known.modified, known.head)
    switch known.state {
    case .running: return false
    case .migrated, .current:
      // In place the file is the result, and apps write to it; it must not be what was migrated.
      if isInPlace { return known.state == .migrated && store.head == known.head }
      return !isSame
    case .waiting, .refused, .damaged, .failed, .timedOut, .skipped:
      try update(known.id, store)
      return false
    }
  }

  /// Writes down what is found of a store now.
  package func update(_ id: Int64, _ store: FoundStore) throws {
    try connection.execute(
      "UPDATE store SET place = ?, bytes = ?, modified = ?, head = ? WHERE id = ?",
      [
        .text(LedgerJSON.text(store.place)), .integer(store.bytes), SQLiteValue(store.modified),
        .text(store.head), .integer(id),
      ]
    )
  }

  private func insert(_ store: FoundStore) throws {
    let owner = try connection.text(
      "SELECT name FROM store WHERE destination = ?",
      [.text(store.destination)]
    )
    if let owner {
      throw WaystoneError(
        .refused,
        "\(store.name) and \(owner) would both become \(store.destination).",
        recovery: "Rename one of them, or migrate it with another batch."
      )
    }
    try connection.execute(
      "INSERT INTO store (key, name, place, destination, bytes, modified, head, named, state) "
        + "VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'waiting')",
      [
        .text(Self.key(of: store.name)), .text(store.name), .text(LedgerJSON.text(store.place)),
        .text(store.destination), .integer(store.bytes), SQLiteValue(store.modified),
        .text(store.head), .integer(store.isNamed ? 1 : 0),
      ]
    )
  }

  /// Returns whether a worker found before that a file is a database, and no store; one that is another file
  /// since is asked again.
  private func isOther(_ store: FoundStore) throws -> Bool {
    let facts: [SQLiteValue] = [
      .text(store.name), .integer(store.bytes), SQLiteValue(store.modified), .text(store.head),
    ]
    let isSame = try connection.integer(
      "SELECT 1 FROM other WHERE name = ? AND bytes = ? AND modified IS ? AND head = ?",
      facts
    )
    guard isSame == nil else { return true }
    try connection.execute("DELETE FROM other WHERE name = ?", [.text(store.name)])
    return false
  }

  /// Records the end of the search of a root, and replaces the counts and oddities of an earlier one.
  ///
  /// Where the ledger is for a part of the stores, it keeps that part of the oddities too, so that each is
  /// reported once, and holds up no other part.
  ///
  /// - Parameter changed: The oddities of stores that the ledger has.
  package func end(
    root: String,
    _ tally: SearchTally,
    changed: [SearchTally.Oddity] = []
  ) throws {
    let shard = try description.shard
    try connection.transaction {
      try connection.execute(
        "INSERT INTO root (path, searched, files, others) VALUES (?, ?, ?, ?) "
          + "ON CONFLICT (path) DO UPDATE SET searched = excluded.searched, "
          + "files = excluded.files, others = excluded.others",
        [
          .text(root), .real(Date().timeIntervalSince1970), .integer(Int64(tally.files)),
          .integer(Int64(tally.others)),
        ]
      )
      try connection.execute("DELETE FROM oddity WHERE root = ?", [.text(root)])
      let ours = tally.oddities.filter { shard?.holds(Self.key(of: $0.name)) ?? true }
      for oddity in ours + changed {
        try connection.execute(
          "INSERT OR REPLACE INTO oddity (name, reason, root) VALUES (?, ?, ?)",
          [.text(oddity.name), .text(oddity.reason), .text(root)]
        )
      }
    }
  }

  /// Returns whether a destination stays below the output tree, however it came into the ledger.
  static func isBelow(_ destination: String) -> Bool {
    !destination.utf8.contains(0)
      && destination.split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy { !["", ".", ".."].contains($0) }
  }

  /// Returns the key that identifies a store in every ledger: a hash of its name.
  static func key(of name: String) -> String {
    Hexadecimal.string(SHA256.hash(Array(name.utf8)).prefix(16))
  }
}
