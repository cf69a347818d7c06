import Files
import ObjectModel
import StoreAccess

/// A hop that builds a checkpoint as a fresh file by an authored mapping, in batches that survive a
/// kill.
///
/// The new file, and the scratch database beside it, have a rollback journal, and each batch
/// commits together with its position: a hop that dies goes on behind its last batch, where a seal
/// proves that the files are as it left them. The objects are made first, then connected, and
/// validated against the destination model at the end.
package struct ObjectHop {
  let compiled: CompiledHop
  let program: ObjectHopProgram
  /// The greatest number of source rows of a batch.
  let batchSize: Int

  /// The greatest number of source rows of a batch, unless chosen.
  package static let defaultBatchSize = 10_000

  /// The time between two commits.
  ///
  /// A commit waits for the disk some ten times; uncommitted work is done again after a kill.
  let commitInterval: Duration

  /// The commit interval, unless another is chosen.
  package static let defaultCommitInterval = Duration.seconds(1)

  /// The files of a hop.
  package struct Files: Sendable {
    /// The checkpoint that it starts from.
    package let old: String
    /// The file that it makes.
    package let new: String
    /// The scratch database.
    package let scratch: String

    package init(old: String, new: String, scratch: String) {
      self.old = old
      self.new = new
      self.scratch = scratch
    }
  }

  /// The number of rows of each table of the checkpoint that it starts from; none where it is not known.
  var rows: [String: Int64] = [:]
  /// The policies that the mapping names.
  let registry: MigrationRegistry
  /// Whether links may go that take each other's place.
  let acceptsTakenLinks: Bool

  /// Makes the object hop of a compiled hop and its program.
  package init(
    _ compiled: CompiledHop,
    _ program: ObjectHopProgram,
    registry: MigrationRegistry = MigrationRegistry(),
    batchSize: Int = ObjectHop.defaultBatchSize,
    commitInterval: Duration = ObjectHop.defaultCommitInterval,
    acceptsTakenLinks: Bool = false
  ) {
    self.compiled = compiled
    self.program = program
    self.registry = registry
    self.batchSize = max(1, batchSize)
    self.commitInterval = commitInterval
    self.acceptsTakenLinks = acceptsTakenLinks
  }

  /// Runs the hop, or the rest of it.
  ///
  /// - Parameters:
  ///   - owner: A text that only the same hop of the same run from the same checkpoint has: files of
  ///     another are thrown away.
  package func run(
    _ files: Files,
    owner: String,
    cancellation: Cancellation,
    onEvent: (MigrationEvent) -> Void
  ) throws {
    let remains = try remains(files, owner: owner)
    if remains == nil { try Self.remove(files) }
    var run: ObjectHopRun? = try start(files, owner: owner, remains, cancellation: cancellation)
    if remains != nil, try run?.mustBeginAnew() == true {
      // The file is closed before it goes.
      run = nil
      try Self.remove(files)
      run = try start(files, owner: owner, nil, cancellation: cancellation)
    }
    try run?.run(cancellation: cancellation, onEvent: onEvent)
    run = nil
    try Self.settle(files.new)
  }

  /// Lets SQLite remove the journal of a commit that was done.
  ///
  /// SQLite reports no error of the work that remains once all files of a commit are written (measured
  /// by failing its `ftruncate`): the journal then names one that is gone, and undoes nothing.
  private static func settle(_ path: String) throws {
    guard try FileSystem.exists(path + "-journal") else { return }
    let connection = try SQLiteConnection(
      path: path,
      access: .readWrite,
      superJournals: .ofFolder
    )
    _ = try connection.integer("SELECT COUNT(*) FROM sqlite_schema")
  }

  private func start(
    _ files: Files,
    owner: String,
    _ remains: Remains?,
    cancellation: Cancellation
  ) throws -> ObjectHopRun {
    let database = PreparedDatabase(
      try open(files, remains, cancellation: cancellation),
      isWrittenOnThread: true
    )
    let reading = PreparedDatabase(try openOld(files, cancellation: cancellation))
    let run = try ObjectHopRun(self, database, reading: reading)
    if remains == nil { try run.begin(owner: owner) }
    return run
  }

  /// Removes the files that a hop may have left.
  static func remove(_ files: Files) throws(FileError) {
    let folder = try Folder(FileSystem.folder(of: files.new))
    let databases = [files.new, files.scratch].map { FileSystem.name(of: $0) }
    for name in try folder.names()
    where databases.contains(where: { Workspace.isName(name, ofDatabase: $0) }) {
      try folder.remove(name)
    }
  }

  /// The files of the hop that a killed process left.
  private struct Remains {
    /// The pages of the file that it made.
    let new: DatabasePages
    /// The pages of the scratch database.
    let scratch: DatabasePages
    let seal: ResumeChecksum
  }

  /// Returns the files of this hop that a killed process left; nil for another hop's, or changed
  /// ones.
  private func remains(_ files: Files, owner: String) throws -> Remains? {
    guard try FileSystem.exists(files.new), try FileSystem.exists(files.scratch) else {
      return nil
    }
    do {
      guard try Self.belong(files, to: owner, mark: compiled.mark) else { return nil }
    } catch let error as SQLiteError where Self.isDamage(error.code) { return nil }
    let new = try DatabasePages(reading: files.new)
    let scratch = try DatabasePages(reading: files.scratch)
    guard let first = try new.sum(reading: files.new),
      let second = try scratch.sum(reading: files.scratch),
      let seal = try ResumeChecksum.unbroken(
        beside: files.scratch,
        ResumeChecksum.Sums(new: first, scratch: second)
      )
    else { return nil }
    return Remains(new: new, scratch: scratch, seal: seal)
  }

  private static func isDamage(_ code: SQLiteError.Code) -> Bool {
    code == .notADatabase || code == .corrupt
  }

  /// Returns whether the files belong to a hop; opening them for writing rolls back the batch that a
  /// killed process left.
  private static func belong(_ files: Files, to owner: String, mark: Int64) throws -> Bool {
    let connection = try SQLiteConnection(
      path: files.new,
      access: .readWrite,
      superJournals: .ofFolder
    )
    try connection.attach(
      path: files.scratch,
      as: "scratch",
      access: .readWrite,
      superJournals: .ofFolder
    )
    return try ScratchDatabase.belongs(to: owner, mark: mark, on: connection)
  }

  private func open(
    _ files: Files,
    _ remains: Remains?,
    cancellation: Cancellation
  ) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: files.new,
      access: remains == nil ? .create : .readWrite,
      superJournals: .ofFolder
    )
    if remains == nil {
      // The first batch brings it to the disk.
      try connection.execute(script: "PRAGMA main.synchronous = OFF")
      try SchemaWriter.prepareNewFile(connection)
    }
    try connection.attach(
      path: files.scratch,
      as: "scratch",
      access: remains == nil ? .create : .readWrite,
      superJournals: .ofFolder
    )
    try connection.attach(path: files.old, as: "old", access: .readOnly)
    let seal = try remains?.seal ?? ResumeChecksum(creatingBeside: files.scratch)
    let new = try connection.watch("main", from: remains?.new ?? DatabasePages())
    let scratch = try connection.watch("scratch", from: remains?.scratch ?? DatabasePages())
    // A journal is brought to the disk once, not twice: the seal detects the damage that a power cut
    // could do to it. Each batch changes the scratch database, which SQLite writes after the main one.
    scratch.onFlush = { [unowned scratch] in
      guard let first = try new.sum(), let second = try scratch.sum() else { return }
      try seal.write(ResumeChecksum.Sums(new: first, scratch: second))
    }
    try connection.execute(
      script: """
        PRAGMA main.journal_mode = DELETE; PRAGMA scratch.journal_mode = DELETE;
        PRAGMA main.synchronous = NORMAL; PRAGMA scratch.synchronous = NORMAL;
        PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA scratch.locking_mode = EXCLUSIVE;
        PRAGMA main.cache_size = -8000; PRAGMA scratch.cache_size = -4000;
        PRAGMA old.cache_size = -4000
        """
    )
    try prepare(connection, cancellation: cancellation)
    return connection
  }

  /// Opens the checkpoint alone, under the name that it has beside the others.
  private func openOld(
    _ files: Files,
    cancellation: Cancellation
  ) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: "", access: .inMemory)
    try connection.attach(path: files.old, as: "old", access: .readOnly)
    try connection.execute(script: "PRAGMA old.cache_size = -4000")
    try prepare(connection, cancellation: cancellation)
    return connection
  }

  private func prepare(
    _ connection: borrowing SQLiteConnection,
    cancellation: Cancellation
  ) throws {
    try ExternalData.register(on: connection, folder: compiled.externalData)
    try ExpressionFunctions.register(on: connection)
    try StoredNumber.register(on: connection)
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
  }
}
