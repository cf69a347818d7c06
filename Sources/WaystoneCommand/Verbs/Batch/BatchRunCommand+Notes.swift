internal import BatchMigration
internal import MigrationReporting
internal import ObjectModel
internal import StoreMigration

/// The notes of a batch on standard error, beside its report.
extension BatchRunCommand {
  /// Reports the places that were not searched again.
  func tell(_ passed: [BatchRun.PassedOver], _ session: Session) {
    for place in passed {
      note(
        "\(session.console.shortened(place.root)) was searched on "
          + "\(UniversalTime.text(place.searched)), and not again: stores added since are not in "
          + "the batch.",
        session
      )
    }
  }

  /// Reports that stores that did not reach the version before are not tried again.
  func tell(
    _ notReached: [StoreState: Int],
    _ batch: BatchDescription,
    _ session: Session
  ) {
    let states = StoreState.allCases.filter { notReached[$0] != nil }
    guard !states.isEmpty else { return }
    let sum = notReached.values.reduce(0, +)
    let counts = states.map { "\(notReached[$0] ?? 0) \($0.rawValue)" }
    let folder = common.folder.map { "-C \($0.shellWord) " } ?? ""
    let words = states.map(\.rawValue).joined(separator: ",")
    note(
      "\(Quantity.count(sum, "store")) did not reach \(batch.version) before "
        + "(\(counts.joined(separator: ", "))), and \(sum == 1 ? "is" : "are") not tried again. To try "
        + "\(sum == 1 ? "it" : "them") with these options, run "
        + "`waystone batch retry \(folder)\(ledgerArguments(batch.shard))--state \(words)`, "
        + "and then this command again.",
      session
    )
  }

  /// Reports that results of migrated stores are missing, with the command that makes them again.
  func tell(
    _ missing: [String?: [StoreResult]],
    _ batch: BatchDescription,
    _ session: Session
  ) {
    let folder = common.folder.map { "-C \($0.shellWord) " } ?? ""
    for (maker, results) in missing.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
      guard let first = results.first else { continue }
      let name = maker.map { "\(LedgerName($0).words) " } ?? ledgerArguments(batch.shard)
      let isOne = results.count == 1
      note(
        (isOne
          ? "The result of \(first.name) is gone: \(first.path). To make it again, run "
          : "The results of \(Quantity.count(results.count, "store")) are gone, such as \(first.path). "
            + "To make them again, run ")
          + "`waystone batch retry \(folder)\(name)--missing`, and then "
          + (maker == nil ? "this command again." : "the batch of that ledger again."),
        session
      )
    }
  }

  /// Returns the option that names the ledger for another verb, with a space after it.
  private func ledgerArguments(_ shard: BatchShard?) -> String {
    if let file = ledger.file { return "--ledger \(file.shellWord) " }
    guard let output else {
      return shard == nil ? "" : "--ledger \(NewLedgerOptions.name(for: shard).shellWord) "
    }
    guard shard != nil else { return "\(output.shellWord) " }
    return "--ledger \("\(output)/\(NewLedgerOptions.name(for: shard))".shellWord) "
  }

  /// Reports that the selection matches no store.
  func explainThatNoneIsSelected(_ run: BatchRun, _ session: Session) throws {
    let stores = try run.ledger.totals().total.stores
    let conditions = selection.conditions.map { "--select \($0.shellWord)" }
    session.explain(
      .answerIsNo,
      "noneSelected",
      "Of \(Quantity.count(stores, "store")), none meets \(conditions.joined(separator: " ")).",
      "Names are those that reports show, such as old/Documents/*.sqlite."
    )
  }

  /// Reports that no store is of the requested versions.
  func explainThatNoneIsOfVersions(_ session: Session) {
    session.explain(
      .answerIsNo,
      "noneSelected",
      "No store is of \(selection.versions.joined(separator: " or ")): all were left out.",
      "The same command with --dry-run and without --only-version says of which versions they are."
    )
  }

  func note(_ text: String, _ session: Session) {
    if !session.isQuiet { session.console.writeError(text + "\n") }
  }
}
