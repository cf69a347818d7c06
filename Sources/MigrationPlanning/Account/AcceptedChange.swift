package import ObjectModel

/// A value or link that a mapping carries and that a run changed or dropped, because the user accepted
/// it.
public struct AcceptedChange: Codable, Hashable, Sendable {
  /// The code of the finding that was accepted.
  public var code: String
  /// The entity, in the version before the hop.
  public var entity: String
  /// The attribute or relationship.
  public var property: String
  /// The number of rows whose value or link changed or was dropped; nil where only the run knows.
  public var rows: Int64?

  /// A change.
  package init(_ code: FindingCode, entity: String, property: String, rows: Int64?) {
    self.code = code.rawValue
    self.entity = entity
    self.property = property
    self.rows = rows
  }
}

extension [Pass] {
  /// Returns the accepted changes of a plan's passes, named by the entities and properties of the source
  /// version.
  ///
  /// - Parameter accounts: The reconciliation of each pass, in order.
  package func changes(in accounts: [HopReconciliation]) -> [AcceptedChange] {
    var changes: [AcceptedChange] = []
    for (account, step) in zip(accounts, map(\.hop).mappings) {
      for change in account.changes ?? [] {
        let origins = step.before.origins[change.entity] ?? []
        for origin in origins {
          guard let name = origin.values[change.property]?.unchanged.carriedProperty else {
            continue
          }
          var own = change
          (own.entity, own.property) = (origin.sourceEntityName, name)
          // It was not counted which of several entities the rows belong to.
          if origins.count > 1 { own.rows = nil }
          changes.append(own)
        }
      }
    }
    return changes
  }
}

extension [HopReconciliation.Departure] {
  /// Returns the lines; those that a run changed are split into lines of their own.
  func changed(by changes: [AcceptedChange]) -> [HopReconciliation.Departure] {
    guard !changes.isEmpty else { return self }
    return flatMap { line -> [HopReconciliation.Departure] in
      guard line.kind == .values, [.carried, .computed, .used].contains(line.fate) else {
        return [line]
      }
      let own = changes.filter { $0.entity == line.entity && $0.property == line.property }
      guard let first = own.first else { return [line] }
      // Several changes of one line may or may not be of the same rows.
      guard own.count == 1, let rows = first.rows else {
        return line.split(line.bounds, as: .changed)
      }
      let isDropped = first.code == FindingCode.expressionGivesNothing.rawValue
      return line.split(
        .exactly(Swift.min(Swift.max(0, rows), line.count)),
        as: isDropped ? .dropped : .changed
      )
    }
  }
}

extension HopReconciliation.Departure {
  /// Returns the line without a part, and that part with another disposition; neither where it is of
  /// nothing.
  func split(_ part: HopReconciliation.Bounds, as fate: HopReconciliation.Fate) -> [Self] {
    var (rest, other) = (self, self)
    rest.bounds.least = max(0, bounds.least - (part.greatest ?? bounds.least))
    rest.bounds.greatest = bounds.greatest.map { $0 - part.least }
    (other.bounds, other.fate) = (part, fate)
    if fate == .dropped { other.to = [] }
    return [rest, other].filter { $0.bounds.greatest != 0 }
  }
}

extension HopReconciliation {
  /// Returns the departures, with "carried" corrected where fewer links arrived than left.
  ///
  /// Some links are left out at an end that holds fewer links than lead to it, if the user accepted
  /// that, and between two sides of a one-to-one that disagree.
  static func correct(_ departures: [Departure], by arrivals: [Arrival]) -> [Departure] {
    var coming: [String: Int64] = [:]
    for line in arrivals where line.kind == .links {
      coming[line.place.name, default: 0] += line.count
    }
    let carried = departures.filter { $0.kind == .links && $0.fate == .carried }
    var leaving: [String: Int64] = [:]
    for line in carried {
      if line.to.count == 1 { leaving[line.to[0], default: 0] += line.count }
    }
    return departures.flatMap { line -> [Departure] in
      guard line.kind == .links, line.fate == .carried, line.to.count == 1 else { return [line] }
      let place = line.to[0]
      let missing = (leaving[place] ?? 0) - (coming[place] ?? 0)
      guard missing > 0 else { return [line] }
      guard leaving[place] == line.count else {
        // Several lines end there, and it is not known whose links are missing.
        return line.split(line.bounds, as: .chosen)
      }
      return line.split(.exactly(missing), as: .dropped)
    }
  }
}
