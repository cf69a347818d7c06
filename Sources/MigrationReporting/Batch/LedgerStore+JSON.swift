internal import BatchMigration
internal import ObjectModel

extension LedgerStore {
  /// Returns the store as an element of the report's `stores`, with its migration's losses.
  func json(losses: MigrationLosses?) -> JSONValue {
    func number(_ value: Int64?) -> JSONValue { value.map(JSONValue.integer) ?? .null }
    return [
      "key": .string(key),
      "name": .string(found.name),
      "place": found.place.json,
      "destination": .string(found.destination),
      "bytes": .integer(found.bytes),
      "state": .string(state.rawValue),
      "model": JSONValue(model),
      "version": JSONValue(version),
      "path": JSONValue(path),
      "attempts": .integer(Int64(attempts)),
      "result": JSONValue(result),
      "resultBytes": number(resultBytes),
      "certificate": JSONValue(certificate),
      "losses": losses?.json ?? .null,
      "sourceDigest": JSONValue(sourceDigest),
      "resultDigest": JSONValue(resultDigest),
      "code": JSONValue(code),
      "message": JSONValue(message),
      "recovery": JSONValue(recovery),
      "started": JSONValue(started.map { UniversalTime.text($0) }),
      "seconds": seconds.map(JSONValue.number) ?? .null,
      "memory": number(memory),
      "host": JSONValue(host),
    ]
  }

  /// The names of ``cells``.
  static let columns = [
    "name", "state", "model", "version", "path", "bytes", "result", "result_bytes", "seconds",
    "attempts", "code", "message", "recovery", "certificate", "source_digest", "result_digest",
    "started", "memory", "host", "place", "key", "lost",
  ]

  /// Returns the store as a row of a table, with its migration's losses; an unknown value is an empty
  /// cell.
  func cells(losses: MigrationLosses?) -> [CSVRow.Cell] {
    func text(_ value: String?) -> CSVRow.Cell { .text(value ?? "") }
    func number(_ value: Int64?) -> CSVRow.Cell { value.map { .number("\($0)") } ?? .text("") }
    return [
      .text(found.name), .text(state.rawValue), text(model), text(version),
      .text(path.joined(separator: " > ")), number(found.bytes), text(result),
      number(resultBytes), seconds.map { .number("\($0)") } ?? .text(""),
      number(Int64(attempts)), text(code), text(message), text(recovery), text(certificate),
      text(sourceDigest), text(resultDigest), text(started.map { UniversalTime.text($0) }),
      number(memory), text(host), .text(found.place.path), .text(key), text(losses?.text),
    ]
  }

  /// The store as a test case, which passes where the store has the wanted version.
  var testCase: JUnitDocument.Case {
    let outcome: JUnitDocument.Outcome =
      switch state {
      case .migrated, .current: .passed
      case .waiting: .skipped("The batch has not come to it yet.")
      case .running: .skipped("It is being migrated.")
      case .skipped: .skipped(message ?? "It was left out.")
      case .refused, .damaged, .failed, .timedOut:
        .failed(
          type: code ?? state.rawValue,
          message: message ?? state.rawValue,
          text: [message, recovery].compactMap { $0 }.map(TerminalText.escaped)
            .joined(separator: "\n")
        )
      }
    return JUnitDocument.Case(
      name: found.name,
      className: version ?? "version not known",
      seconds: seconds,
      outcome: outcome,
      output: path.isEmpty ? "" : TerminalText.escaped(path.joined(separator: " > "))
    )
  }
}

extension StorePlace {
  fileprivate var json: JSONValue {
    let kind =
      switch self {
      case .file: "file"
      case .member: "member"
      case .backup: "backup"
      }
    return ["kind": .string(kind), "path": .string(path)]
  }

  /// The file, the archive or the backup's folder.
  fileprivate var path: String {
    switch self {
    case .file(let path): path
    case .member(let archive, _): archive
    case .backup(let folder, _): folder
    }
  }
}
