internal import Files
internal import Foundation
package import StoreMigration
internal import Synchronization
internal import Waystone

#if canImport(Darwin)
  private import Darwin
#else
  private import Glibc
#endif

/// A process that does the jobs of a batch, one after the other.
///
/// It reads them from standard input and writes outcomes to the original standard output; output of
/// policies goes to standard error. Where its dispatcher dies, it stops at the next checkpoint, or at
/// the latest after ``patience``.
package final class BatchWorker: Sendable {
  /// The time that runs may go on once the dispatcher is gone, in seconds: less than the next batch waits for
  /// a store in use.
  static let patience = 3

  private let registry: MigrationRegistry
  private let cancellation = Cancellation()
  private let output: Int32
  private let jobs = Channel<WorkerMessage.Request>()

  /// Takes over the standard streams of this process.
  package init(_ registry: MigrationRegistry) {
    self.registry = registry
    // Only the dispatcher stops the worker: a scheduler that cancels a task, or a terminal with Ctrl-C,
    // signals every process of it, and a worker that ended by that would count as a crash.
    _ = setpgid(0, 0)
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_IGN) }
    output = dup(STDOUT_FILENO)
    _ = fcntl(output, F_SETFD, FD_CLOEXEC)
    _ = dup2(STDERR_FILENO, STDOUT_FILENO)
  }

  /// Works until the dispatcher has no more jobs.
  package func run() {
    Thread.detachNewThread { [self] in listen() }
    guard case .begin(let settings) = jobs.next() else { return }
    let projects: [Project]
    do {
      projects = try settings.projects(registry)
      try ProcessLimits.set(memory: settings.memory, fileSize: settings.fileSize)
      say(.ready)
    } catch {
      say(.unable(WorkerMessage.Failure(WaystoneError(error))))
      return
    }
    var identified: StoreIdentification?
    let run = StoreRun(settings, in: projects, cancellation: cancellation) { [self] known in
      identified = known
      say(.identified(known))
    }
    while let request = jobs.next() {
      switch request {
      case .run(let job):
        ProcessLimits.forgetPeak()
        identified = nil
        var reply = run.reply(to: job)
        reply.outcome.take(identified)
        reply.outcome.memory = ProcessLimits.peak
        say(.ended(reply))
      case .fetch(let stores, let folder):
        say(.fetched(failures: run.fetch(stores, into: folder)))
      case .begin, .stop: break
      }
    }
  }

  /// Reads the dispatcher's requests, also while a job runs.
  private func listen() {
    var lines = LineReader(STDIN_FILENO)
    while let line = lines.next() {
      guard let request: WorkerMessage.Request = try? WorkerMessage.message(line) else { break }
      if case .stop = request { cancellation.request() } else { jobs.put(request) }
    }
    cancellation.request()
    jobs.close()
    sleep(UInt32(Self.patience))
    // Files are as a kill leaves them, which every run can be gone on from.
    _exit(7)
  }

  private func say(_ reply: WorkerMessage.Reply) {
    guard let line = try? WorkerMessage.line(reply) else { return }
    var rest = line[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { unsafe write(output, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        return
      }
      rest = rest.dropFirst(count)
    }
  }
}
