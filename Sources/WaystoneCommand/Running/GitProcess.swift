private import Foundation
internal import Waystone

/// Runs git in a folder, without asking anybody anything.
struct GitProcess {
  private let folder: String
  private let executable: String
  private let environment: [String: String]

  init(in folder: String, _ console: Console) throws(WaystoneError) {
    let folders = (console.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(
      separator: ":"
    )
    let found = folders.map { "\($0)/git" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let found else {
      throw WaystoneError(
        .badArgument,
        "There is no git to ask what changed.",
        recovery: "Install git, or leave --changed-only out."
      )
    }
    self.folder = folder
    executable = found
    var environment = console.environment
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["GIT_TERMINAL_PROMPT"] = "0"
    environment["LC_ALL"] = "C"
    self.environment = environment
  }

  /// What git prints.
  ///
  /// - Throws: ``WaystoneError`` with the message where git fails.
  func text(
    _ arguments: [String],
    orSay message: String,
    _ recovery: String
  ) throws(WaystoneError) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.arguments = arguments
    process.environment = environment
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    process.standardInput = FileHandle.nullDevice
    do { try process.run() } catch {
      throw WaystoneError(.badArgument, "git cannot be run.", recovery: "Check \(executable).")
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw WaystoneError(.badArgument, "\(message).", recovery: recovery)
    }
    return String(decoding: data, as: UTF8.self)
  }
}
