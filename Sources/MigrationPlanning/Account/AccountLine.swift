/// A line of an account: the objects of an entity, or the values or links of one property.
package protocol AccountLine {
  var entity: String { get }
  var property: String? { get }
  var kind: HopReconciliation.Kind { get }
}

extension AccountLine {
  /// The entity or property of the line, and the kind of things that it counts.
  package var place: HopReconciliation.Place {
    HopReconciliation.Place(entity: entity, property: property, kind: kind)
  }
}

extension HopReconciliation {
  /// An entity or property of one version, and a kind of things that are counted there.
  package struct Place: AccountLine, Hashable, Sendable {
    package var entity: String
    package var property: String?
    package var kind: Kind

    package init(entity: String, property: String?, kind: Kind) {
      self.entity = entity
      self.property = property
      self.kind = kind
    }

    /// `Entity`, or `Entity.property`.
    package var name: String { property.map { "\(entity).\($0)" } ?? entity }
  }

  /// A number of objects, values or links: exact once it is counted, a range before.
  public struct Bounds: Hashable, Sendable {
    /// The least number.
    public var least: Int64 = 0
    /// The greatest number; nil where only code decides it.
    public var greatest: Int64? = 0

    static let unknown = Bounds(least: 0, greatest: nil)

    package static func exactly(_ count: Int64) -> Bounds { Bounds(least: count, greatest: count) }
    static func atMost(_ count: Int64) -> Bounds { Bounds(least: 0, greatest: count) }

    /// The same number or fewer, down to none.
    var orNone: Bounds { Bounds(least: 0, greatest: greatest) }

    static func += (left: inout Bounds, right: Bounds) {
      left.least += right.least
      left.greatest = left.greatest.flatMap { own in right.greatest.map { own + $0 } }
    }
  }
}

extension HopReconciliation.Bounds: Codable {
  /// Reads one number, which is exact.
  public init(from decoder: any Decoder) throws { self = .exactly(try Int64(from: decoder)) }

  /// Writes one number, the least: only what was counted is written.
  public func encode(to encoder: any Encoder) throws { try least.encode(to: encoder) }
}

extension [HopReconciliation.Bounds] {
  /// The sum of the numbers.
  package var sum: HopReconciliation.Bounds {
    reduce(into: HopReconciliation.Bounds()) { $0 += $1 }
  }
}
