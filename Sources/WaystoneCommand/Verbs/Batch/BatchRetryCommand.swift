internal import ArgumentParser
internal import BatchMigration
internal import MigrationReporting

/// The command `waystone batch retry`.
struct BatchRetryCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "retry",
    abstract: "Have stores of a batch wait for another attempt.",
    discussion: """
      Only marks the stores in the ledger: run the batch again to try them. Stores that are migrated \
      or current are tried again only where their result is gone (--missing): move a wrong result away \
      first. The ledger keeps how earlier attempts ended.
      """
  )

  @OptionGroup var ledger: LedgerOptions

  @Option(
    help: ArgumentHelp(
      "States of the stores, with commas between: refused, damaged, failed, timed-out, skipped.",
      valueName: "states"
    )
  )
  var state: [String] = []

  @Flag(help: "Stores whose result is gone from the output tree.")
  var missing = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    if missing, state.isEmpty { return }
    if missing { throw ValidationError("--state and --missing exclude each other: give one.") }
    _ = try states()
  }

  func perform(in session: Session) throws -> CommandStatus {
    let states = try missing ? nil : states()
    let opened = try ledger.open(in: session)
    let count = try states.map { try opened.retry(states: $0) } ?? opened.retryMissing()
    try session.print(
      BatchRetryReport(ledger: ledger.shown, states: states, stores: count),
      as: format.format,
      afterDoing: "\(Quantity.count(count, "store")) of the batch wait again."
    )
    return .success
  }

  private func states() throws -> Set<StoreState> {
    let words = state.flatMap { $0.split(separator: ",", omittingEmptySubsequences: false) }
    guard !words.isEmpty else {
      throw ValidationError(
        "Name the states of the stores with --state, such as --state failed; or --missing."
      )
    }
    var states: Set<StoreState> = []
    for word in words {
      guard let state = StoreState(rawValue: String(word)), StoreState.retriable.contains(state)
      else {
        let known = StoreState.retriable.map(\.rawValue).sorted().joined(separator: ", ")
        throw ValidationError("--state takes \(known), and not “\(word)”.")
      }
      states.insert(state)
    }
    return states
  }
}
