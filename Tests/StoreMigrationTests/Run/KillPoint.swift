import MigrationTestSupport
import StoreMigration
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A run that counts what it tells, and dies at one of the events.
enum KillPoint {
  /// Whether a test kills at an event: all but those that a longer table would only repeat.
  static func isWanted(_ event: MigrationEvent, after earlier: [MigrationEvent]) -> Bool {
    switch event {
    case .progressed, .noted, .called: return false
    case .filled:
      // The first and second table of each hop.
      var count = 0
      for event in earlier.reversed() {
        if case .progressed = event { continue }
        if case .filled = event { count += 1 } else { break }
      }
      return count < 2
    case .began, .recorded, .passed: return true
    }
  }

  /// The places, in all that an uninterrupted run tells, at which a test kills.
  static func points(output: String?, store: String) throws -> [(index: Int, event: MigrationEvent)]
  {
    let events = try record { onEvent in
      _ = try Journey.migrator(output: output, onEvent: onEvent).migrate(store)
    }
    return events.enumerated().compactMap { index, event in
      isWanted(event, after: Array(events[..<index])) ? (index, event) : nil
    }
  }

  /// All events of a run.
  static func record(
    _ run: (@escaping @Sendable (MigrationEvent) -> Void) throws -> Void
  ) throws -> [MigrationEvent] {
    let log = EventLog()
    try run { log.append($0) }
    return log.events
  }

  /// A listener that kills this very process at the event of an index.
  static func killer(at index: Int) -> @Sendable (MigrationEvent) -> Void {
    let log = EventLog()
    return { event in
      if log.append(event) == index + 1 { die() }
    }
  }

  /// Ends this process as a power cut would: nothing is flushed, closed or removed.
  static func die() {
    kill(getpid(), SIGKILL)
    while true { pause() }
  }

  /// The events so far.
  final class EventLog: Sendable {
    private let log = Mutex<[MigrationEvent]>([])

    var events: [MigrationEvent] { log.withLock { $0 } }

    @discardableResult
    func append(_ event: MigrationEvent) -> Int {
      log.withLock {
        $0.append(event)
        return $0.count
      }
    }
  }
}
