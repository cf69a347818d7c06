internal import ArgumentParser
internal import BatchMigration
internal import MigrationReporting
internal import Waystone

/// The command `waystone batch rollback`.
struct BatchRollbackCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Put the originals of a batch back that were replaced.",
    discussion: """
      For batches that ran with --in-place. Where the ledger has migrated stores of several roots, say \
      which are meant (--select), or all of them (--all). A store that was changed since stays as it \
      is, and is named. Each rollback is that of `waystone rollback`: what it replaces is kept beside \
      the backup. The original has the contents that it had; its bytes and its time may differ, since \
      its -wal was folded into it. Status 1 where one could not be put back, or --limit left some.
      """
  )

  @OptionGroup var ledger: LedgerOptions

  @Option(
    name: .customLong("select"),
    help: ArgumentHelp(
      "Put only those back of which this is true; may be repeated, and then all must be.",
      discussion: "`name=*/Documents/*` by the name that reports show, `size<10MB` or `size>=1MB`.",
      valueName: "condition"
    )
  )
  var conditions: [String] = []

  @Flag(help: "Put the stores of all roots back.")
  var all = false

  @OptionGroup(title: "Limits") var limits: BatchLimitOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func validate() throws {
    if all, !conditions.isEmpty {
      throw ValidationError("--all and --select exclude each other: give one.")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    var selection = LedgerSelection()
    for condition in conditions { try StoreCondition(condition).apply(to: &selection) }
    let run = try BatchRun(of: ledger, common, limits, session)
    try run.checkIsInPlace()
    let roots = try run.ledger.migratedStores(where: selection)
    guard !roots.isEmpty || conditions.isEmpty else {
      session.explain(
        .answerIsNo,
        "noneSelected",
        "None of the migrated stores of \(ledger.shown) meets the conditions.",
        "Names are those of \(ledger.name.command("report", "--format csv"))."
      )
      return .answerIsNo
    }
    try announce(roots, session)
    let report = BatchVerificationReport(
      deed: .rolledBack,
      try run.rollBack(selection),
      ledger: ledger.name
    )
    try session.print(report, as: format.format, afterDoing: report.sentence)
    return report.isClean ? .success : .answerIsNo
  }

  /// Prints the number of stores that will be rolled back.
  ///
  /// - Throws: ``WaystoneError``, `badArgument` where these are of several roots, and no option confirms
  ///   that all are meant.
  private func announce(_ roots: [String: Int], _ session: Session) throws {
    let console = session.console
    let named = roots.map { (path: console.shortened($0.key), stores: $0.value) }
      .sorted { $0.path < $1.path }
    let count = roots.values.reduce(0, +)
    let stores = Quantity.count(count, "store")
    let list = named.map { "\($0.path) (\($0.stores))" }.joined(separator: ", ")
    guard let first = named.first else { return }
    guard named.count == 1 || all || !conditions.isEmpty else {
      let pattern = "name=\(first.path.split(separator: "/").last ?? "")/*"
      throw WaystoneError(
        .badArgument,
        "\(ledger.shown) has \(stores) to put back, of \(named.count) roots: \(list).",
        recovery: "Put all back with --all, or some: --select \(pattern.shellWord)."
      )
    }
    guard !session.isQuiet else { return }
    let part = limits.limit.flatMap { $0 < count ? "\(Quantity.grouped($0)) of " : nil } ?? ""
    console.writeError("Putting the originals of \(part)\(stores) back: \(list).\n")
  }
}
