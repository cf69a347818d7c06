internal import ArgumentParser
internal import MigrationReporting
internal import StoreAccess
internal import StoreGeneration
internal import Waystone

/// The command `waystone coverage`.
struct CoverageCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Say what becomes of every version that was shipped: in the app, and with Waystone.",
    discussion: """
      The app takes a mapping model with the hashes of both versions, else what Core Data infers: straight \
      from the store's version to the current one (direct), version by version (progressive) or by its \
      stages (staged). That may fail, or succeed and silently lose data. Waystone takes the path that \
      loses nothing but what consecutive versions drop by design.

      The exit status is 1 where, for a shipped version, the app fails or loses data, or Waystone has no \
      path; where a version that is not locked loses data; and where fewer versions arrive than wanted. \
      `accept:` in waystone.yml lets findings pass, each with a reason. A hop file with TODO lines makes \
      no path. With --run, neither does one that lacks a policy or the name of a table, or whose trial \
      failed. Stores that are given count too; of a folder, all stores below it.

      WRITES PER 100 MB is what the hops write beside the copy, for a store of 100 MB. It is computed \
      from the rows of a store that is given; without one, as if all entities had equally many rows.
      """
  )

  /// The way in which the app opens stores of older versions.
  enum Runtime: String, ExpressibleByArgument, CaseIterable, Sendable {
    case direct
    case progressive
    case staged
    case swiftData = "swiftdata"
    case swiftDataPlan = "swiftdata-plan"

    var runtime: AppRuntime {
      switch self {
      case .direct: .direct
      case .progressive: .progressive
      case .staged: .staged
      case .swiftData: .swiftData
      case .swiftDataPlan: .swiftDataPlan
      }
    }
  }

  /// The forms in which the result is printed.
  enum Format: String, ReportFormat {
    case text
    case json
    case junit
    case sarif
    case github
    case markdown
    case html
    case mermaid
    case dot
  }

  @Argument(help: "Stores, or folders of stores, besides the versions.")
  var stores: [String] = []

  @Option(
    help: ArgumentHelp(
      "How the app migrates. (default: as waystone.yml says, else direct)",
      valueName: "way"
    )
  )
  var runtime: Runtime?

  @Option(name: .customLong("to"), help: ArgumentHelp("The version wanted.", valueName: "version"))
  var end = "@current"

  @Flag(help: "Also make a store of each version, migrate it, and say what that tried.")
  var run = false

  @Option(help: ArgumentHelp("The rows of each store that is made.", valueName: "number"))
  var rows = 500

  @Option(help: ArgumentHelp("The seed of the data in these stores.", valueName: "number"))
  var seed: UInt64 = 1

  @Option(
    help: ArgumentHelp(
      "Look only at what differs from this commit, or is not in git yet.",
      valueName: "commit"
    )
  )
  var changedOnly: String?

  @Option(
    help: ArgumentHelp(
      "How many of a hundred shipped versions must arrive in the app.",
      valueName: "percent"
    )
  )
  var minimum: Int?

  @Flag(
    inversion: .prefixedNo,
    help: """
      Also look at the edges between all versions, those that the app would take among them, and at the least \
      path between every two. Of a thousand versions that takes minutes. (default: with --format html)
      """
  )
  var allEdges: Bool?

  @Option(help: ArgumentHelp("How to print the result.", valueName: "format"))
  var format: Format?

  @OptionGroup var output: ReportOutput
  @OptionGroup var lock: LockOptions
  @OptionGroup var sql: SQLOptions
  @OptionGroup var mappings: MappingOptions
  @OptionGroup var common: CommonOptions

  mutating func validate() throws {
    guard (1...StoreGenerator.greatestRowCount).contains(rows) else {
      throw ValidationError("--rows must be from 1 to \(StoreGenerator.greatestRowCount).")
    }
    if let minimum, !(0...100).contains(minimum) {
      throw ValidationError("--minimum must be from 0 to 100.")
    }
  }

  var takesPolicies: Bool { true }

  func perform(in session: Session) throws -> CommandStatus {
    let format = try output.format(format)
    if let path = output.path { try session.checkCanReport(to: path) }
    let project = try session.project(mappings, lock: lock)
    var options = CoverageOptions()
    options.runtime = runtime?.runtime
    options.version = VersionName(end)
    options.minimumPercent = minimum
    options.stores = stores
    options.allEdges = allEdges ?? (format == .html)
    options.describesEdges = [.json, .html].contains(format)
    options.allowsSQL = sql.allowsAll
    options.changes = try changedOnly.map {
      try ChangedFiles(
        since: $0,
        around: project.mapped.modelsPath,
        environment: session.console.environment
      )
    }
    if run {
      options.trials = CoverageOptions.Trials(rows: rows, seed: seed)
      options.cancellation = session.cancellation
    }
    let report = try project.coverage(options)
    try print(report, as: format, of: project, in: session)
    return report.isComplete ? .success : .answerIsNo
  }

  /// Prints or writes the result in the form wanted.
  private func print(
    _ report: CoverageReport,
    as format: Format,
    of project: Project,
    in session: Session
  ) throws {
    if format == .text, output.path == nil {
      try session.print(report, as: .text)
      return
    }
    var places = FindingPlaces(project, console: session.console)
    let placed = format == .text || format == .json ? report : report.placed(by: &places)
    let text =
      switch format {
      case .text: report.text(isVerbose: session.isVerbose) + "\n" + ReportFile.signature
      case .json: try report.json.prettyPrinted + "\n"
      case .junit: placed.junit
      case .sarif:
        try placed.findingsReport
          .sarif(version: WaystoneProgram.version, site: BuildDescription.site).prettyPrinted + "\n"
      case .github: placed.findingsReport.githubAnnotations
      case .markdown: placed.markdown
      case .html: try placed.html(of: PageOrigin(of: project.mapped.modelsPath, session.console))
      case .mermaid: placed.mermaid
      case .dot: placed.dot
      }
    if format == .github { try session.appendToSummary(placed.markdown) }
    try session.deliver(text, to: output.path, saying: " \(report.verdictWords)")
  }
}
