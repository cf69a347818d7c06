internal import StoreAccess

/// The columns of a ledger's store that a merge compares.
struct MergedStore {
  /// The decision on a store that another ledger knows too.
  enum Verdict {
    case keep, take
    case conflict(String)
  }

  /// The columns that a row has, in their order.
  static let columns = """
    id, name, place, destination, bytes, modified, head, state, source_digest, result_digest, code,
    started
    """

  var id: Int64
  var found: FoundStore
  /// The time when its last attempt began.
  private(set) var started: Double?
  private var state: StoreState
  private var sourceDigest: String?
  private var resultDigest: String?
  /// Whether its original was put back after its last attempt.
  private var isRolledBack: Bool

  /// A store of a ledger, which any program may have written.
  ///
  /// - Parameter ledger: The path of the ledger, for the error.
  /// - Throws: ``WaystoneError``, `badFile`.
  init(_ row: [SQLiteValue], of ledger: String) throws {
    guard row.count == 12, let id = row[0].integer, let name = row[1].text,
      let text = row[2].text, let place: StorePlace = try? LedgerJSON.value(text),
      let destination = row[3].text, BatchLedger.isBelow(destination),
      let bytes = row[4].integer, let head = row[6].text,
      let state = row[7].text.flatMap(StoreState.init)
    else {
      let id = row.first?.integer.map { "store \($0)" } ?? "a store"
      throw BatchLedger.damaged(ledger, "\(id) lacks a value, or has one that there is not")
    }
    self.id = id
    found = FoundStore(
      name: name,
      destination: destination,
      place: place,
      bytes: bytes,
      modified: row[5].integer,
      head: head
    )
    self.state = state
    sourceDigest = row[8].text
    resultDigest = row[9].text
    isRolledBack = state == .skipped && row[10].text == StoreOutcome.rolledBack
    if case .real(let time) = row[11] { started = time }
  }

  /// The state in which its last attempt ended.
  var lastState: StoreState { isRolledBack ? .migrated : state }

  /// Returns the decision on this store, given the other ledger's record of the store at the same place.
  ///
  /// - Parameter isKnown: Whether the other's last attempt is one of this one's.
  func verdict(on other: MergedStore, isKnown: Bool) -> Verdict {
    // It waits because the user retried it since.
    if state == .waiting, isKnown { return .keep }
    if let reason = difference(from: other) { return .conflict(reason) }
    if state == .running, other.rank > 0 {
      return .conflict("it is \(other.state.rawValue) there, and is being migrated here")
    }
    if other.rank != rank {
      guard other.rank > rank else { return .keep }
      // The first bytes and the size are not all of a file.
      let isProven = sourceDigest != nil && other.sourceDigest != nil
      guard isProven || found.modified == other.found.modified else {
        return .conflict(
          "its file was written to at another time than there; run the batch to migrate it as it is here"
        )
      }
      return .take
    }
    guard rank == 2 else { return .keep }
    if isRolledBack || other.isRolledBack { return isEarlier(than: other) ? .take : .keep }
    guard state == other.state else {
      return .conflict("it is \(state.rawValue) here and \(other.state.rawValue) there")
    }
    if let resultDigest, let others = other.resultDigest, resultDigest != others {
      return .conflict("the two results say different things")
    }
    return .keep
  }

  /// Returns the reason for which the two records cannot be of the same contents; nil where they may be.
  private func difference(from other: MergedStore) -> String? {
    if let sourceDigest, let others = other.sourceDigest {
      return sourceDigest == others ? nil : "the two ledgers saw different contents in it"
    }
    let isAlike = found.head == other.found.head && found.bytes == other.found.bytes
    return isAlike ? nil : "the two ledgers mean different files"
  }

  /// Returns whether the other records a later event: a later attempt, or a rollback of this one.
  private func isEarlier(than other: MergedStore) -> Bool {
    (started ?? 0, isRolledBack ? 1 : 0) < (other.started ?? 0, other.isRolledBack ? 1 : 0)
  }

  /// The rank of the state as evidence: 0 for one that has not ended, 1 for one left out, 2 for one that
  /// ended.
  private var rank: Int {
    switch state {
    case .waiting, .running: 0
    case .skipped where isRolledBack: 2
    case .skipped: 1
    case .migrated, .current, .refused, .damaged, .failed, .timedOut: 2
    }
  }
}
