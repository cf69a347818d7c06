import Files
import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

extension Run {
  /// Returns the number of the last authored hop before another; 0 where there is none.
  ///
  /// The hops behind it are one segment, which is compared as a whole.
  private func segmentBeginning(before number: Int, _ preflight: Preflight.Result) -> Int {
    (1..<max(number, 1)).last { preflight.isOpaque($0) } ?? 0
  }

  /// Returns the checkpoint with which the segment before a hop is compared; nil where that is the
  /// store.
  func segmentStart(before number: Int, _ preflight: Preflight.Result) -> Checkpoint? {
    let beginning = segmentBeginning(before: number, preflight)
    guard beginning > 0, options.settings.verification != .none else { return nil }
    return checkpoint { $0.event == .hop && $0.hop == beginning }
  }

  /// Compares the last checkpoint before an authored hop with the start of its segment: no later
  /// comparison could reach behind that hop.
  mutating func verifySegment(
    before number: Int,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws {
    let beginning = segmentBeginning(before: number, preflight)
    // Actions change the working copy, which nothing could compare with the store afterwards.
    let isActedUpon = number == 1 && !plan.hops[0].mapping.actionsBefore.isEmpty
    guard options.settings.verification != .none, number - 1 > beginning || isActedUpon,
      let last = checkpoint
    else { return }
    let verification = try verification(beginning..<number - 1, scope: .result, preflight)
    verified.append(try verify(verification, last, before: number, source, preflight))
  }

  /// Verifies the result as a store, and compares the hops after the last authored one.
  mutating func verifyResult(
    _ last: Checkpoint,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws -> VerificationReport {
    let beginning = segmentBeginning(before: plan.hops.count + 1, preflight)
    let verification = try verification(
      beginning..<plan.hops.count,
      scope: beginning > 0 ? .store : .result,
      preflight
    )
    var report = verified
    report.append(
      try verify(verification, last, before: plan.hops.count + 1, source, preflight)
    )
    try require(VerificationReport(checks: [fileNumberCheck(last, preflight)]))
    return report
  }

  /// Checks that the file has the app's own numbers, which the run had replaced to mark its checkpoints.
  private func fileNumberCheck(
    _ last: Checkpoint,
    _ preflight: Preflight.Result
  ) throws -> VerificationReport.Check {
    var check = VerificationReport.Check(
      "file-numbers",
      "the user version and the application's number are the source's",
      count: 2
    )
    let header = try DatabaseHeader(path: last.file)
    if Int64(header.userVersion) != preflight.userVersion {
      check.fail(.init("the user version is another"))
    }
    if Int64(header.applicationID) != preflight.applicationID {
      check.fail(.init("the application's number is another"))
    }
    return check
  }

  private func verification(
    _ hops: Range<Int>,
    scope: VerificationScope,
    _ preflight: Preflight.Result
  ) throws(StoreAccessError) -> ResultVerification {
    ResultVerification(
      models: preflight.chain.schemas[hops.lowerBound...hops.upperBound].map(\.model),
      mappings: preflight.resolved(hops),
      source: preflight.chain.schemas[hops.lowerBound],
      result: preflight.chain.schemas[hops.upperBound],
      level: options.settings.verification,
      scope: scope,
      leftovers: hops.upperBound == plan.hops.count
        ? preflight.finalLeftovers : preflight.leftovers[hops.upperBound],
      externalData: try externalData,
      requiresIndexes: !plan.hops.isEmpty,
      // A comparison with an earlier checkpoint goes row by row.
      proof: hops.lowerBound == 0 ? proof : nil
    )
  }

  /// The folder of the store's external files.
  var externalData: String {
    get throws(StoreAccessError) {
      guard let run = journal.run else { return "" }
      return try StoreFiles(store: run.store).externalData
    }
  }

  private func verify(
    _ verification: ResultVerification,
    _ last: Checkpoint,
    before number: Int,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws -> VerificationReport {
    let cancellation = options.cancellation
    func verify(_ connection: borrowing SQLiteConnection) throws -> VerificationReport {
      try connection.attach(path: last.file, as: "result", access: .quiescent)
      defer { try? connection.detach("result") }
      connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
      defer { connection.removeProgress() }
      return try verification.verify(connection)
    }
    let report: VerificationReport
    if let start = segmentStart(before: number, preflight) {
      guard try FileSystem.exists(start.file),
        try CheckpointIdentity.matches(path: start.file, start.identity)
      else { throw badCheckpoint(start.file) }
      report = try verify(SQLiteConnection(path: start.file, access: .quiescent))
    } else {
      report = try source.withConnection(verify)
      // A comparison with a store that changes meanwhile is worthless.
      try source.checkUnchanged()
    }
    try require(report)
    return report
  }

  /// Refuses a result that verification found wrong.
  func require(_ report: VerificationReport) throws(MigrationError) {
    guard !report.passed else { return }
    throw MigrationError(
      .verificationFailed,
      "The result is not what the plan promises: \(report.summary).",
      recovery: isResumed
        ? "The original is intact. The run was interrupted, and its files may have changed since: "
          + "migrate anew, and where that ends alike, report it with the models at hand."
        : "The original is intact. Rows that no app writes can cause this: look at the store with "
          + "`waystone verify` and `waystone validate`. Where both find nothing, report this with the "
          + "models at hand."
    )
  }
}

extension Run {
  /// Verifies the objects that an authored hop's mapping made, as far as the mapping defines them.
  /// - Returns: The account of the objects; nil where nothing is verified.
  mutating func verifyMapping(
    _ compiled: CompiledHop,
    _ pass: Pass,
    from last: Checkpoint,
    to new: String,
    scratch: String,
    _ source: borrowing any MigrationSource & ~Copyable,
    changes: [AcceptedChange],
    leftovers: Leftovers
  ) throws -> HopReconciliation? {
    guard options.settings.verification != .none else { return nil }
    let before = try counts(of: last, source, compiled.source)
    let after = StoreCounts(try census(of: new, after: last.hop + 1, compiled.destination))
    func verify(
      _ connection: borrowing SQLiteConnection
    ) throws -> (VerificationReport, HopReconciliation) {
      var (report, works, lost) = try compareMapping(
        compiled,
        pass.hop,
        connection,
        new: new,
        scratch: scratch,
        leftovers: leftovers
      )
      let account = self.account(
        pass,
        before: before,
        after: after,
        works: works,
        changes: changes + lost
      )
      report.append(VerificationReport(checks: [account.check]))
      return (report, account)
    }
    let (report, account): (VerificationReport, HopReconciliation)
    if last.event == .copied {
      // The working copy is a copy like any other: what counts is the store.
      (report, account) = try source.withConnection(verify)
      try source.checkUnchanged()
    } else {
      (report, account) = try verify(SQLiteConnection(path: last.file, access: .quiescent))
    }
    try require(report)
    verified.append(report)
    return account
  }

  /// Compares the file that a mapping made with the database that a connection has open, and counts
  /// the objects of its policies, and the values that expressions lost.
  private func compareMapping(
    _ compiled: CompiledHop,
    _ hop: Hop,
    _ connection: borrowing SQLiteConnection,
    new: String,
    scratch: String,
    leftovers: Leftovers
  ) throws -> (VerificationReport, [PolicyStatistics], [AcceptedChange]) {
    // Where the disk is full, a journal of both may be left that is committed, and names their common one.
    try connection.attach(
      path: new,
      as: "result",
      access: .quiescent,
      superJournals: .ofFolder
    )
    defer { try? connection.detach("result") }
    let cancellation = options.cancellation
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    defer { connection.removeProgress() }
    let comparison = compiled.comparison
    guard compiled.program.makesObjects else {
      var report = try ResultVerification(
        models: [compiled.source.model, compiled.destination.model],
        mappings: [compiled.resolved],
        source: compiled.source,
        result: compiled.destination,
        level: options.settings.verification,
        scope: .result,
        leftovers: leftovers,
        externalData: try externalData
      ).verify(connection)
      guard compiled.computesValues, report.passed else { return (report, [], []) }
      report.append(VerificationReport(checks: [comparison.leftOutCheck]))
      let lost = try require(comparison.lostValues(connection), &report)
      return (report, [], lost)
    }
    try connection.attach(
      path: scratch,
      as: "scratch",
      access: .quiescent,
      superJournals: .ofFolder
    )
    defer { try? connection.detach("scratch") }
    var report = try comparison.compare(connection, externalData: try externalData)
    let lost = try require(comparison.lostValues(connection), &report)
    var others = CarriedTablesComparison.check()
    try CarriedTablesComparison(
      source: "main",
      result: "result",
      schema: compiled.source,
      entityNumbers: compiled.renumberings
    ).compare(connection, &others)
    if others.count > 0 { report.append(VerificationReport(checks: [others])) }
    return (
      report, try PolicyStatistics.all(of: hop.mapping, source: compiled.source, connection), lost
    )
  }

  /// Returns the values that expressions lost; they fail a report unless that is accepted.
  private func require(
    _ lost: [AcceptedChange],
    _ report: inout VerificationReport
  ) -> [AcceptedChange] {
    if !lost.isEmpty, !options.settings.acceptsChangedValues {
      report.append(VerificationReport(checks: [ObjectHopComparison.check(lost)]))
    }
    return lost
  }
}
