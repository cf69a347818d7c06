package import ObjectModel

/// What a plan says of the losses of one hop, or of several that ran as one.
package struct DeclaredLosses: Sendable {
  /// One hop: what becomes of objects, and what the plan says of that.
  private struct Step: Sendable {
    let way: ComposedMapping
    let findings: [Finding]
    /// The version for which the findings were made.
    let arrival: ManagedObjectModel
  }

  private let steps: [Step]

  /// What a plan says of its hops, each of which starts where the one before it ends.
  package init(_ hops: [Hop]) {
    steps = hops.map {
      Step(
        way: $0.mappingAlone,
        findings: $0.findings,
        arrival: $0.arrivalModel ?? $0.destination.model
      )
    }
  }

  /// What a plan says of one way.
  package init(_ way: ComposedMapping, _ findings: [Finding]) {
    steps = [Step(way: way, findings: findings, arrival: way.destination)]
  }

  /// An entity or property of one version.
  private struct Place: Hashable {
    let entity: String
    let property: String?
  }

  /// Whether the hop at which something goes has a finding that says so.
  ///
  /// Links to objects that go are themselves carried on, so that any hop may be the one; and links whose side
  /// goes may live on at their other side, and go there later.
  func name(_ line: HopReconciliation.Departure) -> Bool {
    var places: Set = [Place(entity: line.entity, property: line.property)]
    for (number, step) in steps.enumerated() {
      let isLast = number == steps.count - 1
      let own = places.reduce(into: Set<Place>()) {
        $0.formUnion(Self.places($1, behind: step.way))
      }
      let next = places.reduce(into: own) {
        $0.formUnion(Self.otherSides($1, behind: step.way))
      }
      if own.isEmpty || isLast || line.targets != nil {
        let ledger = ExpectedCounts(
          way: step.way,
          before: StoreCounts(),
          after: StoreCounts(),
          hasCode: false
        )
        let isNamed = places.contains { place in
          var own = line
          (own.entity, own.property) = (place.entity, place.property)
          return ledger.isNamed(own, by: step.findings, arrivingAt: step.arrival)
        }
        if isNamed || next.isEmpty || isLast { return isNamed }
      }
      places = next
    }
    return false
  }

  /// Where a hop puts what an entity or a property holds.
  private static func places(_ place: Place, behind way: ComposedMapping) -> Set<Place> {
    var places: Set<Place> = []
    for (entity, origins) in way.origins {
      for origin in origins where origin.sourceEntityName == place.entity {
        guard let property = place.property else {
          places.insert(Place(entity: entity, property: nil))
          continue
        }
        for (name, value) in origin.values where value.properties.contains(property) {
          places.insert(Place(entity: entity, property: name))
        }
      }
    }
    return places
  }

  /// Where a hop keeps the links of a relationship at their other end.
  private static func otherSides(_ place: Place, behind way: ComposedMapping) -> Set<Place> {
    guard let declared = place.property.flatMap({ way.source.property($0, of: place.entity) }),
      let relationship = declared.property.relationship
    else { return [] }
    let inverse = way.source.inverse(of: relationship)
    var places: Set<Place> = []
    for (entity, origins) in way.origins {
      for origin in origins {
        for (name, value) in origin.values
        where value.isOtherSide(of: declared, inverse, from: origin.sourceEntityName, way.source) {
          places.insert(Place(entity: entity, property: name))
        }
      }
    }
    return places
  }
}

extension ValueOrigin {
  /// Whether the links are those of a relationship, seen from the other end.
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
