internal import ArgumentParser
internal import BatchMigration

/// The option for an existing ledger.
struct LedgerOptions: ParsableArguments {
  /// The default name of a ledger.
  static let defaultName = LedgerName.ordinary

  @Argument(
    help: ArgumentHelp("The output tree of a batch, with its ledger in it.", valueName: "tree")
  )
  var tree: String?

  @Option(
    help: ArgumentHelp(
      "The ledger. (default: batch.waystone.sqlite here, or in the tree)",
      valueName: "file"
    )
  )
  var ledger: String?

  mutating func validate() throws {
    if tree != nil, ledger != nil {
      throw ValidationError("--ledger names the ledger: leave the tree out.")
    }
  }

  /// The ledger's path, in the user's form.
  var shown: String { ledger ?? tree.map { "\($0)/\(Self.defaultName)" } ?? Self.defaultName }

  /// The ledger as advice names it.
  var name: LedgerName { LedgerName(shown) }

  /// Opens the ledger.
  func open(in session: Session) throws -> BatchLedger {
    try BatchLedger(opening: session.console.resolved(shown))
  }
}
