internal import ArgumentParser
internal import MigrationReporting
internal import Waystone

/// The command `waystone rules`.
struct RulesCommand: Verb {
  /// The forms in which rules are printed.
  enum Format: String, ExpressibleByArgument, CaseIterable, Sendable {
    case text
    case json
    case markdown
  }

  static let configuration = CommandConfiguration(
    commandName: "rules",
    abstract: "List the codes of findings, or explain one, or a group such as WS2xx.",
    discussion: """
      A code keeps its meaning for ever. 1xx speaks of reading models, 2xx of models themselves, \
      3xx of steps between versions, 4xx of mappings, paths and runs, 5xx of stores, 6xx of objects \
      that break the rules of their model, 7xx of what was shipped: the lock, the app itself, and trials, \
      8xx of models in Swift, and 9xx of models that CloudKit mirrors.

        waystone rules
        waystone rules WS209
        waystone rules WS2xx
      """
  )

  @Argument(help: "A code, or all of a hundred: WS2xx.")
  var code: String?

  @OptionGroup var common: CommonOptions
  @Option(help: ArgumentHelp("How to print the result.", valueName: "format"))
  var format = Format.text

  func perform(in session: Session) throws -> CommandStatus {
    guard let code else {
      return try print(FindingCode.allCases, isExplained: false, in: session)
    }
    let codes = RulesReport.codes(code)
    guard !codes.isEmpty else {
      throw WaystoneError(
        .badArgument,
        "No finding has the code \(code).",
        recovery: "`waystone rules` lists all codes."
      )
    }
    return try print(codes, isExplained: true, in: session)
  }

  private func print(
    _ codes: [FindingCode],
    isExplained: Bool,
    in session: Session
  ) throws -> CommandStatus {
    let site = BuildDescription.site
    let report = RulesReport(codes: codes, isExplained: isExplained, site: site)
    switch format {
    case .text: try session.print(report, as: .text)
    case .json: try session.print(report, as: .json)
    case .markdown: try session.print(report.markdown, evenIfQuiet: true)
    }
    return .success
  }
}
