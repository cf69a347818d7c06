internal import MigrationReporting
internal import Waystone

/// The printing of a store's values, which only `dump` and `query` do.
struct DataOutput {
  /// The sign that the output's reader has closed it.
  private struct Closed: Error {}

  let session: Session

  /// Runs a closure that prints; it ends early, and well, where the output's reader is gone, as `head` is.
  ///
  /// - Returns: The result; nil where it ended early.
  func printing<Value>(_ body: (([UInt8]) throws -> Void) throws -> Value) throws -> Value? {
    do {
      return try body { bytes in
        try session.print(bytes)
        if session.console.isOutputClosed() { throw Closed() }
      }
    } catch is Closed { return nil }
  }

  /// The most places that are listed.
  private static let mostPlaces = 20

  /// Prints on standard error what is not as the model has it, and returns the exit status.
  func explain(_ faults: [ReadingFault], of store: String) -> CommandStatus {
    guard !faults.isEmpty else { return .success }
    for fault in faults.prefix(Self.mostPlaces) {
      session.console.writeError("warning: \(TerminalText.escaped(fault.summary))\n")
    }
    let more = faults.count - Self.mostPlaces
    if more > 0 { session.console.writeError("warning: and \(more) more places\n") }
    session.explain(
      .damagedInput,
      "unreadableValues",
      "\(store) has values, links or rows that are not as its model has them; they are counted above.",
      "Values are written as they are stored, broken links and rows of no entity are left out. "
        + "Look at the store: `waystone verify \(store.shellWord)`."
    )
    return .damagedInput
  }
}
