import Files
import ObjectModel
import StoreAccess

/// An object hop while this process runs it.
final class ObjectHopRun {
  let hop: ObjectHop
  let database: PreparedDatabase
  /// The connection from which code reads the checkpoint that the hop starts from.
  private let reading: PreparedDatabase
  let keys: KeyCounter
  private let manager: MigrationManager
  private let carried: UnmodeledObjects
  /// The passes of the entity mappings that code runs, by index.
  private var passes: [Int: PolicyPass] = [:]
  /// The source objects that code was called with in this process, by entity mapping.
  private var calls: [Int: Int64] = [:]
  private var position = ScratchDatabase.Position.beginning(of: 0)
  /// The time at which the transaction began.
  private var begun = ContinuousClock.now
  /// The rows of the present step that this process went through.
  private var rowsOfStep: Int64 = 0

  /// A run on a connection that has all databases of the hop.
  ///
  /// - Parameter reading: Another, which has `old` alone, so that rows can be read while others are written.
  init(_ hop: ObjectHop, _ database: PreparedDatabase, reading: PreparedDatabase) throws {
    self.hop = hop
    self.database = database
    self.reading = reading
    let compiled = hop.compiled
    let keys = KeyCounter(database, schema: compiled.destination)
    self.keys = keys
    carried = try UnmodeledObjects(
      SchemaObject.all(in: database.connection, schema: "old"),
      schema: compiled.source
    )
    manager = MigrationManager(
      mappingModel: hop.program.mapping,
      sourceContext: ManagedObjectContext(
        database: reading,
        schema: compiled.source,
        configuration: .init(
          store: .source,
          schemaName: "old",
          externalData: compiled.externalData,
          registry: hop.registry
        )
      ),
      destinationContext: ManagedObjectContext(
        database: database,
        schema: compiled.destination,
        configuration: .init(
          store: .destination,
          schemaName: "main",
          externalData: compiled.externalData,
          registry: hop.registry,
          nextKey: { root in try keys.next(root) }
        )
      ),
      associations: AssociationTable(database: database)
    )
    try LinkWriter.prepare(database.connection)
  }

  /// Makes the empty tables and the scratch database's own, in the transaction of the first batch.
  func begin(owner: String) throws {
    let compiled = hop.compiled
    try open()
    let greatest = try KeyAllocator.greatestKeys(
      hop.program.keys.keepers,
      source: compiled.source,
      destination: compiled.destination,
      keys: PrimaryKeyTable(reading: database.connection, schema: "old"),
      on: database.connection
    )
    try SchemaWriter(compiled.destination).createTables(database.connection)
    try ScratchDatabase.create(on: database.connection, owner: owner, greatestKeys: greatest)
    try manager.createTables()
  }

  /// Returns whether a policy with steps to do keeps its state in memory alone.
  func mustBeginAnew() throws -> Bool {
    let position = try ScratchDatabase.position(on: database.connection)
    guard position != .beginning(of: 0) else { return false }
    return try hop.steps.dropFirst(position.step).contains { step in
      guard let index = step.policyMapping else { return false }
      return try pass(index).pass.policy.state == .inMemory
    }
  }

  /// Does all that is left, batch by batch.
  ///
  /// Batches are committed together until ``ObjectHop/commitInterval`` has passed.
  func run(cancellation: Cancellation, onEvent: (MigrationEvent) -> Void) throws {
    let steps = hop.steps
    position = try ScratchDatabase.position(on: database.connection)
    if position != .beginning(of: 0) { try restore() }
    let works = steps.map(rows)
    var meter = RowMeter(total: works.reduce(0, +))
    meter.reach(works[..<position.step].reduce(0, +), onEvent)
    while steps.indices.contains(position.step) {
      try cancellation.check()
      let number = position.step
      do {
        try open()
        position = try run(steps[number])
        if begun.duration(to: .now) >= hop.commitInterval || position.step == steps.count {
          try commit()
          onEvent(.passed(.batchWritten))
        }
      } catch {
        if database.connection.isInTransaction { try? database.connection.execute("ROLLBACK") }
        // The error that a function of SQL threw is more exact than SQLite's.
        let thrown =
          database.connection.takeFunctionError() ?? reading.connection.takeFunctionError()
        throw explained(thrown ?? error, steps[number])
      }
      if position.step != number {
        rowsOfStep = 0
        try report(steps[number], onEvent)
      }
      let done = works[..<position.step].reduce(0, +)
      let rest = steps.indices.contains(position.step) ? works[position.step] : 0
      meter.reach(done + min(rowsOfStep, rest), onEvent)
    }
  }

  /// Returns the rows of the source that a step goes through: those of its entity mapping's table, once
  /// to make objects and once for each relationship.
  private func rows(of step: ObjectHopStep) -> Int64 {
    let index: Int
    switch step {
    case .create(let creation): index = creation.mapping
    case .connect(let links): index = links.mapping
    case .createRows(let mapping), .connectRows(let mapping): index = mapping
    default: return 0
    }
    let source = hop.program.mapping.entityMappings[index].sourceEntityName
    let table = source.flatMap { hop.compiled.source.table(of: $0) }
    return table.flatMap { hop.rows[$0.name] } ?? 0
  }

  /// Reports the objects that a finished step made.
  private func report(_ step: ObjectHopStep, _ onEvent: (MigrationEvent) -> Void) throws {
    let index: Int
    switch step {
    case .create(let creation): index = creation.mapping
    case .createRows(let mapping):
      index = mapping
      let policy = hop.program.mapping.entityMappings[mapping].entityMigrationPolicyClassName
      if let policy { onEvent(.called(policy: policy, objects: calls[mapping] ?? 0)) }
    case .validate:
      try reportMissed(onEvent)
      return try reportTaken(onEvent)
    default: return
    }
    let name = hop.program.mapping.entityMappings[index].destinationEntityName
    guard let table = name.flatMap({ hop.compiled.destination.table(of: $0) })?.name else { return }
    let rows = try database.connection.integer(
      "SELECT COUNT(*) FROM scratch.association WHERE mapping = \(index)"
    )
    onEvent(.filled(table: table, rows: rows ?? 0))
  }

  /// Returns an error of a policy's own, with the policy's name.
  private func explained(_ error: any Error, _ step: ObjectHopStep) -> any Error {
    switch error {
    case is MigrationError, is SQLiteError, is StoreAccessError, is FileError: return error
    case let error as EvaluationError:
      let index: Int? =
        switch step {
        case .create(let creation): creation.mapping
        case .connect(let links), .writeCollected(let links): links.mapping
        default: step.policyMapping
        }
      return MigrationError(
        error,
        of: index.map { [hop.program.mapping.entityMappings[$0].name] } ?? []
      )
    default:
      guard let index = step.policyMapping else { return error }
      let entity = hop.program.mapping.entityMappings[index]
      return MigrationError(
        .failed,
        "\(entity.entityMigrationPolicyClassName ?? "An expression") of the entity mapping "
          + "\(entity.name) failed: \(error).",
        recovery: "Correct it, or the rows that it refuses."
      )
    }
  }

  /// Restores the saved state of policies.
  private func restore() throws {
    try manager.restoreUserInfo()
    manager.destinationContext.mayLackRows = true
    for index in hop.program.rowCreations.sorted() {
      try manager.restoreState(of: pass(index).pass)
    }
  }

  /// Begins a transaction, unless one is open.
  private func open() throws {
    guard !database.connection.isInTransaction else { return }
    try database.connection.execute("BEGIN IMMEDIATE")
    begun = .now
  }

  /// Commits the work together with its position.
  private func commit() throws {
    try database.settle()
    try keys.save()
    try ScratchDatabase.write(position, on: database.connection)
    try database.connection.execute("COMMIT")
  }

  /// Runs the next batch of a step.
  ///
  /// - Returns: The position of the hop then.
  private func run(_ step: ObjectHopStep) throws -> ScratchDatabase.Position {
    let number = position.step
    let last = position.lastKey == .min ? nil : position.lastKey
    let reached: Int64?
    switch step {
    case .createRows(let index):
      let batch = try pass(index).createBatch(after: last)
      calls[index, default: 0] += Int64(batch?.count ?? 0)
      rowsOfStep += Int64(batch?.count ?? 0)
      reached = batch?.lastKey
    case .connectRows(let index):
      let batch = try pass(index).connectBatch(after: last)
      rowsOfStep += Int64(batch?.count ?? 0)
      reached = batch?.lastKey
    case .create(let creation):
      // SQL goes on from the keys that code was given.
      try keys.save()
      reached = try InstanceCreation(creation: creation, batchSize: hop.batchSize)
        .run(after: position.lastKey, on: database.connection)
      rowsOfStep += Int64(hop.batchSize)
      keys.forget()
    case .connect(let links):
      reached = try RelationshipCreation(
        connection: links,
        number: number,
        batchSize: hop.batchSize
      )
      .run(after: position.lastKey, isWhole: isUnindexed(links), on: database.connection)
      rowsOfStep += Int64(hop.batchSize)
    case .writeCollected(let links):
      reached = try RelationshipCreation(
        connection: links,
        number: number - 1,
        batchSize: hop.batchSize
      ).writeCollected(after: position.lastKey, on: database.connection)
    default:
      try runWhole(step)
      reached = nil
    }
    return reached.map { .init(step: number, lastKey: $0) } ?? .beginning(of: number + 1)
  }

  /// Runs a step that is one batch.
  private func runWhole(_ step: ObjectHopStep) throws {
    let compiled = hop.compiled
    switch step {
    case .begin(let index): try pass(index).begin()
    case .endCreation(let index): try pass(index).endInstanceCreation()
    case .endConnection(let index): try pass(index).endRelationshipCreation()
    case .validatePolicy(let index): try pass(index).performCustomValidation()
    case .end(let index): try pass(index).end()
    case .fillOrders:
      var fill = OrderKeyAssignment(compiled.destination)
      fill.merged = MergedLists(of: hop.program, compiled.source)
      try fill.run(on: database.connection)
    case .derive:
      try SchemaWriter(compiled.destination).computeDerivedAttributes(database.connection)
    case .validate: try validate()
    case .index(let index): try database.connection.execute(compiled.destination.indexes[index].sql)
    case .carryObjects: try carried.copy(compiled, on: database.connection)
    case .complete: try complete()
    case .create, .createRows, .connect, .connectRows, .writeCollected: break
    }
  }

  /// Returns the pass of an entity mapping that code runs; its policy lives as long as the run.
  private func pass(_ index: Int) throws -> PolicyPass {
    if let pass = passes[index] { return pass }
    let entity = hop.program.mapping.entityMappings[index]
    var policy = EntityMigrationPolicy()
    if let name = entity.entityMigrationPolicyClassName {
      guard let type = hop.registry.policy(named: name) else {
        throw Self.unknown(policy: name, of: entity)
      }
      policy = type.init()
    }
    let pass = PolicyPass(
      manager: manager,
      pass: try MappingPass(
        index: index,
        policy: policy,
        keepsKeys: hop.program.keys.choices[index] == .kept,
        manager: manager
      ),
      batchSize: hop.batchSize
    )
    passes[index] = pass
    return pass
  }

  static func unknown(policy name: String, of entity: EntityMapping) -> MigrationError {
    MigrationError(
      .refused,
      .unresolvedPolicy,
      "The entity mapping \(entity.name) \(MissingCode.policy(name).need).",
      recovery: MissingCode.policy(name).remedy
    )
  }
}

extension ObjectHopRun {
  /// Returns whether a relationship's links cannot be looked up by their owner but by reading all of
  /// them.
  private func isUnindexed(_ links: ObjectHopProgram.Connection) throws -> Bool {
    for lookup in links.lookups {
      let count = try database.connection.integer(
        "SELECT COUNT(*) FROM pragma_index_list(?, 'old') l "
          + "JOIN pragma_index_info(l.name, 'old') c ON c.seqno = 0 WHERE c.name = ?",
        [.text(lookup.table), .text(lookup.column)]
      )
      if count ?? 0 == 0 { return true }
    }
    return false
  }

  /// Holds all objects against the rules of their model, which stay off until here.
  private func validate() throws {
    if !hop.acceptsTakenLinks, let taken = try OverwrittenLinks.all(on: database.connection).first {
      throw MigrationError(
        .failed,
        words(taken) + ".",
        recovery:
          "Make one of its ends a to-many, correct the mapping or those rows, or accept the "
          + "change (--accept-changed-values)."
      )
    }
    try hop.compiled.validate(on: database.connection)
  }

  /// Reports the keys that were looked up and that no object has.
  private func reportMissed(_ onEvent: (MigrationEvent) -> Void) throws {
    for line in try MissedLookups.all(on: database.connection) {
      let entity = hop.program.mapping.entityMappings[line.mapping].destinationEntityName ?? ""
      let words =
        "\(line.count) \(line.count == 1 ? "row has" : "rows have") a key that nothing has"
      onEvent(.noted("WS422: in \(entity).\(line.property), \(words)"))
    }
  }

  /// Reports links that found no room, which the user accepts.
  private func reportTaken(_ onEvent: (MigrationEvent) -> Void) throws {
    for line in try OverwrittenLinks.all(on: database.connection) { onEvent(.noted(words(line))) }
  }

  private func words(_ line: OverwrittenLinks.Line) -> String {
    let entity = hop.program.mapping.entityMappings[line.mapping]
    return "WS317: in \(entity.destinationEntityName ?? "").\(line.relationship), "
      + "\(line.count) \(line.count == 1 ? "link that" : "links that") \(entity.name) gives "
      + "\(line.count == 1 ? "has" : "have") no room: an object at one end holds one link only"
  }

  /// Writes the bookkeeping beside the rows, and marks the checkpoint.
  private func complete() throws {
    let compiled = hop.compiled
    // A mapping without policy has no end of its own.
    try manager.dropLookups()
    var issued: [String: Int64] = [:]
    for table in compiled.destination.tables {
      issued[table.rootEntityName] = try ScratchDatabase.greatestKey(
        in: table.name,
        on: database.connection
      )
    }
    try compiled.writeSurroundings(
      carried,
      keys: PrimaryKeyTable(reading: database.connection, schema: "old"),
      metadata: StoreMetadata(reading: database.connection, schema: "old"),
      issued: issued,
      on: database.connection
    )
  }
}
