package import BatchMigration

/// A report on the stores of a batch that wait for another attempt.
package struct BatchRetryReport: Report, MemberEncodable {
  package static let verb = "batch-retry"

  private let ledger: String
  private let states: Set<StoreState>?
  private let stores: Int

  /// The stores that wait now, of some states or, with nil, those whose results are gone; the ledger's path
  /// as it is shown.
  package init(ledger: String, states: Set<StoreState>?, stores: Int) {
    self.ledger = ledger
    self.states = states
    self.stores = stores
  }

  package var members: JSONMembers {
    [
      "ledger": ledger, "states": (states ?? []).map(\.rawValue).sorted(),
      "missing": states == nil, "stores": stores,
    ]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    let isOne = stores == 1
    let those: String
    if let states {
      let words = states.map(\.rawValue).sorted().joined(separator: " or ")
      guard stores > 0 else { return ["No store of \(ledger) is \(words)."] }
      those = "that \(isOne ? "was" : "were") \(words)"
    } else {
      guard stores > 0 else { return ["No result of \(ledger) is missing."] }
      those = "whose \(isOne ? "result is" : "results are") missing"
    }
    return [
      "\(Quantity.count(stores, "store")) \(those) \(isOne ? "waits" : "wait") again. "
        + "Run the batch again to try \(isOne ? "it" : "them")."
    ]
  }
}
