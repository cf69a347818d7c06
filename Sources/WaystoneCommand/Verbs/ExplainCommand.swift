internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone explain`.
struct ExplainCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Say why a plan takes its path, and why not the others.",
    discussion: """
      The shortcut from one version to the other is compared with the history, which stops at every \
      version between. Where it is not equivalent, each property is named that it loses, brings back or \
      fills with something else. Where a step is not possible, the answer names what blocks it, and mappings \
      that were made for versions near these. For each path that is not taken it says why.
      """
  )

  @Argument(help: "A store, or the name of a version.")
  var start: String

  @Argument(help: ArgumentHelp("The version wanted.", valueName: "version"))
  var end = "@current"

  @OptionGroup(title: "Acceptance options") var acceptance: AcceptanceOptions
  @OptionGroup(title: "Path options") var path: PathOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  var takesPolicies: Bool { true }

  func perform(in session: Session) throws -> CommandStatus {
    let project = try session.project(mappings)
    let request = try PlanningRequest(
      from: start,
      to: end,
      assuming: acceptance.assume,
      in: project
    )
    let asked = try acceptance.request(request, by: path, in: project, session)
    let planned = try PlannedPath(asked, showsAlternatives: true, isWhole: true)
    let graph = request.graph
    let (source, destination) = (request.source, request.destination)
    let history =
      graph.order.history(from: source.index, to: destination.index)
      ?? graph.order.history(from: destination.index, to: source.index)?.reversed() ?? []
    let between =
      source.index <= destination.index
      ? graph.order.between(source.index, destination.index)
      : graph.order.between(destination.index, source.index)
    let near = project.binding.nearMisses.filter { miss in
      between.contains { index in
        graph.nodes[index].versions.contains { miss.versionNames.contains($0.qualifiedName) }
      }
    }
    let report = ExplanationReport(
      plan: planned.report,
      direct: source.index == destination.index
        ? nil : try direct(graph.edge(from: source, to: destination), asked),
      history: history.map { project.names.name(of: graph.nodes[$0].version) },
      nearMappings: near.map(\.finding)
    )
    try session.print(report, as: format.format)
    guard let error = planned.error else { return .success }
    session.explain(Failure.report(error))
    return .noPath
  }

  private func direct(
    _ edge: VersionGraph.Edge,
    _ request: MigrationRequest
  ) throws -> ExplanationReport.Direct {
    let graph = request.planning.graph
    let verdict = graph.verdict(on: edge)
    var decided = edge
    let findings = try request.planning.asking(request.options) { $0?.findings(of: edge) }
    if let findings { decided.findings = findings }
    return ExplanationReport.Direct(
      edge: decided,
      verdict: verdict,
      verdictFindings: graph.findings(of: verdict, on: edge)
    )
  }
}
