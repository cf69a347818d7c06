internal import Files
internal import StoreAccess
internal import Waystone

extension StoreRun {
  /// Verifies a result against its certificate, and against its model: a certificate does not cover the data
  /// that Core Data keeps beside the objects.
  ///
  /// - Throws: ``WaystoneError``: `missingFile` where it is gone, `verificationFailed` where its contents
  ///   differ; and the errors of reading it.
  func verify(_ job: StoreJob) throws -> StoreOutcome {
    guard try FileSystem.exists(job.store) else {
      throw WaystoneError(
        .missingFile,
        "There is no file \(job.store).",
        recovery: job.tree == nil
          ? "If it was not moved on purpose, `waystone rollback \(job.store.shellWord) --force` puts "
            + "the original there."
          : "Make it again: \(try Self.remnant(of: job))`waystone batch retry --missing`, then run the "
            + "batch again."
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
          identity: found.identity,
          counts: found.counts,
          model: found.model.model
        )
        guard report.passed, certificate.end(found.digest, found.hashes) == .result else {
          throw WaystoneError(
            .verificationFailed,
            "\(job.store) does not match its certificate: \(report.summary)",
            recovery: try Self.changed(job)
          )
        }
        try requireSound(job, in: project)
        return try matched(job)
      } catch {
        guard WaystoneError(error).code == .unknownStoreVersion else { throw error }
        refusal = error
      }
    }
    throw refusal ?? Self.noModels
  }

  static let noModels = WaystoneError(
    .missingFile,
    "There are no models.",
    recovery: "Name them: --models PATH."
  )

  /// Throws if a result disagrees with its model in data that no certificate covers.
  private func requireSound(_ job: StoreJob, in project: Project) throws {
    let checked = try StoreModel.verify(
      storeAt: job.store,
      shownAs: job.store,
      in: project.archive,
      level: .standard
    )
    // The certificate lists the files.
    let report = VerificationReport(
      checks: checked.report.checks.filter { $0.name != StoreModel.filesCheckName }
    )
    guard !report.passed else { return }
    throw WaystoneError(
      .verificationFailed,
      "\(job.store) is not as its model says: \(report.summary)",
      recovery: try Self.changed(job)
    )
  }

  /// Returns whether the source is what was migrated: an outcome `migrated`, or one with the code of a
  /// replaced source.
  ///
  /// - Throws: The errors of reading it, where no project can read it.
  func compare(_ job: StoreJob) throws -> StoreOutcome {
    let certificate = try MigrationCertificate(reading: job.certificate, shownAs: job.name)
    var refusal: (any Error)?
    var isRead = false
    for project in projects {
      do {
        if try isSource(job, of: certificate, in: project) { return StoreOutcome(.migrated) }
        isRead = true
      } catch { refusal = error }
    }
    guard isRead else { throw refusal ?? Self.noModels }
    var outcome = StoreOutcome(.failed)
    outcome.code = StoreOutcome.replaced
    return outcome
  }

  /// Returns the outcome of a result whose contents match its certificate.
  private func matched(_ job: StoreJob) throws -> StoreOutcome {
    var outcome = StoreOutcome(.migrated)
    if job.tree == nil, try StoreMigrator.isUnchanged(sinceRunOf: job.store) == false {
      outcome.code = StoreOutcome.writtenSince
    }
    return outcome
  }

  /// Returns the advice about a result that was changed.
  private static func changed(_ job: StoreJob) throws -> String {
    guard job.tree == nil else {
      let support = try StoreFiles(store: job.store).support
      let folder = try FileSystem.exists(support) ? " with \(support)" : ""
      return
        "It was changed after the migration. To make it again, move it away\(folder); then `waystone "
        + "batch retry --missing`, and run the batch again."
    }
    return
      "It was written to after the migration, as an app does. To go back all the same: `waystone "
      + "rollback \(job.store.shellWord) --force`, which keeps the present store beside the backup."
  }

  /// Returns the advice to take first where a result is gone, and its folder of large values is not.
  private static func remnant(of job: StoreJob) throws -> String {
    let support = try StoreFiles(store: job.store).support
    return try FileSystem.exists(support) ? "move \(support) away, then " : ""
  }

  /// Puts the original of a store back that a run of this batch replaced; one that is back in its place
  /// already counts as put back.
  ///
  /// - Throws: ``WaystoneError``: `mismatch` where the store is what another run made, or no run of this
  ///   batch is known; as `StoreMigrator.rollback` does.
  func rollBack(_ job: StoreJob) throws -> StoreOutcome {
    do {
      if let run = try runToUndo(job) { _ = try StoreMigrator.rollback(job.store, to: run) }
    } catch {
      var error = WaystoneError(error)
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

  /// Returns the name of the run of this batch that is to be undone; nil where it is undone already.
  ///
  /// Any program may have written the ledger: a run is of this batch where its own journal states it. Other
  /// runs, and the order in which they were undone, do not matter as long as the store is not what one of
  /// them made later.
  private func runToUndo(_ job: StoreJob) throws -> String? {
    func end(_ path: String) -> [Substring] { path.split(separator: "/").suffix(2) }
    let runs = try StoreMigrator.runs(of: job.store).runs
    // Nor is a certificate with a path of the user's own one of a batch.
    let own =
      BatchFiles.ledger(ofCertificate: job.certificate) == nil
      ? nil : runs.last { $0.description.settings.certificate.map(end) == end(job.certificate) }
    let command = "`waystone rollback \(job.store.shellWord)`"
    if let last = runs.last(where: \.isApplied), last.description.run != own?.description.run {
      let message =
        "The last migration of \(job.name), from \(last.description.from) to "
        + "\(last.description.to), is not one of this batch."
      guard own?.isApplied == true else {
        throw WaystoneError(
          .mismatch,
          message,
          recovery: "To put back what that replaced: \(command)."
        )
      }
      throw WaystoneError(
        .mismatch,
        message,
        recovery: "Undo it first, with the ledger of its batch or by \(command). Then repeat "
          + "`waystone batch rollback`."
      )
    }
    guard let own else {
      guard runs.isEmpty else {
        throw WaystoneError(
          .mismatch,
          "None of the migrations of \(job.name) is one of this batch, and all are undone.",
          recovery: "See them: `waystone rollback \(job.store.shellWord) --list`."
        )
      }
      // The error states why there is none.
      _ = try StoreMigrator.rollback(job.store)
      return nil
    }
    return own.isApplied ? own.description.run : nil
  }

  private static var rolledBack: StoreOutcome {
    var outcome = StoreOutcome(.skipped)
    outcome.code = StoreOutcome.rolledBack
    outcome.message = "Rolled back: the original is in its place again."
    outcome.recovery =
      "Migrate it again: `waystone batch retry --state skipped`, then run the batch."
    return outcome
  }
}
