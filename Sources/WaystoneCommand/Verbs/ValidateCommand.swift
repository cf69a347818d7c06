internal import ArgumentParser
internal import MigrationReporting
internal import StoreAccess
internal import Waystone

/// The command `waystone validate`.
struct ValidateCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Hold a store's objects against their model's rules.",
    discussion: """
      What Core Data checks when it saves: required properties, bounds of numbers, dates and \
      lengths, regular expressions, counts of destinations, uniqueness. Entity, property, rule and \
      count are shown with up to five primary keys, never a value. The model is the archived \
      version that the store's hashes name; where there is none, the one that the store carries. \
      The store is not changed. Status 1 where a rule is broken.
      """
  )

  @Argument(help: "The store.")
  var store: String

  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.projectIfAny()
    let (found, validation) = try StoreModel.validate(
      storeAt: session.console.resolved(store),
      shownAs: store,
      in: project.archive
    )
    let report = ValidatedStoreReport(
      store: store,
      version: found.label,
      validation: validation
    )
    try session.print(report, as: format.format)
    guard !validation.passed else { return .success }
    session.explain(
      .answerIsNo,
      "validationFailed",
      "\(store) has objects that its model does not allow: \(validation.summary)",
      "Correct them in the app, or look at the rules: `waystone rules`."
    )
    return .answerIsNo
  }
}
