internal import ArgumentParser
internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel
internal import Waystone

/// `waystone graph`.
struct GraphCommand: Verb {
  /// The forms in which a graph is printed.
  enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
    case mermaid
    case dot
  }

  static let configuration = CommandConfiguration(
    commandName: "graph",
    abstract: "Show the versions and the steps between them.",
    discussion: """
      Versions that hash alike are one node. Steps between consecutive versions (→) carry the \
      meaning of the app's history; longer ones (⇢) may mean something else, so that a plan takes \
      one only if it is equivalent: if it does to every object what the history does. A refused \
      step says why. An authored step comes from a mapping model or a hop file.

        waystone graph --format mermaid    for a README
        waystone graph --format dot | dot -Tsvg > versions.svg
      """
  )

  @Option(help: ArgumentHelp("How to print the graph.", valueName: "format"))
  var format = Format.text

  @Flag(help: "Also the path between every two versions, in JSON.")
  var paths = false

  @OptionGroup var mappings: MappingOptions
  @OptionGroup var common: CommonOptions

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(mappings)
    let graphs = project.archive.models.map { VersionGraph($0, authored: project.authored) }
    let report = try GraphReport(
      graphs: graphs,
      findings: project.archive.findings + project.binding.findings + graphs.flatMap(\.findings),
      showsPaths: paths,
      name: project.names.name
    )
    switch format {
    case .text: try session.print(report, as: .text)
    case .json: try session.print(report, as: .json)
    case .mermaid: try session.print(report.mermaid, evenIfQuiet: true)
    case .dot: try session.print(report.dot, evenIfQuiet: true)
    }
    return .success
  }
}
