import ObjectModel
import StoreAccess

/// Runs one entity mapping object by object, in batches that are committed together with how far
/// they got.
///
/// The caller opens the transaction. After each batch all that the batch did is written, and the
/// closure given is told the position, which it commits with the batch and opens the next
/// transaction; nothing is read from `old` at that moment. A pass that is interrupted goes on after
/// the last committed position, and does again what came after it.
///
/// Memory is that of one batch: objects are let go of at its end, and before it where the rows that
/// were read are large. To-many relationships are looked up in the destination, so the second phase
/// wants the indexes of its keys and join tables.
package struct PolicyPass {
  /// How far a phase got: what was done last.
  package struct Position: Hashable, Sendable {
    /// The primary key of the source object in the first phase, of the destination object in the
    /// second.
    package var key: Int64
    /// The number of that object's entity.
    package var entity: Int64

    package init(key: Int64, entity: Int64) {
      self.key = key
      self.entity = entity
    }
  }

  /// What is told after each batch: how far the phase got, and the number of objects of the batch.
  package typealias BatchHandler = (_ position: Position, _ count: Int) throws -> Void

  /// The bytes of large values after which objects are let go of within a batch.
  static let greatestLoad = 16 << 20

  package let manager: MigrationManager
  package let pass: MappingPass
  /// The number of objects of a batch.
  package let batchSize: Int

  /// A pass of an entity mapping.
  package init(manager: MigrationManager, pass: MappingPass, batchSize: Int = 4096) {
    self.manager = manager
    self.pass = pass
    self.batchSize = max(1, batchSize)
  }
}

// MARK: The policy's single callbacks

extension PolicyPass {
  /// Lets the policy begin.
  package func begin() throws {
    try calling { try pass.policy.begin(pass.mapping, with: manager) }
  }

  /// Tells the policy that all instances are made.
  package func endInstanceCreation() throws {
    try calling { try pass.policy.endInstanceCreation(forMapping: pass.mapping, manager: manager) }
  }

  /// Tells the policy that all relationships are made.
  package func endRelationshipCreation() throws {
    try calling {
      try pass.policy.endRelationshipCreation(forMapping: pass.mapping, manager: manager)
    }
  }

  /// Lets the policy validate.
  package func performCustomValidation() throws {
    try calling {
      try pass.policy.performCustomValidation(forMapping: pass.mapping, manager: manager)
    }
  }

  /// Tells the policy that all is done.
  package func end() throws {
    try calling { try pass.policy.end(pass.mapping, manager: manager) }
  }

  /// Runs a callback with the mapping as the current one, and writes what it did.
  private func calling(_ body: () throws -> Void) throws {
    manager.pass = pass
    defer { manager.pass = nil }
    try body()
    try manager.throwIfCancelled()
    try finishBatch()
  }
}

// MARK: The two phases

extension PolicyPass {
  /// Makes the destination objects of all source objects after a position.
  ///
  /// - Throws: What the policy throws, ``MigrationError``, or an error of the database.
  package func createInstances(
    after position: Position? = nil,
    cancellation: Cancellation,
    onBatch: BatchHandler
  ) throws {
    manager.pass = pass
    defer { manager.pass = nil }
    var last = position?.key
    while true {
      let batch = try createBatch(after: last)
      guard let key = batch.lastKey else { return }
      try finishBatch()
      try onBatch(Position(key: key, entity: pass.source.number), batch.count)
      guard batch.count == batchSize else { return }
      last = key
      try cancellation.check()
    }
  }

  private func createBatch(after last: Int64?) throws -> (lastKey: Int64?, count: Int) {
    let layout = pass.source
    let sourceContext = manager.sourceContext
    let destinationContext = manager.destinationContext
    let cursor = try sourceContext.database.cursor(pass.cursorSQL)
    try cursor.statement.bind(last ?? .min, at: 1)
    try cursor.statement.bind(Int64(batchSize), at: 2)
    var count = 0
    var lastKey: Int64?
    while try cursor.statement.step() {
      let key = cursor.statement.int64(0)
      count += 1
      lastKey = key
      guard
        let source = sourceContext.object(
          of: layout,
          key: key,
          row: cursor.statement,
          firstColumn: 1
        )
      else { continue }
      guard try pass.accepts(source, manager: manager) else { continue }
      pass.current = (source, nil)
      if pass.keepsKeys {
        destinationContext.reservedKey = (pass.destination.rootName, key)
      }
      try pass.policy.createDestinationInstances(
        forSource: source,
        in: pass.mapping,
        manager: manager
      )
      destinationContext.reservedKey = nil
      pass.current = (nil, nil)
      try manager.throwIfCancelled()
      try relieve()
    }
    return (lastKey, count)
  }

  /// Connects the destination objects of the mapping after a position, in order of their keys.
  ///
  /// - Throws: What the policy throws, ``MigrationError``, or an error of the database.
  package func createRelationships(
    after position: Position? = nil,
    cancellation: Cancellation,
    onBatch: BatchHandler
  ) throws {
    guard !pass.connectsNothing else { return }
    manager.pass = pass
    defer { manager.pass = nil }
    try manager.associations.createReverseIndex()
    var last = position
    while true {
      let batch = try manager.associations.made(
        mapping: pass.index,
        after: last.map { .init(entity: $0.entity, key: $0.key) },
        limit: batchSize
      )
      guard let end = batch.last?.destination else { return }
      for pair in batch { try connect(pair) }
      try finishBatch()
      let reached = Position(key: end.key, entity: end.entity)
      try onBatch(reached, batch.count)
      guard batch.count == batchSize else { return }
      last = reached
      try cancellation.check()
    }
  }

  private func connect(_ pair: AssociationTable.Pair) throws {
    guard
      let destination = try manager.destinationContext.object(
        number: pair.destination.entity,
        key: pair.destination.key
      )
    else { return }
    let source = try manager.sourceContext.object(number: pair.source.entity, key: pair.source.key)
    pass.current = (source, destination)
    try pass.policy.createRelationships(
      forDestination: destination,
      in: pass.mapping,
      manager: manager
    )
    pass.current = (nil, nil)
    try manager.throwIfCancelled()
    try relieve()
  }

  /// Lets go of objects before the end of a batch, where what they hold is large.
  private func relieve() throws {
    let load = manager.sourceContext.loadedBytes + manager.destinationContext.loadedBytes
    guard load > Self.greatestLoad else { return }
    try manager.destinationContext.save()
    manager.destinationContext.trim()
    manager.sourceContext.trim()
  }

  /// Writes all that a batch did.
  private func finishBatch() throws {
    try manager.destinationContext.save()
    try manager.saveCheckpoint(of: pass)
    manager.destinationContext.trim()
    manager.sourceContext.trim()
  }
}
