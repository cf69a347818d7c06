internal import Files
internal import Foundation
internal import ObjectModel
internal import StoreAccess

extension BatchLedger {
  /// Hands stores to a closure one after the other, never all in memory.
  ///
  /// The closure must not change the ledger.
  package func stores(
    where selection: LedgerSelection = LedgerSelection(),
    _ body: (LedgerStore) throws -> Void
  ) throws {
    let (text, values) = selection.sql
    let statement = try connection.prepare("SELECT \(Self.columns) FROM store\(text)")
    try statement.bind(values)
    while try statement.step() { try body(row(statement)) }
  }

  /// Runs a closure whose reads are all of one moment, although other processes may write meanwhile.
  package func snapshot<Value>(_ body: () throws -> Value) throws -> Value {
    // One within another is of the same moment.
    connection.isInTransaction ? try body() : try connection.transaction(.deferred, body)
  }

  /// Passes each oddity of the searches to a closure, by name: a file or folder that could not be read, or
  /// was refused.
  package func oddities(_ body: (_ name: String, _ reason: String) throws -> Void) throws {
    let statement = try connection.prepare(
      "SELECT name, reason, root, COUNT(*) OVER (PARTITION BY name) FROM oddity ORDER BY name, root"
    )
    while try statement.step() {
      guard let name = try statement.text(0), let reason = try statement.text(1) else {
        throw damaged("an oddity has no name")
      }
      // Files of several roots may have one name.
      let root = statement.int64(3) > 1 ? try statement.text(2) ?? "" : ""
      try body(root.isEmpty ? name : "\(name), searched in \(ShownName.of(root))", reason)
    }
  }

  /// Returns a store of the ledger.
  package func store(_ id: Int64) throws -> LedgerStore {
    let statement = try connection.prepare("SELECT \(Self.columns) FROM store WHERE id = ?")
    try statement.bind(id, at: 1)
    guard try statement.step() else { throw damaged("it has no store \(id)") }
    return try row(statement)
  }

  /// Returns the certificate of a store's migration as JSON, or nil where there is none.
  ///
  /// - Throws: ``WaystoneError``, `badFile` where it is not the one that the store's row names.
  package func certificate(of id: Int64) throws -> [UInt8]? {
    try certificate(of: id, in: "main", at: path)
  }

  /// Returns the certificate of a store of the ledger that is attached under a name.
  ///
  /// - Parameters:
  ///   - schema: `main`, or the name of the database as which the ledger is attached.
  ///   - path: The path of that ledger, for the error.
  /// - Throws: ``WaystoneError``, `badFile` where it is not the one that the store's row names.
  func certificate(of id: Int64, in schema: String, at path: String) throws -> [UInt8]? {
    let (stores, certificates) = (
      SQL.identifier(schema, "store"), SQL.identifier(schema, "certificate")
    )
    let statement = try connection.prepare(
      "SELECT s.certificate, c.json FROM \(stores) AS s LEFT JOIN \(certificates) AS c "
        + "ON c.store = s.id WHERE s.id = ?"
    )
    try statement.bind(id, at: 1)
    guard try statement.step() else { throw Self.damaged(path, "it has no store \(id)") }
    let digest = try statement.text(0)
    guard let bytes = statement.blob(1) else {
      if digest != nil { throw Self.damaged(path, "the certificate of store \(id) is missing") }
      return nil
    }
    guard let json = LedgerCertificate.json(bytes),
      Hexadecimal.string(SHA256.hash(json)) == digest
    else {
      throw Self.damaged(path, "the certificate of store \(id) is not the one that was written")
    }
    return json
  }

  /// The columns that ``row(_:)`` reads, in its order.
  private static let columns = """
    id, key, name, place, destination, bytes, modified, head, state, holder, attempts, model,
    version, path, result, certificate, source_digest, result_digest, code, message, recovery,
    started, seconds, result_bytes, memory, host, named, origin
    """

  private func row(_ row: borrowing SQLiteStatement) throws -> LedgerStore {
    func integer(_ column: Int) -> Int64? { row.isNull(column) ? nil : row.int64(column) }
    func double(_ column: Int) -> Double? { row.isNull(column) ? nil : row.double(column) }
    guard let key = try row.text(1), let name = try row.text(2), let place = try row.text(3),
      let destination = try row.text(4), let head = try row.text(7),
      let state = try row.text(8).flatMap(StoreState.init)
    else { throw damaged("store \(row.int64(0)) lacks a value or has a state that there is not") }
    // A ledger may be forged, and files are written by this path.
    guard Self.isBelow(destination) else {
      throw damaged("the destination of store \(row.int64(0)) leads out of the output tree")
    }
    return LedgerStore(
      id: row.int64(0),
      key: key,
      found: FoundStore(
        name: name,
        destination: destination,
        place: try read(place),
        bytes: row.int64(5),
        modified: integer(6),
        head: head,
        isNamed: row.int64(26) != 0
      ),
      state: state,
      holder: try row.text(9),
      attempts: Int(row.int64(10)),
      model: try row.text(11),
      version: try row.text(12),
      path: try row.text(13).map { try read($0) } ?? [],
      result: try row.text(14).map { relocation?.place(of: $0) ?? $0 },
      certificate: try row.text(15),
      origin: try row.text(27),
      sourceDigest: try row.text(16),
      resultDigest: try row.text(17),
      code: try row.text(18),
      message: try row.text(19),
      recovery: try row.text(20),
      started: double(21).map { Date(timeIntervalSince1970: $0) },
      seconds: double(22),
      resultBytes: integer(23),
      memory: integer(24),
      host: try row.text(25)
    )
  }
}
