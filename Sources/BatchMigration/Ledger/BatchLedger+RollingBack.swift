internal import Files
internal import StoreAccess
internal import Waystone

extension BatchLedger {
  /// Writes that the original of a migrated store is in its place again.
  ///
  /// The attempt that migrated it stays; its certificate goes, since there is no such result any more.
  package func record(rollbackOf id: Int64, _ outcome: StoreOutcome) throws {
    try connection.transaction {
      try connection.execute(
        """
        UPDATE store SET state = 'skipped', result = NULL, certificate = NULL, result_digest = NULL,
          result_bytes = NULL, origin = NULL, code = ?, message = ?, recovery = ? WHERE id = ? AND state = 'migrated'
        """,
        [
          SQLiteValue(outcome.code), SQLiteValue(outcome.message), SQLiteValue(outcome.recovery),
          .integer(id),
        ]
      )
      guard connection.changes == 1 else {
        throw WaystoneError(
          .mismatch,
          "Store \(id) of the ledger \(path) is not migrated any more.",
          recovery: "Look at `waystone batch status`."
        )
      }
      try connection.execute("DELETE FROM certificate WHERE store = ?", [.integer(id)])
    }
  }
}

extension BatchLedger {
  /// Returns the number of migrated stores below each root that was searched, by the root's path.
  ///
  /// The innermost of roots within each other counts; a store that a manifest named counts for its
  /// folder.
  ///
  /// - Parameter selection: The selection; its states do not count.
  package func migratedStores(where selection: LedgerSelection) throws -> [String: Int] {
    let roots = try connection.rows("SELECT path FROM root").compactMap { $0[0].text }
      .sorted { $0.utf8.count > $1.utf8.count }
    var selection = selection
    selection.states = [.migrated]
    var counts: [String: Int] = [:]
    try stores(where: selection) { store in
      guard case .file(let path) = store.found.place else { return }
      let root = roots.first { path == $0 || path.hasPrefix($0 + "/") }
      counts[root ?? FileSystem.folder(of: path), default: 0] += 1
    }
    return counts
  }
}
