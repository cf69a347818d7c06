import ObjectModel

/// What a hop of a plan will do to the objects, values and links of one store.
///
/// It is read off the counts of the store and the mappings up to the hop; a run's ``HopAccount`` counts
/// afterwards what was done.
public struct PlannedAccount: Codable, Hashable, Sendable {
  /// What the version before the hop will hold.
  public struct Departure: Codable, Hashable, Sendable {
    /// The entity.
    public var entity: String
    /// The attribute or relationship; nil where objects are meant.
    public var property: String?
    /// What is meant.
    public var kind: HopAccount.Kind
    /// How many there are at least.
    public var least: Int64
    /// How many there are at most; nil where only code knows.
    public var greatest: Int64?
    /// What becomes of them.
    public var fate: HopAccount.Fate
    /// `Entity`, or `Entity.property`, of the version behind the hop.
    public var to: [String]
  }

  /// What the version behind the hop will hold.
  public struct Arrival: Codable, Hashable, Sendable {
    /// The entity.
    public var entity: String
    /// The attribute or relationship; nil where objects are meant.
    public var property: String?
    /// What is meant.
    public var kind: HopAccount.Kind
    /// How many there will be at least.
    public var least: Int64
    /// How many there will be at most; nil where only code knows.
    public var greatest: Int64?
    /// `Entity`, or `Entity.property`, of the version before the hop; none where the hop makes them.
    public var from: [String]
  }

  /// The lines of the version before the hop, by entity, and its objects first; none of nothing.
  public var departures: [Departure]
  /// The lines of the version behind it, by entity, and its objects first; none of nothing.
  public var arrivals: [Arrival]

  /// The accounts of the hops of a plan, before they run.
  ///
  /// Of the first hop the numbers before it are counted; of the others they are what the mappings so far
  /// make of those.
  /// - Parameter counts: What the store holds.
  /// - Complexity: O(*h* · *p*) in hops and properties of one version.
  package static func accounts(of plan: MigrationPlan, _ counts: StoreCounts) -> [PlannedAccount] {
    var way = NormalMapping(identityOf: plan.source.model)
    var hasCode = false
    var before = arrivals(way, counts, hasCode: false)
    return plan.hops.map { hop in
      let hopHasCode = !hop.mapping.policyNames.isEmpty
      let hopWay = hop.way
      let alone = AccountLedger(
        way: hopWay,
        before: StoreCounts(),
        after: StoreCounts(),
        hasCode: hopHasCode
      )
      let held = Dictionary(
        before.map { (Place($0), $0) },
        uniquingKeysWith: { $1 }
      )
      let departures = alone.departures.compactMap { line -> Departure? in
        guard let arrival = held[Place(line)] else { return nil }
        return Departure(
          entity: line.entity,
          property: line.property,
          kind: line.kind,
          least: arrival.least,
          greatest: arrival.greatest,
          fate: line.fate,
          to: line.to
        )
      }
      way = way.followed(by: hopWay)
      hasCode = hasCode || hopHasCode
      let all = arrivals(way, counts, hasCode: hasCode)
      before = all
      // Where they come from is what this hop alone says.
      let origins = Dictionary(
        alone.arrivals.map { (Place($0), $0.from) },
        uniquingKeysWith: { $1 }
      )
      return PlannedAccount(
        departures: departures,
        arrivals: all.map { line in
          var line = line
          line.from = origins[Place(line)] ?? []
          return line
        }
      )
    }
  }

  /// What a way makes of what a store holds.
  private static func arrivals(
    _ way: NormalMapping,
    _ counts: StoreCounts,
    hasCode: Bool
  ) -> [Arrival] {
    AccountLedger(way: way, before: counts, after: StoreCounts(), hasCode: hasCode).arrivals
      .filter { $0.greatest != 0 }
      .map { line in
        Arrival(
          entity: line.entity,
          property: line.property,
          kind: line.kind,
          least: line.least,
          greatest: line.greatest,
          from: line.from
        )
      }
  }

  /// Which line of a side it is.
  private struct Place: Hashable {
    let entity: String
    let property: String?

    init(_ line: Arrival) { (entity, property) = (line.entity, line.property) }
    init(_ line: HopAccount.Arrival) { (entity, property) = (line.entity, line.property) }
    init(_ line: HopAccount.Departure) { (entity, property) = (line.entity, line.property) }
  }
}
