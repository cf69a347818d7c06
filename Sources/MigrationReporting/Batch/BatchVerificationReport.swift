package import BatchMigration

/// A report on the verification, or the rollback, of a batch's results.
package struct BatchVerificationReport: Report, MemberEncodable {
  /// The task carried out on each store.
  package enum Deed: String, Sendable {
    case verified
    case rolledBack
  }

  package static let verb = "batch-verify"

  private let deed: Deed
  private let verified: BatchRun.Verified
  private let ledger: LedgerName

  /// A report on the results of a ledger's batch.
  package init(deed: Deed, _ verified: BatchRun.Verified, ledger: LedgerName) {
    self.deed = deed
    self.verified = verified
    self.ledger = ledger
  }

  /// Whether nothing failed, and all originals are back that were to be put back.
  package var isClean: Bool {
    verified.failures.isEmpty && (deed == .verified || verified.left == 0)
  }

  package var members: JSONMembers {
    [
      "deed": deed.rawValue, "tree": verified.trees.count == 1 ? verified.trees.first : nil,
      "trees": verified.trees, "stores": verified.stores, "left": verified.left,
      "written": verified.written,
      "failures": verified.failures.map {
        ["store": $0.name, "code": $0.code, "message": $0.message, "recovery": advice(of: $0)]
      },
    ]
  }

  private func advice(of failure: BatchRun.Verified.Failure) -> String {
    (failure.ledger ?? ledger).advice(failure.recovery)
  }

  /// The most folders that are named one by one.
  private static let mostTrees = 10

  private var placeLines: [StyledText] {
    guard verified.trees.count > 1 else { return verified.trees.map { "Looked below \($0)." } }
    let more = verified.trees.count - Self.mostTrees
    return ["Looked below:"] + verified.trees.prefix(Self.mostTrees).map { "  \($0)" }
      + (more > 0 ? ["  and \(more) more"] : [])
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    var lines: [StyledText] = []
    for failure in verified.failures {
      lines.append("\("failed", .bad)  \(failure.name, .strong)")
      lines += TerminalText.wrapped(failure.message, indentation: 2).map { "  \($0)" }
      lines += TerminalText.wrapped(advice(of: failure), indentation: 2)
        .map { "  \($0)" }
    }
    for name in verified.written {
      lines.append("\("written", .caution)  \(name, .strong)")
      let note =
        "It says what its certificate says, but its file was written to, or replaced, since the "
        + "migration: `waystone batch rollback` leaves it as it is."
      lines += TerminalText.wrapped(ledger.advice(note), indentation: 2).map { "  \($0)" }
    }
    lines += placeLines
    lines.append(StyledText(sentence))
    if verified.left > 0 {
      let were = verified.left == 1 ? "was" : "were"
      let what = deed == .verified ? "looked at" : "begun"
      lines.append(
        "\(Quantity.count(verified.left, "store")) \(were) not \(what): --limit or --max-failures was "
          + "reached."
      )
    }
    return lines
  }

  /// A sentence with the number of stores on which the task was carried out.
  package var sentence: String {
    let good = verified.stores - verified.failures.count
    let what =
      switch deed {
      case .verified:
        "\(Quantity.count(good, "result")) "
          + (good == 1 ? "matches its certificate" : "match their certificates")
      case .rolledBack: "\(Quantity.count(good, "original")) put back"
      }
    return what + (verified.failures.isEmpty ? "." : ", \(verified.failures.count) not.")
  }
}
