import ObjectModel

/// The two sides of an account, computed from a mapping and the counts before and after.
struct ExpectedCounts {
  let mapping: ComposedMapping
  let before: StoreCounts
  let after: StoreCounts
  /// Whether policies take part, which may make objects of any entity, and change any that is made.
  let hasCode: Bool
  /// Whether the user accepts the loss of links where an end has no room; a run counts these.
  let losesLinks: Bool
  /// The dispositions of the entities and properties of the version before the hop.
  let fates: SourceDispositions

  init(
    mapping: ComposedMapping,
    before: StoreCounts = StoreCounts(),
    after: StoreCounts = StoreCounts(),
    hasCode: Bool,
    losesLinks: Bool = false
  ) {
    self.losesLinks = losesLinks
    self.mapping = mapping
    self.before = before
    self.after = after
    self.hasCode = hasCode
    fates = SourceDispositions(mapping, hasCode: hasCode)
  }

  /// The number of objects, values or links.
  typealias Bounds = HopReconciliation.Bounds
  /// A source entity from which objects of a destination entity are made.
  typealias Origin = ComposedMapping.Origin

  // MARK: Behind the hop

  /// The objects, values and links of the version after the hop, counted, with the bounds that the
  /// mapping gives them.
  var arrivals: [HopReconciliation.Arrival] {
    mapping.destination.entities.filter { !$0.isAbstract }.map(\.name).sorted().flatMap {
      entity -> [HopReconciliation.Arrival] in
      let counts = after.entities[entity] ?? StoreCounts.Entity(objects: 0)
      let origins = mapping.origins[entity] ?? []
      var lines = [
        line(entity, nil, .objects, counts.objects, origins) { objects($0) }
      ]
      for name in ComposedMapping.comparedProperties(of: entity, in: mapping.destination).sorted() {
        guard let property = mapping.destination.property(name, of: entity)?.property else {
          continue
        }
        if let relationship = property.relationship {
          let count = counts.links[name]?.values.reduce(0, +) ?? 0
          lines.append(
            line(entity, name, .links, count, origins) { links(relationship, name, $0) }
          )
        } else {
          lines.append(
            line(entity, name, .values, counts.values[name] ?? 0, origins) { values(name, $0) }
          )
        }
      }
      return lines
    }
  }

  private func line(
    _ entity: String,
    _ property: String?,
    _ kind: HopReconciliation.Kind,
    _ count: Int64,
    _ origins: [Origin],
    _ bounds: (Origin) -> Bounds
  ) -> HopReconciliation.Arrival {
    var sum = Bounds()
    for origin in origins { sum += origin.isOpaque ? .unknown : bounds(origin) }
    if !mapping.opaqueSteps.isEmpty { sum = .unknown }
    if kind == .links, losesLinks, mayLackRoom(property, in: entity) { sum.least = 0 }
    if hasCode { sum = Bounds(least: kind == .objects ? sum.least : 0, greatest: nil) }
    var from: [String] = []
    for origin in origins {
      let names =
        property.map { name in
          (origin.values[name]?.properties.sorted() ?? []).map {
            "\(origin.sourceEntityName).\($0)"
          }
        } ?? [origin.sourceEntityName]
      for name in names where !from.contains(name) { from.append(name) }
    }
    return HopReconciliation.Arrival(
      entity: entity,
      property: property,
      kind: kind,
      count: count,
      least: sum.least,
      greatest: sum.greatest,
      from: from
    )
  }

  /// Returns whether an object at either end of a relationship holds one link only.
  private func mayLackRoom(_ name: String?, in entity: String) -> Bool {
    let relationship = name.flatMap {
      mapping.destination.property($0, of: entity)?.property.relationship
    }
    guard let relationship else { return false }
    let shape = RelationshipCardinality(relationship, in: mapping.destination)
    return !shape.isToMany || !shape.isInverseToMany
  }

  func count(of entity: String) -> StoreCounts.Entity {
    before.entities[entity] ?? StoreCounts.Entity(objects: 0)
  }

  private func objects(_ origin: Origin) -> Bounds {
    let count = count(of: origin.sourceEntityName).objects
    return origin.isChoice ? .atMost(count) : .exactly(count)
  }

  private func values(_ name: String, _ origin: Origin) -> Bounds {
    guard let value = origin.values[name] else { return Bounds() }
    let bounds = values(value, count(of: origin.sourceEntityName))
    return origin.isChoice ? bounds.orNone : bounds
  }

  /// Returns the number of values that a value origin gives.
  private func values(_ value: ValueOrigin, _ counts: StoreCounts.Entity) -> Bounds {
    switch value {
    case .constant(let value): value == nil ? Bounds() : .exactly(counts.objects)
    case .carried(let path) where path.count == 1: .exactly(counts.values[path[0]] ?? 0)
    case .filled: .exactly(counts.objects)
    case .converted(let inner, _, _): values(inner, counts)
    default: value.isOpaque ? .unknown : .atMost(counts.objects)
    }
  }

  /// Returns the number of links that a relationship gets from one origin.
  func links(
    _ relationship: RelationshipDescription,
    _ name: String,
    _ origin: Origin
  ) -> Bounds {
    guard let value = origin.values[name] else {
      return isGivenByInverse(relationship) ? .unknown : Bounds()
    }
    let (links, isCut) = value.uncut
    if case .owners(let entity, let name) = links {
      let bounds = owners((entity, name), relationship, origin)
      return isCut ? bounds.orNone : bounds
    }
    let inverse = mapping.destination.inverse(of: relationship)?.property.relationship
    guard let carried = links.carriedProperty, inverse?.name != relationship.name else {
      return .unknown
    }
    let arriving = count(of: origin.sourceEntityName).links[carried] ?? [:]
    let (left, reach) = (value.leftOut, mapping.reach(of: links, from: origin.sourceEntityName))
    var bounds = Bounds()
    for (entity, count) in arriving where !left.contains(entity) {
      // A key that names an object of another entity goes over with its column, or not.
      guard reach.contains(entity) else {
        bounds += .atMost(count)
        continue
      }
      let made = mapping.destination.hierarchyNames(below: relationship.destinationEntityName)
        .flatMap { mapping.origins[$0] ?? [] }.filter { $0.sourceEntityName == entity }
      guard let only = made.first else { continue }
      guard made.count == 1, !only.isOpaque else { return .unknown }
      bounds += only.isChoice ? .atMost(count) : .exactly(count)
    }
    // Each object at the other end keeps one link, even if others take it, too.
    let isShared =
      inverse?.isToMany != true && fates.becomesSeveral(origin.sourceEntityName)
    // One of the two sides of a one-to-one is kept, since they may disagree.
    let before = mapping.source.property(carried, of: origin.sourceEntityName)?.property
      .relationship
    let shape = RelationshipCardinality(relationship, in: mapping.destination)
    let isOneSided =
      before.map { RelationshipCardinality($0, in: mapping.source).isOneToOne } == true
      && shape.isToMany != shape.isInverseToMany
    // The result has the links of one of them, or of both.
    if let before, let other = oneToOneLinks(to: before, from: origin.sourceEntityName),
      bounds.greatest != nil
    {
      bounds = .atMost(arriving.values.reduce(0, +) + other)
    }
    // Objects that other entities become may bring theirs from the other end.
    if isGivenByInverse(relationship, of: origin, besides: carried) { bounds.greatest = nil }
    // An object that several become has the links of all.
    return origin.isChoice || isCut || isShared || isOneSided ? bounds.orNone : bounds
  }

  /// Returns the number of links of a one-to-one whose inverse holds some that this side lacks; nil for
  /// any other relationship.
  ///
  /// They are counted at the inverse relationship, for the objects of one entity.
  private func oneToOneLinks(
    to relationship: RelationshipDescription,
    from entity: String
  ) -> Int64? {
    guard let inverse = mapping.source.inverse(of: relationship) else { return nil }
    let others = mapping.source.hierarchyNames(below: inverse.entityName)
    let isOneSided =
      count(of: entity).oneSided?.contains(relationship.name) == true
      || others.contains { count(of: $0).oneSided?.contains(inverse.property.name) == true }
    guard isOneSided else { return nil }
    return others.reduce(0) {
      $0 + (count(of: $1).links[inverse.property.name]?[entity] ?? 0)
    }
  }

  /// Returns the links that objects of another entity had to those of an origin, which are the
  /// relationship's now.
  private func owners(
    _ owned: (entity: String, relationship: String),
    _ relationship: RelationshipDescription,
    _ origin: Origin
  ) -> Bounds {
    var bounds = Bounds()
    for entity in mapping.source.hierarchyNames(below: owned.entity) {
      let links = count(of: entity).links[owned.relationship]
      let count = links?[origin.sourceEntityName] ?? 0
      guard count > 0 else { continue }
      let made = mapping.origins.values.joined().filter { $0.sourceEntityName == entity }
      guard made.count == 1, let only = made.first, !only.isOpaque else { return .unknown }
      // A mapping may leave out the links of some entities; an earlier one of the path may have done so
      // although the last version no longer has the inverse.
      guard let inverse = mapping.destination.inverse(of: relationship)?.property.name else {
        bounds += .atMost(count)
        continue
      }
      guard let given = only.values[inverse] else { continue }
      guard given.properties.contains(owned.relationship) else { return .unknown }
      bounds += only.isChoice || !relationship.isToMany ? .atMost(count) : .exactly(count)
    }
    return origin.isChoice ? bounds.orNone : bounds
  }

  /// Returns whether objects at the other end carry links of another source relationship than the
  /// inverse of one.
  private func isGivenByInverse(
    _ relationship: RelationshipDescription,
    of origin: Origin,
    besides carried: String
  ) -> Bool {
    guard let inverse = mapping.destination.inverse(of: relationship)?.property.name else {
      return false
    }
    let before = mapping.source.property(carried, of: origin.sourceEntityName)?.property
      .relationship
    let back = before.flatMap { mapping.source.inverse(of: $0)?.property.name }
    return mapping.destination.hierarchyNames(below: relationship.destinationEntityName)
      .flatMap { mapping.origins[$0] ?? [] }.contains { other in
        guard let value = other.values[inverse] else { return false }
        let isOther =
          before.map {
            !mapping.source.isKind(other.sourceEntityName, of: $0.destinationEntityName)
          }
          ?? true
        return isOther || back.map { !value.properties.contains($0) } ?? true
      }
  }

  /// Returns whether an expression gives the other side of a relationship its links.
  private func isGivenByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = mapping.destination.inverse(of: relationship)?.property.name else {
      return false
    }
    return mapping.destination.hierarchyNames(below: relationship.destinationEntityName)
      .flatMap { mapping.origins[$0] ?? [] }.contains { $0.values[inverse] != nil }
  }

  /// Returns whether a finding reports the loss of the things that are counted at a place.
  ///
  /// - Parameter arrival: The version of equal hashes for which the findings were made.
  func isNamed(
    _ line: HopReconciliation.Place,
    by findings: [Finding],
    arrivingAt arrival: ManagedObjectModel
  ) -> Bool {
    let own = Set([line.entity] + mapping.source.ancestorNames(of: line.entity))
    let property = line.property.flatMap { mapping.source.property($0, of: line.entity)?.property }
    let readers = fates.readers[line.entity] ?? []
    return findings.contains { finding in
      // A finding that no row violates names no loss.
      guard let risk = finding.risk, risk >= .conditional, let entity = finding.place.entity else {
        return false
      }
      guard let name = finding.place.property else { return own.contains(entity) }
      guard let property else { return false }
      let behind = readers.filter { arrival.isKind($0.entity, of: entity) }
      guard own.contains(entity) || !behind.isEmpty else { return false }
      // A dropped property is found by its old name at the entity's new one, or by the name that a
      // mapping gives it.
      let canonical = arrival.property(name, of: entity)?.property.canonicalName
      return [property.name, property.canonicalName].contains(canonical) || name == property.name
        || behind.contains { $0.origin.values[name]?.properties.contains(property.name) == true }
    }
  }
}

extension ValueOrigin {
  /// The links before the other end holds fewer of them and some lead nowhere any more, and whether the
  /// other end may hold fewer.
  fileprivate var uncut: (links: ValueOrigin, isCut: Bool) {
    switch self {
    case .cut(let inner): (inner.uncut.links, true)
    case .chosen(let inner, by: _), .without(let inner, _): inner.uncut
    default: (self, false)
    }
  }
}
