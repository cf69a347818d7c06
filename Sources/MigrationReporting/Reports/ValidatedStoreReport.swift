internal import ObjectModel
package import StoreMigration

/// A report on the objects of a store that violate the rules of its model.
package struct ValidatedStoreReport: Report {
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

  package var members: [String: JSONValue] {
    [
      "store": .string(store),
      "version": .string(version),
      "passed": .boolean(validation.passed),
      "objects": .integer(validation.objectCount),
      "rules": .integer(Int64(validation.ruleCount)),
      "violations": .array(
        validation.violations.map { violation in
          [
            "code": .string(violation.code.rawValue),
            "rule": .string("\(violation.code)"),
            "entity": .string(violation.entity),
            "property": .string(violation.property),
            "message": .string(violation.message),
            "count": .integer(violation.count),
            "primaryKeys": .array(violation.primaryKeys.map { .integer($0) }),
          ]
        }
      ),
      "unchecked": .array(
        validation.unchecked.map { rule in
          [
            "entity": .string(rule.entity),
            "property": .string(rule.property),
            "reason": .string(rule.reason),
          ]
        }
      ),
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
