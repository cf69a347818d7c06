internal import Foundation

extension BatchRun {
  /// Returns the stores of the selection that earlier runs did not bring to the version, by their states;
  /// without `retry` none is tried again.
  package func notReached() throws -> [StoreState: Int] {
    var unsuccessful = selection
    unsuccessful.states = StoreState.unsuccessful
    var counts: [StoreState: Int] = [:]
    try ledger.stores(where: unsuccessful) { counts[$0.state, default: 0] += 1 }
    return counts
  }

  /// Returns the results of earlier runs that are gone, by the path of the ledger whose batch makes them
  /// again where that is another.
  package func missingResults() throws -> [String?: [StoreResult]] {
    Dictionary(grouping: try ledger.missingResults(isStrict: false), by: \.maker)
  }

  /// Returns whether the selection has no store of the ledger.
  package func meetsNone() throws -> Bool {
    var first = selection
    first.limit = 1
    var isMet = false
    try ledger.stores(where: first) { _ in isMet = true }
    return try !isMet && ledger.totals().total.stores > 0
  }

  /// Returns a forecast of the stores' outcomes, and writes no result; the ledger's states stay as they
  /// are.
  ///
  /// - Throws: ``WaystoneError`` where workers cannot be started, or the ledger cannot be read.
  package func forecast() throws -> BatchForecast {
    var forecast = BatchForecast()
    var waiting = selection
    waiting.states = [.waiting]
    // Stores that an earlier run left out wait for this one.
    var leftOut = selection
    leftOut.states = [.skipped]
    leftOut.codes = [StoreOutcome.leftOut]
    var numbers: [Int64] = []
    let replaces = try ledger.description.output == nil
    for selection in [waiting, leftOut] {
      try ledger.stores(where: selection) { store in
        if case .file = store.found.place { return numbers.append(store.id) }
        guard replaces else { return numbers.append(store.id) }
        forecast.add(StoreReply(.cannotReplace(store.found.name)), bytes: store.found.bytes)
      }
    }
    try visit(.plan, among: numbers) { store, reply in
      if reply.outcome.isOfOtherDatabase, !store.found.isNamed {
        try ledger.setAside(store.id, state: store.state)
      } else {
        forecast.add(reply, bytes: store.found.bytes)
      }
    }
    try ledger.oddities { name, reason in
      forecast.oddityCount += 1
      guard forecast.oddities.count < BatchForecast.mostOddities else { return }
      forecast.oddities.append(SearchTally.Oddity(name: name, reason: reason))
    }
    forecast.notReached = try notReached()
    let totals = try ledger.totals()
    let done = totals.sum([.migrated])
    if done.seconds > 0 { forecast.bytesPerSecond = Double(done.bytes) / done.seconds }
    return forecast
  }
}
