internal import ArgumentParser
internal import Files
internal import MigrationPlanning
internal import MigrationReporting
internal import ObjectModel
internal import StoreAccess
internal import StoreMigration

/// `waystone resume`.
struct ResumeCommand: Verb {
  static let configuration = CommandConfiguration(
    commandName: "resume",
    abstract: "Go on with a run that was interrupted.",
    discussion: """
      The destination is the output of the run, or the store where that is replaced. The run goes \
      on from its last checkpoint with the options it began with, after models, plan, store and \
      checkpoint were found to be what its journal says. Where nothing is left to do, nothing is \
      done, and the status is 0.
      """
  )

  @Argument(help: "The output of the run, or the store that it replaces.")
  var destination: String

  @OptionGroup var mappings: MappingOptions
  @OptionGroup var sql: SQLOptions
  @OptionGroup var run: RunOptions
  @OptionGroup var common: CommonOptions
  @OptionGroup var format: FormatOption

  func perform(in session: Session) throws -> CommandStatus {
    let console = session.console
    let path = console.resolved(destination)
    let description: RunDescription
    do {
      description = try StoreMigrator.unfinishedRun(at: path)
    } catch let error as MigrationError where error.code == .nothingToDo {
      // A run that was killed at its very end may have left its folder.
      StoreMigrator.removeIdleWorkspace(of: path)
      guard try FileSystem.exists(path) else {
        throw CommandError(
          .missingFile,
          "There is neither a store nor a run at \(destination).",
          recovery: "Name the output of the run, or the store that it replaces."
        )
      }
      try session.print(NothingToResumeReport(destination: destination), as: format.format)
      return .success
    }
    if description.settings.finishesCleanup {
      let loaded = try session.archiveIfAny()
      let found = try StoreModel(ofStoreAt: description.store, shownAs: destination, in: loaded)
      return try resume(
        path,
        description,
        plan: found.planWithoutHops(),
        loaded,
        session
      )
    }
    let memory = description.settings.planning
    let loaded = try session.archive(
      of: description,
      configuration: PlanningMemory.configurationPath(memory)
    ).binding(
      mappings: mappings.paths.isEmpty ? PlanningMemory.mappingPaths(memory) : mappings.paths,
      console: console
    )
    let request: PlanningRequest
    if let recovered = try PlanningMemory.recoveredModel(memory) {
      request = try PlanningRequest(
        recovering: recovered,
        to: loaded.names.version(description.to),
        store: nil,
        in: loaded
      )
    } else if let part = PlanningMemory.part(memory) {
      request = try PlanningRequest(
        part: part,
        of: loaded.names.version(description.from),
        to: loaded.names.version(description.to),
        store: nil,
        in: loaded
      )
    } else {
      request = try PlanningRequest(
        from: description.from,
        to: description.to,
        in: loaded,
        console: console
      )
    }
    let planner = MigrationPlanner(graph: request.graph)
    let (source, end) = (request.source, request.destination)
    let options = PlanningMemory.options(memory)
    let stops = PlanningMemory.path(memory)
    let plan =
      stops.isEmpty
      ? try planner.plan(from: source, to: end, options: options)
      : try planner.plan(along: stops, from: source, to: end, options: options)
    return try resume(path, description, plan: plan, loaded, session)
  }

  private func resume(
    _ path: String,
    _ description: RunDescription,
    plan: MigrationPlan,
    _ loaded: LoadedArchive,
    _ session: Session
  ) throws -> CommandStatus {
    let run = RunRequest(
      plan: plan,
      names: loaded.names,
      session: session,
      format: format.format,
      progress: run.form(session)
    )
    var options = MigrationOptions()
    options.allowedSQL = sql.allowance(for: plan, in: loaded, session.console)
    return try run.perform(
      store: session.console.shortened(description.store),
      options: options
    ) { try $0.resume(path) }
  }
}
