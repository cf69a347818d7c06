public import MigrationPlanning
public import ObjectModel
public import StoreVerification

/// The outcome of a migration.
public struct MigrationOutcome: Hashable, Sendable {
  /// The store that has the wanted version now.
  public var store: String
  /// The original, where the store was replaced.
  public var backup: String?
  /// The hops that were run, in this process or before it.
  public var hops = 0
  /// The passes over the data in which they ran; hops that are one mapping together share one.
  public var passes = 0
  /// The hops that were already done when this process began.
  public var resumedAfter = 0
  /// The account of a damaged store's readable content: the result has no more than that.
  public var salvage: SalvageAccount?
  /// The report of the verification.
  public var verification = VerificationReport()
  /// Notes for the user.
  public var notes: [String] = []
  /// Findings about contents beside the objects, and about names of the result that are guesses.
  public var findings: [Finding] = []
  /// The accounts of counted hops: the authored ones, and all where the run is certified.
  public var accounts: [HopReconciliation] = []
  /// The certificate, where one was asked for.
  public var certificate: MigrationCertificate?
  /// The files in which the store keeps large values; nil where the run had ended before.
  package var externalFiles: ExternalAccount?
  /// The notes on files beside the original that SQLite does not read, such as a log without a valid header.
  package var unreadNotes: [String] = []
  /// The level of the result's verification, by this process or an earlier one.
  public var verificationLevel = VerificationLevel.standard
  /// Whether the store had the wanted version already, so that nothing was written.
  package var isUnchanged = false
}

extension MigrationOutcome {
  /// Makes the outcome of a store that has the wanted version already, so that nothing was done.
  package init(unchanged store: String, _ findings: [Finding] = []) {
    self.init(store: store, findings: findings)
    isUnchanged = true
  }
}
