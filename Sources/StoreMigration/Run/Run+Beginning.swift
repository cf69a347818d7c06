import Files
import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension Run {
  /// Checks, then writes the first record, then goes on.
  mutating func begin(
    store: String,
    source: borrowing any MigrationSource & ~Copyable
  ) throws -> MigrationOutcome {
    let usesWriteAheadLog = source.usesWriteAheadLog || discarded?.usesWriteAheadLog == true
    let preflight: Preflight.Result
    // A run that was thrown away may have taken the store out of that mode before.
    var hasLeftMode = discarded?.usesWriteAheadLog == true
    do {
      let externalData = try StoreFiles(store: store).externalData
      let settings = options.settings
      preflight = try source.withConnection {
        proof = try provenSource($0, source.identity(), path: store)
        options.onEvent(.began(.asking))
        let preflight = Preflight(
          plan: plan,
          settings: settings,
          registry: options.registry,
          proof: proof
        )
        let result = try preflight.check($0, externalData: externalData)
        holding = try preflight.checkData($0, result, externalData: externalData)
        externalFiles = try account($0, result, folder: externalData)
        return result
      }
      notes = preflight.notes
      findings = preflight.findings + (externalFiles?.findings ?? [])
      if let output = options.output {
        let transfer = try ExternalTransfer(
          source: StoreFiles(store: store),
          destination: StoreFiles(store: output)
        )
        try transfer.check()
      }
      try checkSpace(store: store)
      hasLeftMode = true
      try source.settle()
      try recordBeginning(store: store, source, preflight, usesWriteAheadLog: usesWriteAheadLog)
    } catch {
      // The journal has no record that could be resumed.
      if usesWriteAheadLog, hasLeftMode { try? source.returnToWriteAheadLogMode() }
      throw error
    }
    return try carryOut(source, preflight, isResumed: false)
  }

  /// Returns the proof of the store, whose pages are checked unless its plan did so.
  ///
  /// - Throws: ``StoreAccessError`` with `damaged`.
  private func provenSource(
    _ connection: borrowing SQLiteConnection,
    _ identity: StoreFileIdentity,
    path: String
  ) throws -> PageVerification? {
    let level = options.settings.verification
    if level != .full, let known = options.knowledge.proof(of: identity) { return known }
    let schema = PhysicalSchema(model: plan.source.model)
    return try SourceCheck(
      level: level,
      cancellation: options.cancellation,
      onEvent: options.onEvent
    ).require(connection, path: path, interest: schema.interest(sums: level != .none))
  }

  private mutating func recordBeginning(
    store: String,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result,
    usesWriteAheadLog: Bool
  ) throws {
    let identity = try source.identity()
    // A discarded run never reported its own copies.
    let copies = Set(unreadCopies).union(discarded?.unreadCopies ?? [])
    let description = RunDescription(
      run: RunDescription.name(
        planFingerprint: plan.fingerprint,
        second: max(time(nil), try lastSecond() + 1),
        number: .random(in: 0...UInt32.max)
      ),
      store: store,
      output: options.output,
      models: options.models,
      from: plan.source.version.qualifiedName,
      to: plan.destination.version.qualifiedName,
      planFingerprint: plan.fingerprint,
      schemaFingerprint: preflight.chain.fingerprint,
      sourceIdentity: identity.description,
      usesWriteAheadLog: usesWriteAheadLog,
      settings: options.settings,
      salvage: source.salvage,
      unreadCopies: copies.isEmpty ? nil : copies.sorted(by: ByteOrder.precedes)
    )
    try putFinishedJournalAway()
    do {
      try record(.begun, run: description)
    } catch {
      try? files.removeJournal()
      throw error
    }
  }

  /// Returns the second in the last run's name; the next run gets a later one, by any clock.
  private func lastSecond() throws -> Int {
    max(journal.run?.second ?? 0, try RunHistory.lastSecond(in: files))
  }

  /// Puts the journal of an earlier run beside its backup, which it describes.
  private mutating func putFinishedJournalAway() throws {
    guard let earlier = journal.run, journal.isFinished else { return }
    let backups = try files.makeBackups()
    try files.folder.rename(
      Workspace.journalName,
      to: Workspace.finishedJournalName(run: earlier.run),
      in: backups
    )
    try backups.synchronize()
    try files.folder.synchronize()
    journal = try CheckpointJournal(Workspace.journalName, in: files.folder)
  }

  /// Goes on from the last record.
  mutating func resume(
    source: borrowing any MigrationSource & ~Copyable
  ) throws -> MigrationOutcome {
    let preflight = try checkBeginning(source)
    return try carryOut(source, preflight, isResumed: true)
  }

  private mutating func checkBeginning(
    _ source: borrowing any MigrationSource & ~Copyable
  ) throws -> Preflight.Result {
    guard let description = journal.run else { throw noJournal }
    guard journal.records.allSatisfy({ $0.hop ?? 0 <= plan.hops.count }) else {
      throw MigrationError(
        .mismatch,
        "The journal of \(workspace.destination) has more hops than the plan.",
        recovery: "Start anew with migrate --restart; the original is intact."
      )
    }
    // The run took a store that it replaces out of that mode, and only others put it back.
    let wasReopened = isInPlace && source.usesWriteAheadLog
    let identity = try source.identity()
    guard !wasReopened, identity.description == description.sourceIdentity else {
      throw MigrationError(
        .mismatch,
        "\(description.store) changed since the run began.",
        recovery: "Start anew with migrate --restart."
      )
    }
    guard source.salvage == description.salvage else {
      throw MigrationError(
        .mismatch,
        "What can be read of \(description.store) is not what could be read when the run began.",
        recovery: "Start anew with migrate --restart."
      )
    }
    isResumed = true
    let externalData = try StoreFiles(store: description.store).externalData
    let preflight = try source.withConnection {
      let result = try Preflight(
        plan: plan,
        settings: description.settings,
        registry: options.registry
      ).check($0, externalData: externalData)
      externalFiles = try account($0, result, folder: externalData)
      return result
    }
    guard preflight.chain.fingerprint == description.schemaFingerprint else {
      throw MigrationError(
        .mismatch,
        "The schemas of the plan are not those that the run began with.",
        recovery: "Restore the models and the sample store, or start anew with migrate --restart."
      )
    }
    try checkVerified(preflight)
    try source.settle()
    notes = preflight.notes
    findings = preflight.findings + (externalFiles?.findings ?? [])
    resumedAfter = checkpoint?.hop ?? 0
    return preflight
  }

  /// Throws if an authored hop was not verified although the result must be: nothing after it can
  /// be compared with anything before it.
  private func checkVerified(_ preflight: Preflight.Result) throws {
    guard options.settings.verification != .none else { return }
    var isCounted = false
    for record in journal.records where record.event == .mapped || record.event == .hop {
      isCounted = isCounted || record.account != nil
      guard record.event == .hop, let number = record.hop else { continue }
      defer { isCounted = false }
      guard preflight.isOpaque(number), !isCounted else { continue }
      let hop = plan.hops[number - 1]
      throw MigrationError(
        .mismatch,
        "The journal of \(workspace.destination) says that the hop from \(hop.source.name) to "
          + "\(hop.destination.name) was not verified, and it cannot be verified any more.",
        recovery: "Start anew with migrate --restart, or go on without verification: resume "
          + "--verify none."
      )
    }
  }

  /// Returns the account of the files in which the store keeps large values.
  private func account(
    _ connection: borrowing SQLiteConnection,
    _ preflight: Preflight.Result,
    folder: String
  ) throws -> ExternalAccount {
    try ExternalAccount(in: connection, schema: preflight.chain.schemas[0], folder: folder)
  }

  var noJournal: MigrationError {
    MigrationError(
      .mismatch,
      "The journal of \(workspace.destination) has no beginning.",
      recovery: "Start anew with migrate."
    )
  }

  /// Refuses to begin where the disk cannot hold the checkpoints beside the original.
  private func checkSpace(store: String) throws {
    let files = try StoreFiles(store: store)
    let size = try (FileSystem.size(of: store) ?? 0) + files.writeAheadLogSize
    // In place, the external files stay where they are.
    let external = isInPlace ? 0 : externalFiles?.carriedBytes ?? 0
    let needed = DiskNeed.bytes(for: plan, storeOf: size, externalFiles: external)
    try DiskNeed.check(needed, at: workspace.folder, of: workspace)
  }
}
