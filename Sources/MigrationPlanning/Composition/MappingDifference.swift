import ObjectModel

/// The first difference between two mappings of the same versions: the history's, which is the
/// reference, and another.
package struct MappingDifference: Hashable, Sendable {
  /// The kind of a difference.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The history carries the value, and the other mapping loses it.
    case lost
    /// The history loses the value, and the other mapping restores it.
    case resurrected
    /// The mappings give values from different sources.
    case differs
    /// The history makes objects that the other mapping does not.
    case objectsLost
    /// The other mapping makes objects that the history does not.
    case objectsResurrected
    /// The objects are chosen or shared differently.
    case objectsDiffer
    /// A policy, handler or other code takes part, which Waystone cannot see into.
    case unknown
  }

  /// The kind of the difference.
  package var kind: Kind
  /// The entity of the last version; empty for the whole store.
  package var entityName: String
  /// The property; nil where it is the objects that differ.
  package var propertyName: String?
  /// The value that the chain gives it.
  package var reference: String?
  /// The value that the other mapping gives it.
  package var other: String?
  /// Whether both mappings leave the property empty or set it to a constant, so that no value of the
  /// store is concerned.
  package var isOfDefaults = false
  /// Whether the other mapping keeps all values of the store, and the history keeps fewer or converts
  /// them.
  package var isReduced = false

  /// A difference in objects or in a property.
  package init(
    kind: Kind,
    entityName: String,
    propertyName: String? = nil,
    reference: String? = nil,
    other: String? = nil
  ) {
    self.kind = kind
    self.entityName = entityName
    self.propertyName = propertyName
    self.reference = reference
    self.other = other
  }
}

extension ComposedMapping {
  /// Returns all differences of another mapping between the same versions from this one, the reference.
  ///
  /// Certain differences come first, each in byte order of entities and properties.
  /// - Complexity: O(*p*) in the properties of the destination.
  package func differences(from other: ComposedMapping) -> [MappingDifference] {
    var certain: [MappingDifference] = []
    var unknown: [MappingDifference] = []
    if opaqueSteps != other.opaqueSteps {
      unknown.append(
        MappingDifference(
          kind: .unknown,
          entityName: "",
          reference: opaqueSteps.first,
          other: other.opaqueSteps.first
        )
      )
    }
    var names = other.origins.keys.filter { origins[$0] == nil }
    for (name, own) in origins where !(copies.contains(name) && other.copies.contains(name)) {
      if own != other.origins[name] { names.append(name) }
    }
    for name in names.sorted(by: ByteOrder.precedes) {
      for difference in differences(name, origins[name] ?? [], other.origins[name] ?? []) {
        if difference.kind == .unknown {
          unknown.append(difference)
        } else {
          certain.append(difference)
        }
      }
    }
    return certain + unknown
  }

  private func differences(
    _ entity: String,
    _ reference: [Origin],
    _ other: [Origin]
  ) -> [MappingDifference] {
    if reference == other { return [] }
    let isOpaque = (reference + other).contains { !$0.opaqueSteps.isEmpty }
    let sources = (reference.map(\.sourceEntityName), other.map(\.sourceEntityName))
    guard sources.0 == sources.1 else {
      let kind: MappingDifference.Kind =
        isOpaque
        ? .unknown
        : other.isEmpty
          ? .objectsLost
          : reference.isEmpty
            ? .objectsResurrected : .objectsDiffer
      return [
        MappingDifference(
          kind: kind,
          entityName: entity,
          reference: sources.0.joined(separator: ", "),
          other: sources.1.joined(separator: ", ")
        )
      ]
    }
    return zip(reference, other).flatMap { differences(entity, $0, $1) }
  }

  private func differences(
    _ entity: String,
    _ reference: Origin,
    _ other: Origin
  ) -> [MappingDifference] {
    var result: [MappingDifference] = []
    if reference.opaqueSteps != other.opaqueSteps {
      result.append(
        MappingDifference(
          kind: .unknown,
          entityName: entity,
          reference: reference.opaqueSteps.first,
          other: other.opaqueSteps.first
        )
      )
    }
    if reference.conditions != other.conditions
      || reference.deduplicationKeys != other.deduplicationKeys
    {
      result.append(
        MappingDifference(
          kind: .objectsDiffer,
          entityName: entity,
          reference: Self.choice(reference),
          other: Self.choice(other)
        )
      )
    }
    let names = Set(reference.values.keys).union(other.values.keys)
      .sorted(by: ByteOrder.precedes)
    for name in names where reference.values[name] != other.values[name] {
      let (old, new) = (reference.values[name], other.values[name])
      let property = destination.property(name, of: entity)?.property
      func settled(_ value: ValueOrigin?) -> ValueOrigin {
        self.settled(value ?? .nothing, for: property, from: reference.sourceEntityName)
      }
      if settled(old) == settled(new) { continue }
      let isOpaque =
        old?.isOpaque == true || new?.isOpaque == true
        || reference.opaqueSteps != other.opaqueSteps
      var difference = MappingDifference(
        kind: isOpaque ? .unknown : Self.kind(old, new),
        entityName: entity,
        propertyName: name,
        reference: old?.description,
        other: new?.description
      )
      difference.isOfDefaults = [old, new].allSatisfy { $0?.isConstant ?? true }
      difference.isReduced =
        !isOpaque && settled(new).isWhole && settled(old).unchanged == settled(new).unchanged
      result.append(difference)
    }
    return result
  }

  /// Returns a phrase that names the source objects from which an origin makes objects.
  private static func choice(_ origin: Origin) -> String {
    let entity = origin.sourceEntityName
    let shared = origin.deduplicationKeys.flatMap(\.self)
    let condition = origin.conditions.map { $0.predicate.words($0.inputs.map(\.description)) }
      .joined(separator: " and ")
    return (condition.isEmpty ? "all of \(entity)" : "those of \(entity) for which \(condition)")
      + (shared.isEmpty ? "" : ", shared by \(shared.joined(separator: ", "))")
  }

  /// Returns the kind of a difference between two values.
  ///
  /// A constant is the model's default for a new property; only values from the source are carried.
  private static func kind(_ old: ValueOrigin?, _ new: ValueOrigin?) -> MappingDifference.Kind {
    switch (old?.readsSource ?? false, new?.readsSource ?? false) {
    case (true, false): .lost
    case (false, true): .resurrected
    default: .differs
    }
  }
}
