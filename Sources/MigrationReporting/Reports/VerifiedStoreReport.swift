internal import ObjectModel
package import StoreVerification

/// A report on the checks that a store passed.
package struct VerifiedStoreReport: Report, MemberEncodable {
  package static let verb = "verify"

  /// The store.
  package var store: String
  /// The version against which it was checked.
  package var version: String
  /// The requested level of verification.
  package var level: VerificationLevel
  /// The result of the verification.
  package var verification: VerificationReport

  /// Checks of a store.
  package init(
    store: String,
    version: String,
    level: VerificationLevel,
    verification: VerificationReport
  ) {
    self.store = store
    self.version = version
    self.level = level
    self.verification = verification
  }

  package var members: JSONMembers {
    [
      "store": store, "version": version, "level": level, "passed": verification.passed,
      "checks": verification.checks,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    ["\(store, .strong) against \(version, .strong)"]
      + verification.lines(showsPassed: true, isVerbose: isVerbose)
  }
}

extension VerificationReport {
  /// Returns the checks as lines, and the verdict.
  ///
  /// - Parameter showsPassed: Whether checks that found nothing are shown too.
  package func lines(showsPassed: Bool, isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    // A checkpoint and the result that is made of it may have the same fault.
    var seen: Set<Check> = []
    for check in checks where showsPassed || isVerbose || check.failures > 0 {
      guard check.failures == 0 || seen.insert(check).inserted else { continue }
      lines.append(check.line)
      let shown = isVerbose ? check.details[...] : check.details.prefix(5)
      guard check.failures > 0 || isVerbose else { continue }
      lines += shown.map { "           \($0.description)" }
      let hidden = check.details.count - shown.count
      if hidden > 0 {
        lines.append(StyledText("           \(hidden) more; --verbose shows them.", .faint))
      }
    }
    let count = Quantity.count(checks.count, "check")
    let faults = Set(warnings).count
    let tolerated = faults == 0 ? "" : ", \(faults) with what Core Data tolerates"
    let verdict: StyledText =
      passed ? "\("verified", .good)  \(count)\(tolerated)" : "\("not verified", .bad)  \(count)"
    return lines + [verdict]
  }
}

extension VerificationReport.Check: MemberEncodable {
  package var members: JSONMembers {
    [
      "name": name, "summary": summary, "outcome": outcome, "code": code?.rawValue,
      "count": count, "failures": failures, "details": details,
    ]
  }

  /// The outcome, in one word.
  fileprivate var outcome: String {
    if failures == 0 { "passed" } else { passed ? "tolerated" : "failed" }
  }

  fileprivate var line: StyledText {
    let mark: StyledText =
      if failures == 0 {
        "\("ok      ", .good)"
      } else if passed {
        "\("warning ", .caution)"
      } else {
        "\("FAILED  ", .bad)"
      }
    let amount = failures > 0 ? "\(Quantity.grouped(failures)) of \(Quantity.grouped(count))" : ""
    let counted = failures == 0 && count > 1 ? Quantity.grouped(count) : amount
    let line: StyledText = "  \(mark) \(summary)"
    return counted.isEmpty
      ? line : line + "  " + StyledText(counted, failures == 0 ? .faint : .plain)
  }
}
