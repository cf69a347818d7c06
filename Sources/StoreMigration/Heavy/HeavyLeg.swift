import Files
import ObjectModel
import StoreAccess

/// Builds a checkpoint as a fresh file by an authored mapping, in batches that survive a kill.
///
/// The new file, and the scratch database beside it, have a rollback journal, and each batch commits
/// together with its position: a hop that dies goes on behind its last batch. The objects are made
/// first, then connected, and held against the destination model at the end.
package struct HeavyLeg {
  let leg: Leg
  let program: HeavyProgram
  /// The greatest number of source rows of a batch.
  let batchSize: Int

  /// The greatest number of source rows of a batch, unless chosen.
  package static let defaultBatchSize = 10_000

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

  /// The policies that the mapping names.
  let registry: MigrationRegistry

  /// The way to run a leg; nil for one whose mapping is not authored.
  package init?(
    _ leg: Leg,
    registry: MigrationRegistry = MigrationRegistry(),
    batchSize: Int = HeavyLeg.defaultBatchSize
  ) {
    guard let program = leg.heavy else { return nil }
    self.leg = leg
    self.program = program
    self.registry = registry
    self.batchSize = max(1, batchSize)
  }

  /// Runs the leg, or what is left of it.
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
    let isBegun = try isBegun(files, owner: owner)
    if !isBegun { try Self.remove(files) }
    var run: HeavyRun? = try start(
      files,
      owner: owner,
      isBegun: isBegun,
      cancellation: cancellation
    )
    if isBegun, try run?.mustBeginAnew() == true {
      // The file is closed before it goes.
      run = nil
      try Self.remove(files)
      run = try start(files, owner: owner, isBegun: false, cancellation: cancellation)
    }
    try run?.run(cancellation: cancellation, onEvent: onEvent)
  }

  private func start(
    _ files: Files,
    owner: String,
    isBegun: Bool,
    cancellation: Cancellation
  ) throws -> HeavyRun {
    let database = HeavyDatabase(
      try open(files, isBegun: isBegun, cancellation: cancellation)
    )
    let run = try HeavyRun(self, database)
    if !isBegun { try run.begin(owner: owner) }
    return run
  }

  /// Removes what a hop may have left.
  static func remove(_ files: Files) throws(FileError) {
    let folder = try Folder(FileSystem.folder(of: files.new))
    let databases = [files.new, files.scratch].map { FileSystem.name(of: $0) }
    for name in try folder.names()
    where databases.contains(where: { Workspace.isName(name, ofDatabase: $0) }) {
      try folder.remove(name)
    }
  }

  /// Whether the files are those of this hop, begun by a process that died.
  private func isBegun(_ files: Files, owner: String) throws -> Bool {
    guard try FileSystem.exists(files.new), try FileSystem.exists(files.scratch) else {
      return false
    }
    do {
      return try Self.belong(files, to: owner, mark: leg.mark)
    } catch let error as SQLiteError where Self.isDamage(error.code) { return false }
  }

  private static func isDamage(_ code: SQLiteError.Code) -> Bool {
    code == .notADatabase || code == .corrupt
  }

  /// Opening the files for writing rolls back the batch that a killed process left.
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
    return try HeavyScratch.belongs(to: owner, mark: mark, on: connection)
  }

  private func open(
    _ files: Files,
    isBegun: Bool,
    cancellation: Cancellation
  ) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(
      path: files.new,
      access: isBegun ? .readWrite : .create,
      superJournals: .ofFolder
    )
    if !isBegun { try SchemaWriter.prepareNewFile(connection) }
    try connection.attach(
      path: files.scratch,
      as: "scratch",
      access: isBegun ? .readWrite : .create,
      superJournals: .ofFolder
    )
    try connection.attach(path: files.old, as: "old", access: .readOnly)
    try connection.execute(
      script: """
        PRAGMA main.journal_mode = DELETE; PRAGMA scratch.journal_mode = DELETE;
        PRAGMA main.synchronous = FULL; PRAGMA scratch.synchronous = FULL;
        PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA scratch.locking_mode = EXCLUSIVE;
        PRAGMA main.cache_size = -8000; PRAGMA scratch.cache_size = -4000;
        PRAGMA old.cache_size = -4000
        """
    )
    try ExternalData.register(on: connection, folder: leg.externalData)
    try ExpressionFunctions.register(on: connection)
    try StoredNumber.register(on: connection)
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    return connection
  }
}
