internal import Foundation
internal import Waystone

/// The workers of a batch, each with at most one thing to do.
final class WorkerPool<Work> {
  /// The end of a worker's work.
  enum Ending {
    /// A reply of the worker.
    case said(WorkerMessage.Reply)
    /// The end of the worker before its reply; the outcome has the reason.
    case died(StoreOutcome)
    /// The worker ended before it had begun.
    case unbegun
  }

  private struct Slot {
    let process: WorkerProcess
    var work: Work?
    var isReady = false
    var deadline: Date?
    /// The reason why the pool ended the worker, where it did.
    var reason: Reason?
    /// The model and version of the store that the worker has.
    var identified: StoreIdentification?
  }

  private enum Reason {
    case time
    case memory(Int64)
  }

  private let settings: BatchSettings
  private let limits: BatchLimits
  private let program: String
  private let isHeard: Bool
  /// Whether the ledger keeps how things end, so that a store that failed is tried again by `retry`.
  private let isRecorded: Bool
  private let events = Channel<(worker: Int, event: WorkerProcess.Event)>()
  private var slots: [Int: Slot] = [:]
  private var lastNumber = 0
  private var unbegun = 0
  private var lastLook: ContinuousClock.Instant?

  init(
    settings: BatchSettings,
    limits: BatchLimits,
    program: String,
    isHeard: Bool,
    isRecorded: Bool
  ) {
    self.settings = settings
    self.limits = limits
    self.program = program
    self.isHeard = isHeard
    self.isRecorded = isRecorded
  }

  /// The work that workers have now.
  var works: [Work] { slots.values.compactMap(\.work) }

  /// Whether a worker has nothing to do, or one more may be started.
  var hasRoom: Bool { slots.count < limits.jobs || slots.values.contains { $0.work == nil } }

  /// Gives a worker something to do.
  ///
  /// - Throws: ``WaystoneError`` where no worker can be started.
  func give(_ work: Work, _ request: WorkerMessage.Request) throws {
    let number = try slots.first { $0.value.work == nil }?.key ?? start()
    slots[number]?.work = work
    slots[number]?.identified = nil
    slots[number]?.deadline = deadline
    slots[number]?.process.tell(request)
  }

  private var deadline: Date? { limits.timeout.map { Date(timeIntervalSinceNow: $0) } }

  private func start() throws -> Int {
    lastNumber += 1
    let process = try WorkerProcess(
      lastNumber,
      program: program,
      isHeard: isHeard,
      events: events
    )
    slots[lastNumber] = Slot(process: process)
    process.tell(.begin(settings))
    return lastNumber
  }

  /// Waits a moment for a worker to end what it has to do.
  ///
  /// - Throws: ``WaystoneError`` where workers cannot do anything.
  func next(within seconds: Double = 0.1) throws -> (work: Work, ending: Ending)? {
    // Before events: workers with small stores send messages all the time.
    enforceLimits()
    let until = Date(timeIntervalSinceNow: seconds)
    while let event = events.next(before: until) {
      if let ending = try take(event.event, of: event.worker) { return ending }
    }
    return nil
  }

  private func take(
    _ event: WorkerProcess.Event,
    of number: Int
  ) throws -> (work: Work, ending: Ending)? {
    guard let slot = slots[number] else { return nil }
    switch event {
    case .said(.ready):
      unbegun = 0
      slots[number]?.isReady = true
      slots[number]?.deadline = deadline
      return nil
    case .said(.identified(let identified)):
      slots[number]?.identified = identified
      return nil
    case .said(.unable(let failure)): throw failure.error
    case .said(let reply):
      guard let work = slot.work, slot.reason == nil else { return nil }
      slots[number]?.work = nil
      slots[number]?.deadline = nil
      return (work, .said(reply))
    case .ended(let signal, let status):
      slots[number] = nil
      guard let work = slot.work else { return nil }
      guard slot.isReady || slot.reason != nil else {
        unbegun += 1
        guard unbegun < 5 else {
          throw WaystoneError(
            .inputOutput,
            "Workers end before they do anything.",
            recovery: "Run with --verbose, which passes on what they say."
          )
        }
        return (work, .unbegun)
      }
      var outcome = outcome(slot.reason, signal, status)
      outcome.take(slot.identified)
      return (work, .died(outcome))
    }
  }

  /// Returns the outcome of a store whose worker ended while it ran.
  private func outcome(_ reason: Reason?, _ signal: Int32?, _ status: Int32) -> StoreOutcome {
    var outcome = StoreOutcome(.failed)
    switch reason {
    case .time:
      outcome.state = .timedOut
      outcome.code = "timeout"
      outcome.message = "It took longer than \(Self.text(limits.timeout ?? 0)) s."
      outcome.recovery = "Allow more time (--timeout): \(again(outcome.state))"
    case .memory(let bytes):
      outcome.code = "memory"
      outcome.message =
        "The worker used \(Self.text(Double(bytes) / 1e6)) MB of memory; the limit is "
        + "\(Self.text(Double(limits.memory ?? 0) / 1e6)) MB."
      outcome.recovery = "Allow more (--memory): \(again(outcome.state))"
      outcome.memory = bytes
    case nil:
      outcome.code = "crashed"
      outcome.message =
        signal.map { "The worker process crashed or was killed (signal \($0))." }
        ?? "The worker process ended with status \(status) in the middle of the store."
      outcome.recovery =
        isRecorded
        ? "Migrate this store alone, with `waystone migrate`, to see why."
        : "Repeat the command with --verbose, which shows what workers say."
    }
    return outcome
  }

  /// Returns the end of a sentence: how the user tries a store in a state again.
  private func again(_ state: StoreState) -> String {
    isRecorded
      ? "`waystone batch retry --state \(state.rawValue)`, then run it again."
      : "repeat the command."
  }

  /// Returns a number in its usual short form: `90`, `0.5`; from 10 on without a fraction.
  private static func text(_ value: Double) -> String {
    value >= 10 || value == value.rounded() ? "\(Int(value))" : "\(value)"
  }

  /// Ends workers that took too much time or memory; checks ten times a second.
  private func enforceLimits() {
    guard lastLook.map({ $0.duration(to: .now) >= .milliseconds(100) }) ?? true else { return }
    lastLook = .now
    let now = Date()
    for (number, slot) in slots where slot.work != nil && slot.reason == nil {
      if let deadline = slot.deadline, deadline < now {
        slots[number]?.reason = .time
        slot.process.kill()
      } else if let memory = limits.memory, let used = slot.process.memory, used > memory {
        slots[number]?.reason = .memory(used)
        slot.process.kill()
      }
    }
  }

  /// Asks what runs to stop at its next checkpoint.
  func stop() { for slot in slots.values { slot.process.tell(.stop) } }

  /// Ends all workers at once.
  func kill() { for slot in slots.values { slot.process.kill() } }
}
