internal import BatchMigration
internal import ObjectModel

extension LedgerStore {
  /// Returns the store as an element of the report's `stores`, with its migration's losses.
  func members(losses: MigrationLosses?) -> JSONMembers {
    [
      "key": key, "name": found.name, "place": found.place.members,
      "destination": found.destination, "bytes": found.bytes, "state": state.rawValue,
      "model": model, "version": version, "path": path, "attempts": attempts, "result": result,
      "resultBytes": resultBytes, "certificate": certificate, "losses": losses?.places,
      "sourceDigest": sourceDigest, "resultDigest": resultDigest, "code": code,
      "message": message, "recovery": recovery, "started": started.map { UniversalTime.text($0) },
      "seconds": seconds, "memory": memory, "host": host,
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
  fileprivate var members: [String: String] {
    let kind =
      switch self {
      case .file: "file"
      case .member: "member"
      case .backup: "backup"
      }
    return ["kind": kind, "path": path]
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
