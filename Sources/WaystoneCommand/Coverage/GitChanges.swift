private import Foundation
internal import ModelImport
internal import Waystone

/// The files that differ from a commit, or that git does not know yet.
struct GitChanges {
  /// The commit, as the person named it.
  let reference: String
  /// The absolute paths of the files, symbolic links resolved.
  private let files: Set<String>
  /// The files and all folders that they lie in.
  private let places: Set<String>

  /// Files that changed, by their absolute paths.
  init(reference: String, files: [String]) {
    self.reference = reference
    self.files = Set(files)
    var places = self.files
    for file in files {
      var folder = file[...]
      while let slash = folder.lastIndex(of: "/"), slash > folder.startIndex {
        folder = folder[..<slash]
        guard places.insert(String(folder)).inserted else { break }
      }
    }
    self.places = places
  }

  /// Asks git for the files that changed in the repository around a path.
  ///
  /// - Throws: ``CommandError`` where there is no git, no repository or no such commit.
  init(since reference: String, around path: String, _ console: Console) throws(CommandError) {
    guard !reference.hasPrefix("-") else {
      throw CommandError(
        .badArgument,
        "\(reference) is no commit.",
        recovery: "Name a branch, a tag or a commit: --changed-only main."
      )
    }
    let folder = Self.folder(of: path)
    let git = try GitProcess(in: folder, console)
    let root = try git.text(
      ["rev-parse", "--show-toplevel"],
      orSay: "\(console.shortened(folder)) is in no git repository",
      "Leave --changed-only out, or run it where the models are in git."
    ).trimmingCharacters(in: .newlines)
    let commit = try git.text(
      ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(reference)^{commit}"],
      orSay: "git knows no commit \(reference)",
      "Name a branch, a tag or a commit; a shallow clone may have to fetch it first."
    ).trimmingCharacters(in: .newlines)
    let changed = try git.text(
      ["-C", root, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", commit, "--"],
      orSay: "git cannot compare with \(reference)",
      "See what `git diff \(reference)` says."
    )
    let untracked = try git.text(
      ["-C", root, "ls-files", "--others", "--exclude-standard", "-z"],
      orSay: "git cannot list the files that it does not know",
      "See what `git status` says."
    )
    let names = (changed + untracked).split(separator: "\0")
    self.init(reference: reference, files: names.map { "\(root)/\($0)" })
  }

  /// Whether a file, or any file below a folder, changed.
  func touches(_ path: String) -> Bool { places.contains(Self.canonical(path)) }

  /// Whether a file changed.
  func touches(file path: String) -> Bool { files.contains(Self.canonical(path)) }

  /// Whether a file below a folder is gone.
  func hasRemovals(below folder: String) -> Bool {
    let start = Self.canonical(folder) + "/"
    return touches(folder) && files.contains { $0.hasPrefix(start) && Self.isGone($0) }
  }

  /// Whether a file is gone that said how one version becomes another.
  var hasRemovedMapping: Bool {
    files.contains { file in
      (MappingFinder.isMapping(file) || file.contains(".xcmappingmodel/")) && Self.isGone(file)
    }
  }

  private static func isGone(_ path: String) -> Bool {
    !FileManager.default.fileExists(atPath: path)
  }

  /// The folder itself, or that of a file.
  private static func folder(of path: String) -> String {
    var isFolder = ObjCBool(false)
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue
      ? path : URL(fileURLWithPath: path).deletingLastPathComponent().path
  }

  /// The path without symbolic links, as git gives it; of a file that is gone as far as it is there.
  private static func canonical(_ path: String) -> String {
    let url = URL(fileURLWithPath: path).standardizedFileURL
    guard !FileManager.default.fileExists(atPath: url.path) else {
      return url.resolvingSymlinksInPath().path
    }
    let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path
    return "\(folder)/\(url.lastPathComponent)"
  }
}

/// Runs git in a folder, without asking anybody anything.
private struct GitProcess {
  private let folder: String
  private let executable: String
  private let environment: [String: String]

  init(in folder: String, _ console: Console) throws(CommandError) {
    let folders = (console.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(
      separator: ":"
    )
    let found = folders.map { "\($0)/git" }.first {
      FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let found else {
      throw CommandError(
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
  /// - Throws: ``CommandError`` with the message where git fails.
  func text(
    _ arguments: [String],
    orSay message: String,
    _ recovery: String
  ) throws(CommandError) -> String {
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
      throw CommandError(.badArgument, "git cannot be run.", recovery: "Check \(executable).")
    }
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      throw CommandError(.badArgument, "\(message).", recovery: recovery)
    }
    return String(decoding: data, as: UTF8.self)
  }
}
