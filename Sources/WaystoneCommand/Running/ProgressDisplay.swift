internal import MigrationReporting
internal import StoreMigration
private import Synchronization

#if canImport(Glibc)
  private import Glibc
#elseif canImport(Musl)
  private import Musl
#else
  private import Darwin
#endif

/// A display of a run's progress on standard error: as a bar on a terminal, or as lines of JSON.
final class ProgressDisplay: Sendable {
  /// The form in which progress is shown.
  enum Form: Hashable, Sendable {
    case hidden
    case bar
    case ndjson
  }

  private struct State {
    var transcript = RunTranscript()
    var lastDrawn = -Double.infinity
    var isDrawn = false
  }

  private let console: Console
  private let form: Form
  private let isColored: Bool
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Seconds between two pictures of the bar, or two lines.
  private static let interval = 0.1

  init(console: Console, form: Form, isColored: Bool) {
    self.console = console
    self.form = form
    self.isColored = isColored
  }

  /// Shows an event of the run, and keeps it.
  func take(_ event: MigrationEvent) {
    let (now, processor) = (self.now, Self.processor)
    state.withLock { state in
      state.transcript.take(event, at: now, processor: processor)
      switch event {
      case .began: state.lastDrawn = -.infinity
      // Programs see the end of each hop, however short it is.
      case .progressed(let done, let total) where done == total: state.lastDrawn = -.infinity
      default: break
      }
      guard form != .hidden, now - state.lastDrawn >= Self.interval,
        let progress = state.transcript.progress(at: now)
      else { return }
      state.lastDrawn = now
      switch form {
      case .hidden: break
      case .ndjson: console.writeError(progress.json.compact + "\n")
      case .bar:
        state.isDrawn = true
        let line = progress.line(columns: (console.columns ?? 80) - 1).string(isColored: isColored)
        // Back to the first column, and what was longer is erased.
        console.writeError("\r\(line)\u{1b}[K")
      }
    }
  }

  /// Removes the progress bar, and returns the transcript of the run.
  func finish() -> RunTranscript {
    let (now, processor) = (self.now, Self.processor)
    return state.withLock { state in
      state.transcript.finish(at: now, processor: processor)
      if state.isDrawn { console.writeError("\r\u{1b}[K") }
      state.isDrawn = false
      return state.transcript
    }
  }

  /// The processor time of this process, in seconds.
  private static var processor: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private var now: Double {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
