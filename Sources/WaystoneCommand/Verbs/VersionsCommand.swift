internal import ArgumentParser
internal import MigrationReporting

/// `waystone versions`.
struct VersionsCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "versions",
    abstract: "List the model versions with their checksums.",
    discussion: """
      Shows each model below --models, its versions oldest first, which one is current, and which \
      hash alike, so that no store can tell them apart. With --verbose it shows each entity's \
      version hash too, as Core Data writes it into stores.
      """
  )

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    try session.print(VersionsReport(archive: session.archive().archive), as: format.format)
    return .success
  }
}
