package import ObjectModel

/// What a mapping model means between its two versions, made once for all who ask.
///
/// Compilers, lineage, comparisons, preconditions and the normal form read the same origins, so that no
/// two of them can understand a mapping differently.
package struct ResolvedMapping: Sendable {
  /// The mapping model.
  package let mapping: MappingModel
  /// The model of the objects that are read.
  package let source: ManagedObjectModel
  /// The model of the objects that are made, whose defaults they get.
  package let destination: ManagedObjectModel
  /// What each entity mapping means, in their order; nil for one that makes no objects of others.
  package let entities: [ResolvedEntityMapping?]
  /// Those that make the objects of a destination entity, by its name.
  package let makers: [String: [ResolvedEntityMapping]]
  /// Those that read the objects of a source entity, by its name.
  package let readers: [String: [ResolvedEntityMapping]]

  /// Resolves a mapping model.
  ///
  /// - Parameter name: What tells the mapping model from all others; opaque values are named after it.
  /// - Complexity: O(*p*) in the properties of the destination, inherited ones counted wherever they
  ///   recur.
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
  /// What a mapping between two nodes means; what inference adds has the defaults of the version where it
  /// arrives.
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
  /// What its mapping means.
  package var resolved: ResolvedMapping {
    ResolvedMapping(mapping, from: source, to: destination, kind: kind)
  }

  /// The model whose defaults inference gives to what it adds; nil for a mapping that a person wrote.
  package var arrivalModel: ManagedObjectModel? {
    kind == .authored ? nil : destination.arrivalModel(from: source)
  }
}
