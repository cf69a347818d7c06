internal import ArgumentParser
private import Foundation
internal import MigrationReporting
internal import StoreMigration

/// The command `waystone clean`.
struct CleanCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "clean",
    abstract: "Remove backups and other files that finished runs keep.",
    discussion: """
      Shows the backups, the stores that rollbacks replaced and the journals of finished runs beside \
      a store, with their sizes; removes them with --yes, and the folder that is empty then. What an \
      unfinished run or rollback needs always stays.
      """
  )

  @Argument(help: "The store, or the output of a run.")
  var store: String

  @Option(help: ArgumentHelp("Keep all files of the last so many runs.", valueName: "number"))
  var keep = 0

  @Option(
    help: ArgumentHelp(
      "Only what was last written more than so many days ago.",
      valueName: "days"
    )
  )
  var olderThan: Int?

  @Flag(help: "Remove what is shown.")
  var yes = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  mutating func validate() throws {
    if keep < 0 { throw ValidationError("--keep takes a number from 0 up.") }
    if let olderThan, !(0...1_000_000).contains(olderThan) {
      throw ValidationError("--older-than takes a number of days from 0 up.")
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let console = session.console
    try session.checkIsThere(console.resolved(store), shownAs: store)
    let now = Int(Date().timeIntervalSince1970)
    let rule = CleaningRule(kept: keep, before: olderThan.map { now - $0 * 86400 })
    let cleaning = try StoreMigrator.clean(console.resolved(store), rule, isTrial: !yes)
    try session.print(
      CleaningReport(
        store: store,
        cleaning: cleaning,
        isDone: yes,
        shortened: { console.shortened($0) }
      ),
      as: format.format,
      afterDoing: yes
        ? "\(Quantity.count(cleaning.removed.count, "file")) of \(store) removed." : nil
    )
    return .success
  }
}
