import ObjectModel

/// The account of a hop: where the objects, values and links of the version before it went, and where
/// those of the version behind it came from.
///
/// Each object, each value that is not NULL and each link is in exactly one line of either side. The
/// numbers are counted off both stores; what they should be follows from the mapping alone.
public struct HopReconciliation: Codable, Hashable, Sendable {
  /// What a line counts.
  public enum Kind: String, Codable, Hashable, Sendable {
    /// Objects of an entity.
    case objects
    /// Values of an attribute that are not NULL.
    case values
    /// Links of a relationship to objects that are there.
    case links
  }

  /// What becomes of what a line counts.
  public enum Fate: String, Codable, Hashable, Sendable {
    /// It goes over as it is, or as a number of another type.
    case carried
    /// An expression makes other values of it that show what it was.
    case computed
    /// An expression reads it, and nobody can tell whether it is kept.
    case used
    /// Its links go over without their order.
    case unordered
    /// A text or collection is cut, and its parts become objects; empty parts of a text go.
    case split
    /// A filter may leave out some, some may become one with others, or an end holds fewer links.
    case chosen
    /// It goes over, and becomes one with what is equal to it afterwards: objects that share a key, and
    /// links that lead from and to the same objects.
    case merged
    /// Code decides: a policy, an action or SQL.
    case code
    /// Its values became, or may have become, others; a person accepted that.
    case changed
    /// It goes.
    case dropped
  }

  /// What the version before the hop held.
  public struct Departure: Codable, Hashable, Sendable {
    /// The entity.
    public var entity: String
    /// The attribute or relationship; nil where objects are counted.
    public var property: String?
    /// What is counted.
    public var kind: Kind
    /// How many there were.
    public var count: Int64
    /// What becomes of them.
    public var fate: Fate
    /// `Entity`, or `Entity.property`, of the version behind the hop.
    public var to: [String]
    /// The entities of the objects that these links lead to, which are dropped, or to which the relationship
    /// can no longer lead; nil for any other line.
    public var targets: [String]?
  }

  /// What the version behind the hop holds.
  public struct Arrival: Codable, Hashable, Sendable {
    /// The entity.
    public var entity: String
    /// The attribute or relationship; nil where objects are counted.
    public var property: String?
    /// What is counted.
    public var kind: Kind
    /// How many there are.
    public var count: Int64
    /// How many there must be at least, by the mapping.
    public var least: Int64
    /// How many there may be at most; nil where only code knows.
    public var greatest: Int64?
    /// `Entity`, or `Entity.property`, of the version before the hop.
    public var from: [String]

    /// Whether the number is what the mapping promises.
    public var isKept: Bool { count >= least && greatest.map { count <= $0 } ?? true }
  }

  /// The version that the hop leaves.
  public let source: String
  /// The version that it leads to.
  public let destination: String
  /// The versions between, where several hops ran in one pass; nil where none is.
  public let through: [String]?
  /// The lines of the version before it, by entity, and its objects first.
  public let departures: [Departure]
  /// The lines of the version behind it, by entity, and its objects first.
  public let arrivals: [Arrival]
  /// The lines that go although no finding of the plan names them.
  public let unnamed: [Departure]
  /// What policies made, by entity mapping.
  public let works: [PolicyStatistics]
  /// What changed although the mapping carries it, since a person accepted that; nil where nothing did.
  public let changes: [AcceptedChange]?

  /// Makes up the account of what a way did to a store.
  ///
  /// - Parameters:
  ///   - way: What becomes of objects.
  ///   - through: The versions between, where it is that of several hops in one pass.
  ///   - hasCode: Whether policies take part.
  ///   - losesLinks: Whether a person accepts that links go for which an end has no room.
  ///   - losses: What the plan says that goes; nil for a way over several passes, whose own accounts hold
  ///     what goes against that.
  ///   - works: What its policies made.
  ///   - changes: What a person let the run change.
  /// - Complexity: O(*p*) in the properties of both versions.
  package init(
    of way: ComposedMapping,
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
      way: way,
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

  /// The lines whose numbers are not what the mapping promises.
  public var broken: [Arrival] { arrivals.filter { !$0.isKept } }

  /// Whether both sides agree, and the plan names all that goes.
  public var isBalanced: Bool { broken.isEmpty && unnamed.isEmpty }
}
