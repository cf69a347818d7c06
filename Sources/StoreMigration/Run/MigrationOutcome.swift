public import MigrationPlanning
public import ObjectModel

/// What a migration did.
public struct MigrationOutcome: Hashable, Sendable {
  /// The store that has the wanted version now.
  public var store: String
  /// The original, where the store was replaced.
  public var backup: String?
  /// The hops that were run, in this process or before it.
  public var hops: Int
  /// The passes over the data in which they ran; hops that are one mapping together share one.
  public var passes: Int
  /// The hops that were already done when this process began.
  public var resumedAfter: Int
  /// What could be read of the store, where its file is damaged: the result has that and no more.
  public var salvage: SalvageAccount?
  /// What was verified.
  public var verification: VerificationReport
  /// What the person should know.
  public var notes: [String]
  /// What it did to what the store holds beside its objects, and which names of its result rest on
  /// nothing.
  public var findings: [Finding]
  /// The accounts of hops that were counted: those that people wrote, and all where the run is certified.
  public var accounts: [HopAccount]
  /// What the run carried, where that was to be certified.
  public var certificate: MigrationCertificate?
  /// The files in which the store keeps large values; nil where the run had ended before.
  package var externalFiles: ExternalAccount?
  /// How much of the result was verified, by this process or before it.
  public var verificationLevel = VerificationLevel.standard
}

extension MigrationOutcome {
  /// That a store is of the wanted version already, so that nothing was done.
  package init(unchanged store: String) {
    self.init(
      store: store,
      hops: 0,
      passes: 0,
      resumedAfter: 0,
      verification: VerificationReport(),
      notes: [],
      findings: [],
      accounts: []
    )
  }
}
