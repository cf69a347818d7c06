/// A forecast of a batch, version by version, with nothing written but its ledger.
package struct BatchForecast: Hashable, Sendable {
  /// The stores of one version.
  package struct Group: Hashable, Sendable {
    /// The model and version; nil for stores whose version is unknown.
    package var model: String?
    package var version: String?
    /// The versions of the path, the first and the last included; none where paths differ or there is none.
    package var path: [String] = []
    /// The stores that would end in each state.
    package var states: [StoreState: Int] = [:]
    /// The bytes of all of them.
    package var bytes: Int64 = 0
    /// The number of stores that have each loss, by its description.
    package var losses: [String: Int] = [:]
    /// The number of stores refused, by reason.
    package var refusals: [Reason: Int] = [:]
  }

  /// A reason for which a store would not be migrated.
  package struct Reason: Hashable, Sendable {
    package var code: String
    package var message: String
    package var recovery: String
  }

  /// The groups, by model and version.
  package var groups: [Group] = []
  /// Bytes of stores that end in a second, measured by earlier runs of the ledger; nil where none ended a
  /// store.
  package var bytesPerSecond: Double?

  /// The first ``mostOddities`` oddities of the searches.
  package var oddities: [SearchTally.Oddity] = []
  /// The number of all oddities.
  package var oddityCount = 0
  /// Stores that earlier runs did not bring to the version, and that do not wait, by their states.
  package var notReached: [StoreState: Int] = [:]

  /// The most ``oddities`` that are kept.
  static let mostOddities = 200

  /// Whether every store would be migrated, is current, or is left out on purpose, and there is no oddity.
  package var isClean: Bool {
    oddityCount == 0 && notReached.isEmpty
      && groups.allSatisfy { group in
        group.states.keys.allSatisfy { [.migrated, .current, .skipped].contains($0) }
      }
  }

  /// Adds what would become of a store.
  mutating func add(_ reply: StoreReply, bytes: Int64) {
    let outcome = reply.outcome
    let place = groups.firstIndex { $0.model == outcome.model && $0.version == outcome.version }
    let index = place ?? groups.endIndex
    if place == nil {
      groups.append(Group(model: outcome.model, version: outcome.version, path: outcome.path))
    }
    if groups[index].path != outcome.path { groups[index].path = [] }
    groups[index].states[outcome.state, default: 0] += 1
    groups[index].bytes += bytes
    for loss in reply.losses { groups[index].losses[loss, default: 0] += 1 }
    if outcome.state != .skipped, let code = outcome.code, let message = outcome.message {
      let reason = Reason(code: code, message: message, recovery: outcome.recovery ?? "")
      groups[index].refusals[reason, default: 0] += 1
    }
  }
}
