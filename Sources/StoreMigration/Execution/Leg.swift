package import MigrationPlanning
package import ObjectModel
package import StoreAccess
import StoreVerification

/// A pass, compiled: from one checkpoint's schema to the next.
package struct Leg: Sendable {
  /// The schema of the checkpoint that it starts from.
  package let source: PhysicalSchema
  /// The schema of the checkpoint that it makes.
  package let destination: PhysicalSchema
  /// The resolved mapping of the pass.
  package let resolved: ResolvedMapping
  /// The program of each table.
  package let program: TableHopProgram
  /// The program of an authored mapping that SQL over tables cannot run; nil for all others.
  let heavy: ObjectHopProgram?
  /// Whether the mapping is authored, so that its objects are validated against their model.
  let isAuthored: Bool
  /// The number of its last hop, from 1; of the last one the store's own user number.
  package let number: Int
  /// The number that marks the plan's checkpoints; of the last hop the store's own application number.
  package let mark: Int64
  /// The deflated archive of the destination model, where its form is known.
  package let modelCache: [UInt8]?
  /// The folder of the store's external files.
  package let externalData: String
  /// Whether the store's tables are made by statements that ALTER changes as it should; else a fresh file is
  /// built.
  var altersTables = true

  /// Compiles a pass.
  ///
  /// - Parameters:
  ///   - arrival: The version of equal hashes whose defaults new values get, where it is another than
  ///     the destination's.
  ///   - isAuthored: Whether the mapping is authored: any number of entity mappings may read or make one
  ///     entity then, and it is run object by object unless SQL over tables does the same.
  ///   - makesObjects: Whether objects are made one by one although SQL over tables does the same, for
  ///     trials that compare the two.
  ///   - preconditions: The preconditions on the rows before it; nil for those of the mapping.
  /// - Throws: ``MigrationError`` with `refused` where SQL cannot run the mapping.
  package init(
    source: PhysicalSchema,
    destination: PhysicalSchema,
    mapping: MappingModel,
    arrivingAt arrival: ManagedObjectModel? = nil,
    number: Int,
    mark: Int64,
    modelCache: [UInt8]?,
    externalData: String,
    isAuthored: Bool = false,
    makesObjects: Bool = false,
    asking preconditions: [Precondition]? = nil
  ) throws(MigrationError) {
    self.source = source
    self.destination = destination
    resolved = ResolvedMapping(mapping, from: source.model, to: arrival ?? destination.model)
    self.number = number
    self.mark = mark
    self.modelCache = modelCache
    self.externalData = externalData
    self.isAuthored = isAuthored
    if isAuthored {
      let heavy = try ObjectHopCompiler.compile(
        source: source,
        destination: destination,
        mapping: resolved
      )
      if !makesObjects, !heavy.needsCode, resolved.isOfTables {
        self.heavy = nil
        program = try TableHopCompiler.compile(
          heavy,
          source: source,
          destination: destination,
          resolved
        )
      } else {
        self.heavy = heavy
        program = TableHopProgram(heavy, source: source, destination: destination)
      }
    } else {
      heavy = nil
      program = try TableHopCompiler.compile(
        source: source,
        destination: destination,
        mapping: resolved,
        asking: preconditions
      )
    }
  }

  /// Whether the mapping is authored and has values that only the hop itself can compute.
  var computesValues: Bool {
    isAuthored
      && resolved.entities.contains { entity in
        entity?.attributes.values.contains(where: \.isComputed) ?? false
      }
  }

  /// The comparison of its result with its source, object by object.
  var comparison: ObjectHopComparison {
    ObjectHopComparison(resolved, from: source, to: destination, isOfTables: heavy == nil)
  }

  /// Returns the reason why no run can carry out an authored mapping; nil where one can.
  ///
  /// - Complexity: O(*p*) in the properties of both versions and the parts of expressions.
  package static func refusal(
    of mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> MigrationError? {
    do throws(MigrationError) {
      _ = try ObjectHopCompiler.compile(
        source: PhysicalSchema(model: source),
        destination: PhysicalSchema(model: destination),
        mapping: ResolvedMapping(mapping, from: source, to: destination)
      )
      return nil
    } catch {
      return error
    }
  }

  /// Returns the metadata of the checkpoint: the source's, with the destination's hashes.
  func metadata(from old: StoreMetadata) -> StoreMetadata {
    var metadata = old
    metadata.versionHashes = destination.model.entityVersionHashes
    metadata.versionHashesVersion = 3
    metadata.versionIdentifiers = destination.model.versionIdentifiers
    metadata.others["NSStoreModelVersionIdentifiers"] = nil
    metadata.versionHashesDigest = destination.model.versionHashesDigest
    metadata.versionChecksum = destination.model.versionChecksum
    metadata.setPendingCleanup(nil)
    return metadata
  }

  /// Marks a checkpoint, within the transaction that makes it.
  func writeMark(on connection: borrowing SQLiteConnection) throws(SQLiteError) {
    try connection.setUserVersion(Int32(clamping: number))
    try connection.setApplicationID(Int32(clamping: mark))
  }
}
