package import MigrationPlanning
package import ObjectModel

extension PlanReport {
  /// A path that a plan could have taken, and why it lost.
  package struct Alternative: MemberEncodable, Sendable {
    /// The names of the versions where it stops, both ends included.
    package var path: [String]
    /// The cost of the path.
    package var cost: PlanCost
    /// The reason why the plan is better, in one sentence.
    package var reason: String
    /// The part of the cost that decides.
    package var part: PlanCost.Part?
    /// The findings on which it loses.
    package var findings: [Finding]

    /// A path in words.
    package init(_ alternative: AlternativePath, name: (ModelVersion) -> String) {
      path = alternative.nodes.map { name($0.version) }
      cost = alternative.cost
      reason = alternative.reason
      part = alternative.part
      findings = alternative.findings
    }

    package var members: JSONMembers {
      [
        "path": path, "hops": path.count - 1, "cost": cost, "reason": reason,
        "part": part?.rawValue, "findings": findings,
      ]
    }

    /// The path and below it why it lost.
    var lines: [StyledText] {
      let names = path.count > 8 ? Array(path.prefix(4)) + ["…"] + path.suffix(3) : path
      return [StyledText("  " + names.joined(separator: " → "))]
        + TerminalText.wrapped(reason, indentation: 5).map {
          StyledText("     ") + StyledText($0, .faint)
        }
    }
  }
}

extension EdgeVerdict {
  /// The word that reports use.
  package var name: String {
    switch self {
    case .equivalent: "equivalent"
    case .notEquivalent: "not equivalent"
    case .unknown: "unknown"
    }
  }

  /// The differences of an edge that is not equivalent; empty for others.
  package var differences: [MappingDifference] {
    if case .notEquivalent(let differences, _) = self { differences } else { [] }
  }

  /// The style on a terminal.
  package var style: StyledText.Style {
    switch self {
    case .equivalent: .good
    case .notEquivalent: .bad
    case .unknown: .caution
    }
  }
}

extension MappingDifference: MemberEncodable {
  package var members: JSONMembers {
    [
      "kind": kind.rawValue, "entity": entityName.isEmpty ? nil : entityName,
      "property": propertyName, "history": reference, "shortcut": other,
    ]
  }
}
