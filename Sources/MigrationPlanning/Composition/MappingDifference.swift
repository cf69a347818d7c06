import ObjectModel

/// The first thing in which two ways between the same versions differ.
package struct MappingDifference: Hashable, Sendable {
  /// In what they differ.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The chain carries the value, and the other way loses it.
    case lost
    /// The chain loses the value, and the other way brings it back.
    case resurrected
    /// Both have a value, of different sources.
    case differs
    /// The chain makes objects that the other way does not.
    case objectsLost
    /// The other way makes objects that the chain does not.
    case objectsResurrected
    /// The objects are chosen or shared differently.
    case objectsDiffer
    /// Something that nobody can look into takes part.
    case unknown
  }

  /// In what they differ.
  package var kind: Kind
  /// The entity of the last version; empty where the whole store is meant.
  package var entityName: String
  /// The property; nil where it is the objects that differ.
  package var propertyName: String?
  /// The value that the chain gives it.
  package var reference: String?
  /// The value that the other way gives it.
  package var other: String?
  /// Whether both ways leave the property empty or set it to a constant, so that no value of the store
  /// is concerned.
  package var isOfDefaults = false
  /// Whether the other way keeps all that the store has, of which the chain keeps less or converts it.
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
  /// All in which another way between the same versions differs from this one, the reference.
  ///
  /// What is certain comes first, each in byte order of entities and properties.
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

  /// Of which source objects an origin makes its own, in words.
  private static func choice(_ origin: Origin) -> String {
    let entity = origin.sourceEntityName
    let shared = origin.deduplicationKeys.flatMap(\.self)
    let condition = origin.conditions.map { $0.predicate.words($0.inputs.map(\.description)) }
      .joined(separator: " and ")
    return (condition.isEmpty ? "all of \(entity)" : "those of \(entity) for which \(condition)")
      + (shared.isEmpty ? "" : ", shared by \(shared.joined(separator: ", "))")
  }

  /// A constant is what the model gives a new property; only what comes from the source is carried.
  private static func kind(_ old: ValueOrigin?, _ new: ValueOrigin?) -> MappingDifference.Kind {
    switch (old?.readsSource ?? false, new?.readsSource ?? false) {
    case (true, false): .lost
    case (false, true): .resurrected
    default: .differs
    }
  }
}
