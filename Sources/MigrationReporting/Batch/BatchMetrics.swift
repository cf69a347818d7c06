package import BatchMigration

/// The progress of a batch in Prometheus' text format, for the textfile collector of `node_exporter`.
///
/// The file must be replaced at once, as `AtomicFile` does: a collector reads it at any moment.
package struct BatchMetrics: Sendable {
  /// The prefix of each metric's name.
  package static let prefix = "waystone_batch_"

  private let batch: BatchDescription
  private let totals: LedgerTotals

  /// The metrics of a batch.
  package init(_ batch: BatchDescription, _ totals: LedgerTotals) {
    self.batch = batch
    self.totals = totals
  }

  /// The file's text.
  package var text: String {
    let states = StoreState.allCases
    func byState(_ value: (LedgerTotals.Sum) -> String) -> [(String, String)] {
      states.map { ("state=\"\($0.rawValue)\"", value(totals.states[$0] ?? LedgerTotals.Sum())) }
    }
    let labels =
      "batch=\"\(Self.escaped(batch.id))\",to=\"\(Self.escaped(batch.version))\","
      + "shard=\"\(batch.shard?.description ?? "")\""
    return [
      metric("info", "What the batch is for.", [(labels, "1")]),
      metric("stores", "Stores by state.", byState { "\($0.stores)" }),
      metric("bytes", "Bytes of stores as they were found, by state.", byState { "\($0.bytes)" }),
      metric("result_bytes", "Bytes of results, by state.", byState { "\($0.resultBytes)" }),
      metric("seconds", "Seconds that the last attempts took, by state.") {
        byState { "\($0.seconds)" }
      },
      metric("running", "Stores that are being migrated.", totals.sum([.running]).stores),
      metric("remaining", "Stores that are not done.", totals.remaining.stores),
      metric("remaining_bytes", "Bytes of stores that are not done.", totals.remaining.bytes),
      metric("oddities", "Files that could not be looked at, or were refused.", totals.oddities),
      metric("unsearched_roots", "Roots whose search has not ended.", totals.unsearchedRoots),
      metric("worker_memory_bytes", "The greatest memory of a worker.", totals.memory ?? 0),
    ].joined()
  }

  private func metric(_ name: String, _ help: String, _ value: some BinaryInteger) -> String {
    metric(name, help, [("", "\(value)")])
  }

  private func metric(
    _ name: String,
    _ help: String,
    _ values: () -> [(labels: String, value: String)]
  ) -> String {
    metric(name, help, values())
  }

  private func metric(
    _ name: String,
    _ help: String,
    _ values: [(labels: String, value: String)]
  ) -> String {
    let name = "\(Self.prefix)\(name)"
    let lines = values.map { labels, value in
      "\(name)\(labels.isEmpty ? "" : "{\(labels)}") \(value)\n"
    }
    return "# HELP \(name) \(help)\n# TYPE \(name) gauge\n" + lines.joined()
  }

  /// Returns a label's value, whose quotes, backslashes and line breaks mean something.
  private static func escaped(_ text: String) -> String {
    TerminalText.escaped(text).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
  }
}
