import ObjectModel
import StoreAccess

/// A run of one entity mapping object by object, a batch at a time.
///
/// The caller runs each batch in a transaction, and commits its position with it; an interrupted pass
/// continues after the last committed position. When a batch returns, all its changes are written, and
/// no statement is reading.
///
/// Memory is that of one batch: objects are released at its end, and earlier where the rows are large.
/// To-many relationships are looked up in the destination, so the second phase needs the indexes of its
/// keys and join tables.
package struct PolicyPass {
  /// The work of one batch.
  package struct Batch: Hashable, Sendable {
    /// The primary key by which objects are ordered, of the last one.
    package var lastKey: Int64
    /// The number of objects.
    package var count: Int
  }

  /// The bytes of large values after which objects are let go of within a batch.
  static let greatestLoad = 16 << 20
  /// The objects after which they are let go of within a batch, while the processor's caches still
  /// have them.
  static let greatestCount = 256

  package let manager: MigrationManager
  package let pass: MappingPass
  /// The least number of objects of a batch that is not the last.
  package let batchSize: Int

  /// Makes a pass of an entity mapping.
  package init(manager: MigrationManager, pass: MappingPass, batchSize: Int = 10_000) {
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

  /// Calls the policy once all instances are made.
  package func endInstanceCreation() throws {
    try calling { try pass.policy.endInstanceCreation(forMapping: pass.mapping, manager: manager) }
  }

  /// Calls the policy once all relationships are made.
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

  /// Calls the policy at the end, and removes the indexes of lookups from the destination.
  package func end() throws {
    try calling { try pass.policy.end(pass.mapping, manager: manager) }
    try manager.dropLookups()
  }

  /// Runs a callback with the mapping as the current one, and writes its changes.
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
  /// Makes the destination objects of the next source objects, in order of their keys.
  ///
  /// - Parameter lastKey: The key of the last source object that is done; nil for none.
  /// - Returns: The batch, or nil where no source object is left.
  /// - Throws: The error of the policy, ``MigrationError``, or an error of the database.
  package func createBatch(after lastKey: Int64?) throws -> Batch? {
    manager.pass = pass
    defer { manager.pass = nil }
    let (source, destination) = (manager.sourceContext, manager.destinationContext)
    let cursor = try source.database.cursor(pass.cursorSQL)
    try cursor.statement.bind(lastKey ?? .min, at: 1)
    try cursor.statement.bind(Int64(batchSize), at: 2)
    destination.beginCarrying(from: cursor, pass.carried.columns)
    defer {
      source.endRows()
      destination.endRows()
    }
    var count = 0
    var reached: Int64?
    while try cursor.statement.step() {
      let key = cursor.statement.int64(0)
      count += 1
      reached = key
      try create(fromRow: key, at: cursor)
      manager.forgetEvaluated()
      try destination.leaveRow()
      try source.leaveRow()
      try relieve()
    }
    guard let reached else { return nil }
    try finishBatch()
    return Batch(lastKey: reached, count: count)
  }

  private func create(fromRow key: Int64, at cursor: PreparedStatement) throws {
    guard let source = manager.sourceContext.stand(at: key, of: pass.source, cursor),
      try pass.accepts(source, manager: manager)
    else { return }
    if pass.keepsKeys {
      manager.destinationContext.reservedKey = (pass.destination.rootName, source.key)
    }
    try pass.policy.createDestinationInstances(
      forSource: source,
      in: pass.mapping,
      manager: manager
    )
    manager.destinationContext.reservedKey = nil
    try manager.throwIfCancelled()
  }

  /// Connects the next destination objects of the mapping, in order of the source objects' keys;
  /// where several of these may have one object, in order of its own.
  ///
  /// - Parameter lastKey: The key of the last object that is done; nil for none.
  /// - Returns: The batch, or nil where no destination object is left.
  /// - Throws: The error of the policy, ``MigrationError``, or an error of the database.
  package func connectBatch(after lastKey: Int64?) throws -> Batch? {
    guard !pass.connectsNothing else { return nil }
    manager.pass = pass
    defer { manager.pass = nil }
    let isBySource = try manager.associations.settleOrder(
      mapping: pass.index,
      mayRepeat: pass.deduplication != nil
    )
    let pairs = try manager.associations.made(
      mapping: pass.index,
      after: lastKey,
      isBySource: isBySource,
      count: batchSize
    )
    guard let last = pairs.last else { return nil }
    let reached = isBySource ? last.source.key : last.destination.key
    defer { manager.destinationContext.endRows() }
    for pair in pairs {
      try connect(pair)
      manager.forgetEvaluated()
      try manager.destinationContext.leaveRow()
      try relieve()
    }
    try finishBatch()
    return Batch(lastKey: reached, count: pairs.count)
  }

  private func connect(_ pair: AssociationTable.Pair) throws {
    guard
      let destination = try manager.destinationContext.stand(
        at: pair.destination.key,
        ofNumber: pair.destination.entity
      )
    else { return }
    pass.current = (destination, pair.source)
    try pass.policy.createRelationships(
      forDestination: destination,
      in: pass.mapping,
      manager: manager
    )
    pass.current = nil
    try manager.throwIfCancelled()
  }

  /// Lets go of objects before the end of a batch, where they are many or large.
  private func relieve() throws {
    let (source, destination) = (manager.sourceContext, manager.destinationContext)
    // Objects that are referenced elsewhere are visited each time.
    let count = max(Self.greatestCount, source.heldCount + destination.heldCount)
    guard
      source.objectCount + destination.objectCount >= count
        || source.loadedBytes + destination.loadedBytes > Self.greatestLoad
    else { return }
    try manager.destinationContext.write()
    manager.destinationContext.trim()
    manager.sourceContext.trim()
  }

  /// Writes all that a batch did.
  private func finishBatch() throws {
    try manager.associations.flush()
    try manager.destinationContext.save()
    try manager.saveCheckpoint(of: pass)
    manager.destinationContext.trim()
    manager.sourceContext.trim()
  }
}
