package import ObjectModel

/// Which checks a store passed.
package struct VerifiedStoreReport: Report {
  package static let verb = "verify"

  /// How a check ended.
  package enum Outcome: String, Hashable, Sendable {
    /// All is as it should be.
    case passed
    /// Something is not.
    case failed
    /// It was not done, and the detail says why.
    case skipped
  }

  /// One check.
  package struct Check: Hashable, Sendable {
    /// What was checked.
    package var name: String
    /// How it ended.
    package var outcome: Outcome
    /// What was counted, or why it failed; may be empty.
    package var detail: String

    /// A check that was made.
    package init(name: String, outcome: Outcome, detail: String) {
      self.name = name
      self.outcome = outcome
      self.detail = detail
    }
  }

  /// The store.
  package var store: String
  /// The version against which it was checked.
  package var version: String
  /// How much was asked for.
  package var level: String
  /// The checks in order.
  package var checks: [Check]
  /// What was found.
  package var findings: [Finding]

  /// Checks in words.
  package init(
    store: String,
    version: String,
    level: String,
    checks: [Check],
    findings: [Finding]
  ) {
    self.store = store
    self.version = version
    self.level = level
    self.checks = checks
    self.findings = findings
  }

  /// Whether no check failed.
  package var hasPassed: Bool { !checks.contains { $0.outcome == .failed } }

  package var members: [String: JSONValue] {
    [
      "store": .string(store),
      "version": .string(version),
      "level": .string(level),
      "passed": .boolean(hasPassed),
      "checks": .array(
        checks.map {
          [
            "name": .string($0.name),
            "outcome": .string($0.outcome.rawValue),
            "detail": .string($0.detail),
          ]
        }
      ),
      "findings": .array(findings.map(\.json)),
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var table = TextTable([("", .left), ("", .left), ("", .left)])
    for check in checks {
      let mark: StyledText =
        switch check.outcome {
        case .passed: "\("ok", .good)"
        case .failed: "\("FAILED", .bad)"
        case .skipped: "\("skipped", .faint)"
        }
      table.append([mark, StyledText(check.name), StyledText(check.detail, .faint)])
    }
    let count = Quantity.count(checks.count { $0.outcome != .skipped }, "check")
    let verdict: StyledText =
      hasPassed ? "\("verified", .good)  \(count)" : "\("not verified", .bad)  \(count)"
    return ["\(store, .strong) against \(version, .strong)"] + table.lines(indentation: 2)
      + [verdict] + findings.section("Findings", isVerbose: isVerbose)
  }
}
