public import ObjectModel

/// Core Data's lightweight rules between two models.
///
/// The rules are those of Apple's *Migrating your data model automatically* ("Lightweight
/// Migration"): entities, attributes and relationships come, go and change their names; optional
/// becomes required where there is a default value; a to-one becomes a to-many, and a to-many gains
/// or loses its order; parents and children come, properties move up and down, entities move in and
/// out of a hierarchy, but no two hierarchies become one. Beyond the documentation, numbers change
/// their type, and a to-many becomes a to-one as an edge of kind ``EdgeKind/extended``.
///
/// A mapping reads as follows. An attribute without expression stays NULL, or is computed where it
/// is derived. An attribute that is carried, required and has a default value takes the default
/// where the source has no value. An attribute that is new has its default value as a constant.
/// A relationship without expression leads nowhere.
public struct MappingInference {
  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let entities: EntityPairing
  var collector = FindingCollector()
  var isExtended = false

  private init(source: ManagedObjectModel, destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
    entities = EntityPairing(source: source, destination: destination)
  }

  /// What becomes of objects of one model in the other, or why that cannot be inferred.
  ///
  /// - Complexity: O(*p*) in the properties of both models, inherited ones counted wherever they
  ///   recur, for models in which names and renaming identifiers are what they should be.
  public static func infer(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
  ) -> InferenceResult {
    var inference = MappingInference(source: source, destination: destination)
    return inference.result()
  }

  private mutating func result() -> InferenceResult {
    checkEntities()
    var mappings: [EntityMapping] = []
    for pair in entities.pairs {
      if !pair.isEqual { checkProperties(of: pair) }
      mappings.append(mapping(of: pair))
    }
    reportDrops()
    mappings += entities.added.map { entity in
      var mapping = EntityMapping(mappingType: .add, source: nil, destination: entity.name)
      mapping.destinationEntityVersionHash = destination.entityVersionHashes[entity.name]
      return mapping
    }
    mappings.sort {
      ByteOrder.precedes($0.destinationEntityName ?? "", $1.destinationEntityName ?? "")
    }
    mappings += entities.removed.map { entity in
      var mapping = EntityMapping(mappingType: .remove, source: entity.name, destination: nil)
      mapping.sourceEntityVersionHash = source.entityVersionHashes[entity.name]
      return mapping
    }
    let refusals = collector.refusals
    return InferenceResult(
      kind: isExtended && refusals.isEmpty ? .extended : .inferred,
      mapping: refusals.isEmpty ? MappingModel(entityMappings: mappings) : nil,
      findings: collector.findings,
      refusals: refusals
    )
  }

  private func mapping(of pair: EntityPair) -> EntityMapping {
    var mapping = EntityMapping(
      mappingType: pair.isEqual ? .copy : .transform,
      source: pair.source.name,
      destination: pair.destination.name
    )
    mapping.sourceEntityVersionHash = source.entityVersionHashes[pair.source.name]
    mapping.destinationEntityVersionHash = destination.entityVersionHashes[pair.destination.name]
    for declared in destination.properties(of: pair.destination.name) {
      switch declared.property {
      case .attribute(let attribute) where attribute.isPersistent:
        mapping.attributeMappings.append(
          PropertyMapping(name: attribute.name, valueExpression: value(of: attribute, in: pair))
        )
      case .relationship(let relationship) where relationship.isPersistent:
        let expression = carried(relationship.name, in: pair)?.relationship.map {
          Expression.destinationInstances(forSourceRelationship: $0.name)
        }
        mapping.relationshipMappings.append(
          PropertyMapping(name: relationship.name, valueExpression: expression)
        )
      default: break
      }
    }
    return mapping
  }

  private func value(of attribute: AttributeDescription, in pair: EntityPair) -> Expression? {
    if attribute.derivationExpression != nil { return nil }
    if let old = carried(attribute.name, in: pair)?.attribute { return .source(old.name) }
    return attribute.defaultValue.map { .constant($0) }
  }

  /// The persistent property of the source whose values a property of the destination gets.
  func carried(_ name: String, in pair: EntityPair) -> PropertyDescription? {
    let old =
      pair.isEqual
      ? source.property(name, of: pair.source.name)?.property
      : pair.carries[name]?.source.property
    return old.flatMap { $0.isPersistent ? $0 : nil }
  }

  /// Whether a store can have rows of exactly this entity that live on.
  func hasRows(_ pair: EntityPair) -> Bool { !pair.source.isAbstract }

  /// Whether the entity's pair is where findings are to be reported: its rows can exist, or no
  /// entity below it will report what they share.
  func isReported(_ pair: EntityPair) -> Bool {
    hasRows(pair)
      || !source.hierarchyNames(below: pair.source.name).contains { name in
        source[name]?.isAbstract == false && entities.pair(source: name) != nil
      }
  }
}
