internal import ObjectModel
package import StoreMigration

/// A report on the objects of a store that violate the rules of its model.
package struct ValidatedStoreReport: Report, MemberEncodable {
  package static let verb = "validate"

  /// The store.
  package var store: String
  /// The version whose rules were asked.
  package var version: String
  /// The result of the validation.
  package var validation: ValidationReport

  /// The violations in a store.
  package init(store: String, version: String, validation: ValidationReport) {
    self.store = store
    self.version = version
    self.validation = validation
  }

  package var members: JSONMembers {
    [
      "store": store, "version": version, "passed": validation.passed,
      "objects": validation.objectCount, "rules": validation.ruleCount,
      "violations": validation.violations.map { violation in
        [
          "code": violation.code.rawValue, "rule": "\(violation.code)",
          "entity": violation.entity, "property": violation.property,
          "message": violation.message, "count": violation.count,
          "primaryKeys": violation.primaryKeys,
        ] as JSONMembers
      }, "unchecked": validation.unchecked,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = ["\(store, .strong) against \(version, .strong)"]
    for violation in validation.violations {
      lines.append("  \(violation.code.rawValue, .bad)  \(violation.description)")
    }
    for rule in validation.unchecked {
      let place = [rule.entity, rule.property].filter { !$0.isEmpty }.joined(separator: ".")
      lines.append("  \("not checked", .caution)  \(place): \(rule.reason)")
    }
    let rules = Quantity.count(validation.ruleCount, "rule")
    let objects = Quantity.count(Int(clamping: validation.objectCount), "object")
    let broken = Quantity.grouped(validation.violations.count)
    return lines + [
      validation.passed
        ? "\("valid", .good)  \(objects), \(rules)"
        : "\("not valid", .bad)  \(objects), \(broken) of \(rules) broken"
    ]
  }
}
