internal import ArgumentParser
internal import Waystone

/// Which ledger is meant.
struct LedgerOptions: ParsableArguments {
  /// The name of a ledger where nobody names another.
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

  /// The ledger's path, as the person would write it.
  var shown: String { ledger ?? tree.map { "\($0)/\(Self.defaultName)" } ?? Self.defaultName }

  /// The ledger as advice names it.
  var name: LedgerName { LedgerName(shown) }

  /// Opens the ledger.
  func open(in session: Session) throws -> BatchLedger {
    try BatchLedger(opening: session.console.resolved(shown))
  }
}
