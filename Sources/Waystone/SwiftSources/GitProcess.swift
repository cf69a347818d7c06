internal import Files
private import Foundation

/// Runs git in a folder, without asking anybody anything.
package struct GitProcess {
  private let folder: String
  private let executable: String
  private let environment: [String: String]

  /// A git of a folder.
  ///
  /// - Parameters:
  ///   - environment: What git gets of one; the process's own, unless another is given.
  ///   - isLocal: Whether git may reach nothing but the repository itself: no remote of it, by whatever
  ///     helper its configuration names, and no object in another's place.
  /// - Throws: ``WaystoneError`` where there is no git.
  package init(
    in folder: String,
    environment given: [String: String] = ProcessInfo.processInfo.environment,
    isLocal: Bool = false
  ) throws(WaystoneError) {
    let folders = (given["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    let found = folders.map { "\($0)/git" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let found else {
      throw WaystoneError(
        .badArgument,
        "There is no git to ask for a commit or a change.",
        recovery: "Install git, or name no commit."
      )
    }
    self.folder = folder
    executable = found
    var environment = given
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["GIT_TERMINAL_PROMPT"] = "0"
    environment["LC_ALL"] = "C"
    if isLocal {
      environment["GIT_NO_LAZY_FETCH"] = "1"
      environment["GIT_ALLOW_PROTOCOL"] = "none"
      environment["GIT_NO_REPLACE_OBJECTS"] = "1"
      // As a hook of another repository sets them: the folder says which one is asked.
      for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX"] {
        environment[name] = nil
      }
    }
    self.environment = environment
  }

  /// What git prints, as text.
  ///
  /// - Throws: ``WaystoneError`` with the message, and what git says of it, where git fails.
  package func text(
    _ arguments: [String],
    orSay message: String,
    _ recovery: String
  ) throws(WaystoneError) -> String {
    String(
      decoding: try bytes(arguments, limit: .max, orSay: message, recovery),
      as: UTF8.self
    )
  }

  /// The bytes that git prints.
  ///
  /// - Parameter limit: The most bytes that are taken; git is ended where it prints more.
  /// - Throws: ``WaystoneError`` with the message, and what git says of it, where git fails.
  package func bytes(
    _ arguments: [String],
    limit: Int,
    orSay message: String,
    _ recovery: String
  ) throws(WaystoneError) -> [UInt8] {
    var output: [UInt8] = []
    let ending: ChildProcess.Ending
    let complaint: String
    do throws(FileError) {
      // A monitor of files is a program that the repository names.
      var git = try ChildProcess(
        executable,
        ["-C", folder, "-c", "core.fsmonitor=false"] + arguments,
        environment: environment
      )
      var bytes = [UInt8](repeating: 0, count: 64 << 10)
      while output.count <= limit {
        let count = try git.read(into: &bytes)
        if count == 0 { break }
        output += bytes[..<count]
      }
      if output.count > limit { git.end() }
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
    return output
  }
}

extension GitProcess {
  /// Whether a commit has a file, as far as git can say; no where there is no git, or no repository.
  package static func hasFile(
    _ path: String,
    in reference: String,
    environment: [String: String]
  ) -> Bool {
    let url = URL(fileURLWithPath: path)
    guard !reference.hasPrefix("-"),
      let git = try? GitProcess(
        in: url.deletingLastPathComponent().path,
        environment: environment
      )
    else { return false }
    let listed = try? git.text(
      ["ls-tree", "--name-only", "--end-of-options", reference, "./" + url.lastPathComponent],
      orSay: "git cannot list \(reference)",
      ""
    )
    return listed?.isEmpty == false
  }
}
