import MigrationPlanning
import StoreAccess

extension Run {
  // MARK: Verifying

  /// Verifies the last checkpoint and records that it passed; a resumed run verifies again.
  mutating func verify(
    _ source: borrowing any MigrationSource & ~Copyable,
    _ preflight: Preflight.Result
  ) throws -> VerificationReport {
    guard let last = journal.records.last(where: { $0.file != nil }), let name = last.file,
      let schema = preflight.chain.schemas.last
    else { throw lost }
    let path = "\(workspace.folder)/\(FileSystem.name(of: name))"
    let level = options.settings.verification
    guard level != .none else { return VerificationReport() }
    options.onEvent(.began(.verifying))
    let plan = self.plan
    let cancellation = options.cancellation
    let report = try source.withConnection { connection in
      try connection.attach(path: path, as: "result", access: .quiescent)
      defer { try? connection.detach("result") }
      connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
      defer { connection.removeProgress() }
      return try ResultVerification(
        plan: plan,
        source: preflight.chain.schemas[0],
        result: schema,
        level: level,
        externalData: journal.run.map { StoreFiles(store: $0.store).externalData } ?? ""
      ).verify(connection)
    }
    guard report.passed else {
      throw MigrationError(
        .verificationFailed,
        "The result is not what the plan promises: \(report.summary).",
        recovery: "The original is intact. Please report this with the models at hand."
      )
    }
    if journal.last?.event != .verified {
      try record(.verified, hop: last.hop, path: path)
    }
    return report
  }

  // MARK: Swapping

  /// Puts the result into its place.
  ///
  /// 1. The result is closed, in write-ahead-log mode, and on the disk.
  /// 2. The original gets a second name, its backup (a hard link, or a copy where links fail).
  /// 3. The folder of the backup is brought to the disk.
  /// 4. One rename puts the result over the original.
  /// 5. The folder of the destination is brought to the disk.
  ///
  /// The original's own `-wal` is gone since its lock was taken: a result renamed over a store with
  /// an old `-wal` would be malformed.
  mutating func swap(_ source: borrowing any MigrationSource & ~Copyable) throws {
    guard let description = journal.run,
      let last = journal.records.last(where: { $0.file != nil }), let name = last.file
    else { throw lost }
    let result = "\(workspace.folder)/\(FileSystem.name(of: name))"
    let destination = workspace.destination
    options.onEvent(.began(.swapping))
    if let status = try FileSystem.status(description.store) {
      try FileSystem.setPermissions(status.permissions, of: result)
    }
    if journal.last?.event != .swapping { try record(.swapping, hop: last.hop, path: result) }
    if isInPlace {
      let backup = workspace.backup(run: description.run)
      try FileSystem.createFolder(workspace.backups)
      if !FileSystem.exists(backup) {
        do {
          try FileSystem.link(destination, to: backup)
        } catch {
          let partial = backup + ".partial"
          try FileSystem.remove(partial)
          try source.copy(to: partial, shouldContinue: { true })
          try FileSystem.rename(partial, to: backup)
        }
      }
      try FileSystem.synchronize(folder: workspace.backups)
      try FileSystem.rename(result, to: destination)
    } else {
      try copyExternalData(of: description.store)
      try FileSystem.move(result, toNewName: destination)
    }
    try FileSystem.synchronize(folder: FileSystem.folder(of: destination))
    try FileSystem.synchronize(folder: workspace.folder)
    try record(.swapped, hop: last.hop)
  }

  /// Gives the output a support folder with the external files of the store.
  private func copyExternalData(of store: String) throws {
    let from = StoreFiles(store: store)
    let to = StoreFiles(store: workspace.destination)
    guard FileSystem.exists(from.externalData) else { return }
    try FileSystem.createFolder(to.support)
    try FileSystem.createFolder(to.externalData)
    for name in try FileSystem.names(inFolder: from.externalData) {
      let target = "\(to.externalData)/\(name)"
      if !FileSystem.exists(target) {
        try FileSystem.copy("\(from.externalData)/\(name)", toNewFile: target)
      }
    }
    try FileSystem.synchronize(folder: to.externalData)
    try FileSystem.synchronize(folder: to.support)
  }

  /// Whether the result has taken its place: recorded, or done by a process that died before it
  /// could record it.
  mutating func wasSwapped() throws -> Bool {
    switch journal.last?.event {
    case .swapped: return true
    case .swapping:
      guard let last = journal.last, let name = last.file, let identity = last.identity,
        !FileSystem.exists("\(workspace.folder)/\(FileSystem.name(of: name))"),
        FileSystem.exists(workspace.destination),
        try CheckpointIdentity.text(path: workspace.destination) == identity
      else { return false }
      resumedAfter = last.hop ?? 0
      try record(.swapped, hop: last.hop)
      return true
    default: return false
    }
  }

  // MARK: Ending

  /// Removes what the run no longer needs, and ends its journal.
  mutating func finish(
    verification: VerificationReport = VerificationReport()
  ) throws -> MigrationOutcome {
    guard let description = journal.run else { throw lost }
    try workspace.removeCheckpoints()
    if isInPlace {
      let identity = try StoreFileIdentity(path: workspace.destination).description
      try journal.append(.finished, identity: identity)
      if let last = journal.last { options.onEvent(.recorded(last)) }
    } else {
      try FileSystem.remove(workspace.journal)
      try FileSystem.remove(workspace.lease)
      try FileSystem.removeFolder(workspace.folder)
    }
    return MigrationOutcome(
      store: workspace.destination,
      backup: isInPlace ? workspace.backup(run: description.run) : nil,
      hops: plan.hops.count,
      resumedAfter: resumedAfter,
      verification: verification,
      notes: notes
    )
  }

  /// Throws the run away after a failure that would come again.
  mutating func abandon() throws {
    try workspace.removeCheckpoints()
    try FileSystem.remove(workspace.journal)
  }

  private var lost: MigrationError {
    MigrationError(
      .mismatch,
      "The journal of \(workspace.destination) names no checkpoint.",
      recovery: "Start anew with migrate --restart."
    )
  }
}
