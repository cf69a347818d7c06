/// How a migration is to be done.
public struct MigrationOptions: Sendable {
  /// What a resumed run keeps: verification and what is accepted.
  public var settings = RunDescription.Settings()
  /// The model archive, as `resume` shall find it again.
  public var models = ""
  /// Where the result goes; nil replaces the store itself.
  public var output: String?
  /// Whether an unfinished run at the destination is thrown away first.
  public var discardsUnfinishedRun = false
  /// Which SQL of mapping files may run.
  ///
  /// It is not remembered: `resume` is told anew.
  public var allowedSQL = SQLAllowance.none
  /// The policies and handlers that authored hops name.
  public var registry = MigrationRegistry()
  /// The greatest number of source rows of a batch of an authored hop.
  package var batchSize = HeavyLeg.defaultBatchSize
  /// Asked to stop by a signal handler or another task.
  public var cancellation = Cancellation()
  /// Told what the run does, on the thread that runs it.
  public var onEvent: @Sendable (MigrationEvent) -> Void = { _ in }

  /// In place, with standard verification, accepting nothing.
  public init() {}
}
