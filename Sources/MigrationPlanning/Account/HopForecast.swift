import ObjectModel

/// A forecast of the effects of a plan's hop on the objects, values and links of one store.
///
/// It is computed from the counts of the store and the mappings up to the hop; a run's
/// ``HopReconciliation`` counts afterwards the actual effects.
public struct HopForecast: Hashable, Sendable {
  /// An end of a relationship and its inverse.
  package struct LinkEnd: Hashable, Sendable {
    /// The names of the entity that declares the end that comes first by them, and of its property.
    package let first: [String]
    /// Whether it is the other one.
    package let isSecond: Bool
  }

  /// The lines of the version before the hop, by entity, and its objects first; none of nothing.
  public var departures: [HopReconciliation.Departure]
  /// The lines of the version behind it, by entity, and its objects first; none of nothing.
  public var arrivals: [HopReconciliation.Arrival]

  /// The lines that the hop makes: arrivals without a source, and values that it fills in where the
  /// source has fewer.
  package var made: [HopReconciliation.Arrival] {
    arrivals.compactMap { line in
      let made = line.from.isEmpty ? line : filled(line)
      return made?.greatest.map { $0 > 0 } == true ? made : nil
    }
  }

  /// Returns the new part of values that the hop carries and completes; nil where no value is new.
  private func filled(_ line: HopReconciliation.Arrival) -> HopReconciliation.Arrival? {
    let (place, count) = (line.place.name, line.least)
    guard line.kind == .values, count == line.greatest else { return nil }
    let sources = departures.filter { $0.kind == .values && $0.to.contains(place) }
    guard sources.allSatisfy({ [.carried, .changed].contains($0.fate) && $0.to == [place] }) else {
      return nil
    }
    let given = sources.map(\.bounds).sum
    var made = line
    made.bounds = HopReconciliation.Bounds(
      least: max(0, count - (given.greatest ?? count)),
      greatest: count - given.least
    )
    made.count = made.least
    return made
  }

  /// Returns the accounts of the hops of a plan, before they run.
  ///
  /// The numbers before the first hop are counted; those before each other hop follow from them by the
  /// mappings so far.
  /// - Parameter counts: The counts of the store's objects, values and links.
  /// - Complexity: O(*h* · *p*) in hops and properties of one version.
  package static func accounts(of plan: MigrationPlan, _ counts: StoreCounts) -> [HopForecast] {
    var hasCode = false
    var before = arrivals(ComposedMapping(identityOf: plan.source.model), counts, hasCode: false)
    return plan.hops.mappings.enumerated().map { index, step in
      let hop = step.hop
      let hopHasCode = !hop.mapping.policyNames.isEmpty
      let alone = ExpectedCounts(mapping: step.own, hasCode: hopHasCode)
      let held = Dictionary(before.map { ($0.place, $0.bounds) }, uniquingKeysWith: { $1 })
      let holding = ExpectedCounts(mapping: step.before, before: counts, hasCode: hasCode)
      let departures = alone.departures.flatMap { line -> [HopReconciliation.Departure] in
        guard let bounds = held[line.place] else { return [] }
        var line = line
        line.bounds = bounds
        guard line.kind == .links, let name = line.property else { return [line] }
        // The store's links are counted for every relationship.
        let targets =
          index == 0
          ? (counts.entities[line.entity]?.links[name] ?? [:])
            .mapValues(ExpectedCounts.Bounds.exactly)
          : holding.targets(of: name, in: line.entity)
        return alone.departures(of: line, name, targets)
      }
      hasCode = hasCode || hopHasCode
      let all = arrivals(step.after, counts, hasCode: hasCode)
      before = all
      // Their source is that of this hop alone.
      let origins = Dictionary(
        alone.arrivals.map { ($0.place, $0.from) },
        uniquingKeysWith: { $1 }
      )
      return HopForecast(
        departures: departures.changed(by: hop).map { line in
          var line = line
          line.end = hop.source.model.end(line.property, of: line.entity)
          return line
        },
        arrivals: all.map { line in
          var line = line
          line.from = origins[line.place] ?? []
          line.end = hop.destination.model.end(line.property, of: line.entity)
          return line
        }
      )
    }
  }

  /// Returns the arrivals that a mapping makes of a store's contents.
  private static func arrivals(
    _ mapping: ComposedMapping,
    _ counts: StoreCounts,
    hasCode: Bool
  ) -> [HopReconciliation.Arrival] {
    ExpectedCounts(mapping: mapping, before: counts, hasCode: hasCode).arrivals
      .filter { $0.greatest != 0 }
      .map { line in
        var line = line
        line.count = line.least
        return line
      }
  }
}

extension ManagedObjectModel {
  /// Returns the link end that a relationship is; nil where it has no inverse.
  fileprivate func end(_ property: String?, of entity: String) -> HopForecast.LinkEnd? {
    guard let property, let own = self.property(property, of: entity),
      let inverse = own.property.relationship.flatMap({ self.inverse(of: $0) }),
      inverse.property.isPersistent
    else { return nil }
    let here = [own.entityName, property]
    let there = [inverse.entityName, inverse.property.name]
    let isSecond = there.lexicographicallyPrecedes(here)
    return HopForecast.LinkEnd(first: isSecond ? there : here, isSecond: isSecond)
  }
}

extension ExpectedCounts {
  /// Returns the lines of a relationship's links, those that are dropped with their targets by
  /// themselves.
  ///
  /// - Parameter targets: The number of links by the entity that they lead to; nil where only the
  ///   run knows.
  fileprivate func departures(
    of line: HopReconciliation.Departure,
    _ name: String,
    _ targets: [String: Bounds]?
  ) -> [HopReconciliation.Departure] {
    var own = line
    if let targets {
      return parts(of: name, in: line.entity, targets).map { part in
        (own.fate, own.to) = (part.fate.kind, part.fate.to)
        (own.bounds, own.targets) = (part.bounds, part.targets)
        return own
      }
    }
    let end = mapping.source.property(name, of: line.entity)?.property.relationship?
      .destinationEntityName
    let concrete = (end.map(mapping.source.hierarchyNames) ?? []).filter {
      mapping.source[$0]?.isAbstract == false
    }
    let some = Dictionary(concrete.map { ($0, Bounds.atMost(1)) }, uniquingKeysWith: { $1 })
    if own.fate == .carried || own.fate == .merged,
      parts(of: name, in: line.entity, some).contains(where: { $0.fate.kind != own.fate })
    {
      // Some lead to objects that do not go over.
      own.fate = .chosen
    }
    return [own]
  }
}

extension [HopReconciliation.Departure] {
  /// Returns the lines; those that a hop changes or drops by the store's evidence, if the user accepts
  /// that, are split into lines of their own.
  fileprivate func changed(by hop: Hop) -> [HopReconciliation.Departure] {
    hop.findings.reduce(self) { lines, finding in
      guard let evidence = finding.evidence, let entity = finding.place.entity,
        let property = finding.place.property
      else { return lines }
      if finding.code == .becomesToOne {
        return lines.settled(by: evidence.verdict, hop, at: entity, property)
      }
      guard evidence.verdict == .refuted else { return lines }
      switch finding.code {
      case .typeNarrowed:
        let places = Set(
          hop.destination.model.hierarchyNames(below: entity).map { "\($0).\(property)" }
        )
        return lines.split(evidence.rows, as: .changed) { !places.isDisjoint(with: $0.to) }
      case .expressionGivesNothing:
        return lines.split(evidence.rows, as: .dropped) {
          $0.entity == entity && $0.property == property
        }
      default: return lines
      }
    }
  }

  /// Returns the lines, in which the lines of a relationship that becomes to-one follow its evidence:
  /// all links are kept, or not all.
  ///
  /// - Parameters:
  ///   - entity: The entity where the relationship is declared.
  ///   - property: The relationship's name.
  private func settled(
    by verdict: Finding.Evidence.Verdict,
    _ hop: Hop,
    at entity: String,
    _ property: String
  ) -> [HopReconciliation.Departure] {
    let model = hop.destination.model
    var ends = [(entity, property)]
    let inverse = model.property(property, of: entity)?.property.relationship
      .flatMap { model.inverse(of: $0) }
    if let inverse { ends.append((inverse.entityName, inverse.property.name)) }
    // Other findings that may cost a link of either end must be decided, too.
    let isKept = hop.findings.allSatisfy { finding in
      finding.evidence?.verdict == .proven || finding.risk.map { $0 < .conditional } != false
        || !ends.contains { $0 == finding.place.entity ?? "" && $1 == finding.place.property }
    }
    let places = Set(
      ends.flatMap { end in model.hierarchyNames(below: end.0).map { "\($0).\(end.1)" } }
    )
    return map { line in
      guard line.kind == .links, line.fate == .chosen, !places.isDisjoint(with: line.to) else {
        return line
      }
      var line = line
      if verdict == .proven, isKept { line.fate = .carried }
      if verdict == .refuted { line.isCut = true }
      return line
    }
  }

  /// Returns the lines; this many values are split into lines of their own with another disposition.
  private func split(
    _ count: Int64,
    as fate: HopReconciliation.Fate,
    where isMeant: (HopReconciliation.Departure) -> Bool
  ) -> [HopReconciliation.Departure] {
    func isConcerned(_ line: HopReconciliation.Departure) -> Bool {
      line.kind == .values && [.carried, .computed, .used].contains(line.fate) && isMeant(line)
    }
    let isOne = filter(isConcerned).count == 1
    return flatMap { line -> [HopReconciliation.Departure] in
      guard isConcerned(line) else { return [line] }
      let most = Swift.min(count, line.bounds.greatest ?? count)
      return line.split(isOne ? .exactly(most) : .atMost(most), as: fate)
    }
  }
}
