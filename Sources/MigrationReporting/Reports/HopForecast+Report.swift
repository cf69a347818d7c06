import MigrationPlanning

extension HopForecast {
  var members: JSONMembers {
    ["departures": departures.map(\.members), "arrivals": arrivals.map(\.members)]
  }

  /// Returns lines on the losses, one by one, and on the kept data, in numbers.
  ///
  /// - Parameter isVerbose: Whether kept data has a line each, too.
  func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for fate in HopReconciliation.Fate.worstFirst {
      let some = departures.filter { $0.fate == fate }
      if [.dropped, .changed, .merged].contains(fate) || isVerbose {
        for line in some {
          let place =
            fate == .carried
            ? " to " + line.to.joined(separator: ", ")
            : fate == .merged
              ? " where they become " + (line.kind == .links ? "the same link" : "one")
              : place(ofTargets: line.targets ?? [])
          lines.append(
            "   \(Self.verb(fate, line)) \(line.bounds.words) \(line.noun(line.bounds))\(place)"
          )
        }
      } else {
        // Links that are all kept at the other end are computed from no value.
        let kept = some.filter(\.isKeptAtOtherEnd)
        let others = some.filter { !$0.isKeptAtOtherEnd }
        for part in [others.filter { !$0.isCut }, others.filter(\.isCut), kept] where !part.isEmpty
        {
          let sums = Self.sums(part.map { ($0.kind, $0.bounds, $0.end) })
          lines.append("   \(Self.verb(fate, part[0])) \(sums)")
        }
      }
    }
    let made = made
    if isVerbose {
      for line in made {
        lines.append("   makes \(line.bounds.words) \(line.noun(line.bounds))")
      }
    } else if !made.isEmpty {
      lines.append("   makes \(Self.sums(made.map { ($0.kind, $0.bounds, $0.end) }))")
    }
    return lines
  }

  /// Returns a phrase for the ends of dropped links: dropped objects, or others.
  private func place(ofTargets targets: [String]) -> String {
    if targets.isEmpty { return "" }
    let names = targets.joined(separator: ", ")
    let goes = targets.allSatisfy { target in
      departures.contains {
        $0.entity == target && $0.property == nil && $0.fate == .dropped
      }
    }
    return goes
      ? " to dropped objects of \(names)"
      : " to objects of \(names), where the relationship no longer leads"
  }

  /// Returns the numbers of objects, values and links of some lines, as text; a link counts once
  /// although both its ends have lines.
  private static func sums(
    _ lines: [(kind: HopReconciliation.Kind, bounds: HopReconciliation.Bounds, end: LinkEnd?)]
  ) -> String {
    let first = Set(lines.compactMap { $0.end.flatMap { $0.isSecond ? nil : $0.first } })
    return [HopReconciliation.Kind.objects, .values, .links].compactMap { kind -> String? in
      let some = lines.filter { line in
        line.kind == kind && !(line.end.map { $0.isSecond && first.contains($0.first) } ?? false)
      }
      guard !some.isEmpty else { return nil }
      let sum = some.map(\.bounds).sum
      return "\(sum.words) \(kind.noun(sum))"
    }
    .joined(separator: ", ")
  }

  private static func verb(_ fate: HopReconciliation.Fate, _ line: HopReconciliation.Departure)
    -> StyledText
  {
    if line.isKeptAtOtherEnd { return StyledText("keeps at their other end", .plain) }
    return switch fate {
    case .dropped: StyledText("drops", .bad)
    case .code: StyledText("leaves to a policy, an action or SQL", .caution)
    case .merged: StyledText("merges", .caution)
    case .chosen: StyledText(line.isCut ? "keeps some of" : "keeps all or some of", .caution)
    case .changed: StyledText("changes", .bad)
    case .split: StyledText("splits", .plain)
    case .used: StyledText("uses, and need not keep,", .caution)
    case .unordered: StyledText("carries without their order", .caution)
    case .computed: StyledText("computes other values from", .plain)
    case .carried: StyledText("carries", .plain)
    }
  }
}

extension AccountLine {
  /// Returns the counted things with their place, in the singular or the plural of their number.
  fileprivate func noun(_ bounds: HopReconciliation.Bounds) -> String {
    "\(kind.noun(bounds)) of \(place.name)"
  }
}

extension HopReconciliation.Kind {
  fileprivate func noun(_ bounds: HopReconciliation.Bounds) -> String {
    bounds == .exactly(1) ? String(rawValue.dropLast()) : rawValue
  }
}

extension HopReconciliation.Bounds {
  /// The number in words.
  fileprivate var words: String {
    guard let greatest else {
      return least == 0 ? "an unknown number of" : "\(Quantity.grouped(least)) or more"
    }
    if least == greatest { return Quantity.grouped(least) }
    return least == 0
      ? "up to \(Quantity.grouped(greatest))"
      : "\(Quantity.grouped(least)) to \(Quantity.grouped(greatest))"
  }
}

extension HopReconciliation.Arrival {
  fileprivate var members: JSONMembers {
    [
      "entity": entity, "property": property, "kind": kind, "least": least, "greatest": greatest,
      "from": from,
    ]
  }
}

extension HopReconciliation.Departure {
  fileprivate var members: JSONMembers {
    [
      "entity": entity, "property": property, "kind": kind, "least": bounds.least,
      "greatest": bounds.greatest, "fate": fate, "to": to, "targets": targets ?? [],
    ]
  }

  /// Whether links of a dropped relationship live on in its inverse.
  fileprivate var isKeptAtOtherEnd: Bool { kind == .links && fate == .computed && to.isEmpty }
}

extension HopReconciliation.Fate {
  /// All of them, the losses first.
  fileprivate static let worstFirst: [HopReconciliation.Fate] = [
    .dropped, .changed, .code, .unordered, .used, .merged, .chosen, .split, .computed, .carried,
  ]
}
