internal import Files
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

extension StoreRun {
  /// Holds a result against its certificate, and against its model: what Core Data keeps beside the objects is
  /// in no certificate.
  ///
  /// - Throws: ``WaystoneError``: `missingFile` where it is gone, `verificationFailed` where it says
  ///   something else; what reading it throws.
  func verify(_ job: StoreJob) throws -> StoreOutcome {
    guard try FileSystem.exists(job.store) else {
      throw WaystoneError(
        .missingFile,
        "There is no file \(job.store).",
        recovery: job.tree == nil
          ? "If it was not moved on purpose, `waystone rollback \(job.store.shellWord) --force` puts "
            + "the original there."
          : "Make it again: `waystone batch retry --missing`, then run the batch again."
      )
    }
    let certificate = try MigrationCertificate(reading: job.certificate, shownAs: job.name)
    var refusal: (any Error)?
    for project in projects {
      do {
        let found = try StoreDigest(
          ofStoreAt: job.store,
          shownAs: job.store,
          in: project.archive
        )
        let report = CertificateAudit(certificate).report(
          digest: found.digest,
          hashes: found.hashes,
          counts: found.counts,
          model: found.model.model
        )
        guard report.passed, certificate.end(found.digest, found.hashes) == .result else {
          throw WaystoneError(
            .verificationFailed,
            "\(job.store) does not match its certificate: \(report.summary)",
            recovery: Self.changed(job)
          )
        }
        let checked = try StoreModel.verify(
          storeAt: job.store,
          shownAs: job.store,
          in: project.archive,
          level: .standard
        )
        // Which files are there, the certificate tells.
        let own = VerificationReport(
          checks: checked.report.checks.filter { $0.name != StoreModel.filesCheckName }
        )
        guard own.passed else {
          throw WaystoneError(
            .verificationFailed,
            "\(job.store) is not as its model says: \(own.summary)",
            recovery: Self.changed(job)
          )
        }
        return try matched(job)
      } catch {
        guard WaystoneError(error).code == .unknownStoreVersion else { throw error }
        refusal = error
      }
    }
    throw refusal
      ?? WaystoneError(.missingFile, "There are no models.", recovery: "Name them: --models PATH.")
  }

  /// Whether the source is what was migrated: an outcome `migrated`, or else `failed`.
  func compare(_ job: StoreJob) throws -> StoreOutcome {
    let certificate = try MigrationCertificate(reading: job.certificate, shownAs: job.name)
    let isSource = projects.contains { self.isSource(job, of: certificate, in: $0) }
    return StoreOutcome(isSource ? .migrated : .failed)
  }

  /// The outcome of a result that says what its certificate says.
  private func matched(_ job: StoreJob) throws -> StoreOutcome {
    var outcome = StoreOutcome(.migrated)
    if job.tree == nil, try StoreMigrator.isUnchanged(sinceRunOf: job.store) == false {
      outcome.code = StoreOutcome.writtenSince
    }
    return outcome
  }

  /// What to do about a result that was changed.
  private static func changed(_ job: StoreJob) -> String {
    guard job.tree == nil else {
      return
        "It was changed after the migration. To make it again, move it away; then `waystone batch "
        + "retry --missing`, and run the batch again."
    }
    return
      "It was written to after the migration, as an app does. To go back all the same: `waystone "
      + "rollback \(job.store.shellWord) --force`, which keeps the present store beside the backup."
  }

  /// Puts the original of a store back that was replaced; one that somebody put back already is taken
  /// as put back.
  ///
  /// - Throws: ``WaystoneError``, as `StoreMigrator.rollback` does.
  func rollBack(_ job: StoreJob) throws -> StoreOutcome {
    do {
      try checkIsOurs(job)
      _ = try StoreMigrator.rollback(job.store)
    } catch {
      var error = WaystoneError(error)
      if error.code == .nothingToDo,
        try StoreMigrator.runs(of: job.store).runs.last?.isApplied == false
      {
        return Self.rolledBack
      }
      let command = "`waystone rollback \(job.store.shellWord) --force`"
      error.recovery = error.recovery.replacing("use --force", with: "run \(command)")
        .replacing("; --force takes", with: "; \(command) takes")
      if error.recovery.contains("--force") {
        error.recovery += " Then repeat `waystone batch rollback`, which notes it."
      }
      throw error
    }
    return Self.rolledBack
  }

  /// Refuses a store whose last run is not one of this batch: a ledger is a file that anybody may have
  /// written.
  private func checkIsOurs(_ job: StoreJob) throws {
    func end(_ path: String) -> [Substring] { path.split(separator: "/").suffix(2) }
    let run = try StoreMigrator.runs(of: job.store).runs.last(where: \.isApplied)
    guard let run, run.description.settings.certificate.map(end) != end(job.certificate) else {
      return
    }
    throw WaystoneError(
      .mismatch,
      "The last migration of \(job.name) is not one of this batch.",
      recovery: "To put back what that replaced: `waystone rollback \(job.store.shellWord)`."
    )
  }

  private static var rolledBack: StoreOutcome {
    var outcome = StoreOutcome(.skipped)
    outcome.code = "rolledBack"
    outcome.message = "Rolled back: the original is in its place again."
    outcome.recovery =
      "Migrate it again: `waystone batch retry --state skipped`, then run the batch."
    return outcome
  }
}
