/// That the original is back, and where the store is that it replaced.
package struct RollbackReport: Report {
  package static let verb = "rollback"

  private let store: String
  private let replaced: String

  /// A rollback of a store.
  package init(store: String, replaced: String) {
    self.store = store
    self.replaced = replaced
  }

  package var members: [String: JSONValue] {
    ["store": .string(store), "replaced": .string(replaced)]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    [
      "\("done", .good)  \(store, .strong) is the original again",
      "      the migrated store is kept: \(replaced)",
    ]
  }
}

/// That no run waits to be resumed.
package struct NothingToResumeReport: Report {
  package static let verb = "resume"

  private let destination: String

  /// A destination at which no run is unfinished.
  package init(destination: String) { self.destination = destination }

  package var members: [String: JSONValue] {
    ["destination": .string(destination), "resumed": false]
  }

  package func lines(isVerbose: Bool) -> [StyledText] {
    ["Nothing to do: no run at \(destination, .strong) is unfinished."]
  }
}
