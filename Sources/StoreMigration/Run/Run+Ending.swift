import Files
import MigrationPlanning
import StoreAccess
import StoreVerification

extension Run {
  // MARK: Verifying

  /// Verifies the last checkpoint and records that it passed; a resumed run verifies again.
  mutating func verify(
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws -> VerificationReport {
    guard let last = checkpoint else { throw lost }
    let path = last.file
    guard options.settings.verification != .none else { return VerificationReport() }
    options.onEvent(.began(.verifying))
    let report = try verifyResult(last, source, preflight)
    if !journal.records.contains(where: { $0.event == .verified }) {
      let certificate = isCertified ? try certificate(last, source, preflight) : nil
      try record(.verified, hop: last.hop, path: path, certificate: certificate)
    }
    try writeCertificate()
    return report
  }

  // MARK: Ending

  /// Removes what the run no longer needs, and ends its journal.
  ///
  /// The last record identifies the result as it was placed, not as an app may have left it since.
  mutating func finish(
    verification: VerificationReport = VerificationReport()
  ) throws -> MigrationOutcome {
    guard let description = journal.run else { throw lost }
    let (accounts, certificate) = (journal.accounts, journal.certificate)
    let isVerified = journal.records.contains { $0.event == .verified }
    try files.removeCheckpoints()
    options.onEvent(.passed(.checkpointsRemoved))
    if isInPlace {
      let placed = journal.records.last { $0.event == .swapping }?.identity
      try journal.append(.finished, identity: placed)
      if let last = journal.last { options.onEvent(.recorded(last)) }
      if !files.giveToOwner() {
        notes.append("the backup belongs to the user of the run, who alone can roll back")
      }
    } else {
      try files.removeJournal()
    }
    if !isVerified {
      notes.append("the result is not verified: the run left that out (verification none)")
    }
    let copies = (description.unreadCopies ?? []).map { "\(workspace.backups)/\($0)" }
    return MigrationOutcome(
      store: workspace.destination,
      backup: isInPlace ? workspace.backup(run: description.run) : nil,
      hops: plan.hops.count,
      passes: passCount,
      resumedAfter: resumedAfter,
      salvage: description.salvage,
      verification: verification,
      notes: copies.map(UnreadFiles.note) + notes + accounts.flatMap(\.notes),
      findings: findings + accounts.flatMap(\.findings),
      accounts: accounts,
      certificate: certificate,
      externalFiles: externalFiles,
      unreadNotes: copies.map(UnreadFiles.note),
      verificationLevel: isVerified ? options.settings.verification : .none
    )
  }

  /// Throws the run away after a failure that would come again, and leaves the store as it was.
  ///
  /// The journal goes first: without it, the remaining files mean nothing. An error in removing
  /// them must not hide the failure.
  mutating func abandon(_ source: borrowing any MigrationSource & ~Copyable) {
    let usedWriteAheadLog = journal.run?.usesWriteAheadLog == true
    try? files.removeJournal()
    try? files.removeCheckpoints()
    if usedWriteAheadLog { try? source.returnToWriteAheadLogMode() }
  }

  var lost: MigrationError {
    MigrationError(
      .mismatch,
      "The journal of \(workspace.destination) names no checkpoint.",
      recovery: "Start anew with migrate --restart."
    )
  }
}
