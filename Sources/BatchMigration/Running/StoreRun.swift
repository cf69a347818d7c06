internal import Files
internal import Foundation
internal import StoreAccess
package import StoreMigration
package import Waystone

/// The migration of one store of a batch, in the process of a worker.
///
/// It ends in an outcome for any store. An interrupted run is resumed; a finished result that the
/// ledger does not record is recognized by its certificate.
package struct StoreRun {
  private let settings: BatchSettings
  let projects: [Project]
  private let cancellation: Cancellation
  /// A handler that receives the model and the version of a store as soon as they are known.
  private let onIdentified: (StoreIdentification) -> Void
  /// The folder that relative paths start from.
  var folder: String { settings.folder }

  /// Runs with the projects of a worker.
  package init(
    _ settings: BatchSettings,
    in projects: [Project],
    cancellation: Cancellation,
    onIdentified: @escaping (StoreIdentification) -> Void = { _ in }
  ) {
    self.settings = settings
    self.projects = projects
    self.cancellation = cancellation
    self.onIdentified = onIdentified
  }

  /// The reason for which a database without Core Data's metadata is refused.
  private static let notAStore = "\(StoreAccessError.Code.notAStore)"

  /// Performs a job and returns the reply.
  package func reply(to job: StoreJob) -> StoreReply {
    let clock = ContinuousClock()
    let (started, start) = (Date(), clock.now)
    var reply: StoreReply
    do {
      reply =
        switch job.deed {
        case .migrate: StoreReply(try migrate(job))
        case .plan: try plan(job)
        case .verify: StoreReply(try verify(job))
        case .compare: StoreReply(try compare(job))
        case .rollback: StoreReply(try rollBack(job))
        }
    } catch {
      let error = WaystoneError(error)
      reply = StoreReply(StoreOutcome(error), error: error)
      if error.reason == Self.notAStore, Self.isOther(job.store) {
        reply.outcome.code = StoreOutcome.otherDatabase
      }
    }
    // The user knows the store by its name, and not by the folder that it was unpacked into; a result by its
    // place.
    if job.deed == .migrate || job.deed == .plan {
      reply.outcome.message = reply.outcome.message?.replacing(job.store, with: job.name)
      reply.outcome.recovery = reply.outcome.recovery?.replacing(job.store, with: job.name)
    }
    reply.outcome.started = started
    reply.outcome.seconds = start.duration(to: clock.now) / .seconds(1)
    return reply
  }

  // MARK: Migrating

  /// - Parameter isRepeated: Whether another process was faster before: the store is of the version then.
  private func migrate(_ job: StoreJob, isRepeated: Bool = false) throws -> StoreOutcome {
    if let known = try finished(job) ?? resumed(job) { return known }
    let (request, skipped) = try request(for: job)
    guard let request else { return skipped }
    let plan = try request.plan()
    var outcome = StoreOutcome(.migrated)
    outcome.take(plan.plan, in: request.project)
    if plan.hops.isEmpty { outcome.state = .current }
    let options = try request.options(for: plan.plan)
    if !plan.isDone(options) {
      if let tree = job.tree {
        try Folder(following: tree).ensureFolders(job.destination.split(separator: "/").dropLast())
      }
      // The certificate of a discarded attempt is removed, since a run overwrites no file with its own.
      try FileSystem.remove(job.certificate)
    }
    let done: MigrationOutcome
    do { done = try plan.run(options) } catch let error as WaystoneError
      where error == StorePlan.changed(job.store) && !isRepeated
    { return try migrate(job, isRepeated: true) }
    guard done.isUnchanged else {
      outcome.take(done)
      return outcome
    }
    guard plan.hops.isEmpty || isRepeated else { return try migrate(job, isRepeated: true) }
    outcome.state = .current
    return outcome
  }

  /// Resumes an interrupted run of the batch; returns nil where there is none, or where it cannot be resumed
  /// and is begun anew.
  ///
  /// - Throws: As ``unfinished(_:)``.
  private func resumed(_ job: StoreJob) throws -> StoreOutcome? {
    guard let (run, description) = try unfinished(job) else { return nil }
    for project in projects {
      do {
        let plan = try description.plan(in: project.mapped, shownAs: job.name)
        var options = MigrationOptions()
        options.registry = project.registry
        options.cancellation = cancellation
        options.settings.verification = settings.run.verification
        options.allowedSQL = settings.allowedSQL
        guard let done = try run.resume(plan, in: project, options) else { continue }
        var outcome = StoreOutcome(plan.hops.isEmpty ? .current : .migrated)
        outcome.take(plan, in: project)
        outcome.take(done)
        return outcome
      } catch {
        guard WaystoneError(error).isOfOutdatedRun else { throw error }
      }
    }
    return nil
  }

  /// Returns the interrupted run of the batch at the place of a result; nil where there is none.
  ///
  /// - Throws: ``WaystoneError``, `unfinishedRun` where the run is not of this batch: it may lead to another
  ///   version.
  private func unfinished(_ job: StoreJob) throws -> (run: Run, description: RunDescription)? {
    let destination = job.output ?? job.store
    guard try FileSystem.exists(Workspace(destination: destination).journal) else { return nil }
    let run = try Run(at: destination, shownAs: job.name)
    guard let description = run.description else { return nil }
    guard description.settings.certificate == job.certificate else {
      throw WaystoneError(
        .unfinishedRun,
        "\(job.name) has an unfinished migration that this batch did not begin.",
        recovery:
          "End it with `waystone resume \(destination.shellWord)`, then try the store again."
      )
    }
    return (run, description)
  }

  /// Returns the outcome of a run that ended without being recorded; nil where there was none.
  ///
  /// Beside a result the source is asked too, which is still there: a worker without a dispatcher may
  /// have read it while its files were taken out of an archive anew.
  private func finished(_ job: StoreJob) throws -> StoreOutcome? {
    let place = job.output ?? job.store
    guard try FileSystem.exists(job.certificate), try FileSystem.exists(place),
      try !FileSystem.exists(Workspace(destination: place).journal)
        || (try? StoreMigrator.hasFinishedRun(at: place)) == true,
      let certificate = try? MigrationCertificate(reading: job.certificate, shownAs: job.name)
    else { return nil }
    for project in projects {
      guard
        let found = try? StoreDigest(ofStoreAt: place, shownAs: job.name, in: project.archive),
        certificate.end(found.digest, found.hashes) == .result,
        certificate.result.identity.hasTables(of: found.identity),
        job.output == nil || (try? isSource(job, of: certificate, in: project)) == true
      else { continue }
      var outcome = StoreOutcome(certificate.hops.isEmpty ? .current : .migrated)
      outcome.model = project.modelName(of: found.hashes)
      let reached = certificate.hops.flatMap { ($0.through ?? []) + [$0.destination] }
      outcome.path = ([certificate.source.version] + reached).map {
        project.name(ofVersion: $0, in: outcome.model)
      }
      outcome.version = outcome.path.first
      outcome.take(certificate, at: place)
      return outcome
    }
    return nil
  }

  /// Returns whether a store has the contents that it had when it was certified.
  ///
  /// - Throws: The errors of reading it.
  func isSource(
    _ job: StoreJob,
    of certificate: MigrationCertificate,
    in project: Project
  ) throws -> Bool {
    let found = try StoreDigest(ofStoreAt: job.store, shownAs: job.name, in: project.archive)
    return found.digest.hash == certificate.source.digest
      && certificate.source.identity.hasTables(of: found.identity)
  }

  // MARK: Choosing the project

  /// Returns the request for a store, made by the project that has its hashes; without a request where the
  /// store is left out.
  private func request(for job: StoreJob) throws -> (MigrationRequest?, StoreOutcome) {
    var refusal: (any Error)?
    for project in projects {
      do {
        let planning = try PlanningRequest(
          store: job.name,
          at: job.store,
          to: settings.version,
          in: project.mapped
        )
        guard planning.store?.recoveredModel == nil || settings.recoversModels else {
          throw WaystoneError(
            .unknownStoreVersion,
            "No version has the hashes of \(job.name); the store carries its own model.",
            recovery: "Take that model: --recover."
          )
        }
        let version = project.names.name(of: planning.source.version)
        onIdentified(
          StoreIdentification(model: planning.source.version.modelName, version: version)
        )
        let names = [version, planning.source.version.qualifiedName]
        guard settings.versions.isEmpty || !settings.versions.allSatisfy({ !names.contains($0) })
        else {
          var outcome = StoreOutcome(.skipped)
          outcome.model = planning.graph.modelName
          outcome.version = version
          outcome.code = StoreOutcome.leftOut
          outcome.message = "Stores of \(version) were not asked for."
          return (nil, outcome)
        }
        var options = MigrationOptions()
        options.planning = settings.planning
        options.settings = settings.run
        options.settings.certificate = job.certificate
        options.settings.sample = settings.sample.map(project.folder.resolved)
        options.allowedSQL = settings.allowedSQL
        options.output = job.output
        options.registry = project.registry
        options.cancellation = cancellation
        // A run that `resumed` could not continue is discarded.
        options.discardsUnfinishedRun = true
        let request = MigrationRequest(planning, in: project, options: options)
        return (request, StoreOutcome(.migrated))
      } catch {
        // Another project may have its version.
        let found = WaystoneError(error)
        guard [.unknownStoreVersion, .unknownVersion].contains(found.code) else {
          if found.code == .badArgument { identify(job, in: project) }
          throw error
        }
        if refusal == nil { refusal = found }
      }
    }
    throw refusal ?? Self.noModels
  }

  /// Identifies the version of a store that is refused for another reason.
  private func identify(_ job: StoreJob, in project: Project) {
    let planning = try? PlanningRequest(
      store: job.name,
      at: job.store,
      to: VersionName.current.text,
      in: project.mapped
    )
    guard let version = planning?.source.version else { return }
    onIdentified(
      StoreIdentification(model: version.modelName, version: project.names.name(of: version))
    )
  }

  // MARK: What else is done with a store

  /// Refuses a store in whose destination something is that no attempt of a batch left.
  private func checkIsFree(_ job: StoreJob) throws {
    guard let output = job.output, try FileSystem.exists(output),
      try !FileSystem.exists(Workspace(destination: output).journal),
      try !FileSystem.exists(job.certificate)
    else { return }
    throw WaystoneError(
      .cannotCreate,
      "The output \(output) exists already.",
      recovery: "Move it away, or name another output."
    )
  }

  private func plan(_ job: StoreJob) throws -> StoreReply {
    let (request, skipped) = try request(for: job)
    guard let request else { return StoreReply(skipped) }
    let plan = try request.checkedPlan()
    var outcome = StoreOutcome(plan.hops.isEmpty ? .current : .migrated)
    outcome.take(plan.plan, in: request.project)
    // An unfinished run of the batch will be resumed.
    if try unfinished(job) == nil {
      try plan.checkBeginning(request.options(for: plan.plan), makesFolders: true)
    }
    try checkIsFree(job)
    let losses = Set(plan.plan.allFindings.filter { ($0.risk ?? .exact) >= .lossy }.map(\.message))
    if let refusal = plan.refusals.first {
      let refused = StoreOutcome(refusal.error)
      (outcome.state, outcome.code) = (refused.state, refused.code)
      (outcome.message, outcome.recovery) = (refused.message, refused.recovery)
    }
    return StoreReply(outcome, losses: losses.sorted(by: ByteOrder.precedes))
  }
}
