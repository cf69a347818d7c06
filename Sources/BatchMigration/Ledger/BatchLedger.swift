internal import Files
internal import Foundation
internal import StoreAccess
internal import Waystone

/// The record of a batch: each store that was found, and what became of it.
///
/// One SQLite file in write-ahead-log mode, which several processes may have open. Each call that writes
/// is one transaction, so a process that is killed at any moment leaves the ledger as it was before or
/// after a call. Each commit is on the disk when the call returns (`synchronous = FULL`): what a dispatcher
/// removes after that, such as a certificate that the ledger has now, is not needed again.
package struct BatchLedger: ~Copyable {
  /// The ledger's path.
  package let path: String
  let connection: SQLiteConnection
  /// The move of the ledger with its output tree since it was made, or since a batch last ran on it; nil
  /// where it was not moved.
  let relocation: LedgerRelocation?

  /// The time that a call waits for other processes, in milliseconds.
  private static let patience: Int32 = 60_000

  /// Makes the ledger of a new batch, whole or not at all.
  ///
  /// - Throws: ``WaystoneError``, `cannotCreate` where a file is there, `inUse` where another process makes
  ///   it; `SQLiteError`.
  package init(creating path: String, _ batch: BatchDescription) throws {
    do {
      var batch = batch
      batch.options[LedgerRelocation.option] = try LedgerRelocation.place(
        ofLedger: path,
        in: batch.output
      )
      try AtomicFile.create(path) { staging in
        // Rows in a `-wal` beside the file would stay behind where the disk is too full for a
        // checkpoint; opening the ledger turns the log on.
        let connection = try SQLiteConnection(path: staging, access: .readWrite)
        try LedgerSchema.current.bring(connection, from: 0)
        try Self.write(batch, connection)
      }
    } catch {
      throw WaystoneError(error)
    }
    try self.init(opening: path)
  }

  /// Opens a ledger, and brings the tables of an earlier Waystone to this one's.
  ///
  /// - Parameter schema: The tables that it must have then.
  /// - Throws: ``WaystoneError``: `missingFile`; `badFile` for a file that is no ledger, or one of a
  ///   later Waystone; `SQLiteError`.
  package init(opening path: String, schema: LedgerSchema = .current) throws {
    self = try Self.opened(path, schema)
  }

  private init(
    path: String,
    connection: consuming SQLiteConnection,
    _ relocation: LedgerRelocation?
  ) {
    self.path = path
    self.relocation = relocation
    self.connection = connection
  }

  private static func opened(_ path: String, _ schema: LedgerSchema) throws -> BatchLedger {
    guard let status = try FileSystem.status(path) else {
      let part = partBeside(path)
      throw WaystoneError(
        .missingFile,
        "There is no ledger \(path).",
        recovery: part.map {
          "The folder has ledgers of parts of a batch: name one of them, such as --ledger \($0.shellWord)."
        }
          ?? "Name the output tree of a batch, or its ledger with --ledger."
      )
    }
    guard status.kind == .file else {
      throw WaystoneError(
        .badFile,
        "\(path) is not a plain file, and so no ledger.",
        recovery: "Name the ledger of a batch, or a new file, with --ledger."
      )
    }
    do {
      let connection = try SQLiteConnection(
        path: path,
        access: .readWrite,
        busyTimeout: patience
      )
      let number = try schema.check(connection, path: path)
      try connection.setJournalMode(.wal)
      try connection.execute(script: "PRAGMA synchronous = FULL")
      if number < schema.number { try schema.bring(connection, from: number) }
      let relocation = try LedgerRelocation(of: connection, at: path)
      return BatchLedger(path: path, connection: connection, relocation)
    } catch let error as SQLiteError where [.readOnly, .cantOpen].contains(error.code) {
      return try openedToRead(path, schema, after: error)
    } catch let error as SQLiteError where error.isDamage {
      throw WaystoneError(
        .badFile,
        "The ledger \(path) is damaged: \(error.message).",
        recovery: "Take it from a backup, or begin a batch with another ledger and another output."
      )
    }
  }

  /// Returns the path of the first ledger of a part of a batch, in the folder of a ledger that does not
  /// exist.
  private static func partBeside(_ path: String) -> String? {
    let folder = FileSystem.folder(of: path)
    let names = (try? FileSystem.names(inFolder: folder)) ?? []
    return names.filter { LedgerName.partCount($0) != nil }.min().map { "\(folder)/\($0)" }
  }

  /// Opens a ledger that may not be written, as in an archived tree; no process works with it.
  private static func openedToRead(
    _ path: String,
    _ schema: LedgerSchema,
    after error: SQLiteError
  ) throws -> BatchLedger {
    guard try QuiescenceProbe.ask(path) == .free else { throw error }
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    guard try schema.check(connection, path: path) == schema.number else {
      throw WaystoneError(
        .badFile,
        "\(path) is a ledger of an earlier Waystone, and cannot be brought to this one's form: it may not be "
          + "written.",
        recovery: "Copy it to where it may be, and name it with --ledger."
      )
    }
    let relocation = try LedgerRelocation(of: connection, at: path)
    return BatchLedger(path: path, connection: connection, relocation)
  }

  private static func write(
    _ batch: BatchDescription,
    _ connection: borrowing SQLiteConnection
  ) throws {
    try connection.execute(
      "INSERT INTO batch (id, created, tool, version, output, options, shard) "
        + "VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .text(batch.id), .real(batch.created.timeIntervalSince1970), .text(batch.tool),
        .text(batch.version), SQLiteValue(batch.output), .text(LedgerJSON.text(batch.options)),
        SQLiteValue(batch.shard?.description),
      ]
    )
  }

  /// The task of the batch.
  package var description: BatchDescription {
    get throws {
      let rows = try connection.rows(
        "SELECT id, created, tool, version, output, options, shard FROM batch"
      )
      guard rows.count == 1, let id = rows[0][0].text, case .real(let created) = rows[0][1],
        let tool = rows[0][2].text, let version = rows[0][3].text, let options = rows[0][5].text
      else { throw damaged("its table “batch” has not the one row that it must have") }
      let shard = rows[0][6].text
      let part = shard.flatMap(BatchShard.init)
      if let shard, part == nil { throw damaged("it has no part \(shard)") }
      return BatchDescription(
        id: id,
        created: Date(timeIntervalSince1970: created),
        tool: tool,
        version: version,
        output: relocation?.to ?? rows[0][4].text,
        options: try read(options),
        shard: part
      )
    }
  }

  /// Returns the error for content that Waystone never writes.
  func damaged(_ what: String) -> WaystoneError { Self.damaged(path, what) }

  /// Returns the error for such content in the ledger at a path.
  static func damaged(_ path: String, _ what: String) -> WaystoneError {
    WaystoneError(
      .badFile,
      "The ledger \(path) is damaged: \(what).",
      recovery: "Take the ledger from a backup, or begin a batch with a new one."
    )
  }

  /// Decodes a value that a column keeps as JSON.
  func read<Value: Decodable>(_ json: String) throws -> Value {
    do {
      return try LedgerJSON.value(json)
    } catch {
      throw damaged("a column does not hold the JSON that it must hold")
    }
  }
}

/// The form of values in columns: JSON that is the same for the same value.
enum LedgerJSON {
  static func text(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  static func value<Value: Decodable>(_ text: String) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(text.utf8))
  }
}

extension SQLiteValue {
  init(_ text: String?) { self = text.map(SQLiteValue.text) ?? .null }
  init(_ number: Int64?) { self = number.map(SQLiteValue.integer) ?? .null }
  init(_ number: Double?) { self = number.map(SQLiteValue.real) ?? .null }
}
