internal import ArgumentParser
internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel

/// The command `waystone diff`.
struct DiffCommand: Verb {
  /// The forms in which a difference is printed.
  enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
    case markdown
  }

  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Say what differs between two versions of a model.",
    discussion: """
      Each side is a version's name, a model on disk, or a store, which stands for the model that \
      it carries. What is renamed by identifier is told apart from what merely looks like it. Each \
      change says whether the version hash sees it, and the end says whether the step can be \
      inferred, or why not.

        waystone diff v3 v4
        waystone diff Old.sqlite @current --format markdown
      """
  )

  @Argument(help: "The earlier version, model or store.")
  var old: String

  @Argument(help: "The later version, model or store.")
  var new: String

  @Option(help: ArgumentHelp("How to print the difference.", valueName: "format"))
  var format = Format.text

  @OptionGroup var common: CommonOptions

  func perform(in session: Session) throws -> CommandStatus {
    let left = try NamedModel(old, in: session)
    let right = try NamedModel(new, in: session)
    let earlier = try left.onlyVersion(of: old)
    let later = try right.onlyVersion(of: new)
    let (source, destination) = (earlier.model, later.model)
    var inference = MappingInference.infer(from: source, to: destination)
    inference.findings = right.model.questions.configurationUse.settled(inference.findings)
    let report = DiffReport(
      from: left.label,
      to: right.label,
      difference: ModelDifference(from: source, to: destination),
      inference: inference,
      lostIdentifiers: ModelLint.lostIdentifiers(from: earlier, to: later)
    )
    switch format {
    case .text: try session.print(report, as: .text)
    case .json: try session.print(report, as: .json)
    case .markdown: try session.print(report.markdown, evenIfQuiet: true)
    }
    return .success
  }
}
