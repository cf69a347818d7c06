internal import Foundation
internal import Waystone

#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A worker's process in its dispatcher, with a pipe in each direction.
final class WorkerProcess {
  /// An event of a worker, in the worker's order.
  enum Event: Sendable {
    /// A message of the worker.
    case said(WorkerMessage.Reply)
    /// The end of the worker, by a signal or with a status.
    case ended(signal: Int32?, status: Int32)
  }

  /// The worker's number, which no other worker of the dispatcher has or had.
  let number: Int
  private let process = Process()
  private let input = Pipe()

  /// Starts one.
  ///
  /// - Parameters:
  ///   - program: The absolute path of `waystone`, or of a program of the same verbs.
  ///   - isHeard: Whether what it writes to standard error is passed on.
  ///   - events: Receives its messages, with its number, on another thread.
  /// - Throws: ``WaystoneError`` where it cannot be started.
  init(
    _ number: Int,
    program: String,
    isHeard: Bool,
    events: Channel<(worker: Int, event: Event)>
  ) throws(WaystoneError) {
    self.number = number
    let output = Pipe()
    process.executableURL = URL(filePath: program)
    process.arguments = ["batch-worker"]
    process.standardInput = input
    process.standardOutput = output
    if !isHeard {
      process.standardError = FileHandle.nullDevice
      // Output that is not read is not written: Swift's report of a crash takes seconds.
      var environment = ProcessInfo.processInfo.environment
      environment["SWIFT_BACKTRACE"] = "enable=no"
      process.environment = environment
    }
    do { try process.run() } catch {
      throw WaystoneError(
        .inputOutput,
        "A worker cannot be started from \(program).",
        recovery: "Check that this file can be run."
      )
    }
    try? output.fileHandleForWriting.close()
    try? input.fileHandleForReading.close()
    let child = process
    Thread.detachNewThread {
      let handle = output.fileHandleForReading
      var lines = LineReader(handle.fileDescriptor)
      while let line = lines.next() {
        guard let reply: WorkerMessage.Reply = try? WorkerMessage.message(line) else { continue }
        events.put((number, .said(reply)))
      }
      child.waitUntilExit()
      let signal = child.terminationReason == .uncaughtSignal ? child.terminationStatus : nil
      events.put((number, .ended(signal: signal, status: child.terminationStatus)))
      withExtendedLifetime(handle) {}
    }
  }

  /// Sends a request; a worker that has ended is reported by its event.
  func tell(_ request: WorkerMessage.Request) {
    guard let line = try? WorkerMessage.line(request) else { return }
    try? input.fileHandleForWriting.write(contentsOf: Data(line))
  }

  /// Ends it, and what it started, at once.
  func kill() {
    let identifier = process.processIdentifier
    guard process.isRunning, identifier > 1 else { return }
    // Its own group, once it has made that one.
    _ = Self.send(SIGKILL, to: -identifier)
    _ = Self.send(SIGKILL, to: identifier)
  }

  /// The memory that it has, in bytes, where the system reports it.
  var memory: Int64? { ProcessLimits.memory(of: process.processIdentifier) }

  private static func send(_ signal: Int32, to process: Int32) -> Int32 {
    #if canImport(Darwin)
      Darwin.kill(process, signal)
    #else
      Glibc.kill(process, signal)
    #endif
  }
}
