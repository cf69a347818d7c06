internal import ArgumentParser
internal import Files
internal import MigrationReporting
internal import Waystone

/// The command `waystone check`.
struct CheckCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Fail where a project is not fit to be shipped; made for CI.",
    discussion: """
      Each mapping is held against the versions: whether it is for two that are known, and which \
      entity has changed since where it is not; whether each attribute of the objects it makes gets \
      a value; whether something of the source is read nowhere; whether the policies and handlers \
      that it names are registered with this program. With --mappings that is all.

      Then the versions are held against waystone.lock: whether one that was shipped was edited, and \
      which property; whether one is gone, or not locked, or elsewhere in the order. Versions that \
      are not locked are new: what the step to each of them does to data is told, and whether every \
      shipped version has a path to them and to the current one, in the app too, which reads no hop \
      files. Where there is no lock, the versions before the current one count as shipped, as a first \
      `lock` takes them, or those that `shipped:` names: what their steps lose is counted in one line, \
      and --all lists it.

      As long as the current version is not locked, what `coverage` calls an error of a shipped version is one \
      here too.

      Where the names of the versions contradict the current one, the order is unknown: that is an \
      error, and no step of that model is checked until `order:` in waystone.yml gives it.

      What a new version loses fails until it is mended, or accepted with a reason, whatever \
      `policy:` says. So does a step to it of which Apple's documents do not say whether the app takes \
      it. `policy:` in waystone.yml says what else fails: `maximum: warning` makes \
      warnings fail too, and so does --fail-on warning. Without it errors fail, and warnings on \
      mappings. `accept:` lets findings pass, each with a reason. What fails makes the exit status 1.

      What SwiftData makes of some Swift types is assumed. --learn takes it from a store of the app: from \
      the model that the store carries, else by trying forms until an entity has the store's hash. It is \
      printed as lines for waystone.yml, and counts in this check:

        waystone check --learn Samples/1.0.store

      A project that has many findings already keeps them in a baseline, and only new ones fail:

        waystone check --write-baseline waystone-baseline.json
        waystone check --baseline waystone-baseline.json
      """
  )

  @Option(
    help: ArgumentHelp(
      """
      A mapping to check, or a folder of them; may be repeated. (default: all that plans take into account)
      """,
      valueName: "path"
    )
  )
  var mappings: [String] = []

  @Flag(help: "Look at locked versions too as if they were new.")
  var all = false

  @Option(help: ArgumentHelp("The least severity that fails.", valueName: "severity"))
  var failOn: Severity?

  @Option(
    help: ArgumentHelp(
      "Leave out findings on what is as it was in a commit of git.",
      valueName: "commit"
    )
  )
  var changedOnly: String?

  @Option(
    help: ArgumentHelp("Leave out the findings that this file has.", valueName: "file")
  )
  var baseline: String?

  @Option(
    help: ArgumentHelp("Write what is found now to a baseline, and pass.", valueName: "file")
  )
  var writeBaseline: String?

  @Option(
    help: ArgumentHelp(
      """
      A store of the app: what SwiftData made of Swift types there counts, and is printed as lines for \
      waystone.yml; may be repeated.
      """,
      valueName: "store"
    )
  )
  var learn: [String] = []

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
    case xcode
  }

  @Option(help: ArgumentHelp("How to print the result.", valueName: "format"))
  var format: Format?

  @OptionGroup var output: ReportOutput

  /// The severity of a finding, the worst first.
  enum Severity: String, CaseIterable, ExpressibleByArgument {
    case error, warning, note
  }

  mutating func validate() throws {
    let others =
      failOn != nil || changedOnly != nil || baseline != nil || writeBaseline != nil || all
      || lock.path != nil || !learn.isEmpty
    guard mappings.isEmpty || !others else {
      throw ValidationError(
        "--mappings checks mappings alone: leave out --all, --lock, --learn, --fail-on, --changed-only "
          + "and baselines."
      )
    }
    guard format != .xcode || output.path == nil else {
      throw ValidationError("Xcode reads what a build phase prints: leave out --output.")
    }
    guard writeBaseline == nil || (baseline == nil && changedOnly == nil && output.path == nil)
    else {
      throw ValidationError(
        "--write-baseline keeps all findings: leave out --baseline, --changed-only and --output."
      )
    }
  }

  func perform(in session: Session) throws -> CommandStatus {
    let format = try output.format(format)
    if let path = output.path { try session.checkCanReport(to: path) }
    if let path = writeBaseline {
      try session.checkCanReport(to: path) { file in
        (try? FindingBaseline(path: file, name: path)) != nil
      }
    }
    var options = MappingOptions()
    options.paths = mappings
    var project = try session.project(options, lock: lock)
    if !learn.isEmpty {
      project = try project.learning(from: learn).answering(session.console.environment)
        .withMappings(mappings)
    }
    guard mappings.isEmpty || !project.mapped.mappingPaths.isEmpty else {
      throw WaystoneError(
        .missingFile,
        "There is no mapping in \(mappings.joined(separator: " or ")).",
        recovery: "Name a mapping, or a folder of mappings."
      )
    }
    if mappings.isEmpty, let path = lock.path, try !FileSystem.exists(project.lockPath) {
      throw WaystoneError(
        .missingFile,
        "There is no \(path).",
        recovery: "Correct the path, or write the lock: `waystone lock --lock \(path.shellWord)`."
      )
    }
    var checks = CheckOptions()
    checks.looksAtAll = all
    checks.threshold = failOn.flatMap { Finding.Severity(rawValue: $0.rawValue) }
    checks.baseline = try baseline.map {
      try FindingBaseline(path: session.console.resolved($0), name: $0)
    }
    checks.changes = try changedOnly.map {
      try ChangedFiles(
        since: $0,
        around: project.mapped.modelsPath,
        environment: session.console.environment
      )
    }
    if mappings.isEmpty, try !FileSystem.exists(project.lockPath) {
      let reference = changedOnly ?? "HEAD"
      let repository = try GitRepository.ifAny(
        around: FileSystem.folder(of: project.lockPath),
        environment: session.console.environment
      )
      let hasLock = try repository?.hasFile(project.lockPath, in: reference)
      checks.commitWithLock = hasLock == true ? reference : nil
    }
    let report = try mappings.isEmpty ? project.check(checks) : project.checkMappings()
    if let writeBaseline {
      let baseline = FindingBaseline(report, name: writeBaseline)
      try session.write(baseline.text(), to: writeBaseline)
      let count = Quantity.count(baseline.count, "finding")
      let edits = report.allFindings.filter(\.breaksLock)
      let rest =
        edits.isEmpty
        ? ""
        : " It leaves out \(Quantity.count(edits.count, "finding")) on locked versions, which \(edits.count == 1 ? "fails" : "fail") "
          + "with it too. \(edits.failed)"
      try session.print("\(writeBaseline) is written: \(count). Commit it.\(rest)\n")
      return .success
    }
    try print(report, as: format, of: project, in: session)
    return report.isClean ? .success : .answerIsNo
  }

  private func print(
    _ report: CheckReport,
    as format: Format,
    of project: Project,
    in session: Session
  ) throws {
    if format == .text, output.path == nil {
      try session.print(report, as: .text)
      return
    }
    var places = FindingPlaces(project, console: session.console)
    let text =
      switch format {
      case .text: report.text(isVerbose: session.isVerbose) + "\n" + ReportFile.signature
      case .json: try report.json.prettyPrinted + "\n"
      case .junit: places.findings(of: report).junit
      case .sarif:
        try places.findings(of: report)
          .sarif(version: WaystoneProgram.version, site: BuildDescription.site).prettyPrinted + "\n"
      case .github: places.findings(of: report).githubAnnotations
      case .markdown: places.findings(of: report).markdown
      case .xcode: places.findings(of: report).xcodeDiagnostics(below: places.root)
      }
    if format == .github { try session.appendToSummary(places.findings(of: report).markdown) }
    let answer = report.isClean ? "Nothing fails." : report.failures.failed
    try session.deliver(text, to: output.path, saying: " \(answer)")
  }
}
