internal import Files
internal import StoreAccess
internal import Waystone

extension BatchLedger {
  /// Adds the stores and attempts of another ledger that this one lacks, in one transaction; repeating it
  /// changes nothing.
  ///
  /// Two ledgers mean one store where they found it at one place. One at another place is another
  /// store, also with the same name and contents: where its name or its destination is taken here, it
  /// gets others.
  ///
  /// For a store that was rolled back the later event counts: the rollback, or an attempt after it.
  /// Another store that ended here stays as it is: where the other ledger records another end, or saw
  /// other contents in it, that is a conflict. Roots are taken from a ledger for the same part only,
  /// since another part's search left stores out. The other ledger is not changed, except its form
  /// where an earlier Waystone wrote it.
  ///
  /// - Throws: ``WaystoneError``: `badFile`, also where a certificate is missing or is not the one that was
  ///   written; `badArgument` for the ledger itself, and where the other
  ///   batch leads to another version; `SQLiteError`.
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
    let files = BatchFiles(ledger: try FileSystem.resolved(other))
    var report = MergeReport()
    var names = StoreNames()
    try stores { names.reserve($0.found) }
    let stores = try connection.prepare(
      "SELECT \(MergedStore.columns) FROM other.store ORDER BY id"
    )
    while try stores.step() {
      let theirs = try MergedStore(stores.values, of: other)
      _ = try certificate(of: theirs.id, in: "other", at: other)
      let own = names.adopt(theirs.found)
      let here = try connection.rows(
        "SELECT \(MergedStore.columns) FROM main.store WHERE name = ?",
        [.text(own.name)]
      ).first
      guard let here else {
        let id = try add(theirs, as: own)
        try take(theirs.id, as: id, relocation, files)
        report.added += 1
        continue
      }
      let ours = try MergedStore(here, of: path)
      switch ours.verdict(on: theirs, isKnown: try knowsLastAttempt(of: theirs, ours.id)) {
      case .keep: report.kept += 1
      case .conflict(let reason):
        report.conflicts.append(MergeReport.Conflict(name: own.name, reason: reason))
      case .take:
        try take(theirs.id, as: ours.id, relocation, files)
        report.taken += 1
      }
    }
    try mergeSearches()
    return report
  }

  /// Returns whether the last attempt on a store of the other ledger is one on a store of ours.
  private func knowsLastAttempt(of theirs: MergedStore, _ ours: Int64) throws -> Bool {
    guard let started = theirs.started else { return false }
    return try connection.integer(
      "SELECT 1 FROM main.attempt WHERE store = ? AND started = ? AND state = ?",
      [.integer(ours), .real(started), .text(theirs.lastState.rawValue)]
    ) != nil
  }

  private func checkVersions(_ other: String) throws {
    let version = try connection.text("SELECT version FROM other.batch")
    let batch = try description
    var theirs = batch
    theirs.version = version ?? "no version"
    theirs.options = try read(connection.text("SELECT options FROM other.batch") ?? "")
    let (there, here) = (try BatchTarget(of: theirs), try BatchTarget(of: batch))
    guard there.isSame(as: here) else {
      throw WaystoneError(
        .badArgument,
        "\(other) is of a batch to \(there.fullName), and \(path) of one to \(here.fullName).",
        recovery: "Merge ledgers of batches to the same version."
      )
    }
  }

  /// Adds a store that waits.
  private func add(
    _ store: MergedStore,
    as own: (name: String, destination: String)
  ) throws -> Int64 {
    try connection.execute(
      """
      INSERT INTO main.store (key, name, place, destination, bytes, modified, head, named, model,
        version, state, started)
      SELECT ?, ?, place, ?, bytes, modified, head, named, model, version, 'waiting', started
      FROM other.store WHERE id = ?
      """,
      [
        .text(Self.key(of: own.name)), .text(own.name), .text(own.destination), .integer(store.id),
      ]
    )
    guard
      let id = try connection.integer("SELECT id FROM main.store WHERE name = ?", [.text(own.name)])
    else { throw damaged("a store that was added is not there") }
    return id
  }

  /// Gives a store of ours the outcome, the attempts and the certificate of one of the other's.
  ///
  /// - Parameters:
  ///   - relocation: The move of the other ledger with its results.
  ///   - files: The files beside the other ledger.
  private func take(
    _ theirs: Int64,
    as ours: Int64,
    _ relocation: LedgerRelocation?,
    _ files: BatchFiles
  ) throws {
    // An attempt that came by an earlier merge, or went out by one and comes back, is one attempt. The new
    // ones up to the last of those follow ours; after it both ledgers count alike, since an attempt that
    // was killed counts and has no row.
    let known = """
      EXISTS (SELECT 1 FROM main.attempt AS m WHERE m.store = ?1 AND m.started = a.started
        AND m.state = a.state AND m.host = a.host)
      """
    let stores: [SQLiteValue] = [.integer(ours), .integer(theirs)]
    let common =
      try connection.integer(
        "SELECT MAX(a.number) FROM other.attempt AS a WHERE a.store = ?2 AND \(known)",
        stores
      ) ?? 0
    let added =
      try connection.integer(
        "SELECT (SELECT attempts FROM main.store WHERE id = ?1) + COUNT(*) FROM other.attempt AS a "
          + "WHERE a.store = ?2 AND a.number < \(common) AND NOT \(known)",
        stores
      ) ?? 0
    try connection.execute(
      """
      INSERT INTO main.attempt (store, number, state, code, message, started, seconds, host)
      SELECT ?1, iif(a.number < \(common),
          (SELECT attempts FROM main.store WHERE id = ?1) + ROW_NUMBER() OVER (ORDER BY a.number),
          a.number - \(common) + \(added)),
        a.state, a.code, a.message, a.started, a.seconds, a.host
      FROM other.attempt AS a WHERE a.store = ?2 AND NOT \(known)
      """,
      stores
    )
    let columns = """
      model, version, path, result, certificate, source_digest, result_digest, code, message,
      recovery, started, seconds, result_bytes, memory, host
      """
    // A store that runs there counts as waiting here.
    try connection.execute(
      """
      UPDATE main.store SET (state, attempts, holder, origin, \(columns)) = (
        SELECT iif(o.state = 'running', 'waiting', o.state),
          MAX(main.store.attempts, o.attempts - ? + ?), NULL, iif(o.result IS NULL, NULL, IFNULL(o.origin, ?)),
          \(columns.split(separator: ",").map { "o." + $0.drop { $0.isWhitespace } }
            .joined(separator: ", "))
        FROM other.store AS o WHERE o.id = ?)
      WHERE id = ?
      """,
      [
        .integer(common), .integer(added), .text(files.certificate(theirs)), .integer(theirs),
        .integer(ours),
      ]
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
