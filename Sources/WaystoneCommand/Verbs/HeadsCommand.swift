internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone heads`.
struct HeadsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "heads",
    abstract: "List the versions that claim to be the next, as after a merge of two branches.",
    discussion: """
      Two branches may each have made a version after the last one that is locked: `v5` and `v5 2`. \
      A version that is not locked is based on the locked one from which it differs least, and \
      builds on an earlier new one if it keeps at least half of what that changes. One that no \
      other builds on is a head. Two locked versions that follow the same one are heads too. With several \
      heads the exit status is 1; each is shown with what it changes, and whether they touch the \
      same things. An `order:` in waystone.yml settles which comes first.

      A conflict that a merge left in .xccurrentversion makes the exit status 1, too.
      """
  )

  @OptionGroup var lock: LockOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(lock: lock)
    let report = HeadsReport(try project.heads(), names: project.names)
    try session.print(report, as: format.format)
    return report.isSettled ? .success : .answerIsNo
  }
}
