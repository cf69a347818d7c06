internal import Files
internal import StoreAccess

extension BatchLedger {
  /// Takes what another ledger knows and this one does not, in one transaction; again it takes nothing.
  ///
  /// A store that ended here stays as it is: where the other ledger says that it ended otherwise, that is
  /// a conflict. Roots are taken from a ledger for the same part only, since another part's search left
  /// stores out. The other ledger is not changed.
  ///
  /// - Throws: ``WaystoneError``: `badFile`; `badArgument` for the ledger itself; `mismatch` where the
  ///   other batch leads to another version; `SQLiteError`.
  package func merge(ledgerAt other: String) throws -> MergeReport {
    guard let status = try FileSystem.status(other) else {
      throw WaystoneError(
        .missingFile,
        "There is no ledger \(other).",
        recovery: "Name the ledgers of batches."
      )
    }
    if try FileSystem.status(path)?.isSameFile(as: status) == true {
      throw WaystoneError(
        .badArgument,
        "\(other) is the ledger that is merged into.",
        recovery: "Leave it out."
      )
    }
    try connection.attach(path: other, as: "other", access: .readOnly)
    let report: MergeReport
    do {
      report = try connection.transaction { try mergeAttached(other) }
    } catch {
      // The first failure counts; a ledger that stays attached goes with the connection.
      try? connection.detach("other")
      throw error
    }
    try connection.detach("other")
    return report
  }

  private func mergeAttached(_ other: String) throws -> MergeReport {
    let schema = LedgerSchema.current
    guard try schema.check(connection, "other", path: other) == schema.number else {
      throw WaystoneError(
        .badFile,
        "\(other) is a ledger of an earlier Waystone.",
        recovery: "Run `waystone batch status --ledger` with it once, which brings it up to date."
      )
    }
    try checkVersions(other)
    try freeDeadHolders()
    let relocation = try LedgerRelocation(of: connection, "other", at: other)
    var report = MergeReport()
    let stores = try connection.prepare(
      "SELECT id, name, destination, bytes, head, state, source_digest, result_digest "
        + "FROM other.store ORDER BY id"
    )
    while try stores.step() {
      let theirs = try MergedStore(stores)
      let here = try connection.rows(
        "SELECT id, name, destination, bytes, head, state, source_digest, result_digest "
          + "FROM main.store WHERE name = ?",
        [.text(theirs.name)]
      ).first
      guard let here else {
        try add(theirs, relocation, &report)
        continue
      }
      let ours = try MergedStore(here)
      switch ours.verdict(on: theirs) {
      case .keep: report.kept += 1
      case .conflict(let reason):
        report.conflicts.append(MergeReport.Conflict(name: ours.name, reason: reason))
      case .take:
        try take(theirs.id, as: ours.id, relocation)
        report.taken += 1
      }
    }
    try mergeSearches()
    return report
  }

  private func checkVersions(_ other: String) throws {
    let version = try connection.text("SELECT version FROM other.batch")
    let batch = try description
    let ours = batch.version
    var theirs = batch
    theirs.version = version ?? ""
    theirs.options = try read(connection.text("SELECT options FROM other.batch") ?? "")
    guard try BatchTarget(of: theirs).isSame(as: BatchTarget(of: batch)) else {
      throw WaystoneError(
        .mismatch,
        "\(other) is of a batch to \(version ?? "no version"), and \(path) of one to \(ours).",
        recovery: "Merge ledgers of batches to the same version."
      )
    }
  }

  private func add(
    _ store: MergedStore,
    _ relocation: LedgerRelocation?,
    _ report: inout MergeReport
  ) throws {
    let owner = try connection.text(
      "SELECT name FROM main.store WHERE destination = ?",
      [.text(store.destination)]
    )
    if let owner {
      report.conflicts.append(
        MergeReport.Conflict(
          name: store.name,
          reason: "its destination \(store.destination) is that of \(owner)"
        )
      )
      return
    }
    try connection.execute(
      """
      INSERT INTO main.store (key, name, place, destination, bytes, modified, head, named, model,
        version, state, started)
      SELECT ?, name, place, destination, bytes, modified, head, named, model, version, 'waiting',
        started
      FROM other.store WHERE id = ?
      """,
      [.text(Self.key(of: store.name)), .integer(store.id)]
    )
    guard
      let id = try connection.integer(
        "SELECT id FROM main.store WHERE name = ?",
        [.text(store.name)]
      )
    else { throw damaged("a store that was added is not there") }
    try take(store.id, as: id, relocation)
    report.added += 1
  }

  /// Gives a store of ours the outcome, the attempts and the certificate of one of the other's.
  private func take(_ theirs: Int64, as ours: Int64, _ relocation: LedgerRelocation?) throws {
    try connection.execute(
      """
      INSERT INTO main.attempt (store, number, state, code, message, started, seconds, host)
      SELECT ?, a.number + (SELECT attempts FROM main.store WHERE id = ?), a.state, a.code, a.message,
        a.started, a.seconds, a.host
      FROM other.attempt AS a WHERE a.store = ?
      """,
      [.integer(ours), .integer(ours), .integer(theirs)]
    )
    let columns = """
      model, version, path, result, certificate, source_digest, result_digest, code, message,
      recovery, started, seconds, result_bytes, memory, host
      """
    // What runs there is as good as waiting here.
    try connection.execute(
      """
      UPDATE main.store SET (state, attempts, holder, \(columns)) = (
        SELECT iif(o.state = 'running', 'waiting', o.state), main.store.attempts + o.attempts, NULL,
          \(columns.split(separator: ",").map { "o." + $0.drop { $0.isWhitespace } }
            .joined(separator: ", "))
        FROM other.store AS o WHERE o.id = ?)
      WHERE id = ?
      """,
      [.integer(theirs), .integer(ours)]
    )
    let result = try connection.text("SELECT result FROM main.store WHERE id = \(ours)")
    if let result, let place = relocation?.place(of: result) {
      try connection.execute(
        "UPDATE main.store SET result = ? WHERE id = ?",
        [.text(place), .integer(ours)]
      )
    }
    try connection.execute("DELETE FROM main.certificate WHERE store = ?", [.integer(ours)])
    try connection.execute(
      "INSERT INTO main.certificate (store, json) SELECT ?, json FROM other.certificate "
        + "WHERE store = ?",
      [.integer(ours), .integer(theirs)]
    )
  }

  private func mergeSearches() throws {
    try connection.execute(
      "INSERT OR IGNORE INTO main.oddity (name, reason, root) "
        + "SELECT name, reason, root FROM other.oddity"
    )
    try connection.execute(
      "INSERT OR IGNORE INTO main.other (name, bytes, modified, head) "
        + "SELECT name, bytes, modified, head FROM other.other"
    )
    try connection.execute(
      "INSERT OR IGNORE INTO main.root (path, searched, files, others) "
        + "SELECT path, searched, files, others FROM other.root "
        + "WHERE (SELECT shard FROM other.batch) IS (SELECT shard FROM main.batch)"
    )
  }
}

/// What a merge asks of a store.
private struct MergedStore {
  enum Verdict {
    case keep, take
    case conflict(String)
  }

  var id: Int64
  var name: String
  var destination: String
  var bytes: Int64
  var head: String
  var state: StoreState
  var sourceDigest: String?
  var resultDigest: String?

  init(_ row: borrowing SQLiteStatement) throws { try self.init(row.values) }

  init(_ row: [SQLiteValue]) throws {
    guard row.count == 8, let id = row[0].integer, let name = row[1].text,
      let destination = row[2].text, let bytes = row[3].integer, let head = row[4].text,
      let state = row[5].text.flatMap(StoreState.init)
    else {
      throw WaystoneError(
        .badFile,
        "A ledger is damaged: a store lacks a value, or has a state that there is not.",
        recovery: "Take the ledger from a backup."
      )
    }
    self.id = id
    self.name = name
    self.destination = destination
    self.bytes = bytes
    self.head = head
    self.state = state
    sourceDigest = row[6].text
    resultDigest = row[7].text
  }

  /// What becomes of this store when a ledger says the other of it.
  func verdict(on other: MergedStore) -> Verdict {
    guard head == other.head, bytes == other.bytes else {
      return .conflict("the two ledgers mean different files")
    }
    if state == .running, other.rank > 0 {
      return .conflict("it is \(other.state.rawValue) there, and is being migrated here")
    }
    if other.rank != rank { return other.rank > rank ? .take : .keep }
    guard rank == 2 else { return .keep }
    guard state == other.state else {
      return .conflict("it is \(state.rawValue) here and \(other.state.rawValue) there")
    }
    if let sourceDigest, let others = other.sourceDigest, sourceDigest != others {
      return .conflict("the two ledgers saw different contents in it")
    }
    if let resultDigest, let others = other.resultDigest, resultDigest != others {
      return .conflict("the two results say different things")
    }
    return .keep
  }

  /// How much the state tells: nothing yet, left out, ended.
  private var rank: Int {
    switch state {
    case .waiting, .running: 0
    case .skipped: 1
    case .migrated, .current, .refused, .damaged, .failed, .timedOut: 2
    }
  }
}
