package import ObjectModel

/// What a way between two versions does to objects, in a form in which ways compose and compare.
///
/// Of each destination entity it says from which objects its own are made, and of each property the
/// value as one origin in terms of the source object. Names, order and types of entity mappings, and
/// whatever has no effect on a store, are gone. What nobody can look into, such as a policy, is a
/// name that equals only itself.
package struct ComposedMapping: Hashable, Sendable {
  /// Where objects of a destination entity come from.
  package struct Origin: Hashable, Sendable {
    /// The source entity, one object of which makes one of the destination entity.
    package var sourceEntityName: String
    /// What must hold of the source object.
    package var conditions: [OriginCondition] = []
    /// The destination attributes by which objects are shared, version by version.
    package var deduplicationKeys: [[String]] = []
    /// The names of what may do anything to these objects.
    package var opaqueSteps: [String] = []
    /// Whether parts of the source object are all that is opaque, and the properties that are cut into
    /// them.
    package var splits: Set<String>?
    /// The value of each persistent property that has one.
    package var values: [String: ValueOrigin] = [:]

    init(sourceEntityName: String) { self.sourceEntityName = sourceEntityName }

    /// The origin of objects that stay as they are.
    init(copyOf entityName: String, in model: ManagedObjectModel) {
      sourceEntityName = entityName
      for name in ComposedMapping.comparedProperties(of: entityName, in: model) {
        values[name] = .carried([name])
      }
    }
  }

  /// The origins of the objects of each concrete destination entity, in the order of mappings.
  public internal(set) var origins: [String: [Origin]] = [:]
  /// The names of what may do anything to the whole store.
  public internal(set) var opaqueSteps: [String] = []
  /// Entities whose objects are known to stay as they are; there may be more.
  var copies: Set<String> = []

  /// The model whose objects it reads.
  let source: ManagedObjectModel
  /// The model whose objects it makes.
  let destination: ManagedObjectModel

  init(source: ManagedObjectModel, destination: ManagedObjectModel) {
    self.source = source
    self.destination = destination
  }

  /// The way of a store that stays at its version.
  ///
  /// - Complexity: O(*p*) in the properties of the model.
  package init(identityOf model: ManagedObjectModel) {
    self.init(source: model, destination: model)
    for entity in model.entities where !entity.isAbstract {
      origins[entity.name] = [Origin(copyOf: entity.name, in: model)]
      copies.insert(entity.name)
    }
  }

  /// The names of the properties that have values of their own: persistent and not derived.
  static func comparedProperties(
    of entityName: String,
    in model: ManagedObjectModel
  ) -> [String] {
    model.properties(of: entityName).compactMap { declared in
      guard declared.property.isPersistent,
        declared.property.attribute?.derivationExpression == nil,
        declared.property.attribute != nil || declared.property.relationship != nil
      else { return nil }
      return declared.property.name
    }
  }

  /// Two ways are equal where they do the same to every object.
  package static func == (lhs: ComposedMapping, rhs: ComposedMapping) -> Bool {
    lhs.origins == rhs.origins && lhs.opaqueSteps == rhs.opaqueSteps
  }

  /// Feeds what equal ways share to a hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(origins)
    hasher.combine(opaqueSteps)
  }
}
