internal import BatchMigration
internal import Foundation
internal import Logging
internal import MigrationReporting

/// A display of a batch on standard error: one line on a terminal, lines of JSON, or a line for each
/// store.
final class BatchDisplay {
  private let console: Console
  private let form: ProgressDisplay.Form
  private let logger: Logger?
  private let start = ContinuousClock.now
  private var lastDrawn: ContinuousClock.Instant?
  private var isDrawn = false
  private let isColored: Bool
  private let isQuiet: Bool
  private var isStopping = false

  /// The time between two pictures of the line.
  private static let interval = Duration.milliseconds(200)

  init(_ options: BatchDisplayOptions, _ session: Session) {
    console = session.console
    isQuiet = session.isQuiet
    isColored = session.allowsColor && session.console.isErrorTerminal
    form =
      switch options.progress {
      case .ndjson: .ndjson
      case .auto where console.isErrorTerminal && !session.isQuiet: .bar
      case .auto, .none: .hidden
      }
    let write = console.writeError
    logger =
      switch options.log {
      case .none: nil
      case .logfmt: Logger(label: "waystone.batch") { _ in LineLogHandler(form: .logfmt, write) }
      case .json: Logger(label: "waystone.batch") { _ in LineLogHandler(form: .json, write) }
      }
  }

  /// Shows an event of the batch.
  func take(_ event: BatchEvent) {
    if form == .ndjson, let json = event.json { console.writeError(json.compact + "\n") }
    switch event {
    case .searching(let root): show("looking for stores in \(root)")
    case .found(let count): show("\(count) stores found")
    case .stopping(let workers):
      isStopping = true
      finish()
      guard form != .ndjson, !isQuiet else { break }
      console.writeError(
        "Stopping: \(Quantity.count(workers, "worker")) "
          + "\(workers == 1 ? "ends" : "end") at the next checkpoint. Ctrl-C again does not wait; "
          + "either way the same command goes on.\n"
      )
    case .progress where isStopping && form == .bar: break
    case .progress(let progress):
      guard lastDrawn.map({ $0.duration(to: .now) >= Self.interval }) ?? true else { return }
      lastDrawn = .now
      switch form {
      case .bar:
        draw(progress.line(columns: columns).string(isColored: isColored))
      case .ndjson: console.writeError(progress.json.compact + "\n")
      case .hidden: break
      }
    case .ended(let name, _, let outcome): log(name, outcome, nil)
    case .retrying(let name, let outcome, let pause): log(name, outcome, pause)
    case .began: break
    }
  }

  /// Takes the line away.
  func finish() {
    if isDrawn { console.writeError("\r\u{1b}[K") }
    isDrawn = false
  }

  private var columns: Int { (console.columns ?? 80) - 1 }

  private func show(_ text: String) { draw(String(text.prefix(columns))) }

  private func draw(_ line: String) {
    guard form == .bar else { return }
    isDrawn = true
    // Back to the first column, and what was longer is erased.
    console.writeError("\r\(line)\u{1b}[K")
  }

  private func log(_ name: String, _ outcome: StoreOutcome, _ pause: Double?) {
    guard let logger else { return }
    finish()
    var metadata: Logger.Metadata = [
      "store": "\(name)", "state": "\(outcome.state.rawValue)",
      "seconds": "\(String(format: "%.3f", outcome.seconds))",
    ]
    metadata["version"] = outcome.version.map { "\($0)" }
    metadata["code"] = outcome.code.map { "\($0)" }
    metadata["reason"] = outcome.message.map { "\($0)" }
    metadata["again_after"] = pause.map { "\($0)" }
    let isBad = StoreState.unsuccessful.contains(outcome.state)
    logger.log(level: isBad ? .warning : .info, "store", metadata: metadata)
  }
}
