package import ObjectModel

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
package struct MappingInference {
  /// The relation of two versions in the history.
  package enum Span {
    /// The destination follows the source directly: only then may a new item be a dropped one under
    /// another name.
    case step
    /// There are versions between them.
    case shortcut
    /// The destination is the older one.
    case downgrade
  }

  let source: ManagedObjectModel
  let destination: ManagedObjectModel
  let entities: EntityPairing
  /// Whether the destination wants any values to be unique.
  let hasConstraints: Bool
  /// The possible new names of dropped items; empty where findings are only counted, and where other
  /// versions are between the two.
  let candidates: [String: [String]]
  let span: Span
  /// Whether the rows that the step is for are those of a store that has none.
  let isOfEmptyStore: Bool
  let collector: FindingCollector
  var isExtended = false

  /// Compares two models of one pool.
  ///
  /// - Parameters:
  ///   - onlyCounts: Whether findings are only counted, without text.
  ///   - span: The relation of the two versions.
  ///   - isOfEmptyStore: Whether no row is concerned; a value that rows would need refuses no step then.
  init(
    source: PreparedModel,
    destination: PreparedModel,
    onlyCounts: Bool,
    span: Span = .step,
    isOfEmptyStore: Bool = false,
    cache: inout PairCache
  ) {
    self.span = span
    self.isOfEmptyStore = isOfEmptyStore
    self.source = source.model
    self.destination = destination.model
    entities = EntityPairing(source: source, destination: destination, cache: &cache)
    collector = FindingCollector(onlyCounts: onlyCounts)
    let suspectsRenames = span == .step && !onlyCounts
    // A composite that becomes required is the one unhashed change whose risk counts.
    let unseen =
      onlyCounts && self.destination.composites.isEmpty
      ? nil
      : UnhashedChanges(
        from: self.source,
        to: self.destination,
        suspectsRenames: suspectsRenames
      )
    candidates = suspectsRenames ? unseen?.candidates ?? [:] : [:]
    hasConstraints = destination.hasConstraints
    checkEntities()
    checkSpelling(from: source, to: destination)
    for pair in entities.pairs {
      if !pair.isEqual {
        checkProperties(of: pair)
      } else if pair.source !== pair.destination {
        checkUnseenTransformers(of: pair)
      }
      if pair.isEqual, hasConstraints, comesUnderConstraints(pair) { checkConstraints(of: pair) }
    }
    reportDrops()
    reportDroppedTargets()
    if onlyCounts {
      unseen?.reportRequiredComposites(to: collector)
    } else {
      unseen?.report(to: collector)
    }
  }

  /// Returns the inferred mapping between two models, or the reasons why there is none.
  ///
  /// - Parameter span: The relation of the two versions.
  /// - Complexity: O(*p*) in the properties of both models, inherited ones counted for each subentity,
  ///   for models whose names and Renaming IDs are correct.
  package static func infer(
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel,
    span: Span = .step
  ) -> InferenceResult {
    var pool = EntityPool()
    return infer(
      from: PreparedModel(source, sharing: &pool),
      to: PreparedModel(destination, sharing: &pool),
      span: span
    )
  }

  /// Returns the inferred mapping between two models of one pool.
  static func infer(
    from source: PreparedModel,
    to destination: PreparedModel,
    span: Span = .step,
    isOfEmptyStore: Bool = false
  ) -> InferenceResult {
    var cache = PairCache()
    return MappingInference(
      source: source,
      destination: destination,
      onlyCounts: false,
      span: span,
      isOfEmptyStore: isOfEmptyStore,
      cache: &cache
    )
    .result()
  }

  /// The kind of the edge; `inferred` where it is refused.
  var kind: EdgeKind { isExtended && collector.refusals.isEmpty ? .extended : .inferred }

  private func result() -> InferenceResult {
    let refusals = collector.refusals
    return InferenceResult(
      kind: kind,
      mapping: refusals.isEmpty ? MappingModel(entityMappings: mappings()) : nil,
      findings: collector.findings,
      refusals: refusals
    )
  }

  private func mappings() -> [EntityMapping] {
    var mappings = entities.pairs.map(mapping)
    mappings += entities.added.map { entity in
      var mapping = EntityMapping(mappingType: .add, source: nil, destination: entity.name)
      mapping.destinationEntityVersionHash = entity.hash
      return mapping
    }
    mappings.sort {
      ByteOrder.precedes($0.destinationEntityName ?? "", $1.destinationEntityName ?? "")
    }
    mappings += entities.removed.map { entity in
      var mapping = EntityMapping(mappingType: .remove, source: entity.name, destination: nil)
      mapping.sourceEntityVersionHash = entity.hash
      return mapping
    }
    return mappings
  }

  /// Returns the entity mapping of a pair of entities.
  func mapping(of pair: EntityPair) -> EntityMapping {
    var mapping = pair.destination.copy
    if pair.isEqual { return mapping }
    mapping.mappingType = .transform
    mapping.sourceEntityName = pair.source.name
    mapping.sourceEntityVersionHash = pair.source.hash
    mapping.name = "\(pair.source.name)To\(pair.destination.name)"
    let places = zip(pair.destination.properties, pair.carries)
      .filter { $0.0.property.isPersistent }
    var attributes = 0
    var relationships = 0
    for (declared, carry) in places {
      let old = carry.map { pair.source.properties[$0.source].property }
        .flatMap { $0.isPersistent ? $0 : nil }
      switch declared.property {
      case .attribute(let attribute):
        if attribute.derivationExpression == nil, old?.attribute?.name != attribute.name {
          mapping.attributeMappings[attributes].valueExpression =
            old?.attribute.map { .source($0.name) } ?? attribute.defaultValue.map { .constant($0) }
        }
        attributes += 1
      case .relationship(let relationship):
        if old?.relationship?.name != relationship.name {
          mapping.relationshipMappings[relationships].valueExpression = old?.relationship.map {
            .destinationInstances(forSourceRelationship: $0.name)
          }
        }
        relationships += 1
      case .fetchedProperty: break
      }
    }
    return mapping
  }

  /// Returns whether a store can have rows of exactly this entity that live on.
  func hasRows(_ pair: EntityPair) -> Bool { !pair.source.isAbstract }

  /// Returns whether findings are reported at the entity's pair: its rows can exist, or no entity below
  /// it reports their common properties.
  func isReported(_ pair: EntityPair) -> Bool {
    hasRows(pair)
      || !source.hierarchyNames(below: pair.source.name).contains { name in
        source[name]?.isAbstract == false && entities.pair(source: name) != nil
      }
  }
}
