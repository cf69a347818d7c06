internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone graph`.
struct GraphCommand: Verb {
  /// The forms in which a graph is printed.
  enum Format: String, ReportFormat {
    case text
    case json
    case mermaid
    case dot
    case html
  }

  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Show the versions and the steps between them.",
    discussion: """
      Versions with the same hashes are shown as one. Steps between consecutive versions (→) carry the \
      meaning of the app's history; longer ones (⇢) may mean something else, so that a plan takes \
      one only if it is equivalent: if it does to every object what the history does. A refused \
      step says why. An authored step comes from a mapping model or a hop file.

        waystone graph --format mermaid    for a README
        waystone graph --format dot | dot -Tsvg > versions.svg
        waystone graph --output versions.html
      """
  )

  @Option(help: ArgumentHelp("How to print the graph.", valueName: "format"))
  var format: Format?

  @Flag(help: "Also the path between every two versions, in JSON.")
  var paths = false

  @OptionGroup var output: ReportOutput
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var common: CommonOptions

  func perform(in session: Session) throws -> CommandStatus {
    let format = try output.format(format)
    if let path = output.path { try session.checkCanReport(to: path) }
    let project = try session.project(mappings)
    if format == .text, output.path == nil {
      try session.print(report(project, format, session), as: .text)
      return .success
    }
    let text =
      switch format {
      case .text:
        try report(project, format, session).text(isVerbose: session.isVerbose) + "\n"
          + ReportFile.signature
      case .json: try report(project, format, session).json.prettyPrinted + "\n"
      case .mermaid: try report(project, format, session).mermaid
      case .dot: try report(project, format, session).dot
      case .html:
        try project.versionMap()
          .versionsHTML(of: PageOrigin(of: project.mapped.modelsPath, session.console))
      }
    try session.deliver(text, to: output.path)
    return .success
  }

  /// Returns the graph, with all that the format shows.
  private func report(
    _ project: Project,
    _ format: Format,
    _ session: Session
  ) throws -> GraphReport {
    let graphs = project.archive.models.map { VersionGraph($0, authored: project.authored) }
    return try GraphReport(
      graphs: graphs,
      findings: project.archive.findings + project.binding.findings + graphs.flatMap(\.findings),
      showsPaths: paths,
      showsLonger: format != .text || session.isVerbose,
      name: project.names.name
    )
  }
}
