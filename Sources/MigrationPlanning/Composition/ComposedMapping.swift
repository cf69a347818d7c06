package import ObjectModel

/// A mapping between two versions in normal form: it composes with others, and is equal to one that does
/// the same to every object.
///
/// For each destination entity it has the source objects of its own objects, and for each property one
/// origin in terms of the source object. It leaves out the names, order and types of entity mappings,
/// and everything without an effect on a store. Code that Waystone cannot read, such as a policy, is a
/// name that equals only itself.
package struct ComposedMapping: Hashable, Sendable {
  /// A source of the objects of a destination entity.
  package struct Origin: Hashable, Sendable {
    /// The source entity, whose objects each make one of the destination entity.
    package var sourceEntityName: String
    /// The conditions that a source object must meet.
    package var conditions: [OriginCondition] = []
    /// The destination attributes by which objects are shared, version by version.
    package var deduplicationKeys: [[String]] = []
    /// The names of the code that may do anything to these objects.
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
  /// The names of the code that may do anything to the whole store.
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

  /// Makes the identity: the mapping of a store that stays at its version.
  ///
  /// - Complexity: O(*p*) in the properties of the model.
  package init(identityOf model: ManagedObjectModel) {
    self.init(source: model, destination: model)
    for entity in model.entities where !entity.isAbstract {
      origins[entity.name] = [Origin(copyOf: entity.name, in: model)]
      copies.insert(entity.name)
    }
  }

  /// Returns the names of the properties that have values of their own: persistent and not derived.
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

  /// Returns whether two mappings do the same to every object.
  package static func == (lhs: ComposedMapping, rhs: ComposedMapping) -> Bool {
    lhs.origins == rhs.origins && lhs.opaqueSteps == rhs.opaqueSteps
  }

  /// Feeds the parts that equal mappings share to a hasher.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(origins)
    hasher.combine(opaqueSteps)
  }
}
