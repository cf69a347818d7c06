public import MigrationPlanning

/// The options of a plan and of its run.
public struct MigrationOptions: Sendable {
  /// The paths that a plan may take, and their losses.
  public var planning = PlanningOptions()
  /// The settings that a resumed run keeps: verification and accepted changes.
  public var settings = RunDescription.Settings()
  /// The version that a store of unknown hashes is taken for, if its tables and columns agree.
  public var assumedVersion: String?
  /// Edges that a program made, which count beside those of mappings.
  ///
  /// They are not recorded: `resume` needs them again.
  public var edges: [AuthoredEdge] = []
  /// Whether a plan asks the rows of its store, in a few readings of the tables.
  ///
  /// A run asks in any case, and refuses by the same conditions; a plan without the answers is not
  /// reported as safe.
  public var asksRows = true
  /// The absolute path of the model archive, as `resume` shall find it again.
  package var models = ""
  /// The absolute paths of mappings that are used instead of those beside the models.
  package var mappings: [String] = []
  /// The path of the result; nil replaces the store itself.
  package var output: String?
  /// URLs that were given and are of no file, by the option that got them.
  package var foreignURLs: [String: String] = [:]
  /// Whether an unfinished run at the destination is thrown away first.
  public var discardsUnfinishedRun = false
  /// The SQL of mapping files that may run.
  ///
  /// It is not recorded: `resume` needs it again.
  public var allowedSQL = SQLAllowance.none
  /// The policies and handlers that authored hops name, and the transformers of attributes.
  public var registry = MigrationRegistry()
  /// The greatest number of source rows of a batch of an authored hop.
  package var batchSize = ObjectHop.defaultBatchSize
  /// The time that batches of an authored hop are collected for one commit.
  package var commitInterval = ObjectHop.defaultCommitInterval
  /// The proof that a plan read from its store, for the run.
  package var knowledge = SourceCache()
  /// Asked to stop by a signal handler or another task.
  public var cancellation = Cancellation()
  /// Called with the events of the run, on the thread that runs it.
  public var onEvent: @Sendable (MigrationEvent) -> Void = { _ in }
  /// Called with the progress of the run, at the beginning of each stage and after each table, on
  /// the thread that runs it.
  public var onProgress: (@Sendable (MigrationProgress) -> Void)?

  /// Makes options for a run in place, with standard verification, that accept nothing.
  public init() {}

  /// Registers a policy under the name of its class; the module name in a mapping model is ignored.
  public mutating func register(_ policy: EntityMigrationPolicy.Type) {
    registry.register(policy)
  }

  /// Registers a handler that stages and hop files mention by its name.
  public mutating func register(
    handler name: String,
    _ handler: @escaping MigrationRegistry.Handler
  ) {
    registry.register(handler: name, handler)
  }

  /// Throws if a URL is not of a file: without an output, the store itself would be replaced.
  ///
  /// - Throws: ``MigrationError`` with `refused`.
  package func requireFileURLs() throws(MigrationError) {
    guard let (option, url) = foreignURLs.min(by: { $0.key < $1.key }) else { return }
    throw MigrationError(
      .refused,
      "\(url), which is set as \(option), is not the URL of a file.",
      recovery: "Make one with URL(filePath:)."
    )
  }

  /// Registers a transformer under the name that models give transformable attributes.
  ///
  /// Where a model names none, ``SecureUnarchiveFromDataTransformer`` is taken, under the name
  /// `NSSecureUnarchiveFromData`.
  public mutating func register(
    transformer: some AttributeTransformer,
    forName name: String
  ) {
    registry.register(transformer: transformer, forName: name)
  }

  /// Returns the same options with events that are reported as progress too.
  func reportingProgress() -> MigrationOptions {
    guard let onProgress else { return self }
    var options = self
    let meter = ProgressMeter()
    let onEvent = onEvent
    options.onEvent = { event in
      onEvent(event)
      if let progress = meter.take(event) { onProgress(progress) }
    }
    options.onProgress = nil
    return options
  }
}
