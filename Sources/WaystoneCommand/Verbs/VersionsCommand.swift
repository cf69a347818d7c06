internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone versions`.
struct VersionsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "versions",
    abstract: "List the model versions with their checksums.",
    discussion: """
      Shows each model below --models, its versions oldest first, which one is current, and which \
      have the same hashes, so that a store is of all of them. With --verbose it shows each entity's \
      version hash too, as Core Data writes it into stores.
      """
  )

  @Flag(
    help: "Add what a reviewer should know of each version: forgotten identifiers and the like."
  )
  var lint = false

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    var archive = try session.project().archive
    if lint { archive.findings += archive.models.flatMap(ModelLint.findings) }
    try session.print(VersionsReport(archive: archive), as: format.format)
    return .success
  }
}
