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
      let path = try store.url.filePath
      guard store.url == self.store.url else {
        throw WaystoneError(
          .badArgument,
          "The plan is for another store than \(path).",
          recovery: "Make a plan for this store."
        )
      }
      guard store.versionHashes == self.store.versionHashes else { throw Self.changed(path) }
      if hops.isEmpty, let columns = findings.first(where: { $0.code == .derivedColumnDiffers }) {
        throw Refusal(columns).error
      }
      if hops.isEmpty, options.output == nil {
        _ = try StoreIntegrity.requireUnmigrated(
          path,
          of: store.versionHashes,
          for: plan,
          knowledge: options.knowledge
        )
        return MigrationOutcome(unchanged: path)
      }
      var options = options
      options.models = models
      options.settings.assumesSourceVersion = settings.assumesSourceVersion
      options.settings.planning = settings.planning
      do {
        return try StoreMigrator(plan: plan, options: options).migrate(path)
      } catch let error as MigrationError where error.code == .nothingToDo {
        // Another process was faster, and made what was wanted.
        return MigrationOutcome(unchanged: path)
      }
    }
  }
}
