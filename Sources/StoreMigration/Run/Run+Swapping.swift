import Files
import MigrationPlanning
import ObjectModel
import StoreAccess

extension Run {
  /// Puts the result into its place.
  ///
  /// 1. The result is closed, in write-ahead-log mode, and on the disk; so are the external files
  ///    of an output, and the record with the result's identity.
  /// 2. The original gets a second name, its backup (a hard link, or a copy where links fail).
  /// 3. The folder of the backup is brought to the disk.
  /// 4. One rename puts the result over the original.
  /// 5. The folder of the destination is brought to the disk.
  ///
  /// The original's own `-wal` is gone since its lock was taken: a result renamed over a store with
  /// an old `-wal` would be malformed.
  mutating func swap(_ source: borrowing any MigrationSource & ~Copyable) throws {
    guard let description = journal.run, let last = checkpoint else { throw lost }
    let destination = workspace.destination
    options.onEvent(.began(.swapping))
    try makeReady(last.file, like: description.store)
    if !isInPlace {
      try ExternalTransfer(
        source: StoreFiles(store: description.store),
        destination: StoreFiles(store: destination)
      ).run(options.cancellation)
      options.onEvent(.passed(.externalFilesCopied))
    }
    try source.checkUnchanged()
    let identity = try StoreFileIdentity(path: last.file).description
    try record(.swapping, hop: last.hop, identity: identity)
    if isInPlace {
      try keepOriginal(as: workspace.backup(run: description.run), source)
      options.onEvent(.passed(.originalKept))
      try source.checkUnchanged()
      try files.place(last.file)
    } else {
      try Self.checkNothingBeside(destination)
      try files.placeNew(last.file)
    }
    options.onEvent(.passed(.resultPlaced))
    try files.place.synchronize()
    try files.folder.synchronize()
    try record(.swapped, hop: last.hop)
  }

  /// Gives the result the original's owner and permissions, and proves that its file is all of it.
  private mutating func makeReady(_ result: String, like store: String) throws {
    let files = try StoreFiles(store: result)
    guard try files.writeAheadLogSize == 0, try !files.hasRollbackJournal else { throw lost }
    guard let status = try FileSystem.status(store) else { return }
    do {
      try FileSystem.setOwner(like: status, of: result)
    } catch {
      notes.append("the result belongs to the user of the run, not to the original's owner")
    }
    try FileSystem.setPermissions(status.permissions, of: result)
    let lost = try FileSystem.copyExtendedAttributes(of: store, to: result)
    if !lost.isEmpty {
      notes.append("not carried: the file's attributes \(lost.joined(separator: ", "))")
    }
    try FileSystem.synchronize(result)
  }

  /// Gives the original a second name.
  private func keepOriginal(
    as backup: String,
    _ source: borrowing any MigrationSource & ~Copyable
  ) throws {
    let backups = try files.makeBackups()
    let name = FileSystem.name(of: backup)
    if let there = try backups.status(of: name) {
      try WorkspaceFolder.requirePlain(there, backup)
    } else {
      do {
        try files.place.link(files.destinationName, to: name, in: backups)
      } catch {
        let partial = name + ".partial"
        try backups.remove(partial)
        let path = backups.path(of: partial)
        try source.copy(to: path, shouldContinue: { true })
        if let status = try FileSystem.status(workspace.destination) {
          try? FileSystem.setOwner(like: status, of: path)
          try FileSystem.setPermissions(status.permissions, of: path)
        }
        try FileSystem.synchronize(path)
        try backups.rename(partial, to: name)
      }
    }
    try backups.synchronize()
  }

  /// Throws if journals of another database are beside an output, which SQLite would read into it, or if its
  /// name is one that SQLite gives to such files: it would remove the result.
  static func checkNothingBeside(_ output: String) throws {
    guard !StoreFiles.isCompanion(output) else {
      throw MigrationError(
        .cannotCreate,
        "\(output) has a name that SQLite gives to files of its own.",
        recovery: "Choose another name."
      )
    }
    for suffix in StoreFiles.companionSuffixes where try FileSystem.exists(output + suffix) {
      throw MigrationError(
        .cannotCreate,
        "\(output)\(suffix) is in the way of the output.",
        recovery: "Remove it, or choose another name."
      )
    }
  }

  /// Returns whether the result has taken its place: recorded, or done by a process that died before it
  /// could record it.
  ///
  /// - Throws: ``MigrationError`` with `mismatch`, where it has, and another file or none is there now.
  mutating func wasSwapped() throws -> Bool {
    let isRecorded = journal.last?.event == .swapped
    guard try isRecorded || journal.last?.event == .swapping && isResultPlaced() else {
      return false
    }
    // A file system may give the number of a file that was removed to the next one.
    guard try hasResultVersion() else { throw resultGone() }
    if !isRecorded {
      resumedAfter = checkpoint?.hop ?? 0
      try record(.swapped, hop: checkpoint?.hop)
    }
    return true
  }

  /// Returns whether the result is in its place, recorded or not.
  func isResultThere() throws -> Bool {
    try (journal.last?.event == .swapped || isResultPlaced()) && hasResultVersion()
  }

  /// Returns whether the destination has a store of the version wanted.
  private func hasResultVersion() throws -> Bool {
    guard try FileSystem.exists(workspace.destination) else { return false }
    do throws(StoreAccessError) {
      let metadata = try PersistentStore(reading: workspace.destination).metadata
      return metadata.versionHashes == plan.destination.model.entityVersionHashes
    } catch {
      guard error.isOfContents else { throw error }
      return false
    }
  }

  private func resultGone() -> MigrationError {
    let original =
      journal.run.map { run in
        run.output == nil
          ? "The original is kept at \(workspace.backup(run: run.run))."
          : "The original is at \(run.store)."
      } ?? ""
    return MigrationError(
      .mismatch,
      "The result of the run is no longer at \(workspace.destination): the file there was removed, replaced, or "
        + "migrated on. \(original)",
      recovery: "Put the store there that is to be migrated, and start anew with migrate --restart."
    )
  }

  /// Returns whether the file at the destination is the one that was about to be put there; an app may
  /// have written to it since.
  private func isResultPlaced() throws -> Bool {
    guard let swapping = journal.records.last(where: { $0.event == .swapping }),
      let there = try FileSystem.status(workspace.destination)
    else { return false }
    let placed = swapping.identity.flatMap { StoreFileIdentity($0) }
    if there.inode == placed?.store.inode, there.device == placed?.store.device { return true }
    // Where a file system makes up such numbers anew each time it is mounted.
    guard let last = checkpoint, try !FileSystem.exists(last.file) else { return false }
    do {
      return try CheckpointIdentity.matches(path: workspace.destination, last.identity)
    } catch let error as StoreAccessError where error.isOfContents {
      return false
    } catch let error as SQLiteError where !error.isEnvironmental {
      return false
    }
  }
}
