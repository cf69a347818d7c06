private import Foundation
package import Waystone

/// The input and output of a run, so that a test can replace a terminal.
package struct Console: Sendable {
  /// Writes to standard output; false where the system refuses.
  package var writeBytes: @Sendable ([UInt8]) -> Bool
  /// Whether the reader of standard output is gone, so that nothing more needs to be written.
  package var isOutputClosed: @Sendable () -> Bool = { false }
  /// Writes to standard error.
  package var writeError: @Sendable (String) -> Void
  /// Whether standard output is a terminal.
  package var isOutputTerminal: Bool
  /// Whether standard error is a terminal.
  package var isErrorTerminal: Bool
  /// The width of the terminal in columns, where there is one.
  package var columns: Int?
  /// The environment's variables.
  package var environment: [String: String]
  /// Whether SIGINT and SIGTERM of the process are requests to stop.
  package var listensToSignals = false
  /// The folder to which relative paths refer.
  package var workingDirectory: String
  /// The absolute path of the program, which a batch starts again for its workers.
  package var program = ""

  /// A console of given parts.
  package init(
    writeBytes: @escaping @Sendable ([UInt8]) -> Bool,
    writeError: @escaping @Sendable (String) -> Void,
    isOutputTerminal: Bool = false,
    isErrorTerminal: Bool = false,
    columns: Int? = nil,
    environment: [String: String] = [:],
    workingDirectory: String
  ) {
    self.writeBytes = writeBytes
    self.writeError = writeError
    self.isOutputTerminal = isOutputTerminal
    self.isErrorTerminal = isErrorTerminal
    self.columns = columns
    self.environment = environment
    self.workingDirectory = workingDirectory
  }

  /// Returns the process's own console.
  package static func process() -> Console {
    var console = Console(
      writeBytes: { Self.write($0, to: STDOUT_FILENO) },
      writeError: { _ = Self.write(Array($0.utf8), to: STDERR_FILENO) },
      isOutputTerminal: isatty(STDOUT_FILENO) == 1,
      isErrorTerminal: isatty(STDERR_FILENO) == 1,
      columns: Self.terminalColumns,
      environment: ProcessInfo.processInfo.environment,
      workingDirectory: FileManager.default.currentDirectoryPath
    )
    console.isOutputClosed = { Self.isClosed(STDOUT_FILENO) }
    console.listensToSignals = true
    console.program = Self.ownProgram
    return console
  }

  /// Writes text to standard output; false where the system refuses.
  package func writeOutput(_ text: String) -> Bool { writeBytes(Array(text.utf8)) }

  /// Whether output to a terminal may be coloured (https://no-color.org).
  package var allowsColor: Bool {
    environment["NO_COLOR", default: ""].isEmpty && environment["TERM"] != "dumb"
  }

  /// The working directory, as the library takes it.
  package var folder: WorkingFolder { WorkingFolder(workingDirectory) }

  /// Returns a path against the working directory.
  package func resolved(_ path: String) -> String { folder.resolved(path) }

  /// Returns a path relative to the working directory, where it is below it.
  package func shortened(_ path: String) -> String { folder.shortened(path) }

  /// The columns of standard output; nil where it is no terminal, or of unknown width.
  package var reportColumns: Int? {
    isOutputTerminal ? columns ?? environment["COLUMNS"].flatMap { Int($0) } : nil
  }

  /// The file of this program: not the first argument, which may be anything.
  private static var ownProgram: String {
    #if os(Linux)
      let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
      return link ?? CommandLine.arguments.first ?? ""
    #else
      return Bundle.main.executablePath ?? CommandLine.arguments.first ?? ""
    #endif
  }

  private static var terminalColumns: Int? {
    for descriptor in [STDOUT_FILENO, STDERR_FILENO] {
      var size = winsize()
      if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
        return Int(size.ws_col)
      }
    }
    return nil
  }

  /// Returns whether a pipe has no reader any more.
  private static func isClosed(_ descriptor: Int32) -> Bool {
    var state = pollfd(fd: descriptor, events: 0, revents: 0)
    return poll(&state, 1, 0) > 0 && state.revents & Int16(POLLERR) != 0
  }

  /// Writes all bytes, in as many calls as the system takes.
  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    var bytes = bytes[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 {
        if errno == EINTR { continue }
        // A reader that has seen enough, such as `head`, is no failure.
        return errno == EPIPE
      }
      bytes = bytes.dropFirst(count)
    }
    return true
  }
}
