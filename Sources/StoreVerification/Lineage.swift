package import MigrationPlanning
package import ObjectModel
import StoreAccess

/// A mapping whose rows no lineage follows, as it is not one entity to one entity.
package struct LineageError: Error, Hashable, CustomStringConvertible {
  /// The name of the entity mapping.
  package let mapping: String

  /// The fact, as a sentence.
  package var description: String {
    "The entity mapping \(mapping) is not one entity to one entity."
  }
}

/// The origin of a final store's contents in the source store, in terms of the models.
///
/// It composes the mappings of the hops, in a target that cannot import the programs and the SQL that ran
/// them, so that it is an independent witness.
package struct Lineage: Sendable {
  /// The model of each version on the path, the source's first.
  let models: [ManagedObjectModel]
  /// The mapping of each hop.
  let hops: [ResolvedMapping]
  /// The names of each final entity at every version, for those that the source has already.
  let chains: [String: [String]]

  /// Composes the hops of a plan.
  ///
  /// - Throws: ``LineageError`` where a mapping is not one entity to one entity.
  package init(_ plan: MigrationPlan) throws(LineageError) {
    var mappings: [ResolvedMapping] = []
    var models = [plan.source.model]
    for hop in plan.hops {
      mappings.append(hop.resolved)
      models.append(hop.destination.model)
    }
    try self.init(models: models, mappings: mappings)
  }

  /// Composes mappings between consecutive models, which are one more than the mappings.
  ///
  /// - Throws: ``LineageError`` where one is not one entity to one entity.
  package init(
    models: [ManagedObjectModel],
    mappings: [ResolvedMapping]
  ) throws(LineageError) {
    if let entity = mappings.lazy.compactMap(\.firstUnpaired).first {
      throw LineageError(mapping: entity.mapping.name)
    }
    self.models = models
    hops = mappings
    var chains: [String: [String]] = [:]
    for entity in models.last?.entities ?? [] {
      var names = [entity.name]
      for hop in hops.reversed() {
        guard let source = names.last.flatMap({ hop.maker(of: $0)?.source }) else {
          break
        }
        names.append(source)
      }
      if names.count == hops.count + 1 { chains[entity.name] = names.reversed() }
    }
    self.chains = chains
  }

  var source: ManagedObjectModel? { models.first }
  var result: ManagedObjectModel? { models.last }

  /// Returns the entity whose rows became the final entity's; nil where they are all new.
  package func sourceEntity(of final: String) -> String? { chains[final]?.first }

  /// Returns the final entity of a source entity; nil where a hop drops it.
  package func finalEntity(of source: String) -> String? {
    var name = source
    for hop in hops {
      guard let next = hop.destination(of: name) else { return nil }
      name = next
    }
    return name
  }
}
