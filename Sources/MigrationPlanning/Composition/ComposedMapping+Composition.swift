import ObjectModel

extension ComposedMapping {
  /// Returns this mapping composed with another one, which starts where this one ends.
  ///
  /// Composing is associative, and composing with the identity changes nothing.
  /// - Complexity: O(*p*) in the properties of the last model, for mappings without expressions of their
  ///   own.
  package func then(_ next: ComposedMapping) -> ComposedMapping {
    var result = ComposedMapping(source: source, destination: next.destination)
    result.opaqueSteps = opaqueSteps + next.opaqueSteps
    result.origins.reserveCapacity(next.origins.count)
    for (entity, list) in next.origins {
      if next.copies.contains(entity) {
        guard let origins = origins[entity] else { continue }
        result.origins[entity] = origins
        if copies.contains(entity) { result.copies.insert(entity) }
        continue
      }
      let composed = list.flatMap { later in
        (origins[later.sourceEntityName] ?? []).compactMap { compose($0, later) }
      }
      if !composed.isEmpty { result.origins[entity] = composed }
    }
    return result
  }

  /// Returns the origin of objects that are made from objects made from others; nil where there are
  /// none.
  private func compose(_ earlier: Origin, _ later: Origin) -> Origin? {
    let substitution = Substitution(mapping: self, origin: earlier, entity: later.sourceEntityName)
    var origin = Origin(sourceEntityName: earlier.sourceEntityName)
    origin.conditions = earlier.conditions
    for condition in later.conditions {
      let composed = substitution.apply(condition)
      switch composed.certainty {
      case true?: break
      case false?: return nil
      case nil: origin.conditions.append(composed)
      }
    }
    origin.deduplicationKeys = earlier.deduplicationKeys + later.deduplicationKeys
    origin.opaqueSteps = earlier.opaqueSteps + later.opaqueSteps
    if later.opaqueSteps.isEmpty {
      origin.splits = earlier.splits
    } else if earlier.opaqueSteps.isEmpty, let splits = later.splits {
      origin.splits = Set(splits.flatMap { earlier.values[$0]?.properties ?? [] })
    }
    origin.values.reserveCapacity(later.values.count)
    for (name, value) in later.values {
      let composed = substitution.apply(value)
      if composed != .nothing { origin.values[name] = composed }
    }
    return origin
  }
}
