public import MigrationPlanning

/// How a plan is made, and how its run is to be done.
public struct MigrationOptions: Sendable {
  /// Which paths a plan may take, and what they may lose.
  public var planning = PlanningOptions()
  /// What a resumed run keeps: verification and what is accepted.
  public var settings = RunDescription.Settings()
  /// The version that a store of unknown hashes is taken for, if its tables and columns agree.
  public var assumedVersion: String?
  /// Edges that a program made, which count beside those of mappings.
  ///
  /// They are not remembered: `resume` is told anew.
  public var edges: [AuthoredEdge] = []
  /// Whether a plan asks the rows of its store, in a few passes over the tables.
  ///
  /// A run asks in any case, and refuses by the same conditions; a plan that did not ask is not called
  /// safe.
  public var asksRows = true
  /// The absolute path of the model archive, as `resume` shall find it again.
  package var models = ""
  /// The absolute paths of mappings that count instead of those that lie with the models.
  package var mappings: [String] = []
  /// Where the result goes; nil replaces the store itself.
  package var output: String?
  /// URLs that were given and are of no file, by the option that got them.
  package var foreignURLs: [String: String] = [:]
  /// Whether an unfinished run at the destination is thrown away first.
  public var discardsUnfinishedRun = false
  /// Which SQL of mapping files may run.
  ///
  /// It is not remembered: `resume` is told anew.
  public var allowedSQL = SQLAllowance.none
  /// The policies and handlers that authored hops name, and the transformers of attributes.
  public var registry = MigrationRegistry()
  /// The greatest number of source rows of a batch of an authored hop.
  package var batchSize = HeavyLeg.defaultBatchSize
  /// How long batches of an authored hop are committed together.
  package var commitInterval = HeavyLeg.defaultCommitInterval
  /// What a plan found out of its store, for the run.
  package var knowledge = SourceKnowledge()
  /// Asked to stop by a signal handler or another task.
  public var cancellation = Cancellation()
  /// Told what the run does, on the thread that runs it.
  public var onEvent: @Sendable (MigrationEvent) -> Void = { _ in }
  /// Told how far the run is, at the beginning of each stage and after each table, on the thread that
  /// runs it.
  public var onProgress: (@Sendable (MigrationProgress) -> Void)?

  /// In place, with standard verification, accepting nothing.
  public init() {}

  /// Registers a policy under the name of its class, whatever module a mapping model puts before it.
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

  /// Refuses URLs that are of no file, which no path may stand for: without an output the store itself
  /// would be replaced.
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

  /// The same with events that are told as progress too.
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
