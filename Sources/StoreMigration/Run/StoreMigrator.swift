public import MigrationPlanning
import StoreAccess

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

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
    let path = FileSystem.resolved(store)
    let destination = options.output ?? path
    if options.output != nil, FileSystem.exists(destination) {
      throw MigrationError(
        .cannotCreate,
        "The output \(destination) exists already.",
        recovery: "Choose another name, or remove it."
      )
    }
    let workspace = Workspace(destination: destination)
    let wasThere = FileSystem.exists(workspace.folder)
    if !wasThere { try FileSystem.createFolder(workspace.folder) }
    do {
      return try Lease(workspace).whileHeld {
        let journal = try prepareJournal(workspace)
        return try withSource(path, workspace, output: options.output) { source in
          var run = Run(plan: plan, options: options, workspace: workspace, journal: journal)
          return try run.begin(store: path, source: source)
        }
      }
    } catch {
      if !wasThere { try removeIfIdle(workspace) }
      throw error
    }
  }

  /// Goes on with an unfinished run.
  ///
  /// - Parameter destination: The output of the run, or the store that it replaces.
  /// - Throws: ``MigrationError``; `mismatch` where plan, checkpoint or store are not what the
  ///   journal says.
  public func resume(_ destination: String) throws -> MigrationOutcome {
    let workspace = Workspace(destination: Self.resolvedDestination(destination))
    let description = try Self.unfinishedRun(at: destination)
    guard description.planFingerprint == plan.fingerprint else {
      throw MigrationError(
        .mismatch,
        "The plan is not the one that the run at \(destination) began with: the models, "
          + "the options or the tool changed.",
        recovery: "Restore them, or start anew with migrate --restart."
      )
    }
    var options = options
    options.output = description.output
    options.settings = description.settings
    return try Lease(workspace).whileHeld {
      let journal = try CheckpointJournal(path: workspace.journal)
      var run = Run(plan: plan, options: options, workspace: workspace, journal: journal)
      if try run.wasSwapped() { return try run.finish() }
      return try withSource(description.store, workspace, output: description.output) { source in
        var run = run
        return try run.resume(source: source)
      }
    }
  }

  /// What the unfinished run at a destination was asked to do.
  ///
  /// - Throws: ``MigrationError`` with `nothingToDo` where there is none.
  public static func unfinishedRun(at destination: String) throws -> RunDescription {
    let workspace = Workspace(destination: resolvedDestination(destination))
    let journal = try CheckpointJournal(path: workspace.journal)
    guard let run = journal.run, !journal.isFinished else {
      throw MigrationError(
        .nothingToDo,
        "There is no unfinished run at \(destination).",
        recovery: "Start one with migrate."
      )
    }
    return run
  }

  /// The destination with links followed, where it exists already.
  static func resolvedDestination(_ path: String) -> String {
    FileSystem.exists(path) ? FileSystem.resolved(path) : path
  }

  /// Takes the store in the way that its fate asks for, and runs the body with it.
  private func withSource(
    _ path: String,
    _ workspace: Workspace,
    output: String?,
    _ body: (borrowing any MigrationSource & ~Copyable) throws -> MigrationOutcome
  ) throws -> MigrationOutcome {
    do {
      if output == nil {
        return try body(LockedSource(path: path))
      }
      return try body(RestingSource(path: path, scratchFolder: workspace.folder))
    } catch let error as StoreAccessError where error.code != .inUse { throw error } catch {
      throw MigrationError(error, during: "the migration of \(path)")
    }
  }

  /// The journal of a new run: empty, what an earlier run left put away.
  private func prepareJournal(_ workspace: Workspace) throws -> CheckpointJournal {
    let journal = try CheckpointJournal(path: workspace.journal)
    guard let run = journal.run else { return journal }
    if !journal.isFinished && !options.discardsUnfinishedRun {
      throw MigrationError(
        .unfinishedRun,
        "An unfinished run stands at \(workspace.destination).",
        recovery: "Go on with it by resume, or throw it away with migrate --restart.",
        isResumable: true
      )
    }
    if !journal.isFinished, let last = journal.last,
      last.event == .swapping || last.event == .swapped
    {
      throw MigrationError(
        .unfinishedRun,
        "The run at \(workspace.destination) has reached the swap.",
        recovery: "Finish it by resume.",
        isResumable: true
      )
    }
    try workspace.removeCheckpoints()
    if journal.isFinished {
      try FileSystem.createFolder(workspace.backups)
      try FileSystem.rename(workspace.journal, to: workspace.finishedJournal(run: run.run))
    } else {
      try FileSystem.remove(workspace.journal)
    }
    return try CheckpointJournal(path: workspace.journal)
  }

  /// Removes a workspace in which nothing was begun.
  private func removeIfIdle(_ workspace: Workspace) throws(FileError) {
    guard !FileSystem.exists(workspace.journal) else { return }
    try workspace.removeCheckpoints()
    try FileSystem.remove(workspace.lease)
    try FileSystem.removeFolder(workspace.folder)
  }
}
