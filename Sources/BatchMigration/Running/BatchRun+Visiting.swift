internal import Files
internal import StoreMigration

extension BatchRun {
  /// Runs a job on stores whose states stay as they are, in any order.
  ///
  /// - Parameters:
  ///   - selection: The stores.
  ///   - sample: The greatest number of them, chosen by chance; nil for all.
  ///   - isLimited: Whether the run's limits count, for which the body counts failures.
  ///   - body: Receives the reply for each store.
  /// - Returns: The number of stores that the limits left out.
  /// - Throws: ``WaystoneError`` where workers cannot be started, or it was asked to stop.
  func visit(
    _ deed: StoreJob.Deed,
    where selection: LedgerSelection,
    sample: Int? = nil,
    isLimited: Bool,
    _ body: (LedgerStore, StoreReply) throws -> Void
  ) throws -> Int {
    // Only their numbers are kept: there may be many.
    var waiting: [Int64] = []
    try ledger.stores(where: selection) { waiting.append($0.id) }
    if let sample { waiting = Array(waiting.shuffled().prefix(sample)) }
    return try visit(deed, among: waiting, isLimited: isLimited, body)
  }

  /// Runs a job on the stores with the given numbers.
  @discardableResult
  func visit(
    _ deed: StoreJob.Deed,
    among numbers: [Int64],
    isLimited: Bool = false,
    _ body: (LedgerStore, StoreReply) throws -> Void
  ) throws -> Int {
    guard !numbers.isEmpty else { return 0 }
    let pool = WorkerPool<[LedgerStore]>(
      settings: settings,
      limits: limits,
      program: program,
      isHeard: isHeard,
      isRecorded: false
    )
    defer { pool.kill() }
    var waiting = Array(numbers.reversed())
    func next() throws -> LedgerStore? {
      while let id = waiting.popLast() {
        let store = try ledger.store(id)
        if deed.readsCertificate, !(try placeCertificate(of: store)) {
          // A store that was of the version already has none in its place.
          let lacksProof = store.state == .migrated || output != nil
          if deed == .verify, lacksProof { try body(store, StoreReply(.uncertified)) }
          continue
        }
        return store
      }
      return nil
    }
    while true {
      guard !cancellation.isRequested else { throw Self.stopped }
      while pool.hasRoom, !isLimited || mayBegin, let store = try next() {
        if isLimited { begun += 1 }
        let isFetched = try FileSystem.exists(files.folder(store.id))
        try pool.give([store], request(deed, store, isFetched: isFetched))
      }
      guard !pool.works.isEmpty else { return waiting.count }
      guard let (stores, ending) = try pool.next(), let store = stores.first else { continue }
      switch ending {
      case .said(.fetched(let failures)):
        guard let failure = failures["\(store.id)"] else {
          try pool.give([store], request(deed, store, isFetched: true))
          continue
        }
        try body(store, StoreReply(StoreOutcome(failure.error)))
      case .said(.ended(let reply)): try body(store, reply)
      case .said: continue
      case .died(let outcome): try body(store, StoreReply(outcome))
      case .unbegun:
        waiting.append(store.id)
        if isLimited { begun -= 1 }
        continue
      }
      // The certificate of a store that waits may be the only record of a result.
      if store.state.isFinal {
        try files.forget(store.id)
      } else {
        try files.forgetFetched(store.id)
      }
    }
  }

  private func request(
    _ deed: StoreJob.Deed,
    _ store: LedgerStore,
    isFetched: Bool
  ) throws -> WorkerMessage.Request {
    // A verification reads results, wherever they are.
    if deed != .verify { try check(placeOf: store) }
    var job = job(for: store)
    job.deed = deed
    if deed == .rollback {
      job.certificate = store.origin ?? job.certificate
    } else if deed == .verify {
      job.store = store.result ?? job.store
    } else if !store.found.place.isFile, !isFetched {
      return .fetch(
        stores: [WorkerMessage.FetchedStore(store: store.found, folder: "\(store.id)")],
        folder: files.fetched
      )
    }
    return .run(job)
  }

  /// Writes the certificate of a store where a worker reads it; false where it has none.
  private func placeCertificate(of store: LedgerStore) throws -> Bool {
    guard let json = try ledger.certificate(of: store.id) else { return false }
    let path = files.certificate(store.id)
    try FileSystem.remove(path)
    try AtomicFile.write(String(decoding: json, as: UTF8.self), to: path, as: .newFile)
    return true
  }
}
