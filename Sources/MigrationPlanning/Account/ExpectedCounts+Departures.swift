import ObjectModel

extension ExpectedCounts {
  /// The objects, values and links of the version before the hop, each line with its disposition.
  var departures: [HopReconciliation.Departure] {
    mapping.source.entities.filter { !$0.isAbstract }.map(\.name).sorted().flatMap {
      entity -> [HopReconciliation.Departure] in
      let counts = count(of: entity)
      func line(
        _ property: String?,
        _ kind: HopReconciliation.Kind,
        _ bounds: Bounds,
        _ fate: SourceFate,
        _ targets: [String]? = nil
      ) -> HopReconciliation.Departure {
        HopReconciliation.Departure(
          entity: entity,
          property: property,
          kind: kind,
          bounds: bounds,
          fate: fate.kind,
          to: fate.to,
          targets: targets
        )
      }
      let names = ComposedMapping.comparedProperties(of: entity, in: mapping.source).sorted()
      return [line(nil, .objects, .exactly(counts.objects), fates.fate(of: entity))]
        + names.flatMap { name -> [HopReconciliation.Departure] in
          guard mapping.source.property(name, of: entity)?.property.relationship != nil else {
            let bounds = Bounds.exactly(counts.values[name] ?? 0)
            return [line(name, .values, bounds, fates.fate(of: name, in: entity))]
          }
          let links = (counts.links[name] ?? [:]).mapValues(Bounds.exactly)
          return parts(of: name, in: entity, links).map {
            line(name, .links, $0.bounds, $0.fate, $0.targets)
          }
        }
    }
  }

  /// A part of a relationship's links, which end alike.
  struct LinkPart {
    /// The disposition of the links.
    var fate: SourceFate
    /// The number of the links.
    var bounds = Bounds()
    /// The entities of the objects to which they lead, which are dropped, or to which the relationship can
    /// no longer lead; nil for any other links.
    var targets: [String]?
  }

  /// Returns the links of a relationship in parts of one disposition each; the inverse relationship
  /// decides, too.
  ///
  /// - Parameter links: The number of links by destination entity.
  /// - Returns: At least one part.
  func parts(of name: String, in entity: String, _ links: [String: Bounds]) -> [LinkPart] {
    let fate = fates.fate(of: name, in: entity)
    var parts = [LinkPart(fate: fate)]
    for (target, bounds) in links.sorted(by: { $0.key < $1.key }) {
      let own = self.fate(ofLinks: name, in: entity, fate, to: target)
      let isDropped = own.kind == .dropped && fate.kind != .dropped
      if let same = parts.firstIndex(where: { $0.fate == own }) {
        parts[same].bounds += bounds
        if isDropped { parts[same].targets?.append(target) }
      } else {
        parts.append(LinkPart(fate: own, bounds: bounds, targets: isDropped ? [target] : nil))
      }
    }
    let some = parts.filter { $0.bounds.greatest != 0 }
    return some.isEmpty ? [parts[0]] : some
  }

  /// Returns the disposition of the links that lead to objects of one entity.
  private func fate(
    ofLinks name: String,
    in entity: String,
    _ fate: SourceFate,
    to target: String
  ) -> SourceFate {
    guard fate.kind != .dropped, fate.kind != .code else { return fate }
    var (isCarried, isStray) = (false, false)
    var places: [String] = []
    for reader in fates.readers[entity] ?? [] {
      for (property, links) in reader.origin.values
      where links.unchanged.carriedProperty == name {
        isCarried = true
        if links.leftOut.contains(target) { continue }
        isStray =
          isStray
          || !mapping.reach(of: links.unchanged, from: reader.origin.sourceEntityName)
            .contains(target)
        let end = mapping.destination.property(property, of: reader.entity)?.property.relationship
        if let end { places.append(end.destinationEntityName) }
      }
    }
    guard isCarried else { return fate }
    // A key that names an object of another entity goes over with its column, or not.
    if isStray { return fate.kind == .carried ? SourceFate(kind: .chosen, to: fate.to) : fate }
    let end = fates.fate(of: target)
    if end.kind == .dropped { return .dropped }
    guard end.kind != .code, !hasCode else { return SourceFate(kind: .code, to: fate.to) }
    // Only the run knows the parts of an object.
    if end.kind == .split { return SourceFate(kind: .chosen, to: fate.to) }
    let arriving = (fates.readers[target] ?? []).filter { reader in
      places.contains { mapping.destination.isKind(reader.entity, of: $0) }
    }
    guard !arriving.isEmpty else { return .dropped }
    let isFiltered = arriving.allSatisfy { !$0.origin.conditions.isEmpty }
    return isFiltered ? SourceFate(kind: .chosen, to: fate.to) : fate
  }

  /// Returns the number of links that a relationship of the version after the hop gets, by destination
  /// entity; nil where only the run knows.
  func targets(of name: String, in entity: String) -> [String: Bounds]? {
    guard mapping.opaqueSteps.isEmpty, !hasCode,
      let relationship = mapping.destination.property(name, of: entity)?.property.relationship
    else { return nil }
    var found: [String: Bounds] = [:]
    for origin in mapping.origins[entity] ?? [] {
      let all = links(relationship, name, origin)
      if all.greatest == 0 { continue }
      guard !origin.isOpaque, all.greatest != nil,
        let carried = origin.values[name]?.unchanged.carriedProperty
      else { return nil }
      let left = origin.values[name]?.leftOut ?? []
      for (target, count) in self.count(of: origin.sourceEntityName).links[carried] ?? [:]
      where !left.contains(target) {
        let made = (fates.readers[target] ?? []).filter {
          mapping.destination.isKind($0.entity, of: relationship.destinationEntityName)
        }
        guard let only = made.first else { continue }
        guard made.count == 1 else { return nil }
        found[only.entity, default: Bounds()] +=
          all.least == all.greatest && !only.origin.isChoice ? .exactly(count) : .atMost(count)
      }
    }
    return found
  }
}
