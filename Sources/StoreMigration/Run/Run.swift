import Files
import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

/// A run of a plan, from its first journal record to its last.
struct Run {
  let plan: MigrationPlan
  let options: MigrationOptions
  /// The names of the run's files.
  var workspace: Workspace { files.workspace }
  /// The folder of the run's files, which is held for it.
  let files: WorkspaceFolder
  var journal: CheckpointJournal
  /// The unfinished run that was thrown away for this one.
  var discarded: RunDescription?
  /// The names of the copies that are kept of logs and journals which SQLite does not read.
  var unreadCopies: [String] = []
  var resumedAfter = 0
  /// The number of passes in which the plan runs.
  private(set) var passCount = 0
  /// Whether the run goes on from files that another process left, and that anything may have
  /// happened to since.
  var isResumed = false
  /// The proof that this process read from the store's pages, and so from the working copy's.
  var proof: PageVerification?
  /// The conditions of the first hop that this process found to hold.
  var holding: Set<Precondition> = []
  var notes: [String] = []
  var findings: [Finding] = []
  /// The account of the files in which the store keeps large values.
  var externalFiles: ExternalAccount?
  /// The report of earlier verifications: of authored hops, and of the hops up to each.
  var verified = VerificationReport()
  /// The census of the file that this process counted last.
  var counted: CountedFile?
  /// The census of the store, once this process took it.
  var countedSource: StoreCensus?
  /// The checkpoint that this process itself recorded, or found as it was recorded, last.
  private var recorded: (path: String, file: CheckpointIdentity.Known)?

  init(
    plan: MigrationPlan,
    options: MigrationOptions,
    files: WorkspaceFolder,
    journal: CheckpointJournal
  ) {
    self.plan = plan
    self.options = options
    self.files = files
    self.journal = journal
  }

  /// Whether the store itself is replaced.
  var isInPlace: Bool { options.output == nil }

  // MARK: Going on

  /// Does the rest of the run, and throws the run away where that can never be done.
  mutating func carryOut(
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result,
    isResumed: Bool
  ) throws -> MigrationOutcome {
    passCount = preflight.passes.count
    var isResumed = isResumed
    var interruptions = 0
    while true {
      do {
        return try goOn(source, preflight, isResumed: isResumed)
      } catch let error as SQLiteError
        where error.isInterruptedCall && interruptions < Self.greatestInterruptions
        && !hasReachedSwap
      {
        // A signal came while SQLite waited for the disk, and SQLite gave up: as after a death, the
        // run goes on from its last checkpoint.
        interruptions += 1
        isResumed = true
      } catch {
        var failure = MigrationError(error, during: "the migration of \(workspace.destination)")
        let hasReachedSwap = hasReachedSwap
        failure.isResumable =
          hasReachedSwap || !failure.wouldComeAgain && failure.code != .mismatch
        if !hasReachedSwap, failure.wouldComeAgain { abandon(source) }
        throw failure
      }
    }
  }

  /// The number of times that a run goes on after a signal interrupted a call.
  private static let greatestInterruptions = 3

  /// Whether the result may have taken its place.
  private var hasReachedSwap: Bool {
    journal.last?.event == .swapping || journal.last?.event == .swapped
  }

  /// Does the rest of the run from the last checkpoint on.
  private mutating func goOn(
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result,
    isResumed: Bool
  ) throws -> MigrationOutcome {
    let cancellation = options.cancellation
    var isCopied = try checkpoint != nil && !isWorkingCopySpent()
    if isCopied, isResumed { isCopied = try recoverCheckpoint(preflight) }
    if !isCopied { try makeWorkingCopy(source, preflight) }
    while let last = checkpoint, last.hop < plan.hops.count {
      try cancellation.check()
      guard let (pass, compiled) = preflight.pass(after: last.hop) else {
        throw badCheckpoint(last.file)
      }
      try run(pass, compiled, from: last, source, preflight)
    }
    try cancellation.check()
    let report = try verify(source, preflight)
    try cancellation.check()
    try swap(source)
    return try finish(verification: report)
  }

  /// A file that the journal describes.
  struct Checkpoint {
    /// The hops that are done.
    var hop: Int
    var file: String
    var identity: String
    /// The event of the record that describes it.
    var event: JournalRecord.Event
  }

  /// Returns the number of rows of each table of a checkpoint, by name; none where they were not
  /// counted.
  func rows(of checkpoint: Checkpoint) -> [String: Int64] {
    recorded.map { $0.path == checkpoint.file ? $0.file.rows : [:] } ?? [:]
  }

  /// The last checkpoint that the journal has.
  var checkpoint: Checkpoint? { checkpoint { _ in true } }

  /// Returns the last checkpoint of the journal's records of some kind.
  func checkpoint(where isWanted: (JournalRecord) -> Bool) -> Checkpoint? {
    for record in journal.records.reversed() where isWanted(record) {
      if let hop = record.hop, let file = record.file, let identity = record.identity {
        return Checkpoint(
          hop: hop,
          file: "\(workspace.folder)/\(FileSystem.name(of: file))",
          identity: identity,
          event: record.event
        )
      }
    }
    return nil
  }

  /// Returns whether the first hop took the working copy for itself and did not finish: the store, which
  /// is known not to have changed, gives another.
  private func isWorkingCopySpent() throws(FileError) -> Bool {
    guard let checkpoint, checkpoint.event == .copied, !plan.hops.isEmpty else { return false }
    return try !FileSystem.exists(checkpoint.file)
  }

  private mutating func makeWorkingCopy(
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws {
    try files.removeCheckpoints()
    options.onEvent(.began(.copying))
    let path = workspace.checkpoint(0)
    let cancellation = options.cancellation
    try source.copy(to: path, shouldContinue: { !cancellation.isRequested })
    do {
      let copy = try SQLiteConnection(path: path, access: .readWrite)
      // Recording it brings it to the disk.
      try copy.execute(script: "PRAGMA main.synchronous = OFF")
      try copy.setJournalMode(.delete)
      // The record of another copy must not be taken for one of this before its bytes are on the disk.
      if checkpoint != nil { try FileSystem.synchronize(path) }
      try proveIndexes(of: copy, preflight)
      if options.settings.finishesCleanup { try preflight.cleanup.run(on: copy) }
      try preflight.greatestKeys?.raise(in: copy)
      if !plan.hops.isEmpty {
        let mark = Int32(clamping: CheckpointIdentity.mark(of: plan.fingerprint))
        try copy.transaction(.immediate) {
          try copy.setUserVersion(0)
          try copy.setApplicationID(mark)
        }
      }
    }
    if plan.hops.isEmpty { try setWriteAheadLogMode(path, isDisposable: true) }
    // Nothing proves later what an authored hop computes from it.
    try record(.copied, hop: 0, path: path, isExact: preflight.isOpaque(1))
  }

  /// Compares the indexes of the working copy with their tables, and rebuilds the wrong ones.
  ///
  /// It does so where a hop keeps indexes or looks rows up in them, or where one is known to be wrong.
  /// The tables of the store are whole in each case.
  private mutating func proveIndexes(
    of copy: borrowing SQLiteConnection,
    _ preflight: Preflight.Result
  ) throws {
    let isKnownWrong = proof?.wrongIndexes.isEmpty == false
    // A result that is not verified is made of a sound store all the same.
    guard isKnownWrong || options.settings.verification != .none && usesIndexes(preflight) else {
      return
    }
    let cancellation = options.cancellation
    copy.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    defer { copy.removeProgress() }
    let check = IndexCheck(database: "main")
    for fault in try check.run(on: copy, proof: proof ?? PageVerification(of: copy)).faults {
      let entries = try check.entriesWithoutRow(fault, on: copy)
      // Unknown entries, like those without a row, may be all that is left of lost rows.
      guard entries == 0 || options.settings.acceptsDamagedSource else {
        throw IndexCheck.refusal(fault, entries, of: journal.run?.store ?? workspace.destination)
      }
      do throws(SQLiteError) { try check.repair([fault], on: copy) } catch {
        guard error.code == .constraint else { throw error }
        throw MigrationError(
          .failed,
          "The index \(fault.index) of the store is not its table's, and cannot be made anew: rows "
            + "of \(fault.table) repeat what it says is unique.",
          recovery: "Correct those rows with SQLite, and make the index anew with REINDEX."
        )
      }
      notes.append(Self.note(fault, entries))
    }
  }

  private static func note(_ fault: IndexCheck.Fault, _ entries: Int64?) -> String {
    let what =
      "the index \(fault.index) was damaged, and the result has a new one, made of the rows of "
      + fault.table
    return switch entries {
    case 0?: what + "; each of its entries had a row"
    case let entries?:
      what + "; \(entries) of its entries were of no row, and may be all that is left of rows that "
        + "were lost or changed"
    case nil:
      what + "; whether it had entries of lost rows cannot be told: compare the result with the "
        + "original before you delete that"
    }
  }

  /// Returns whether the first hop keeps indexes of the working copy, or asks them; one that builds a
  /// fresh file reads its tables, and makes all indexes anew that are not proven.
  private func usesIndexes(_ preflight: Preflight.Result) -> Bool {
    guard let compiled = preflight.hops.first, !preflight.isOpaque(1),
      compiled.program.preconditions.isEmpty
    else { return true }
    return compiled.program.alteration != nil
  }

  /// Returns the names of the files that the run still needs.
  private func filesInUse(_ last: Checkpoint, _ preflight: Preflight.Result) -> [String] {
    var files = [last.file]
    let next = last.hop + 1
    if preflight.isOpaque(next), last.event != .mapped {
      files += [workspace.checkpoint(next), workspace.scratch(next)]
    }
    if let start = segmentStart(before: next, preflight) { files.append(start.file) }
    return files.map { FileSystem.name(of: $0) }
  }

  /// Makes sure that the checkpoint is the one in the journal, or the next, which was made in place
  /// and died before its record.
  ///
  /// - Returns: Whether the run goes on from it. One that is to be certified begins with another working
  ///   copy where a hop died before it was counted: what it found is not there any more. So does one
  ///   whose working copy is not what the journal describes, as where a run died that made it again: the
  ///   store is known not to have changed.
  private mutating func recoverCheckpoint(_ preflight: Preflight.Result) throws -> Bool {
    guard let last = checkpoint else { return false }
    guard try FileSystem.exists(last.file) else { throw badCheckpoint(last.file) }
    try files.removeCheckpoints(except: filesInUse(last, preflight))
    // A run that died at the swap may have given it the permissions of a store that is only read.
    try FileSystem.setPermissions(0o600, of: last.file)
    do {
      return try isRecovered(last, preflight)
    } catch let error where last.event == .copied && !plan.hops.isEmpty && Self.tellsOfFile(error) {
      return false
    } catch let error where Self.tellsOfFile(error) {
      throw badCheckpoint(last.file)
    }
  }

  /// Returns whether an error reports a wrong checkpoint rather than an I/O failure.
  private static func tellsOfFile(_ error: any Error) -> Bool {
    switch error {
    case let error as MigrationError: error.code == .mismatch
    case let error as SQLiteError: error.code == .notADatabase || error.code == .corrupt
    case let error as StoreAccessError: error.code == .notAStore || error.code == .damaged
    default: false
    }
  }

  private mutating func isRecovered(
    _ last: Checkpoint,
    _ preflight: Preflight.Result
  ) throws -> Bool {
    do {
      // Opening it for writing rolls back what a killed hop left behind.
      let connection = try SQLiteConnection(path: last.file, access: .readWrite)
      _ = try connection.integer("SELECT COUNT(*) FROM sqlite_schema")
    }
    if let found = try CheckpointIdentity.known(path: last.file, as: last.identity) {
      recorded = (last.file, found)
      return true
    }
    guard !preflight.isOpaque(last.hop + 1), let (pass, compiled) = preflight.pass(after: last.hop)
    else {
      throw badCheckpoint(last.file)
    }
    let header = try DatabaseHeader(path: last.file)
    let hashes: [String: VersionHash]
    do {
      let connection = try SQLiteConnection(path: last.file, access: .readOnly)
      hashes = try StoreMetadata(reading: connection).versionHashes
    }
    guard Int64(header.applicationID) == compiled.mark, Int(header.userVersion) == compiled.number,
      hashes == compiled.destination.model.entityVersionHashes
    else { throw badCheckpoint(last.file) }
    guard !isCertified else { return false }
    try complete(hop: pass.end, path: last.file)
    return true
  }

  func badCheckpoint(_ path: String) -> MigrationError {
    MigrationError(
      .mismatch,
      "The checkpoint \(path) is not the one that the journal describes.",
      recovery: "Start anew with migrate --restart; the original is intact."
    )
  }

  /// Appends a record, with the identity of a checkpoint that is brought to the disk first.
  ///
  /// - Parameter isExact: Whether each byte of the file counts: no comparison reaches behind what an
  ///   authored hop or its actions made.
  mutating func record(
    _ event: JournalRecord.Event,
    run: RunDescription? = nil,
    hop: Int? = nil,
    path: String? = nil,
    identity: String? = nil,
    isExact: Bool = false,
    account: HopReconciliation? = nil,
    certificate: MigrationCertificate? = nil
  ) throws {
    var identity = identity
    if let path {
      try FileSystem.synchronize(path)
      try files.folder.synchronize()
      let before = recorded?.path == path ? recorded?.file : nil
      let file = try CheckpointIdentity.known(path: path, before: before, isExact: isExact)
      recorded = (path, file)
      identity = file.text
    }
    try journal.append(
      event,
      run: run,
      hop: hop,
      file: path.map { FileSystem.name(of: $0) },
      identity: identity,
      account: account,
      certificate: certificate
    )
    if let last = journal.last { options.onEvent(.recorded(last)) }
  }
}
