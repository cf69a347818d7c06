internal import StoreAccess
internal import Waystone

extension BatchLedger {
  /// Returns the losses of a store's migration; nil where the store has no certificate.
  ///
  /// - Throws: ``WaystoneError``, `badFile` where the certificate cannot be read.
  package func losses(of store: LedgerStore) throws -> MigrationLosses? {
    guard let json = try certificate(of: store.id) else { return nil }
    return try MigrationLosses(certificate: json, model: store.model)
  }

  /// Returns the losses of all migrations, summed by place.
  ///
  /// - Complexity: Reads each certificate, one after the other.
  package func losses() throws -> MigrationLosses {
    var totals = MigrationLosses()
    try stores(where: LedgerSelection(states: [.migrated, .current])) { store in
      do {
        if let losses = try losses(of: store) { totals.add(losses) }
      } catch let error as WaystoneError where error.code == .badFile {
        totals.unread += 1
      }
    }
    return totals
  }

  /// Returns the store that has a name, or a key.
  ///
  /// - Throws: ``WaystoneError``, `badArgument` where none has.
  package func store(named name: String) throws -> LedgerStore {
    let id = try connection.integer(
      "SELECT id FROM store WHERE name = ?1 OR key = ?1 ORDER BY name = ?1 DESC LIMIT 1",
      [.text(name)]
    )
    guard let id else {
      throw WaystoneError(
        .badArgument,
        "The ledger \(path) has no store \(name).",
        recovery: "Name one as `waystone batch report --format csv` does."
      )
    }
    return try store(id)
  }
}
