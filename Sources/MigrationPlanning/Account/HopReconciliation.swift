import ObjectModel

/// The account of a hop: where the objects, values and links of the version before it went, and where
/// those of the version behind it came from.
///
/// Each object, each value that is not NULL and each link is in exactly one line of either side. The
/// numbers are counted off both stores; what they should be follows from the mapping alone.
public struct HopReconciliation: Codable, Hashable, Sendable {
  /// The thing that a line counts.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// Objects of an entity.
    case objects
    /// Values of an attribute that are not NULL.
    case values
    /// Links of a relationship to objects that are there.
    case links
  }

  /// The disposition of the things that a line counts.
  public enum Fate: String, Codable, Hashable, Sendable {
    /// A thing that is carried unchanged, or as a number of another type.
    case carried
    /// A value from which an expression makes others that show the original.
    case computed
    /// A value that an expression reads; whether it is kept is not known.
    case used
    /// A relationship whose links are carried without their order.
    case unordered
    /// A text or collection is cut, and its parts become objects; empty parts of a text go.
    case split
    /// A filter may leave out some, some may become one with others, or an end holds fewer links.
    case chosen
    /// A thing that is carried and becomes one with an equal one: objects that share a key, and links
    /// between the same objects.
    case merged
    /// Code decides: a policy, an action or SQL.
    case code
    /// A value that the run changed, or may have changed; the user accepted that.
    case changed
    /// A thing that is dropped.
    case dropped
  }

  /// A line for objects, values or links of the version before the hop.
  public struct Departure: AccountLine, Codable, Hashable, Sendable {
    /// The entity.
    public var entity: String
    /// The attribute or relationship; nil where objects are counted.
    public var property: String?
    /// The thing that the line counts: objects, values or links.
    public var kind: Kind
    /// The number of them; a range in a forecast.
    public var bounds: Bounds
    /// The disposition of them in the version after the hop.
    public var fate: Fate
    /// `Entity`, or `Entity.property`, of the version behind the hop.
    public var to: [String]
    /// The entities of the objects that these links lead to, which are dropped, or to which the relationship
    /// can no longer lead; nil for any other line.
    public var targets: [String]?
    /// The end of the links in a forecast, where both ends have lines.
    package var end: HopForecast.LinkEnd?
    /// Whether a store's rows show that not all of these links will be kept.
    package var isCut = false

    private enum CodingKeys: String, CodingKey {
      case entity, property, kind, fate, to, targets
      case bounds = "count"
    }

    /// The number of them; the least number in a forecast.
    public var count: Int64 { bounds.least }
  }

  /// A line for objects, values or links of the version after the hop.
  public struct Arrival: AccountLine, Codable, Hashable, Sendable {
    /// The entity.
    public var entity: String
    /// The attribute or relationship; nil where objects are counted.
    public var property: String?
    /// The thing that the line counts: objects, values or links.
    public var kind: Kind
    /// The number of them; the least number in a forecast.
    public var count: Int64
    /// The least number of them by the mapping.
    public var least: Int64
    /// The greatest number of them by the mapping; nil where only code decides it.
    public var greatest: Int64?
    /// `Entity`, or `Entity.property`, of the version before the hop; none where the hop makes them.
    public var from: [String]
    /// The end of the links in a forecast, where both ends have lines.
    package var end: HopForecast.LinkEnd?

    private enum CodingKeys: String, CodingKey {
      case entity, property, kind, count, least, greatest, from
    }

    /// The number of them by the mapping.
    package var bounds: Bounds {
      get { Bounds(least: least, greatest: greatest) }
      set { (least, greatest) = (newValue.least, newValue.greatest) }
    }
    /// Whether the number is within the mapping's bounds.
    public var isKept: Bool { count >= least && greatest.map { count <= $0 } ?? true }
  }

  /// The version that the hop leaves.
  public let source: String
  /// The version that it leads to.
  public let destination: String
  /// The versions between the ends, where several hops ran in one pass; nil where there are none.
  public let through: [String]?
  /// The lines of the version before it, by entity, and its objects first.
  public let departures: [Departure]
  /// The lines of the version behind it, by entity, and its objects first.
  public let arrivals: [Arrival]
  /// The lines that go although no finding of the plan names them.
  public let unnamed: [Departure]
  /// The statistics of policies, one for each entity mapping.
  public let works: [PolicyStatistics]
  /// The values and links that the mapping carries and the run changed, because the user accepted it;
  /// nil where nothing changed.
  public let changes: [AcceptedChange]?

  /// Makes up the account of a mapping that a run applied to a store.
  ///
  /// - Parameters:
  ///   - mapping: The mapping of the objects.
  ///   - through: The versions between the ends, where several hops ran in one pass.
  ///   - hasCode: Whether policies take part.
  ///   - losesLinks: Whether the user accepts the loss of links where an end has no room.
  ///   - losses: The losses that the plan declares; nil for a mapping over several passes, whose own
  ///     accounts compare losses.
  ///   - works: The statistics of its policies.
  ///   - changes: The changes that the user accepted.
  /// - Complexity: O(*p*) in the properties of both versions.
  package init(
    of mapping: ComposedMapping,
    from source: String,
    to destination: String,
    through: [String] = [],
    before: StoreCounts,
    after: StoreCounts,
    hasCode: Bool,
    losesLinks: Bool = false,
    losses: DeclaredLosses?,
    works: [PolicyStatistics] = [],
    changes: [AcceptedChange] = []
  ) {
    let ledger = ExpectedCounts(
      mapping: mapping,
      before: before,
      after: after,
      hasCode: hasCode,
      losesLinks: losesLinks
    )
    self.source = source
    self.destination = destination
    self.through = through.isEmpty ? nil : through
    self.works = works
    self.changes = changes.isEmpty ? nil : changes
    // Lines of nothing are left out.
    let departures = ledger.departures.filter { $0.count > 0 }
    let arrivals = ledger.arrivals.filter { $0.count > 0 || !$0.isKept }
    unnamed = departures.filter { line in
      line.fate == .dropped && !(losses?.name(line) ?? true)
    }
    self.arrivals = arrivals
    self.departures = Self.correct(departures.changed(by: changes), by: arrivals)
  }

  /// The lines whose numbers are outside the mapping's bounds.
  public var broken: [Arrival] { arrivals.filter { !$0.isKept } }

  /// Whether both sides agree, and the plan names all losses.
  public var isBalanced: Bool { broken.isEmpty && unnamed.isEmpty }
}
