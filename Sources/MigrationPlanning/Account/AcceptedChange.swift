package import ObjectModel

/// What a mapping carries and a run changed or dropped all the same, since a person accepted it.
public struct AcceptedChange: Codable, Hashable, Sendable {
  /// The code of the finding that was accepted.
  public var code: String
  /// The entity, in the version before the hop.
  public var entity: String
  /// The attribute or relationship.
  public var property: String
  /// The rows of which a value, or a link, is another afterwards or gone; nil where only the run knows.
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
  /// What the passes of a plan changed, at the entities and properties of the version where the plan starts.
  ///
  /// - Parameter accounts: Theirs, in order.
  package func changes(in accounts: [HopReconciliation]) -> [AcceptedChange] {
    guard let source = first?.hop.source.model else { return [] }
    var way = ComposedMapping(identityOf: source)
    var changes: [AcceptedChange] = []
    for (pass, account) in zip(self, accounts) {
      for change in account.changes ?? [] {
        let origins = way.origins[change.entity] ?? []
        for origin in origins {
          guard let name = origin.values[change.property]?.unchanged.carriedProperty else {
            continue
          }
          var own = change
          (own.entity, own.property) = (origin.sourceEntityName, name)
          // Whose rows of several they are, nobody counted.
          if origins.count > 1 { own.rows = nil }
          changes.append(own)
        }
      }
      way = way.followed(by: pass.hop.way)
    }
    return changes
  }
}

extension [HopReconciliation.Departure] {
  /// The lines, of which those that a run changed have lines of their own.
  func changed(by changes: [AcceptedChange]) -> [HopReconciliation.Departure] {
    guard !changes.isEmpty else { return self }
    return flatMap { line -> [HopReconciliation.Departure] in
      guard line.kind == .values, [.carried, .computed, .used].contains(line.fate) else {
        return [line]
      }
      let own = changes.filter { $0.entity == line.entity && $0.property == line.property }
      guard let first = own.first else { return [line] }
      // Of several changes of one line it is not known whether they are of the same rows.
      let rows = own.count == 1 ? first.rows ?? line.count : line.count
      var (rest, changed) = (line, line)
      changed.count = Swift.min(Swift.max(0, rows), line.count)
      rest.count -= changed.count
      let isKnown = own.count == 1 && first.rows != nil
      if isKnown, first.code == FindingCode.expressionGivesNothing.rawValue {
        (changed.fate, changed.to) = (.dropped, [])
      } else {
        changed.fate = .changed
      }
      return [rest, changed].filter { $0.count > 0 }
    }
  }
}

extension HopReconciliation {
  /// The departures, of which those that say "carried" of more links than arrived say what is so.
  ///
  /// An end that holds fewer links than lead to it, where a person accepted that, or two sides of a
  /// one-to-one that disagree, leave some out.
  static func correct(_ departures: [Departure], by arrivals: [Arrival]) -> [Departure] {
    var coming: [String: Int64] = [:]
    for line in arrivals where line.kind == .links {
      coming["\(line.entity).\(line.property ?? "")", default: 0] += line.count
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
      var (rest, lost) = (line, line)
      guard leaving[place] == line.count else {
        // Several lines end there, and it is not known whose links are missing.
        rest.fate = .chosen
        return [rest]
      }
      lost.count = missing
      rest.count -= missing
      (lost.fate, lost.to) = (.dropped, [])
      return [rest, lost].filter { $0.count > 0 }
    }
  }
}
