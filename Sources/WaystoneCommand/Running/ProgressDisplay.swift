internal import MigrationReporting
internal import StoreMigration
private import Synchronization

/// Shows a run's progress on standard error: as a bar on a terminal, or as lines of JSON.
final class ProgressDisplay: Sendable {
  /// How progress is shown.
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

  /// Takes what the run tells.
  func take(_ event: MigrationEvent) {
    let now = self.now
    state.withLock { state in
      state.transcript.take(event, at: now)
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

  /// Takes the bar away, and hands over what the run told.
  func finish() -> RunTranscript {
    let now = self.now
    return state.withLock { state in
      state.transcript.finish(at: now)
      if state.isDrawn { console.writeError("\r\u{1b}[K") }
      state.isDrawn = false
      return state.transcript
    }
  }

  private var now: Double {
    let (seconds, attoseconds) = start.duration(to: .now).components
    return Double(seconds) + Double(attoseconds) / 1e18
  }
}
