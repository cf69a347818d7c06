package import MigrationPlanning
package import ObjectModel
package import StoreAccess
import StoreVerification

/// A compiled pass, from one checkpoint's schema to the next.
package struct CompiledHop: Sendable {
  /// The schema of the checkpoint that it starts from.
  package let source: PhysicalSchema
  /// The schema of the checkpoint that it makes.
  package let destination: PhysicalSchema
  /// The resolved mapping of the pass.
  package let resolved: ResolvedMapping
  /// The work of the pass.
  package let program: HopProgram
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

  /// Compiles a pass.
  ///
  /// - Parameters:
  ///   - arrival: The version of equal hashes whose defaults new values get, where it is another than
  ///     the destination's.
  ///   - isAuthored: Whether the mapping is authored.
  ///   - makesObjects: Whether objects are made one by one although SQL over tables does the same, for
  ///     trials that compare the two.
  ///   - preconditions: The preconditions on the rows before it; nil for those of the mapping.
  ///   - defersCleanup: Whether columns and tables that go are left for a later cleanup.
  ///   - pending: The objects that an earlier migration left in the file, which is altered; nil where a fresh
  ///     one is built.
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
    asking preconditions: [Precondition]? = nil,
    defersCleanup: Bool = false,
    altering pending: Leftovers?
  ) throws(MigrationError) {
    self.source = source
    self.destination = destination
    resolved = ResolvedMapping(mapping, from: source.model, to: arrival ?? destination.model)
    self.number = number
    self.mark = mark
    self.modelCache = modelCache
    self.externalData = externalData
    self.isAuthored = isAuthored
    program = try HopProgram(
      resolved,
      from: source,
      to: destination,
      isAuthored: isAuthored,
      makesObjects: makesObjects,
      asking: preconditions,
      defersCleanup: defersCleanup,
      altering: pending
    )
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
    ObjectHopComparison(resolved, from: source, to: destination, isOfTables: !program.makesObjects)
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
