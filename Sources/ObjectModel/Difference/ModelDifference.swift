/// The changes between two versions of a model, in the words of the model.
///
/// Entities and properties match as they do when data is migrated: by their canonical names, see
/// Apple's *Migrating your data model automatically*. Whether and how data can be carried along is
/// the question of a mapping, not of a difference.
public struct ModelDifference: Hashable, Sendable {
  /// The changes, by entity, and within one in the order in which it lists its parts.
  public let changes: [ModelChange]
  /// The entities whose version hashes differ, by their later names, and those that only one of the
  /// versions has; in byte order.
  public let rehashedEntityNames: [String]

  /// Compares two versions.
  ///
  /// - Complexity: O(*p*) in the properties of both, and O(*r* · *a*) in those removed and added
  ///   within one entity.
  public init(from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    self.init(from: source, to: destination, suspectingRenames: true)
  }

  /// The same, perhaps without what may be another name of the same thing.
  ///
  /// - Complexity: O(*p*) in the properties of both where no rename is suspected.
  package init(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    suspectingRenames: Bool
  ) {
    let comparison = ModelComparison(source: source, destination: destination)
    changes = comparison.changes(suspectingRenames: suspectingRenames)
    let old = source.entityVersionHashes
    let new = destination.entityVersionHashes
    rehashedEntityNames = Set(old.keys).union(new.keys).filter { old[$0] != new[$0] }
      .sorted(by: ByteOrder.precedes)
  }

  /// Whether the versions declare the same things.
  public var isEmpty: Bool { changes.isEmpty }

  /// Whether the versions have different hashes, so that a store's metadata distinguish them.
  public var changesHashes: Bool { !rehashedEntityNames.isEmpty }
}
