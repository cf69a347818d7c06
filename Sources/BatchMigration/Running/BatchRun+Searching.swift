internal import Files
package import Foundation
package import Waystone

extension BatchRun {
  /// A root that was not searched, and when it was.
  package struct PassedOver: Hashable, Sendable {
    /// The root as a ledger names it: an absolute path or pattern, or `manifest:` and the path of a list.
    package var root: String
    package var searched: Date
  }

  /// Adds the stores of roots and manifests to the ledger, and checks whether migrated stores still have the
  /// same contents; without roots and manifests it searches the roots that the ledger has.
  ///
  /// A store that is known stays in its state. Stores that changed since they were migrated, and files that
  /// cannot be read, are oddities of the ledger.
  ///
  /// - Parameters:
  ///   - roots: The roots as the user wrote them.
  ///   - manifests: The paths of lists; `-` is standard input.
  ///   - folder: The folder that relative paths start from.
  ///   - again: Whether roots are searched whose search has ended before.
  /// - Returns: The roots that were not searched.
  /// - Throws: ``WaystoneError``, as ``StoreSearch`` does, and `interrupted`; what was found until then is in
  ///   the ledger.
  package func search(
    _ roots: [String],
    manifests: [String],
    from folder: WorkingFolder,
    again: Bool = true
  ) throws -> [PassedOver] {
    let options = StoreSearch.Options(
      output: try ledger.description.output,
      ledger: ledger.path,
      folder: folder
    )
    var search = try StoreSearch(options)
    try ledger.stores { search.reserve($0.found) }
    var passed: [PassedOver] = []
    for root in try wanted(roots, manifests, folder) {
      if let searched = try ledger.searched(root: root.key), !again || !root.canBeRead {
        passed.append(PassedOver(root: root.key, searched: searched))
      } else if root.canBeRead {
        try searchRoot(root.key) { body in
          root.isManifest
            ? try search.search(manifest: root.text, body) : try search.search(root.text, body)
        }
      }
    }
    return passed
  }

  /// A root to be searched.
  struct Root {
    /// The root's name in the ledger.
    var key: String
    /// The root as the user wrote it.
    var text: String
    var isManifest = false
    /// Whether it can be read; standard input can only where the user gives it now.
    var canBeRead = true

    init(_ text: String, _ folder: WorkingFolder) {
      key = folder.resolved(text)
      self.text = text
    }

    init(manifest text: String, _ folder: WorkingFolder) {
      key = Self.prefix + (text == "-" ? text : folder.resolved(text))
      self.text = text
      isManifest = true
    }

    /// A root of the ledger.
    init(key: String) {
      self.key = key
      isManifest = key.hasPrefix(Self.prefix)
      text = isManifest ? String(key.dropFirst(Self.prefix.count)) : key
      canBeRead = !(isManifest && text == "-")
    }

    private static let prefix = "manifest:"
  }

  private func wanted(
    _ roots: [String],
    _ manifests: [String],
    _ folder: WorkingFolder
  ) throws -> [Root] {
    guard !roots.isEmpty || !manifests.isEmpty else { return try ledger.roots.map(Root.init(key:)) }
    return roots.map { Root($0, folder) } + manifests.map { Root(manifest: $0, folder) }
  }

  /// The stores that are written down at once.
  private static let batchSize = 500

  private func searchRoot(
    _ root: String,
    _ search: ((FoundStore) throws -> Void) throws -> SearchTally
  ) throws {
    try ledger.begin(root: root)
    onEvent(.searching(root))
    var found: [FoundStore] = []
    var changed: [Int64: FoundStore] = [:]
    var count = 0
    func writeDown() throws {
      for store in try ledger.add(found) { changed[store.id] = store.found }
      count += found.count
      found = []
    }
    let tally = try search { store in
      guard !cancellation.isRequested else { throw Self.stopped }
      found.append(store)
      guard found.count >= Self.batchSize else { return }
      try writeDown()
      onEvent(.found(count))
    }
    try writeDown()
    try ledger.end(root: root, tally, changed: try replaced(among: changed))
    onEvent(.found(count))
  }

  /// Returns the migrated stores whose contents have changed since, or cannot be compared; for the others the
  /// ledger takes the files found now.
  private func replaced(among changed: [Int64: FoundStore]) throws -> [SearchTally.Oddity] {
    var replaced: [SearchTally.Oddity] = []
    guard try ledger.description.output != nil else {
      return changed.sorted { $0.key < $1.key }.map { _, store in
        SearchTally.Oddity(
          name: store.name,
          reason: "It was migrated in place, and is again what it was before. To migrate it again, "
            + "begin a batch with another ledger."
        )
      }
    }
    try visit(.compare, among: changed.keys.sorted()) { store, reply in
      guard let found = changed[store.id] else { return }
      if reply.outcome.state == .migrated { return try ledger.update(store.id, found) }
      let result = store.result ?? store.found.destination
      let reason =
        reply.outcome.code == StoreOutcome.replaced
        ? "It was written to, or replaced, after it was migrated: \(result) is of what it said before. "
          + "Migrate it into another output, or put the earlier file back."
        : "Its file changed after it was migrated. Whether it says something else than \(result) is not "
          + "known: \(reply.outcome.message ?? "it could not be compared.") The next search compares it again."
      replaced.append(SearchTally.Oddity(name: store.found.name, reason: reason))
    }
    return replaced
  }

  static let stopped = WaystoneError(
    .interrupted,
    "The batch was asked to stop.",
    recovery: "Run the command again: it goes on."
  )
}
