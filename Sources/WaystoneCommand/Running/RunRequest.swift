internal import ArgumentParser
internal import MigrationPlanning
internal import MigrationReporting
internal import ModelCoding
internal import ObjectModel
internal import StoreMigration

/// How a run shows its progress, and how much of its result it verifies.
struct RunOptions: ParsableArguments {
  /// How progress is shown.
  enum Progress: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto
    case ndjson
    case none
  }

  @Option(
    help: ArgumentHelp(
      "How to show progress on standard error; auto is a bar on a terminal.",
      valueName: "form"
    )
  )
  var progress = Progress.auto

  /// What the display is told, given where the words go.
  func form(_ session: Session) -> ProgressDisplay.Form {
    switch progress {
    case .ndjson: .ndjson
    case .auto where session.console.isErrorTerminal && !session.isQuiet: .bar
    case .auto, .none: .hidden
    }
  }
}

/// A run of a plan by the engine, shown on the console.
struct RunRequest {
  let plan: MigrationPlan
  let names: VersionNames
  let session: Session
  let format: OutputFormat
  let progress: ProgressDisplay.Form

  /// Runs it, and prints what it did.
  ///
  /// - Parameters:
  ///   - store: The store, as the person wrote it.
  ///   - body: Lets the engine begin or go on.
  func perform(
    store: String,
    options: MigrationOptions,
    _ body: (StoreMigrator) throws -> MigrationOutcome
  ) throws -> CommandStatus {
    let console = session.console
    let display = ProgressDisplay(
      console: console,
      form: progress,
      isColored: session.allowsColor && console.isErrorTerminal
    )
    var options = options
    options.registry = session.registry
    options.onEvent = { display.take($0) }
    if console.listensToSignals {
      Interruption.listen()
      options.cancellation = Interruption.cancellation
    }
    let outcome: MigrationOutcome
    do {
      outcome = try body(StoreMigrator(plan: plan, options: options))
    } catch {
      _ = display.finish()
      throw error
    }
    var transcript = display.finish()
    // The engine hands its notes over at the end.
    for note in outcome.notes { transcript.add(note: note) }
    try session.print(
      MigrationReport(
        store: store,
        result: console.shortened(outcome.store),
        from: names.name(of: plan.source.version),
        to: names.name(of: plan.destination.version),
        transcript: transcript,
        resumedAfter: outcome.resumedAfter,
        backup: outcome.backup.map(console.shortened),
        verification: outcome.verification.checks.isEmpty ? nil : outcome.verification,
        level: options.settings.verification
      ),
      as: format
    )
    return .success
  }
}

/// What a journal keeps of the command's options, so that `resume` makes the same plan again.
enum PlanningMemory {
  private static let acceptLoss = "accept-loss"
  private static let acceptUndecided = "accept-undecided"
  private static let configuration = "configuration"
  private static let mappings = "mappings"
  private static let recovered = "recovered-model"
  private static let partName = "part-configuration"
  private static let partEntities = "part-entities"

  /// The options as the journal keeps them.
  ///
  /// - Parameters:
  ///   - cache: The bytes from which the store's version was recovered, if it was.
  ///   - part: The part of its model that the store holds, where it is not all of it.
  static func remember(
    _ acceptance: AcceptanceOptions,
    configuration path: String?,
    mappings paths: [String] = [],
    recovered cache: [UInt8]? = nil,
    part: StorePart? = nil
  ) -> [String: String] {
    var memory = [
      acceptLoss: acceptance.acceptLoss.rawValue,
      acceptUndecided: "\(acceptance.acceptUndecided)",
    ]
    memory[configuration] = path
    if !paths.isEmpty { memory[mappings] = paths.joined(separator: "\n") }
    memory[recovered] = cache.map { Hexadecimal.string($0) }
    memory[partName] = part?.configuration
    memory[partEntities] = part?.entities.joined(separator: "\n")
    return memory
  }

  /// The planner's options that the journal keeps.
  static func options(_ memory: [String: String]) -> PlanningOptions {
    var acceptance = AcceptanceOptions()
    acceptance.acceptLoss =
      memory[acceptLoss].flatMap(AcceptanceOptions.Loss.init(rawValue:)) ?? .declared
    acceptance.acceptUndecided = memory[acceptUndecided] == "true"
    return acceptance.planning
  }

  /// The part of its model that the run's store holds, where it is not all of it.
  static func part(_ memory: [String: String]) -> StorePart? {
    memory[partEntities].map {
      StorePart(
        configuration: memory[partName],
        entities: $0.split(separator: "\n").map(String.init)
      )
    }
  }

  /// The absolute paths of the mappings that the run's command line named.
  static func mappingPaths(_ memory: [String: String]) -> [String] {
    memory[mappings]?.split(separator: "\n").map(String.init) ?? []
  }

  /// The configuration that the run's models came with.
  static func configurationPath(_ memory: [String: String]) -> String? { memory[configuration] }

  /// The model of the version that was recovered from the store, where the run began with one.
  static func recoveredModel(_ memory: [String: String]) throws -> ManagedObjectModel? {
    try memory[recovered].flatMap { Hexadecimal.bytes($0) }.map {
      try ModelCache.decode($0).model
    }
  }
}
