internal import Files
internal import Foundation
package import StoreMigration
internal import Waystone

/// The run of a batch: takes stores from its ledger, has workers migrate them, and records what became of
/// each.
///
/// It writes nothing but the ledger and the files beside it. Killed at any instant, it is resumed by another
/// run on the same ledger.
package final class BatchRun {
  /// The reason why a run ended.
  package enum Ending: Hashable, Sendable {
    /// The run has no waiting store left.
    case completed
    /// More stores failed than may, or as many were begun as may.
    case limited
    /// A stop was requested.
    case interrupted
  }

  package let ledger: BatchLedger
  let settings: BatchSettings
  let limits: BatchLimits
  let files: BatchFiles
  /// The selection of stores that the run takes.
  let selection: LedgerSelection
  private static let leftOutReason = "It was not selected (--select)."

  private let hold: LedgerHold
  let program: String
  let isHeard: Bool
  let output: String?
  let cancellation: Cancellation
  let onEvent: (BatchEvent) -> Void

  /// The roots of the ledger, as they were when a store was last in none that was known.
  var roots: BatchRoots?

  private let pool: WorkerPool<Work>
  /// A handler that receives the totals of the ledger, every few seconds and at the end.
  package var onTotals: ((BatchDescription, LedgerTotals) -> Void)?
  private var lastTotals = ContinuousClock.now
  /// Stores that are ours and wait for a worker.
  private var ready: [LedgerStore] = []
  /// Stores that are ours and wait for a time.
  private var later: [(time: Date, store: LedgerStore)] = []
  private var tries: [Int64: Int] = [:]
  var begun = 0
  var failures = 0
  private var meter: BatchMeter

  /// The work of one worker.
  private enum Work {
    case store(LedgerStore)
    /// Stores of one archive or backup, each to be put into a folder of its own.
    case fetching([LedgerStore])
  }

  /// A run that holds the ledger.
  ///
  /// - Parameters:
  ///   - program: The absolute path of the program whose verb `batch-worker` does the work.
  ///   - isHeard: Whether what workers write to standard error is passed on.
  ///   - isJoining: Whether another batch may work on the ledger too.
  /// - Throws: ``WaystoneError``, `inUse` where another batch does, and is not joined.
  package init(
    _ ledger: consuming BatchLedger,
    settings: BatchSettings,
    limits: BatchLimits,
    selection: LedgerSelection,
    program: String,
    isHeard: Bool = false,
    isJoining: Bool = false,
    cancellation: Cancellation,
    onEvent: @escaping (BatchEvent) -> Void
  ) throws {
    hold = try ledger.hold(joining: isJoining)
    let ledger = try ledger.settled()
    files = BatchFiles(ledger: try FileSystem.resolved(ledger.path))
    output = try ledger.description.output
    meter = BatchMeter()
    pool = WorkerPool(
      settings: settings,
      limits: limits,
      program: program,
      isHeard: isHeard,
      isRecorded: true
    )
    self.ledger = ledger
    self.settings = settings
    self.limits = limits
    self.selection = selection
    self.program = program
    self.isHeard = isHeard
    self.cancellation = cancellation
    self.onEvent = onEvent
    try files.prepare()
    if !isJoining { try files.removeFetched() }
  }

  deinit {
    try? ledger.whileAlone(hold) {
      // A worker whose dispatcher was killed may have ended after another had its store migrated.
      for number in (try? files.certified) ?? [] {
        let state = (try? ledger.store(number))?.state
        if state == .migrated || state == .current { try? files.forget(number) }
      }
      files.tidy()
    }
  }

  /// Works until no selected store waits, or the run is ended.
  ///
  /// - Throws: ``WaystoneError`` where workers cannot be started, or the ledger cannot be written.
  package func run() throws -> Ending {
    // Stores that another run left out.
    try ledger.retry(states: [.skipped], codes: [StoreOutcome.leftOut])
    meter.begin(try ledger.totals())
    defer {
      pool.kill()
      try? tellTotals()
    }
    try tellTotals()
    var isStopping = false
    while true {
      if cancellation.isRequested {
        if !isStopping {
          pool.stop()
          onEvent(.stopping(workers: pool.works.count))
        }
        isStopping = true
        // Also what a worker has fetched, or could not begin, since it was asked.
        for store in ready + later.map(\.store) { try giveBack(store) }
        (ready, later) = ([], [])
      }
      while !isStopping, pool.hasRoom, let work = try nextWork() {
        try pool.give(work, try request(for: work))
      }
      let works = pool.works
      if works.isEmpty, ready.isEmpty, later.isEmpty { break }
      if let (work, ending) = try pool.next() { try take(ending, of: work) }
      onEvent(.progress(meter.progress(running: works.count)))
      if lastTotals.duration(to: .now) > .seconds(5) { try tellTotals() }
    }
    if isStopping { return .interrupted }
    guard mayBegin else { return .limited }
    try ledger.skip(where: LedgerSelection(), reason: Self.leftOutReason)
    return .completed
  }

  private func tellTotals() throws {
    lastTotals = .now
    if let onTotals { onTotals(try ledger.description, try ledger.totals()) }
  }

  /// Whether the limits let one more store be begun.
  var mayBegin: Bool {
    begun < limits.stores ?? .max && failures < limits.failures ?? .max
  }

  // MARK: Giving work

  private func claimed() throws -> LedgerStore? {
    guard let store = try ledger.claim(1, holder: hold, where: selection).first else { return nil }
    begun += 1
    return store
  }

  /// Returns the next work for a worker; nil where there is none now.
  private func nextWork() throws -> Work? {
    if let index = later.firstIndex(where: { $0.time <= Date() }) {
      return .store(later.remove(at: index).store)
    }
    while true {
      let store: LedgerStore
      if !ready.isEmpty {
        store = ready.removeFirst()
      } else if mayBegin, let claimed = try claimed() {
        store = claimed
      } else {
        return nil
      }
      if case .file = store.found.place { return .store(store) }
      if try FileSystem.exists(files.folder(store.id)) { return .store(store) }
      guard output != nil else {
        try end(store, .cannotReplace(store.found.name))
        continue
      }
      return .fetching(try group(of: store))
    }
  }

  /// Returns a store with others of its archive that are fetched in one pass over it.
  private func group(of store: LedgerStore) throws -> [LedgerStore] {
    guard case .member(let archive, _) = store.found.place else { return [store] }
    var group = [store]
    var bytes = store.found.bytes
    let allowed = (limits.temporary ?? 4 << 30) / 2
    var others = selection
    others.archive = archive
    while group.count < 1_000, bytes < allowed, begun < limits.stores ?? .max,
      let next = try ledger.claim(1, holder: hold, where: others).first
    {
      begun += 1
      bytes += next.found.bytes
      group.append(next)
    }
    return group
  }

  private func request(for work: Work) throws -> WorkerMessage.Request {
    switch work {
    case .store(let store):
      try check(placeOf: store)
      try refresh(store)
      onEvent(.began(name: store.found.name, bytes: store.found.bytes))
      return .run(job(for: store))
    case .fetching(let stores):
      for store in stores { try check(placeOf: store) }
      return .fetch(
        stores: stores.map { WorkerMessage.FetchedStore(store: $0.found, folder: "\($0.id)") },
        folder: files.fetched
      )
    }
  }

  func job(for store: LedgerStore) -> StoreJob {
    let place =
      switch store.found.place {
      case .file(let path): path
      case .member, .backup: "\(files.folder(store.id))/\(store.found.place.fileName)"
      }
    return StoreJob(
      id: store.id,
      name: store.found.name,
      store: place,
      tree: output,
      destination: store.found.destination,
      certificate: files.certificate(store.id)
    )
  }

  // MARK: Messages of workers

  private func take(_ ending: WorkerPool<Work>.Ending, of work: Work) throws {
    switch (work, ending) {
    case (.store(let store), .said(.ended(let reply))): try take(reply, of: store)
    // The signal that ends a batch may also have ended its workers, and the programs that they read
    // from.
    case (.store(let store), .died) where cancellation.isRequested: ready.append(store)
    case (.fetching(let stores), .died) where cancellation.isRequested,
      (.fetching(let stores), .said(.fetched)) where cancellation.isRequested:
      for store in stores { try files.forgetFetched(store.id) }
      ready += stores
    case (.store(let store), .died(let outcome)): try end(store, outcome)
    case (.store(let store), .unbegun): ready.append(store)
    case (.fetching(let stores), .said(.fetched(let failures))):
      for store in stores {
        if let failure = failures["\(store.id)"] {
          try end(store, StoreOutcome(failure.error))
        } else {
          ready.append(store)
        }
      }
    case (.fetching(let stores), .died(let outcome)):
      for store in stores { try end(store, outcome) }
    case (.fetching(let stores), .unbegun): ready += stores
    case (_, .said): break
    }
  }

  private func take(_ reply: StoreReply, of store: LedgerStore) throws {
    if reply.error == .interrupted { return try giveBack(store) }
    let number = tries[store.id, default: 0] + 1
    guard reply.isWorthRetrying, number < limits.tries else {
      tries[store.id] = nil
      return try end(store, reply.outcome)
    }
    tries[store.id] = number
    let pause = limits.pause(afterTry: number)
    try ledger.record(reply.outcome, of: store.id, retrying: true)
    // It was not tried as often as it may be: it waits for the next run.
    guard !cancellation.isRequested else { return }
    var again = selection
    again.store = store.id
    guard let claimed = try ledger.claim(1, holder: hold, where: again).first else { return }
    later.append((Date(timeIntervalSinceNow: pause), claimed))
    onEvent(.retrying(name: store.found.name, reply.outcome, after: pause))
  }

  /// Lets a store wait again, as if it had not been begun; its run can be resumed.
  private func giveBack(_ store: LedgerStore) throws {
    try ledger.release(store.id)
    begun -= 1
  }

  /// Records how a store ended, and removes what was kept for it.
  private func end(_ store: LedgerStore, _ outcome: StoreOutcome) throws {
    if outcome.isOfOtherDatabase, !store.found.isNamed {
      try ledger.setAside(store.id, state: .running)
      try files.forget(store.id)
      return meter.drop(bytes: store.found.bytes)
    }
    var outcome = outcome
    if let started = store.started, outcome.seconds == 0 {
      outcome.started = started
      outcome.seconds = max(0, Date().timeIntervalSince(started))
    }
    if outcome.result != nil {
      outcome.certificate = try files.takenCertificate(store.id)
      if outcome.certificate == nil {
        let lack = StoreOutcome.uncertified
        outcome.state = lack.state
        (outcome.code, outcome.message, outcome.recovery) = (lack.code, lack.message, lack.recovery)
      }
    } else if let output {
      // A result that may be in its place already stays, and so does a run of another batch.
      let certificate = files.certificate(store.id)
      _ = try? StoreMigrator.discardRun(at: "\(output)/\(store.found.destination)") {
        $0.settings.certificate == certificate
      }
    }
    try ledger.record(outcome, of: store.id)
    try files.forget(store.id)
    if [.failed, .timedOut, .damaged].contains(outcome.state) { failures += 1 }
    meter.take(outcome, bytes: store.found.bytes)
    onEvent(.ended(name: store.found.name, bytes: store.found.bytes, outcome))
  }
}
