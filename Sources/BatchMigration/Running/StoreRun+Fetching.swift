internal import Waystone

extension StoreRun {
  /// Takes stores out of their archive or backup, each into a folder of its own.
  ///
  /// - Returns: The failures of stores that could not be fetched, by the names of their folders.
  func fetch(
    _ stores: [WorkerMessage.FetchedStore],
    into folder: String
  ) -> [String: WorkerMessage.Failure] {
    let folders = Dictionary(
      stores.map { ($0.store.name, $0.folder) },
      uniquingKeysWith: { first, _ in first }
    )
    let options = StoreSearch.Options(output: nil, ledger: nil, folder: WorkingFolder(self.folder))
    let outcomes: [StoreFetch.Outcome]
    do throws(WaystoneError) {
      outcomes = try StoreFetch(options).fetch(stores.map(\.store), into: folder) {
        folders[$0.name] ?? $0.head
      }
    } catch {
      let failure = WorkerMessage.Failure(error)
      return Dictionary(uniqueKeysWithValues: stores.map { ($0.folder, failure) })
    }
    var failures: [String: WorkerMessage.Failure] = [:]
    for outcome in outcomes {
      guard case .failure(let error) = outcome.result else { continue }
      failures[folders[outcome.store.name] ?? ""] = WorkerMessage.Failure(error)
    }
    return failures
  }
}
