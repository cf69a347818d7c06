package import MigrationPlanning
package import ObjectModel
import StoreAccess

/// A store of 100 MB that does not exist, for predicting the bytes that a plan would write.
///
/// Every concrete entity has as many rows, of 200 bytes on average, and an entity with more
/// properties has larger ones. The bytes that a real store's plan writes depend on which of its
/// tables are large.
package struct ReferenceStore: Sendable {
  /// The bytes of all rows.
  package static let size: Int64 = 100_000_000
  private static let rowSize: Int64 = 200

  private let sizes: StoreSizes

  /// A store of a model.
  package init(model: ManagedObjectModel) {
    sizes = StoreSizes(PhysicalSchema(model: model), assuming: Self.size, rowSize: Self.rowSize)
  }

  /// Estimates the bytes that a plan writes for a store of this size, from its hop sizes for another.
  ///
  /// Each hop writes some bytes even for the smallest store, and these do not grow with it.
  package static func scaled(_ sizes: [HopSize], storeOf bytes: Int64) -> Int64 {
    let fixed = Int64(sizes.count) * StoreSizes.emptyFile
    let growing = max(0, sizes.reduce(0) { $0 + $1.bytes } - fixed)
    return fixed + Int64(Double(growing) / Double(max(1, bytes)) * Double(size))
  }

  /// Returns the estimated number of bytes that a plan writes; nil where one of its hops cannot be run.
  ///
  /// - Parameter hops: The hops of other plans of the same graph.
  /// - Complexity: O(*h* · *e*) in hops and entities, and the properties of hops that no plan had
  ///   before.
  package func bytesWritten(by plan: MigrationPlan, among hops: inout HopCache) -> Int64? {
    // An inferred hop takes all objects of an entity; an authored one may choose among them.
    let choosesObjects = plan.hops.contains { $0.kind == .authored }
    var mappings = choosesObjects ? plan.hops.mappings : nil
    let entities = plan.source.model.entities.filter { !$0.isAbstract }.map(\.name)
    var sources = Dictionary(uniqueKeysWithValues: entities.map { ($0, [$0]) })
    var total: Int64 = 0
    for hop in plan.hops {
      let known = hops.known(hop)
      guard let shape = known.shape else { return nil }
      total += sizes.size(of: shape, from: sources).bytes
      if let step = mappings?.next() {
        sources = step.after.sourceEntityNames
      } else {
        sources = known.sources.mapValues { $0.flatMap { sources[$0] ?? [] } }
      }
    }
    return total
  }
}
