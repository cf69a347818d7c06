internal import ArgumentParser
internal import MigrationReporting
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration
internal import Waystone

/// `waystone verify`.
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
      valueName: "file"
    )
  )
  var certificate: String?

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let loaded = try session.archiveIfAny()
    let level: VerificationLevel = full ? .full : .standard
    var (found, verification) = try StoreModel.verify(
      storeAt: session.console.resolved(store),
      shownAs: store,
      in: loaded.archive,
      level: level
    )
    if let certificate {
      let digest = try StoreDigest(of: store, in: loaded, console: session.console).digest
      let certified = try MigrationCertificate(
        reading: session.console.resolved(certificate),
        shownAs: certificate
      )
      verification.append(VerificationReport(checks: [certified.check(of: digest)]))
    }
    let report = VerifiedStoreReport(
      store: store,
      version: found.label,
      level: level,
      verification: verification
    )
    try session.print(report, as: format.format)
    guard !verification.passed else { return .success }
    let isAnother = verification.checks.allSatisfy { $0.passed || $0.name == "certificate" }
    session.explain(
      .answerIsNo,
      "verificationFailed",
      isAnother
        ? "\(store) is as its model says, and neither the source nor the result of the certified "
          + "migration: it was changed since, or is another store."
        : "\(store) is not as its model says: \(verification.summary)",
      isAnother
        ? "Name the certificate of this store's migration, or the store as it was then."
        : "Take the store from a backup, or look at the checks that failed."
    )
    return .answerIsNo
  }
}
