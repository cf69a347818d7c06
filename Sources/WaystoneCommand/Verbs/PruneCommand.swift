internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone prune`.
struct PruneCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "List the versions and mappings that can go; deletes nothing.",
    discussion: """
      A version can go if users have no store of it, and every path from a version that users have does the \
      same without it. Users have the versions that `shipped:` in waystone.yml names, else those that are \
      locked, else all; and those of the stores given. Of versions with the same hashes the last stays. \
      The versions listed can go together. A mapping can go if no such path takes it.

        waystone prune
        waystone prune --drop v3 v4       what would happen; exit status 1 if a store would lose
        waystone prune Old.sqlite         where this store must keep its path
      """
  )

  @Argument(help: "Stores that must keep their path.")
  var stores: [String] = []

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Versions that would be removed.", valueName: "version")
  )
  var drop: [String] = []

  @OptionGroup var mappings: MappingOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(mappings, lock: lock)
    let report = try project.pruning(without: drop, stores: stores)
    try session.print(report, as: format.format)
    return report.isHarmless ? .success : .answerIsNo
  }
}
