import Files
package import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

/// A migrator that runs a plan on a store, with a checkpoint after each hop.
///
/// The original keeps its content until the verified result takes its place by one rename. If the
/// run ends before that, `resume` goes on from the last checkpoint.
package struct StoreMigrator: Sendable {
  /// The plan that is run.
  package let plan: MigrationPlan
  /// The options of the run.
  package let options: MigrationOptions

  /// A migrator for a plan.
  package init(plan: MigrationPlan, options: MigrationOptions) {
    self.plan = plan
    self.options = options.reportingProgress()
  }

  /// Migrates a store from its version to the plan's destination.
  ///
  /// - Parameter store: The path of a store of the plan's first version.
  /// - Throws: ``MigrationError``, or `StoreAccessError` where the store cannot be read at all; the
  ///   store then keeps its content.
  /// - Complexity: A few sequential readings of the store for each hop that moves rows.
  package func migrate(_ store: String) throws -> MigrationOutcome {
    let (path, options) = try prepared(store) { Self.removeIdleWorkspace(of: $0) }
    let workspace = Workspace(destination: options.output ?? path)
    return try WorkspaceFolder.make(workspace).whileHeld { files in
      defer { files.removeIfIdle() }
      try PlacePreflight(files: files).check(isInPlace: options.output == nil)
      try? files.removePrivateCopies()
      let earlier = try prepareJournal(files)
      tell(files.strangers)
      return try withSource(path, files, options) { source, copies in
        var run = Run(
          plan: plan,
          options: options,
          files: files,
          journal: earlier.journal
        )
        run.discarded = earlier.discarded
        run.unreadCopies = copies
        return try run.begin(store: path, source: source)
      }
    }
  }

  /// Throws the errors of ``migrate(_:)`` from before its run begins, and writes nothing.
  ///
  /// Facts about the workspace, such as another file system, and the room that files of large
  /// values need, are left to the run.
  ///
  /// - Throws: As ``migrate(_:)``.
  package func check(_ store: String) throws {
    let (path, options) = try prepared(store)
    let workspace = Workspace(destination: options.output ?? path)
    try PlacePreflight.check(workspace, isInPlace: options.output == nil)
    _ = try discardedRun(in: CheckpointJournal(path: workspace.journal), workspace)
    try checkSource(
      path,
      for: workspace.destination,
      at: FileSystem.folder(of: workspace.destination)
    )
  }

  /// Throws the errors of ``migrate(_:)`` that follow from another process that has the store open, from the
  /// folders of external files, and from the room on the disk of the result.
  ///
  /// - Parameter folder: A folder on that disk.
  /// - Throws: As ``migrate(_:)``.
  package func checkSource(
    _ path: String,
    for destination: String,
    at folder: String
  ) throws {
    try RestingSource.checkResting(path)
    let files = try StoreFiles(store: path)
    if destination != path {
      try ExternalTransfer(source: files, destination: StoreFiles(store: destination)).check()
    }
    let size = try (FileSystem.size(of: path) ?? 0) + files.writeAheadLogSize
    try DiskNeed.check(
      DiskNeed.bytes(for: plan, storeOf: size),
      at: folder,
      of: Workspace(destination: destination)
    )
  }

  /// Returns the store's own path, and the options with that of the output, where both can be used.
  ///
  /// - Parameter tidy: Called with the output where a file has its place.
  private func prepared(
    _ store: String,
    whereTaken tidy: (String) -> Void = { _ in }
  ) throws -> (path: String, options: MigrationOptions) {
    try options.requireFileURLs()
    try options.allowedSQL.check(plan)
    let path = try FileSystem.canonical(store)
    guard try FileSystem.exists(path) else {
      throw StoreAccessError(code: .missing, message: "There is no file \(store)")
    }
    var options = options
    options.output = try options.output.map { try FileSystem.canonical($0) }
    if options.output == nil {
      if let kind = try OtherStoreKind(ofFileAt: path) { throw kind.error(of: store) }
      try Self.checkHasOneName(path, shownAs: store)
    }
    guard options.output != nil || !options.settings.acceptsDamagedSource else {
      throw MigrationError(
        .refused,
        "What can be read of a damaged store cannot take its place.",
        recovery: "Name a file for the result (--output)."
      )
    }
    if let output = options.output {
      guard try !FileSystem.exists(output) else {
        tidy(output)
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
      if let owner = try Self.owner(of: output, path) ?? Self.owner(of: path, output) {
        throw MigrationError(
          .cannotCreate,
          "\(owner.name) is a name of a file or folder that belongs to \(owner.store).",
          recovery: "Choose another name for the output."
        )
      }
    }
    try checkCertificate(options, Workspace(destination: options.output ?? path), store: path)
    return (path, options)
  }

  /// Refuses to replace a file that has other names (hard links): they would keep the old content, and see
  /// their file change where its write-ahead log is written into it.
  ///
  /// The second name that a run of this store gave it, before it ended at its swap, does not count.
  ///
  /// - Throws: ``MigrationError`` with `refused`.
  package static func checkHasOneName(_ path: String, shownAs name: String) throws {
    guard let status = try FileSystem.status(path), status.linkCount > 1 else { return }
    let backups = Workspace(destination: path).backups
    let own =
      try FileSystem.exists(backups)
      ? FileSystem.names(inFolder: backups).count {
        try FileSystem.status("\(backups)/\($0)")?.isSameFile(as: status) == true
      } : 0
    let names = Int(clamping: status.linkCount) - own
    guard names > 1 else { return }
    throw MigrationError(
      .refused,
      "\(name) has \(names) names (hard links). A migration in place replaces one of them; the "
        + "others keep the old content.",
      recovery: "Name a file or folder for the result (--output), or first put a copy in place of "
        + "this name."
    )
  }

  /// Returns the store to which a path belongs as a journal, as the folder of external files, or as a
  /// part of the workspace; nil where it is none of these.
  private static func owner(
    of path: String,
    _ store: String
  ) throws -> (name: String, store: String)? {
    let files = try StoreFiles(store: store)
    let names = StoreFiles.companionSuffixes.map { files.store + $0 }
    let folders = [files.support, Workspace(destination: files.store).folder]
    let isPart =
      names.contains(path) || folders.contains { path == $0 || path.hasPrefix($0 + "/") }
    return isPart ? (path, store) : nil
  }

  /// Refuses a certificate that the run cannot give, or has no place for.
  private func checkCertificate(
    _ options: MigrationOptions,
    _ workspace: Workspace,
    store: String
  ) throws {
    guard options.settings.isCertified else { return }
    guard options.settings.verification != .none, !options.settings.acceptsDamagedSource else {
      throw MigrationError(
        .refused,
        "A run that is not verified, or reads what is left of a damaged store, is not certified.",
        recovery: "Leave the certificate out, or those settings."
      )
    }
    guard let certificate = options.settings.certificate else { return }
    let path = try FileSystem.canonical(certificate)
    let taken = try [store, workspace.destination].flatMap { database in
      let files = try StoreFiles(store: database)
      return [
        database, files.writeAheadLog, files.sharedMemory, files.rollbackJournal, files.support,
        Workspace(destination: database).folder,
      ]
    }
    guard !taken.contains(where: { path == $0 || path.hasPrefix($0 + "/") }) else {
      throw MigrationError(
        .cannotCreate,
        "The certificate \(certificate) would take the place of a file of the migration.",
        recovery: "Choose another name."
      )
    }
  }

  /// Goes on with an unfinished run.
  ///
  /// Its journal has the run's settings, but cannot lower the verification of these options: a
  /// process that can write the journal could switch it off.
  ///
  /// - Parameter destination: The output of the run, or the store that it replaces.
  /// - Throws: ``MigrationError``; `mismatch` where plan, checkpoint or store differ from the
  ///   journal.
  package func resume(_ destination: String) throws -> MigrationOutcome {
    let workspace = try Workspace(destination: FileSystem.canonical(destination))
    _ = try Self.unfinishedRun(at: destination)
    guard let held = try WorkspaceFolder.existing(workspace) else {
      throw Self.nothingToResume(destination)
    }
    return try held.whileHeld { files in
      defer { files.removeIfIdle() }
      // Read again: before the lease was ours, another process may have finished the run.
      let journal = try CheckpointJournal(Workspace.journalName, in: files.folder)
      let description = try Self.unfinishedRun(in: journal, at: destination)
      try check(description, isAt: workspace)
      var options = options
      if journal.last?.event != .swapped { try options.allowedSQL.check(plan) }
      options.output = description.output
      options.settings = description.settings
      options.settings.verification = description.settings.verification.resumed(
        with: self.options.settings.verification
      )
      var run = Run(plan: plan, options: options, files: files, journal: journal)
      if try run.wasSwapped() { return try run.finish() }
      try PlacePreflight(files: files).check(isInPlace: description.output == nil)
      guard description.planFingerprint == plan.fingerprint else {
        throw MigrationError(
          .mismatch,
          "The plan is not the one that the run at \(destination) began with: the models, "
            + "the options or the tool changed.",
          recovery: "Restore them, or start anew with migrate --restart."
        )
      }
      try? files.removePrivateCopies()
      tell(files.strangers)
      return try withSource(description.store, files, options) { source, _ in
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

  /// Returns the description of the unfinished run at a destination.
  ///
  /// - Throws: ``MigrationError`` with `nothingToDo` where there is none.
  package static func unfinishedRun(at destination: String) throws -> RunDescription {
    let workspace = try Workspace(destination: FileSystem.canonical(destination))
    return try unfinishedRun(in: CheckpointJournal(path: workspace.journal), at: destination)
  }

  /// Returns whether the journal at a destination has a run that has ended.
  package static func hasFinishedRun(at destination: String) throws -> Bool {
    let workspace = try Workspace(destination: FileSystem.canonical(destination))
    let journal = try CheckpointJournal(path: workspace.journal)
    return journal.run != nil && journal.isFinished
  }

  private static func unfinishedRun(
    in journal: CheckpointJournal,
    at destination: String
  ) throws(MigrationError) -> RunDescription {
    guard let run = journal.run, !journal.isFinished else {
      throw nothingToResume(destination)
    }
    if journal.unfinishedRollback != nil { throw unfinishedRollback(at: destination) }
    return run
  }

  private static func nothingToResume(_ destination: String) -> MigrationError {
    MigrationError(
      .nothingToDo,
      "There is no unfinished run at \(destination).",
      recovery: "Start one with migrate."
    )
  }

  static func unfinishedRollback(at destination: String) -> MigrationError {
    MigrationError(
      .unfinishedRun,
      "A rollback of \(destination) was interrupted.",
      recovery: "Repeat `waystone rollback` for it, which ends what was begun.",
      isResumable: true
    )
  }

  /// Removes the workspace of a destination where a run that had ended died before it could.
  package static func removeIdleWorkspace(of destination: String) {
    guard let path = try? FileSystem.canonical(destination) else { return }
    // A process that holds it removes it.
    try? WorkspaceFolder.existing(Workspace(destination: path))?.whileHeld { $0.removeIfIdle() }
  }

  /// Reports the files in the workspace that no run made.
  private func tell(_ strangers: [String]) {
    for path in strangers {
      options.onEvent(.noted("left alone, since no run has made it: \(path)"))
    }
  }

  /// Opens the store as its state requires, and runs the body with it and the names of the copies of
  /// unread logs and journals.
  private func withSource(
    _ path: String,
    _ files: WorkspaceFolder,
    _ options: MigrationOptions,
    _ body: (borrowing any MigrationSource & ~Copyable, [String]) throws -> MigrationOutcome
  ) throws -> MigrationOutcome {
    if options.output != nil {
      let notes = try UnreadFiles.notes(beside: path)
      for note in notes { options.onEvent(.noted(note)) }
      var outcome = try withResting(path, files.workspace, options) { try body($0, []) }
      outcome.notes += notes
      outcome.unreadNotes = notes
      return outcome
    }
    var unread = try UnreadFiles(path, in: files)
    return try during(path) {
      let source = try unread.kept(onEvent: options.onEvent) { try LockedSource(path: path) }
      return try body(consume source, unread.names)
    }
  }

  /// Runs a body; its errors become those of a migration.
  private func during(
    _ path: String,
    _ body: () throws -> MigrationOutcome
  ) throws -> MigrationOutcome {
    do { return try body() } catch let error as StoreAccessError where error.code != .inUse {
      throw error
    } catch {
      throw MigrationError(error, during: "the migration of \(path)")
    }
  }

  private func withResting(
    _ path: String,
    _ workspace: Workspace,
    _ options: MigrationOptions,
    _ body: (borrowing any MigrationSource & ~Copyable) throws -> MigrationOutcome
  ) throws -> MigrationOutcome {
    try during(path) {
      let source = try RestingSource(
        path: path,
        model: plan.source.model,
        knowledge: options.knowledge,
        scratchFolder: workspace.folder,
        cancellation: options.cancellation
      )
      let opening = source.store.opening
      func migrated(_ source: borrowing any MigrationSource & ~Copyable) throws -> MigrationOutcome
      {
        try opening.reading { try body(source) }
      }
      let notes = source.store.conversion?.notes.map(\.words) ?? []
      for note in notes { options.onEvent(.noted(note)) }
      // A result that no hop leads to keeps the names that the conversion gave it.
      if plan.hops.isEmpty, !options.settings.acceptsUnprovenNames,
        let guess = source.store.conversion?.notes.first(where: { $0.kind == .guessedName })
      {
        throw MigrationError(.refused, .unprovenName, guess.sentence, recovery: guess.remedy)
      }
      func noted(_ outcome: MigrationOutcome) -> MigrationOutcome {
        var outcome = outcome
        outcome.notes += notes
        return outcome
      }
      guard options.settings.acceptsDamagedSource else {
        return noted(try migrated(consume source))
      }
      let check = SourceCheck(
        level: options.settings.verification,
        cancellation: options.cancellation,
        onEvent: options.onEvent
      )
      let faults = try source.withConnection { try check.faults(of: $0) }
      if faults.isEmpty { return noted(try migrated(consume source)) }
      return noted(
        try body(
          SalvagedSource(
            source,
            faults: faults.lines,
            model: plan.source.model,
            scratchFolder: workspace.folder,
            cancellation: options.cancellation
          )
        )
      )
    }
  }

  /// Returns the journal that a new run finds: of a finished run, or empty, with the run that was thrown
  /// away.
  private func prepareJournal(
    _ files: WorkspaceFolder
  ) throws -> (journal: CheckpointJournal, discarded: RunDescription?) {
    let workspace = files.workspace
    let journal = try CheckpointJournal(Workspace.journalName, in: files.folder)
    guard let description = try discardedRun(in: journal, workspace) else { return (journal, nil) }
    let run = Run(plan: plan, options: options, files: files, journal: journal)
    guard try !run.isResultThere() else {
      throw MigrationError(
        .unfinishedRun,
        "The run at \(workspace.destination) has put its result into place.",
        recovery: "Finish it by resume.",
        isResumable: true
      )
    }
    try files.removeJournal()
    try files.removeCheckpoints()
    try removeSecondName(workspace.backupName(run: description.run), files)
    return (try CheckpointJournal(Workspace.journalName, in: files.folder), description)
  }

  /// Returns the unfinished run that is to be thrown away; nil where there is none.
  ///
  /// - Throws: ``MigrationError`` where it is to be kept, or a rollback was interrupted.
  private func discardedRun(
    in journal: CheckpointJournal,
    _ workspace: Workspace
  ) throws(MigrationError) -> RunDescription? {
    if journal.unfinishedRollback != nil {
      throw Self.unfinishedRollback(at: workspace.destination)
    }
    guard let description = journal.run, !journal.isFinished else { return nil }
    guard options.discardsUnfinishedRun else {
      throw MigrationError(
        .unfinishedRun,
        "An unfinished run stands at \(workspace.destination).",
        recovery: "Go on with it by resume, or throw it away with migrate --restart.",
        isResumable: true
      )
    }
    return description
  }

  /// Removes the backup that a run made of a store which is still in its place.
  private func removeSecondName(_ backup: String, _ files: WorkspaceFolder) throws {
    guard let backups = try files.existingBackups(), let second = try backups.status(of: backup),
      let first = try files.place.status(of: files.destinationName), second.isSameFile(as: first)
    else { return }
    try backups.remove(backup)
  }
}
