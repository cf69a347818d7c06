import Files
public import MigrationPlanning
import StoreAccess

/// Runs a plan on a store, with a checkpoint after each hop.
///
/// The original keeps its content until the verified result takes its place by one rename. Whatever
/// ends the run before, `resume` goes on from the last checkpoint.
public struct StoreMigrator: Sendable {
  /// The plan that is run.
  public let plan: MigrationPlan
  /// How it is run.
  public let options: MigrationOptions

  /// A migrator for a plan.
  public init(plan: MigrationPlan, options: MigrationOptions) {
    self.plan = plan
    self.options = options
  }

  /// Migrates a store from its version to the plan's destination.
  ///
  /// - Parameter store: The path of a store of the plan's first version.
  /// - Throws: ``MigrationError``, or `StoreAccessError` where the store cannot be read at all; the
  ///   store then keeps its content.
  /// - Complexity: A few sequential passes over the store for each hop that moves rows.
  public func migrate(_ store: String) throws -> MigrationOutcome {
    try options.allowedSQL.check(plan)
    let path = try FileSystem.canonical(store)
    guard try FileSystem.exists(path) else {
      throw StoreAccessError(code: .missing, message: "There is no file \(store)")
    }
    var options = options
    options.output = try options.output.map { try FileSystem.canonical($0) }
    guard options.output != nil || !options.settings.acceptsDamagedSource else {
      throw MigrationError(
        .refused,
        "What can be read of a damaged store cannot take its place.",
        recovery: "Name a file for the result (--output)."
      )
    }
    if let output = options.output {
      guard try !FileSystem.exists(output) else {
        throw MigrationError(
          .cannotCreate,
          "The output \(output) exists already.",
          recovery: "Choose another name, or remove it."
        )
      }
      try Run.checkNothingBeside(output)
      let files = try StoreFiles(store: path)
      try ExternalTransfer(source: files, destination: StoreFiles(store: output))
        .checkStem(canHaveFiles: plan.allowsExternalFiles)
      if [files.writeAheadLog, files.sharedMemory, files.rollbackJournal].contains(output) {
        throw MigrationError(
          .cannotCreate,
          "SQLite would take \(output) for a part of \(path).",
          recovery: "Choose another name."
        )
      }
    }
    let workspace = Workspace(destination: options.output ?? path)
    do { try FileSystem.ensureFolder(workspace.folder) } catch {
      throw MigrationError(.cannotCreate, error.message + ".", recovery: error.recovery)
    }
    return try Lease(workspace).whileHeld {
      defer { workspace.removeIfIdle() }
      try? workspace.removePrivateCopies()
      let earlier = try prepareJournal(workspace)
      return try withSource(path, workspace, options) { source in
        var run = Run(
          plan: plan,
          options: options,
          workspace: workspace,
          journal: earlier.journal
        )
        run.discarded = earlier.discarded
        return try run.begin(store: path, source: source)
      }
    }
  }

  /// Goes on with an unfinished run.
  ///
  /// - Parameter destination: The output of the run, or the store that it replaces.
  /// - Throws: ``MigrationError``; `mismatch` where plan, checkpoint or store are not what the
  ///   journal says.
  public func resume(_ destination: String) throws -> MigrationOutcome {
    let workspace = try Workspace(destination: FileSystem.canonical(destination))
    _ = try Self.unfinishedRun(at: destination)
    return try Lease(workspace).whileHeld {
      defer { workspace.removeIfIdle() }
      // Read again: before the lease was ours, another process may have finished the run.
      let journal = try CheckpointJournal(path: workspace.journal)
      let description = try Self.unfinishedRun(in: journal, at: destination)
      try check(description, isAt: workspace)
      var options = options
      if journal.last?.event != .swapped { try options.allowedSQL.check(plan) }
      options.output = description.output
      options.settings = description.settings
      var run = Run(plan: plan, options: options, workspace: workspace, journal: journal)
      if try run.wasSwapped() { return try run.finish() }
      guard description.planFingerprint == plan.fingerprint else {
        throw MigrationError(
          .mismatch,
          "The plan is not the one that the run at \(destination) began with: the models, "
            + "the options or the tool changed.",
          recovery: "Restore them, or start anew with migrate --restart."
        )
      }
      try? workspace.removePrivateCopies()
      return try withSource(description.store, workspace, options) { source in
        var run = run
        return try run.resume(source: source)
      }
    }
  }

  /// Refuses a run whose folder was moved or copied since: its store is another one, which the run
  /// neither knows nor holds.
  private func check(_ description: RunDescription, isAt workspace: Workspace) throws {
    let destination = try FileSystem.canonical(description.output ?? description.store)
    guard destination != workspace.destination else { return }
    throw MigrationError(
      .mismatch,
      "The run at \(workspace.destination) was begun at \(destination).",
      recovery: "Move it back there, or start anew with migrate --restart."
    )
  }

  /// What the unfinished run at a destination was asked to do.
  ///
  /// - Throws: ``MigrationError`` with `nothingToDo` where there is none.
  public static func unfinishedRun(at destination: String) throws -> RunDescription {
    let workspace = try Workspace(destination: FileSystem.canonical(destination))
    return try unfinishedRun(in: CheckpointJournal(path: workspace.journal), at: destination)
  }

  private static func unfinishedRun(
    in journal: CheckpointJournal,
    at destination: String
  ) throws(MigrationError) -> RunDescription {
    guard let run = journal.run, !journal.isFinished else {
      throw MigrationError(
        .nothingToDo,
        "There is no unfinished run at \(destination).",
        recovery: "Start one with migrate."
      )
    }
    return run
  }

  /// Takes the store in the way that its fate asks for, and runs the body with it.
  private func withSource(
    _ path: String,
    _ workspace: Workspace,
    _ options: MigrationOptions,
    _ body: (borrowing any MigrationSource & ~Copyable) throws -> MigrationOutcome
  ) throws -> MigrationOutcome {
    do {
      if options.output == nil { return try body(LockedSource(path: path)) }
      let source = try RestingSource(path: path, scratchFolder: workspace.folder)
      guard options.settings.acceptsDamagedSource else { return try body(consume source) }
      let check = SourceCheck(
        level: options.settings.verification,
        cancellation: options.cancellation
      )
      let faults = try source.withConnection { try check.faults(of: $0) }
      if faults.isEmpty { return try body(consume source) }
      return try body(
        SalvagedSource(
          source,
          faults: faults,
          scratchFolder: workspace.folder,
          cancellation: options.cancellation
        )
      )
    } catch let error as StoreAccessError where error.code != .inUse { throw error } catch {
      throw MigrationError(error, during: "the migration of \(path)")
    }
  }

  /// The journal that a new run finds: of a finished run, or empty, with the run that was thrown away.
  private func prepareJournal(
    _ workspace: Workspace
  ) throws -> (journal: CheckpointJournal, discarded: RunDescription?) {
    let journal = try CheckpointJournal(path: workspace.journal)
    guard let description = journal.run, !journal.isFinished else { return (journal, nil) }
    guard options.discardsUnfinishedRun else {
      throw MigrationError(
        .unfinishedRun,
        "An unfinished run stands at \(workspace.destination).",
        recovery: "Go on with it by resume, or throw it away with migrate --restart.",
        isResumable: true
      )
    }
    let run = Run(plan: plan, options: options, workspace: workspace, journal: journal)
    guard journal.last?.event != .swapped, try !run.isResultPlaced() else {
      throw MigrationError(
        .unfinishedRun,
        "The run at \(workspace.destination) has put its result into place.",
        recovery: "Finish it by resume.",
        isResumable: true
      )
    }
    try FileSystem.remove(workspace.journal)
    try FileSystem.synchronize(folder: workspace.folder)
    try workspace.removeCheckpoints()
    try removeSecondName(workspace.backup(run: description.run), of: workspace.destination)
    return (try CheckpointJournal(path: workspace.journal), description)
  }

  /// Removes the backup that a run made of a store which is still in its place.
  private func removeSecondName(_ backup: String, of store: String) throws {
    guard let second = try FileSystem.status(backup), let first = try FileSystem.status(store),
      second.isSameFile(as: first)
    else { return }
    try FileSystem.remove(backup)
  }
}
