package import ObjectModel

/// The losses that a plan declares for one hop, or for several that ran as one.
package struct DeclaredLosses: Sendable {
  /// A hop: its mapping, and the findings that the plan reports for it.
  private struct Step: Sendable {
    let mapping: ComposedMapping
    let findings: [Finding]
    /// The version for which the findings were made.
    let arrival: ManagedObjectModel
  }

  private let steps: [Step]

  /// Collects the findings of hops; each hop starts where the one before it ends.
  package init(_ hops: [Hop]) {
    steps = hops.map {
      Step(
        mapping: $0.mappingAlone,
        findings: $0.findings,
        arrival: $0.arrivalModel ?? $0.destination.model
      )
    }
  }

  /// Collects the findings of one composed mapping.
  package init(_ mapping: ComposedMapping, _ findings: [Finding]) {
    steps = [Step(mapping: mapping, findings: findings, arrival: mapping.destination)]
  }

  private typealias Place = HopReconciliation.Place

  /// Returns whether the hop that drops a line's things has a finding on that.
  ///
  /// Links to dropped objects are carried, so any hop may be the one; links whose side is dropped may
  /// live on at their other side and be dropped there later.
  func name(_ line: HopReconciliation.Departure) -> Bool {
    var places: Set = [line.place]
    for (number, step) in steps.enumerated() {
      let isLast = number == steps.count - 1
      let own = places.reduce(into: Set<Place>()) {
        $0.formUnion(Self.places($1, behind: step.mapping))
      }
      let next = places.reduce(into: own) {
        $0.formUnion(Self.otherSides($1, behind: step.mapping))
      }
      if own.isEmpty || isLast || line.targets != nil {
        let ledger = ExpectedCounts(mapping: step.mapping, hasCode: false)
        let isNamed = places.contains {
          ledger.isNamed($0, by: step.findings, arrivingAt: step.arrival)
        }
        if isNamed || next.isEmpty || isLast { return isNamed }
      }
      places = next
    }
    return false
  }

  /// Returns the entities or properties of the destination that hold what an entity or a property of the
  /// source held.
  private static func places(_ place: Place, behind mapping: ComposedMapping) -> Set<Place> {
    var places: Set<Place> = []
    for (entity, origins) in mapping.origins {
      for origin in origins where origin.sourceEntityName == place.entity {
        guard let property = place.property else {
          places.insert(Place(entity: entity, property: nil, kind: place.kind))
          continue
        }
        for (name, value) in origin.values where value.properties.contains(property) {
          places.insert(Place(entity: entity, property: name, kind: place.kind))
        }
      }
    }
    return places
  }

  /// Returns the inverse relationships in the destination that keep the links of a relationship.
  private static func otherSides(_ place: Place, behind mapping: ComposedMapping) -> Set<Place> {
    guard let declared = place.property.flatMap({ mapping.source.property($0, of: place.entity) }),
      let relationship = declared.property.relationship
    else { return [] }
    let inverse = mapping.source.inverse(of: relationship)
    var places: Set<Place> = []
    for (entity, origins) in mapping.origins {
      for origin in origins {
        for (name, value) in origin.values
        where value.isOtherSide(
          of: declared,
          inverse,
          from: origin.sourceEntityName,
          mapping.source
        ) {
          places.insert(Place(entity: entity, property: name, kind: place.kind))
        }
      }
    }
    return places
  }
}

extension ValueOrigin {
  /// Returns whether the links are those of a relationship, seen from the other end.
  func isOtherSide(
    of declared: ManagedObjectModel.DeclaredProperty,
    _ inverse: ManagedObjectModel.DeclaredProperty?,
    from entity: String,
    _ model: ManagedObjectModel
  ) -> Bool {
    if case .owners(let owner, let name) = unchanged {
      return model.property(name, of: owner)?.id == declared.id
    }
    guard let inverse else { return false }
    return properties.contains(inverse.property.name)
      && model.property(inverse.property.name, of: entity)?.id == inverse.id
  }
}
