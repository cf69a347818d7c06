package import ObjectModel

/// A mapping model, resolved between its two versions once for all callers.
///
/// Compilers, lineage, comparisons, preconditions and the normal form read the same origins, so no two
/// of them can interpret a mapping differently.
package struct ResolvedMapping: Sendable {
  /// The mapping model.
  package let mapping: MappingModel
  /// The model of the objects that are read.
  package let source: ManagedObjectModel
  /// The model of the objects that are made, whose defaults they get.
  package let destination: ManagedObjectModel
  /// The resolved form of each entity mapping, in their order; nil for one that makes no objects of
  /// others.
  package let entities: [ResolvedEntityMapping?]
  /// The mappings that make the objects of a destination entity, by its name.
  package let makers: [String: [ResolvedEntityMapping]]
  /// The mappings that read the objects of a source entity, by its name.
  package let readers: [String: [ResolvedEntityMapping]]

  /// Resolves a mapping model.
  ///
  /// - Parameter name: The name that distinguishes the mapping model from all others; opaque values are
  ///   named after it.
  /// - Complexity: O(*p*) in the properties of the destination, inherited ones counted for each
  ///   subentity.
  package init(
    _ mapping: MappingModel,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    named name: String = ""
  ) {
    self.mapping = mapping
    self.source = source
    self.destination = destination
    let resolver = EntityResolver(
      mapping: mapping,
      source: source,
      destination: destination,
      name: name
    )
    entities = mapping.entityMappings.map { entity in
      guard let old = entity.sourceEntityName, let new = entity.destinationEntityName else {
        return nil
      }
      return resolver.resolution(of: entity, from: old, to: new)
    }
    let all = entities.compactMap(\.self)
    makers = Dictionary(grouping: all, by: \.destination)
    readers = Dictionary(grouping: all, by: \.source)
  }
}

extension ResolvedMapping {
  /// Resolves a mapping between two versions; an inferred one takes the defaults of the version at its
  /// end.
  init(
    _ mapping: MappingModel,
    from source: VersionGroup,
    to destination: VersionGroup,
    kind: EdgeKind
  ) {
    self.init(
      mapping,
      from: source.model,
      to: kind == .authored ? destination.model : destination.arrivalModel(from: source),
      named: "\(source.name) to \(destination.name)"
    )
  }
}

extension Hop {
  /// The hop's mapping, resolved.
  package var resolved: ResolvedMapping {
    ResolvedMapping(mapping, from: source, to: destination, kind: kind)
  }

  /// The model whose defaults inference gives to new properties; nil for an authored mapping.
  package var arrivalModel: ManagedObjectModel? {
    kind == .authored ? nil : destination.arrivalModel(from: source)
  }
}
