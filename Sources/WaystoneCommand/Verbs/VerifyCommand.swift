internal import ArgumentParser
internal import MigrationReporting
internal import StoreAccess
internal import Waystone

/// The command `waystone verify`.
struct VerifyCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check a store against its model.",
    discussion: """
      The file's pages and indexes, then tables, columns, indexes and entity numbers against those \
      that Core Data would make, hashes, row counts, references, inverse relationships and \
      order. The model is the archived version that the store's hashes name; where there is none, \
      the one that the store carries. The store is not changed. Status 1 where a check fails.
      """
  )

  @Argument(help: "The store.")
  var store: String

  @Flag(help: "Run SQLite's integrity_check too, which reads every index entry.")
  var full = false

  @Option(
    help: ArgumentHelp(
      "Also check that the store is the source or the result of a certified migration.",
      discussion:
        "The store's objects, values and links are counted anew, and the certificate's own counts "
        + "held against each other: of each hop with the next, and with the total. It is not signed: "
        + "who may edit it may write another that fits. What became of each thing is the word of "
        + "the run that wrote it.",
      valueName: "file"
    )
  )
  var certificate: String?

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.projectIfAny()
    let level: VerificationLevel = full ? .full : .standard
    var (found, verification) = try StoreModel.verify(
      storeAt: session.console.resolved(store),
      shownAs: store,
      in: project.archive,
      level: level
    )
    if let certificate {
      verification.append(try audit(certificate, project, session))
    }
    let report = VerifiedStoreReport(
      store: store,
      version: found.label,
      level: level,
      verification: verification
    )
    try session.print(report, as: format.format)
    guard !verification.passed else { return .success }
    let failure = failure(verification)
    session.explain(.answerIsNo, "verificationFailed", failure.message, failure.recovery)
    return .answerIsNo
  }

  /// Holds a certificate against the store, and its counts against each other.
  private func audit(
    _ certificate: String,
    _ project: Project,
    _ session: Session
  ) throws -> VerificationReport {
    let certified = try MigrationCertificate(
      reading: session.console.resolved(certificate),
      shownAs: certificate
    )
    let found = try StoreDigest(
      ofStoreAt: session.console.resolved(store),
      shownAs: store,
      in: project.archive
    )
    return CertificateAudit(certified).report(
      digest: found.digest,
      hashes: found.hashes,
      identity: found.identity,
      counts: found.counts,
      model: found.model.model
    )
  }

  /// Returns the message and the remedy of a failed verification.
  private func failure(_ report: VerificationReport) -> (message: String, recovery: String) {
    let failed = Set(report.failures.map(\.name))
    guard let certificate, failed.allSatisfy({ $0.hasPrefix("certificate") }) else {
      return (
        "\(store) is not as its model says: \(report.summary)",
        "Take the store from a backup, or look at the checks that failed."
      )
    }
    if failed == ["certificate-identity"] {
      return (
        "\(store) says what was certified, and was changed since: \(report.summary)",
        "Take the store as the migration left it, or look at who changed it."
      )
    }
    guard failed.contains("certificate") else {
      return (
        "\(certificate) contradicts \(failed.contains("certificate-store") ? store : "itself"): "
          + report.summary,
        "Take the certificate as `waystone migrate --certificate` wrote it: this one was edited."
      )
    }
    return (
      "\(store) is as its model says, and neither the source nor the result of the certified "
        + "migration: it was changed since, or is another store.",
      "Name the certificate of this store's migration, or the store as it was then."
    )
  }
}
