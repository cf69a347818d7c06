internal import Foundation
internal import Waystone

extension BatchRun {
  /// The result of a verification of results.
  package struct Verified: Hashable, Sendable {
    /// The absolute paths of the folders below which results were expected, all outside each other; empty for
    /// stores in their places.
    package var trees: [String] = []
    /// The number of stores verified.
    package var stores = 0
    /// The stores that were not, since `--limit` or `--max-failures` was reached.
    package var left = 0
    /// The stores whose results are not those that the batch made, with reasons.
    package var failures: [Failure] = []
    /// The names of stores whose contents match their certificates, though a program wrote to their files
    /// since: a rollback leaves them.
    package var written: [String] = []

    /// A result that is not what the batch made.
    package struct Failure: Hashable, Sendable {
      package var name: String
      package var code: String
      package var message: String
      package var recovery: String
      /// The ledger that the advice is about, where it is not the one that was verified.
      package var ledger: LedgerName?
    }
  }

  /// Holds results against their certificates: digests, and counts of objects, values and links,
  /// as many as the limits allow.
  ///
  /// - Parameter sample: The number of stores, chosen by chance; nil for all.
  /// - Throws: ``WaystoneError`` where workers cannot be started, or the ledger cannot be read.
  package func verify(sample: Int?) throws -> Verified {
    var verified = Verified()
    let output = try ledger.description.output
    // Results that other ledgers' runs made are in the trees of those.
    var trees: Set<String> = []
    let selection = LedgerSelection(states: [.migrated, .current])
    verified.left = try visit(.verify, where: selection, sample: sample, isLimited: true) {
      store,
      reply in
      verified.stores += 1
      let made = store.made
      if output != nil, let made { trees.insert(made.tree) }
      if reply.outcome.state == .migrated, reply.outcome.code == StoreOutcome.writtenSince {
        verified.written.append(store.found.name)
      }
      verified.take(store, reply, maker: made?.maker)
      failures = verified.failures.count
    }
    verified.written.sort()
    verified.trees = Self.outermost(trees)
    if verified.trees.isEmpty, let output { verified.trees = [output] }
    return verified
  }

  /// Returns the folders that are inside no other of them, in order.
  private static func outermost(_ folders: Set<String>) -> [String] {
    // With a slash at the end, a folder comes right before those in it.
    folders.sorted { $0 + "/" < $1 + "/" }.reduce(into: []) { outer, folder in
      guard let last = outer.last, folder.hasPrefix(last + "/") else { return outer.append(folder) }
    }
  }

  /// Puts the originals of stores back that were replaced, as many as the limits allow.
  ///
  /// - Parameter selection: The selection; its states do not count, as only migrated stores can be put back.
  /// - Throws: ``WaystoneError``, `badArgument` where the batch wrote into a tree; as ``verify(sample:)``.
  package func rollBack(_ selection: LedgerSelection) throws -> Verified {
    try checkIsInPlace()
    var rolledBack = Verified()
    var selection = selection
    selection.states = [.migrated]
    rolledBack.left = try visit(.rollback, where: selection, isLimited: true) { store, reply in
      rolledBack.stores += 1
      if reply.error == nil, reply.outcome.state == .skipped {
        try ledger.record(rollbackOf: store.id, reply.outcome)
      } else {
        rolledBack.take(store, reply)
        failures = rolledBack.failures.count
      }
    }
    return rolledBack
  }

  /// Refuses a batch that replaced no store.
  ///
  /// - Throws: ``WaystoneError``, `badArgument`.
  package func checkIsInPlace() throws {
    guard try ledger.description.output == nil else {
      throw WaystoneError(
        .badArgument,
        "This batch replaced no store: its results are in a folder of their own.",
        recovery: "Remove that folder where they are not wanted; the stores are as they were."
      )
    }
  }
}

extension BatchRun.Verified {
  /// Takes what came of a store.
  ///
  /// - Parameter maker: The path of the ledger whose batch makes its result again, where that is another.
  fileprivate mutating func take(
    _ store: LedgerStore,
    _ reply: StoreReply,
    maker: String? = nil
  ) {
    let outcome = reply.outcome
    guard outcome.state != .migrated else { return }
    let recovery = outcome.recovery ?? ""
    failures.append(
      Failure(
        name: store.found.name,
        code: outcome.code ?? outcome.state.rawValue,
        message: outcome.message ?? "",
        recovery: maker == nil
          ? recovery
          : recovery.replacing("run the batch again", with: "run the batch of that ledger again"),
        ledger: maker.map(LedgerName.init)
      )
    )
  }
}
