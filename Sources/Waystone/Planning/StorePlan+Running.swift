internal import Files
public import StoreMigration

extension StorePlan {
  /// Migrates the store, hop by hop with a checkpoint after each.
  ///
  /// The original keeps its content until the verified result takes its place by one rename, and is kept as a
  /// backup then; with ``MigrationOptions/outputURL`` it stays where it is. ``Run`` resumes an
  /// interrupted migration.
  ///
  /// - Parameters:
  ///   - store: The store that the plan was made for.
  ///   - options: The acceptances, policies and handlers; the path stays the plan's.
  /// - Returns: The outcome; without a backup where the plan has no hops, as nothing is done then.
  /// - Throws: ``WaystoneError``; the store then has its content.
  /// - Complexity: A few sequential passes over the store for each hop that moves rows.
  @discardableResult
  public func migrate(
    _ store: Store,
    _ options: MigrationOptions = MigrationOptions()
  ) throws(WaystoneError) -> MigrationOutcome {
    try WaystoneError.converting {
      try options.checkURLs()
      guard store.location == self.store.location else {
        throw WaystoneError(
          .badArgument,
          "The plan is for another store than \(store.location).",
          recovery: "Make a plan for this store."
        )
      }
      guard store.versionHashes == self.store.versionHashes else {
        throw Self.changed(store.location)
      }
      return try run(options)
    }
  }

  /// Returns whether a run with some options has nothing to write, since the store is of the version wanted.
  package func isDone(_ options: MigrationOptions) -> Bool {
    hops.isEmpty && options.output == nil && !settings.finishesCleanup
  }

  /// Runs the plan on its store, for each verb, a batch, a trial and the library.
  ///
  /// - Parameter options: The options of the run; models, inputs of the plan and what it takes for granted are
  ///   the plan's.
  /// - Returns: The outcome; an unchanged store where there was nothing to write.
  /// - Throws: The errors of `StoreMigrator.migrate`; ``WaystoneError``, `inUse` where another process migrated
  ///   the store meanwhile, and the result is to be another file.
  package func run(_ options: MigrationOptions) throws -> MigrationOutcome {
    let path = store.location
    try requireReadMappings()
    if hops.isEmpty, let columns = findings.first(where: { $0.code == .derivedColumnDiffers }) {
      throw Refusal(columns).error
    }
    if isDone(options) {
      let findings = try StoreIntegrity.requireUnmigrated(
        path,
        of: store.versionHashes,
        for: plan,
        knowledge: options.knowledge
      )
      return MigrationOutcome(unchanged: path, findings)
    }
    do {
      return try StoreMigrator(plan: plan, options: completed(options)).migrate(path)
    } catch let error as MigrationError where error.code == .nothingToDo {
      // Another process was faster, and made what was wanted, unless that is another file.
      guard options.output == nil else { throw Self.changed(path) }
      return MigrationOutcome(unchanged: path)
    }
  }

  /// Throws the errors of a run from before it begins, and writes nothing.
  ///
  /// - Parameter makesFolders: Whether the caller makes the folders of the output, of which only the disk is
  ///   asked then.
  /// - Throws: As ``run(_:)``.
  package func checkBeginning(_ options: MigrationOptions, makesFolders: Bool = false) throws {
    guard !isDone(options) else { return }
    try requireReadMappings()
    let migrator = StoreMigrator(plan: plan, options: completed(options))
    guard makesFolders, let output = options.output else {
      return try migrator.check(store.location)
    }
    var folder = FileSystem.folder(of: output)
    while try !FileSystem.exists(folder), folder != "/" { folder = FileSystem.folder(of: folder) }
    try migrator.checkSource(store.location, for: output, at: folder)
  }

  /// Throws the refusal of an inferred step that a mapping model which cannot be read may be for.
  private func requireReadMappings() throws {
    guard let unread = findings.first(where: \.isOfUnreadMapping) else { return }
    throw Refusal(unreadMapping: unread).error
  }

  /// Returns options with those that the plan was made by.
  private func completed(_ options: MigrationOptions) -> MigrationOptions {
    var options = options
    options.models = models
    options.settings.assumesSourceVersion = settings.assumesSourceVersion
    options.settings.planning = settings.planning
    options.settings.finishesCleanup = settings.finishesCleanup
    // A cleanup keeps the names that the store has.
    if settings.finishesCleanup { options.settings.acceptsUnprovenNames = true }
    return options
  }
}
