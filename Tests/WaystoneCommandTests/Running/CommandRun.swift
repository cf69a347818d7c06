import Foundation
import StoreMigration
import Synchronization
import Testing
import WaystoneCommand

/// The output of a run of the command inside the test's process, and its end.
struct CommandRun {
  let status: CommandStatus
  let output: String
  let errors: String

  /// Runs the command.
  init(_ arguments: String..., in folder: String = "/") { self.init(arguments, in: folder) }

  /// Runs the command.
  init(
    _ arguments: [String],
    in folder: String = "/",
    environment: [String: String] = [:],
    isTerminal: Bool = false,
    registry: MigrationRegistry = MigrationRegistry()
  ) {
    let output = Transcript()
    let errors = Transcript()
    let console = Console(
      writeBytes: {
        output.append(String(decoding: $0, as: UTF8.self))
        return true
      },
      writeError: { errors.append($0) },
      isOutputTerminal: isTerminal,
      isErrorTerminal: isTerminal,
      environment: environment,
      workingDirectory: folder
    )
    status = WaystoneProgram.run(arguments, on: console, registry: registry)
    self.output = output.text
    self.errors = errors.text
  }

  /// The output with one space between words, wherever its lines break.
  var words: String { output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }

  /// The output as a JSON object, which has to be as its published schema says.
  func json() throws -> [String: Any] {
    let value = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any] ?? [:]
    // A SARIF log has a schema of its own.
    if value["$schema"] == nil { #expect(JSONSchema.mistakes(inOutput: value) == []) }
    return value
  }
}

/// Text that closures may append to.
private final class Transcript: Sendable {
  private let contents = Mutex("")

  var text: String { contents.withLock { $0 } }

  func append(_ text: String) { contents.withLock { $0 += text } }
}

/// The result of the built `waystone` in a process of its own.
struct ProcessRun {
  let status: Int32
  let output: String
  let errors: String

  /// Runs the executable beside the tests.
  init(_ arguments: String..., in folder: String = "/") throws {
    try self.init(arguments, in: folder)
  }

  /// Runs the executable beside the tests.
  ///
  /// - Parameters:
  ///   - signal: What it is sent as soon as its progress is beyond the check of the store.
  ///   - name: Which executable, where it is not `waystone` itself.
  ///   - environment: All of its environment, where it is not that of the tests.
  init(
    _ arguments: [String],
    in folder: String = "/",
    stoppedBy signal: Int32? = nil,
    executable name: String = "waystone",
    environment: [String: String]? = nil
  ) throws {
    let process = Process()
    process.environment = environment
    process.executableURL = Self.executable(name)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    let output = Pipe()
    let errors = Pipe()
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var first = Data()
    if let signal {
      // A journal is there once the store is copied.
      while !String(decoding: first, as: UTF8.self).split(separator: "\n").contains(where: {
        !$0.contains(#""title":"checking""#) && !$0.contains(#""title":"reading rows""#)
      }) {
        let more = errors.fileHandleForReading.availableData
        guard !more.isEmpty else { break }
        first += more
      }
      kill(process.processIdentifier, signal)
    }
    // Both are short, so that neither pipe fills up while the other is read.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    let rest = errors.fileHandleForReading.readDataToEndOfFile()
    self.errors = String(decoding: first + rest, as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationReason == .exit ? process.terminationStatus : -1
  }

  /// The products lie beside the bundle of tests.
  static func executable(_ name: String) -> URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
    let tests = bundle ?? URL(fileURLWithPath: CommandLine.arguments[0])
    return tests.deletingLastPathComponent().appendingPathComponent(name)
  }
}
