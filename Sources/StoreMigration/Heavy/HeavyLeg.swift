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

  /// One thing that the hop does, in one batch or several.
  enum Step {
    case create(HeavyProgram.Creation)
    case connect(HeavyProgram.Connection)
    case writeCollected(HeavyProgram.Connection)
    case fillOrders
    case carryObjects
    case derive
    case index(Int)
    case complete
  }

  /// The steps in their order; the same each time that the program is compiled.
  var steps: [Step] {
    var steps: [Step] = []
    for index in program.mapping.entityMappings.indices {
      if let creation = program.creations[index] { steps.append(.create(creation)) }
    }
    for index in program.mapping.entityMappings.indices {
      for connection in program.connections[index] {
        steps.append(.connect(connection))
        if !connection.isDirect { steps.append(.writeCollected(connection)) }
      }
    }
    steps += [.fillOrders, .carryObjects, .derive]
    steps += leg.destination.indexes.indices.map { .index($0) }
    return steps + [.complete]
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
    let connection = try open(files, isBegun: isBegun, cancellation: cancellation)
    if !isBegun { try begin(owner: owner, on: connection) }
    let carried = try CarriedObjects(
      SchemaObject.all(in: connection, schema: "old"),
      schema: leg.source
    )
    try LinkWriter.prepare(connection)
    let steps = self.steps
    var position = try HeavyScratch.position(on: connection)
    while steps.indices.contains(position.step) {
      try cancellation.check()
      try connection.transaction {
        let last = try run(steps[position.step], position, carried: carried, on: connection)
        position =
          last.map { .init(step: position.step, lastKey: $0) }
          ?? .init(step: position.step + 1, lastKey: .min)
        try HeavyScratch.write(position, on: connection)
      }
      onEvent(.passed(.batchWritten))
    }
  }

  /// Removes what a hop may have left.
  static func remove(_ files: Files) throws(FileError) {
    let folder = FileSystem.folder(of: files.new)
    let names = [files.new, files.scratch].map { FileSystem.name(of: $0) }
    for name in try FileSystem.names(inFolder: folder)
    where names.contains(where: { name == $0 || name.hasPrefix($0 + "-") }) {
      try FileSystem.remove("\(folder)/\(name)")
    }
  }

  /// Whether the files are those of this hop, begun by a process that died.
  private func isBegun(_ files: Files, owner: String) throws -> Bool {
    guard FileSystem.exists(files.new), FileSystem.exists(files.scratch) else { return false }
    do {
      return try Self.belong(files, to: owner, mark: leg.mark)
    } catch let error as SQLiteError where Self.isDamage(error.code) { return false }
  }

  private static func isDamage(_ code: SQLiteError.Code) -> Bool {
    code == .notADatabase || code == .corrupt
  }

  /// Opening the files for writing rolls back the batch that a killed process left.
  private static func belong(_ files: Files, to owner: String, mark: Int64) throws -> Bool {
    let connection = try SQLiteConnection(path: files.new, access: .readWrite)
    try connection.attach(path: files.scratch, as: "scratch", access: .readWrite)
    return try HeavyScratch.belongs(to: owner, mark: mark, on: connection)
  }

  private func open(
    _ files: Files,
    isBegun: Bool,
    cancellation: Cancellation
  ) throws -> SQLiteConnection {
    let connection = try SQLiteConnection(path: files.new, access: isBegun ? .readWrite : .create)
    if !isBegun { try SchemaWriter.prepareNewFile(connection) }
    try connection.attach(
      path: files.scratch,
      as: "scratch",
      access: isBegun ? .readWrite : .create
    )
    try connection.attach(path: files.old, as: "old", access: .readOnly)
    try connection.execute(
      """
      PRAGMA main.journal_mode = DELETE; PRAGMA scratch.journal_mode = DELETE;
      PRAGMA main.synchronous = FULL; PRAGMA scratch.synchronous = FULL;
      PRAGMA main.locking_mode = EXCLUSIVE; PRAGMA scratch.locking_mode = EXCLUSIVE;
      PRAGMA main.cache_size = -16000; PRAGMA scratch.cache_size = -16000;
      PRAGMA old.cache_size = -8000
      """
    )
    try ExternalData.register(on: connection, folder: leg.externalData)
    connection.onProgress(everyInstructions: 100_000) { !cancellation.isRequested }
    return connection
  }

  /// Makes the empty tables and the scratch database's own.
  private func begin(owner: String, on connection: borrowing SQLiteConnection) throws {
    let keys = try PrimaryKeyTable(reading: connection, schema: "old")
    let greatest = try KeyAllocator.greatestKeys(
      program.keys.keepers,
      source: leg.source,
      destination: leg.destination,
      keys: keys,
      on: connection
    )
    try connection.transaction {
      try SchemaWriter(leg.destination).createTables(connection)
      try HeavyScratch.create(on: connection, owner: owner, greatestKeys: greatest)
    }
  }

  /// Runs one batch of a step.
  ///
  /// - Returns: The key of the batch's last row; nil where the step is done.
  private func run(
    _ step: Step,
    _ position: HeavyScratch.Position,
    carried: CarriedObjects,
    on connection: borrowing SQLiteConnection
  ) throws -> Int64? {
    switch step {
    case .create(let creation):
      return try CreationPass(creation: creation, batchSize: batchSize)
        .run(after: position.lastKey, on: connection)
    case .connect(let links):
      return try ConnectionPass(connection: links, number: position.step, batchSize: batchSize)
        .run(after: position.lastKey, isWhole: isUnindexed(links, connection), on: connection)
    case .writeCollected(let links):
      return try ConnectionPass(connection: links, number: position.step - 1, batchSize: batchSize)
        .writeCollected(after: position.lastKey, on: connection)
    case .fillOrders: try OrderFill(leg.destination).run(on: connection)
    case .carryObjects: try carried.copy(leg, on: connection)
    case .derive: try SchemaWriter(leg.destination).computeDerivedAttributes(connection)
    case .index(let index): try connection.execute(leg.destination.indexes[index].sql)
    case .complete: try complete(carried, on: connection)
    }
    return nil
  }

  /// Whether a relationship's links cannot be looked up by their owner but by reading all of them.
  private func isUnindexed(
    _ links: HeavyProgram.Connection,
    _ connection: borrowing SQLiteConnection
  ) throws -> Bool {
    for lookup in links.lookups {
      let count = try connection.integer(
        "SELECT COUNT(*) FROM pragma_index_list(?, 'old') l "
          + "JOIN pragma_index_info(l.name, 'old') c ON c.seqno = 0 WHERE c.name = ?",
        [.text(lookup.table), .text(lookup.column)]
      )
      if count ?? 0 == 0 { return true }
    }
    return false
  }

  /// Makes what stands beside the rows, and marks the checkpoint.
  private func complete(
    _ carried: CarriedObjects,
    on connection: borrowing SQLiteConnection
  ) throws {
    var issued: [String: Int64] = [:]
    for table in leg.destination.tables {
      issued[table.rootEntityName] = try HeavyScratch.greatestKey(in: table.name, on: connection)
    }
    try leg.writeSurroundings(
      carried,
      keys: PrimaryKeyTable(reading: connection, schema: "old"),
      metadata: StoreMetadata(reading: connection, schema: "old"),
      issued: issued,
      on: connection
    )
  }
}
