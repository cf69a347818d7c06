internal import Files
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
  /// - Throws: ``WaystoneError`` with the message, and what git says of it, where git fails.
  func text(
    _ arguments: [String],
    orSay message: String,
    _ recovery: String
  ) throws(WaystoneError) -> String {
    var output: [UInt8] = []
    let ending: ChildProcess.Ending
    let complaint: String
    do throws(FileError) {
      var git = try ChildProcess(executable, ["-C", folder] + arguments, environment: environment)
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      while true {
        let count = try git.read(into: &bytes)
        if count == 0 { break }
        output += bytes[..<count]
      }
      ending = try git.wait()
      complaint = git.complaint
    } catch {
      throw WaystoneError(.badArgument, "git cannot be run.", recovery: "Check \(executable).")
    }
    guard ending == .exited(0) else {
      let lines = complaint.split(separator: "\n")
      let reason = lines.first { $0.hasPrefix("fatal:") } ?? lines.last
      let quote = reason.map { ": git says “\($0.prefix(300))”" } ?? ""
      throw WaystoneError(.badArgument, "\(message)\(quote).", recovery: recovery)
    }
    return String(decoding: output, as: UTF8.self)
  }
}

extension GitProcess {
  /// Whether a commit has a file, as far as git can say; no where there is no git, or no repository.
  static func hasFile(_ path: String, in reference: String, _ console: Console) -> Bool {
    let url = URL(fileURLWithPath: path)
    guard !reference.hasPrefix("-"),
      let git = try? GitProcess(in: url.deletingLastPathComponent().path, console)
    else { return false }
    let listed = try? git.text(
      ["ls-tree", "--name-only", "--end-of-options", reference, "./" + url.lastPathComponent],
      orSay: "git cannot list \(reference)",
      ""
    )
    return listed?.isEmpty == false
  }
}
