internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import Waystone

/// `waystone check`.
struct CheckCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Fail where a project is not fit to be shipped; made for CI.",
    discussion: """
      Each mapping is held against the versions: whether it is for two that are known, and which \
      entity has changed since where it is not; whether each attribute of the objects it makes gets \
      a value; whether something of the source is read nowhere; whether the policies and handlers \
      that it names are registered with this program. With --mapping that is all.

      Then the versions are held against waystone.lock: whether one that was shipped was edited, and \
      which property; whether one is gone, or not locked, or elsewhere in the order. Versions that \
      are not locked are new: what the step to each of them does to data is told, and whether every \
      shipped version has a path to them and to the current one, in the app too, which reads no hop \
      files. Where there is no lock, all versions are new, but those that `shipped:` names.

      What a new version loses fails until it is mended, or accepted with a reason, whatever \
      `policy:` says. `policy:` in waystone.yml says what else fails: `maximum: warning` makes \
      warnings fail too. Without it errors fail, and warnings on mappings. `accept:` lets findings \
      pass, each with a reason. What fails makes the exit status 1.
      """
  )

  @Option(
    name: .customLong("mapping"),
    help: ArgumentHelp(
      "A mapping to check. (default: all that plans take into account)",
      valueName: "file"
    )
  )
  var mappings: [String] = []

  @Flag(help: "Look at locked versions too as if they were new.")
  var all = false

  @OptionGroup var lock: LockOptions
  @OptionGroup var common: CommonOptions

  /// The forms in which the result is printed.
  enum Format: String, ReportFormat {
    case text
    case json
    case junit
    case sarif
    case github
    case markdown
  }

  @Option(help: ArgumentHelp("How to print the result.", valueName: "format"))
  var format: Format?

  @OptionGroup var output: ReportOutput

  func perform(in session: Session) throws -> CommandStatus {
    if let path = output.path { try session.checkCanReport(to: path) }
    var options = MappingOptions()
    options.paths = mappings
    let project = try session.project(options, lock: lock)
    if mappings.isEmpty, let path = lock.path, try !FileSystem.exists(project.lockPath) {
      throw WaystoneError(
        .missingFile,
        "There is no \(path).",
        recovery: "Correct the path, or write the lock: `waystone lock --lock \(path)`."
      )
    }
    let report =
      try mappings.isEmpty ? project.check(lookingAtAll: all) : project.checkMappings()
    try print(report, of: project, in: session)
    return report.isClean ? .success : .answerIsNo
  }

  private func print(
    _ report: CheckReport,
    of project: Project,
    in session: Session
  ) throws {
    let format = output.format(format)
    if format == .text, output.path == nil {
      try session.print(report, as: .text)
      return
    }
    var places = FindingPlaces(project, console: session.console)
    let text =
      switch format {
      case .text: report.text(isVerbose: session.isVerbose) + "\n" + ReportFile.signature
      case .json: report.json.prettyPrinted + "\n"
      case .junit: places.findings(of: report).junit
      case .sarif:
        places.findings(of: report).sarif(version: WaystoneProgram.version).prettyPrinted + "\n"
      case .github: places.findings(of: report).githubAnnotations
      case .markdown: places.findings(of: report).markdown
      }
    if format == .github { try session.appendToSummary(places.findings(of: report).markdown) }
    guard let path = output.path else {
      try session.print(text, evenIfQuiet: true)
      return
    }
    try session.write(text, to: path)
    try session.print(
      "\(path) is written: \(report.isClean ? "nothing fails" : "the check fails").\n"
    )
  }
}
