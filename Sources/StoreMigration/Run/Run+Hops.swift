import Files
import MigrationPlanning
import ObjectModel
import StoreAccess
import StoreVerification

extension Run {
  /// Runs the rest of a pass, from the checkpoint before it to its own.
  mutating func run(
    _ pass: Pass,
    _ compiled: CompiledHop,
    from last: Checkpoint,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws {
    let hop = pass.hop
    do {
      if preflight.isOpaque(pass.end) {
        try runAuthored(pass, compiled, source, preflight)
      } else {
        try runInferred(pass, compiled, from: last, source, preflight)
      }
    } catch let error as SQLiteError where error.isInterruptedCall {
      throw error
    } catch {
      throw MigrationError(
        error,
        during:
          "the \(pass.isFused ? "pass" : "hop") from \(hop.source.name) to \(hop.destination.name)"
      )
    }
  }

  private func begin(_ pass: Pass, inPlace: Bool) {
    options.onEvent(
      .began(
        .hop(
          numbers: pass.start + 1...pass.end,
          of: plan.hops.count,
          from: pass.hop.source.name,
          to: pass.hop.destination.name,
          inPlace: inPlace
        )
      )
    )
  }

  private mutating func runInferred(
    _ pass: Pass,
    _ compiled: CompiledHop,
    from last: Checkpoint,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws {
    let number = pass.end
    let changes = try checkPreconditions(compiled, pass, last)
    begin(pass, inPlace: compiled.program.alteration != nil)
    let before = isCertified ? try counts(of: last, source, compiled.source) : nil
    // A file that later hops are compared with is not changed.
    let start = segmentStart(before: number, preflight)
    let isKept = start?.file == last.file
    var path = last.file
    if compiled.program.alteration?.writesRows ?? true || isKept {
      path = workspace.checkpoint(number)
      if compiled.program.alteration != nil { try takeOver(last, as: path, isKept: isKept) }
    }
    try carryOut(
      compiled,
      from: last,
      to: path,
      number,
      provenIndexes: last.event == .copied && !isResumed ? proof?.indexes ?? [] : []
    )
    options.onEvent(.passed(.hopWritten))
    var account: HopReconciliation?
    if let before {
      // The counts taken here are certified later: the header stays the same from here on.
      if number == plan.hops.count {
        try setWriteAheadLogMode(path, isDisposable: path != last.file)
      }
      let made = self.account(
        pass,
        before: before,
        after: StoreCounts(try census(of: path, after: number, compiled.destination)),
        changes: changes
      )
      let report = VerificationReport(checks: [made.check])
      try require(report)
      verified.append(report)
      account = made
    }
    try complete(hop: number, path: path, isDisposable: path != last.file, account: account)
    if path != last.file, !isKept { try files.folder.remove(FileSystem.name(of: last.file)) }
  }

  /// Gives the file that a hop changes its name.
  private func takeOver(_ last: Checkpoint, as path: String, isKept: Bool) throws {
    if last.event == .copied, !isKept {
      // Under its new name, which is on the disk before the first write, no process takes a
      // half-changed file for the working copy.
      try files.folder.rename(FileSystem.name(of: last.file), to: FileSystem.name(of: path))
      try files.folder.synchronize()
    } else {
      try FileSystem.copy(last.file, toNewFile: path)
    }
  }

  /// Carries out a compiled hop.
  ///
  /// - Parameters:
  ///   - path: The file that it makes; one that it alters is there.
  ///   - provenIndexes: The indexes of the checkpoint that are known to be their tables'.
  private func carryOut(
    _ compiled: CompiledHop,
    from last: Checkpoint,
    to path: String,
    _ number: Int,
    provenIndexes: Set<String> = []
  ) throws {
    let (rows, cancellation) = (rows(of: last), options.cancellation)
    switch compiled.program {
    case .inPlace(let plan, _):
      try InPlaceHop(compiled: compiled, plan: plan, rows: rows).run(
        on: path,
        isDisposable: path != last.file,
        cancellation: cancellation,
        onEvent: options.onEvent
      )
    case .tables(let program):
      var hop = RebuildHop(compiled: compiled, program: program, rows: rows)
      hop.provenIndexes = provenIndexes
      try hop.run(from: last.file, to: path, cancellation: cancellation, onEvent: options.onEvent)
    case .objects(let program):
      var hop = ObjectHop(
        compiled,
        program,
        registry: options.registry,
        batchSize: options.batchSize,
        commitInterval: options.commitInterval,
        acceptsTakenLinks: options.settings.acceptsChangedValues
      )
      hop.rows = rows
      try hop.run(
        ObjectHop.Files(old: last.file, new: path, scratch: workspace.scratch(number)),
        // Another build may have other steps, whose numbers are the positions.
        owner: "\(plan.fingerprint) \(number) \(last.identity) \(hop.steps.count)",
        cancellation: cancellation,
        onEvent: options.onEvent
      )
    }
  }

  // MARK: Authored hops

  /// Runs an authored hop: its first actions, its mapping, and its last actions, each on a file of
  /// its own that is recorded when it is whole.
  private mutating func runAuthored(
    _ pass: Pass,
    _ compiled: CompiledHop,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws {
    let (hop, number) = (pass.hop, pass.end)
    begin(pass, inPlace: false)
    guard var last = checkpoint else { throw noJournal }
    if last.event != .prepared, last.event != .mapped {
      try verifySegment(before: number, source, preflight)
      if !hop.mapping.actionsBefore.isEmpty {
        try act(
          hop,
          hop.mapping.actionsBefore,
          compiled.source,
          .source,
          last,
          workspace.prepared(number)
        )
        try record(.prepared, hop: number - 1, path: workspace.prepared(number), isExact: true)
        guard let prepared = checkpoint else { throw noJournal }
        last = prepared
      }
    }
    if last.event != .mapped {
      let account = try map(pass, compiled, from: last, source, preflight)
      options.onEvent(.passed(.hopWritten))
      let path = workspace.checkpoint(number)
      if hop.mapping.actionsAfter.isEmpty {
        try complete(
          hop: number,
          path: path,
          isExact: true,
          isDisposable: true,
          account: account
        )
      } else {
        try record(.mapped, hop: number - 1, path: path, isExact: true, account: account)
      }
    }
    guard let mapped = checkpoint else { throw noJournal }
    if mapped.event == .mapped {
      let path = workspace.completed(number)
      try act(hop, hop.mapping.actionsAfter, compiled.destination, .destination, mapped, path)
      try complete(hop: number, path: path, isExact: true, isDisposable: true)
    }
    guard let done = checkpoint else { throw noJournal }
    try files.removeCheckpoints(except: [FileSystem.name(of: done.file)])
  }

  /// Maps the objects of a checkpoint into the file of a hop, and verifies them.
  ///
  /// - Returns: The account of the mapping; nil where nothing is verified.
  private mutating func map(
    _ pass: Pass,
    _ compiled: CompiledHop,
    from last: Checkpoint,
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws -> HopReconciliation? {
    let number = pass.end
    let path = workspace.checkpoint(number)
    let changes = try checkPreconditions(compiled, pass, last)
    // A hop that makes objects goes on with the files of a killed run.
    if !compiled.program.makesObjects { try files.remove(database: path) }
    if compiled.program.alteration != nil { try FileSystem.copy(last.file, toNewFile: path) }
    try carryOut(compiled, from: last, to: path, number)
    return try verifyMapping(
      compiled,
      pass,
      from: last,
      to: path,
      scratch: workspace.scratch(number),
      source,
      changes: changes,
      leftovers: preflight.leftovers[number]
    )
  }

  /// Takes actions on a copy of a checkpoint.
  private func act(
    _ hop: Hop,
    _ actions: [MigrationAction],
    _ schema: PhysicalSchema,
    _ store: ManagedObjectID.Store,
    _ checkpoint: Checkpoint,
    _ path: String
  ) throws {
    try files.remove(database: path)
    try FileSystem.copy(checkpoint.file, toNewFile: path)
    try StageActions(
      actions: actions,
      fileNames: hop.origins.map(\.fileName).joined(separator: ", "),
      schema: schema,
      store: store,
      registry: options.registry,
      externalData: try externalData
    ).run(on: path, cancellation: options.cancellation)
  }

  // MARK: Both

  /// Brings a hop's file to the disk and records it.
  ///
  /// - Parameter isDisposable: Whether the file is one that no resumed run would go on from.
  mutating func complete(
    hop: Int,
    path: String,
    isExact: Bool = false,
    isDisposable: Bool = false,
    account: HopReconciliation? = nil
  ) throws {
    if hop == plan.hops.count { try setWriteAheadLogMode(path, isDisposable: isDisposable) }
    try record(.hop, hop: hop, path: path, isExact: isExact, account: account)
  }

  /// - Parameter isDisposable: Whether no resumed run would go on from the file before it is recorded,
  ///   which brings it to the disk.
  func setWriteAheadLogMode(_ path: String, isDisposable: Bool) throws {
    let connection = try SQLiteConnection(path: path, access: .readWrite)
    if isDisposable { try connection.execute(script: "PRAGMA main.synchronous = OFF") }
    try connection.setJournalMode(.wal)
  }
}
