internal import Files
private import Foundation

/// A git repository whose commits, and the files of these, are read.
///
/// Git runs in a folder of Waystone's own, which has copies of the repository's references and reads its
/// objects. Nothing else of the repository is in force: no configuration, hook, filter, attribute, graft or
/// replaced object, and no remote. Git never reads the work tree.
package final class GitRepository: Sendable {
  /// The folder of the work tree, without symbolic links.
  package let root: String
  private let executable: String
  private let environment: [String: String]
  private let folder: PrivateGitFolder

  /// Seconds for which git may print nothing, before it is ended.
  private static let patience = 15
  /// The most paths or hashes that one call of git is given.
  static let batch = 500

  /// Opens the repository around a folder.
  ///
  /// - Parameters:
  ///   - path: A folder of the work tree, or a file in one.
  ///   - environment: Its `PATH` leads to git; git gets nothing else of it.
  /// - Throws: ``WaystoneError``: `badArgument` where there is no git or no repository; `badFile` where a
  ///   pipe, a device or a damaged file is part of the repository.
  package init(
    around path: String,
    environment given: [String: String] = ProcessInfo.processInfo.environment
  ) throws(WaystoneError) {
    executable = try Self.executable(given)
    let opened: (root: String, folder: PrivateGitFolder)?
    do throws(FileError) {
      opened = try GitLayout(around: FileSystem.resolved(path)).map { (layout) throws(FileError) in
        (layout.root, try PrivateGitFolder(of: layout))
      }
    } catch {
      throw Self.unreadable(error)
    }
    guard let opened else {
      throw WaystoneError(
        .badArgument,
        "\(path) is in no git repository.",
        recovery: "Run the command where the models are in a git repository, or name no commit."
      )
    }
    (root, self.folder) = opened
    environment = self.folder.environment(given)
  }

  /// Opens the repository around a folder; nil where there is no git or no repository.
  ///
  /// - Throws: ``WaystoneError`` where there is one that cannot be read.
  package static func ifAny(
    around path: String,
    environment: [String: String]
  ) throws(WaystoneError) -> GitRepository? {
    do { return try GitRepository(around: path, environment: environment) } catch {
      guard error.code == .badArgument else { throw error }
      return nil
    }
  }

  private static func executable(_ environment: [String: String]) throws(WaystoneError) -> String {
    // A relative folder would be one of the repository.
    let folders = (environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
    for folder in folders where folder.hasPrefix("/") {
      let status = (try? FileSystem.status("\(folder)/git")) ?? nil
      if let status, status.kind == .file, status.permissions & 0o111 != 0 {
        return "\(folder)/git"
      }
    }
    throw WaystoneError(
      .badArgument,
      "There is no git to ask for a commit or a change.",
      recovery: "Install git, or name no commit."
    )
  }

  private static func unreadable(_ error: FileError) -> WaystoneError {
    WaystoneError(
      .badFile,
      "The git repository cannot be read: \(error.message).",
      recovery: error.recovery
    )
  }

  /// Returns what git prints, as text.
  ///
  /// - Throws: ``WaystoneError`` with the message and git's own, where git fails.
  func text(
    _ arguments: [String],
    patience: Int = patience,
    orSay message: String,
    _ recovery: String
  ) throws(WaystoneError) -> String {
    String(
      decoding: try bytes(arguments, limit: .max, patience: patience, orSay: message, recovery),
      as: UTF8.self
    )
  }

  /// Returns the bytes that git prints.
  ///
  /// - Parameters:
  ///   - limit: The most bytes that are taken; git is ended where it prints more.
  ///   - patience: Seconds for which git may print nothing.
  /// - Throws: ``WaystoneError`` with the message and git's own, where git fails; `badFile` where it prints
  ///   nothing for too long.
  func bytes(
    _ arguments: [String],
    limit: Int,
    patience: Int = patience,
    orSay message: String,
    _ recovery: String
  ) throws(WaystoneError) -> [UInt8] {
    var output: [UInt8] = []
    let ending: ChildProcess.Ending
    let complaint: String
    let isOverdue: Bool
    do throws(FileError) {
      var git = try ChildProcess(
        executable,
        ["-C", folder.path] + arguments,
        environment: environment,
        patience: patience,
        isGuarded: true
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
      isOverdue = git.isOverdue
    } catch {
      throw WaystoneError(.badArgument, "git cannot be run.", recovery: "Check \(executable).")
    }
    guard !isOverdue else {
      throw WaystoneError(
        .badFile,
        "\(message): git printed nothing for \(patience) seconds and was ended.",
        recovery: "Look for a pipe, or a disk that does not answer, below \(root)/.git."
      )
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

extension GitRepository {
  /// A file, a symbolic link or a submodule that a commit has.
  struct File: Hashable, Sendable {
    /// Whether it is a plain file.
    let isPlain: Bool
    /// The name of its content.
    let hash: String
    /// The bytes; -1 where they were not asked for, and of a file that is damaged or not there.
    let size: Int
    /// The path below the work tree's folder.
    let path: String

    /// Reads a line of `git ls-tree`.
    fileprivate init?(_ line: Substring) {
      guard let tab = line.firstIndex(of: "\t") else { return nil }
      let parts = line[..<tab].split(separator: " ")
      guard parts.count >= 3 else { return nil }
      isPlain = parts[0].hasPrefix("100") && parts[1] == "blob"
      hash = String(parts[2])
      size = parts.count > 3 ? Int(parts[3]) ?? -1 : -1
      path = String(line[line.index(after: tab)...])
    }
  }

  /// Returns the hash of the commit that a branch, a tag, a hash or another expression of git means.
  ///
  /// - Throws: ``WaystoneError`` where git knows none.
  package func commit(_ name: String) throws(WaystoneError) -> String {
    try text(
      ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(name)^{commit}"],
      orSay: "git knows no commit \(name)",
      "Name a branch, a tag or a commit of this repository; a shallow clone may have to fetch it first."
    ).filter(\.isHexDigit)
  }

  /// Returns the files of a commit at a path or below it, in the order of their paths.
  ///
  /// - Parameters:
  ///   - commit: The hash of a commit, or a name that ``commit(_:)`` takes.
  ///   - path: A path below the work tree's folder; empty for all files.
  ///   - withSizes: Whether each file's size is asked for.
  /// - Throws: ``WaystoneError`` where git cannot list them.
  func files(
    of commit: String,
    below path: String = "",
    withSizes: Bool = false
  ) throws(WaystoneError) -> [File] {
    let listed = try text(
      ["ls-tree", "-r", "-z", "--full-tree"] + (withSizes ? ["-l"] : [])
        + ["--end-of-options", commit] + (path.isEmpty ? [] : ["--", path]),
      orSay: "git cannot list \(commit)",
      "See what `git ls-tree \(commit)` says."
    )
    return listed.split(separator: "\0").compactMap(File.init)
  }

  /// Returns whether a commit has a file; no where git knows no such commit.
  ///
  /// - Throws: ``WaystoneError`` where git cannot read the repository.
  package func hasFile(_ path: String, in reference: String) throws(WaystoneError) -> Bool {
    guard let path = pathBelowRoot(path), !path.isEmpty else { return false }
    let commit: String
    do { commit = try self.commit(reference) } catch {
      guard error.code == .badArgument else { throw error }
      return false
    }
    return try !files(of: commit, below: path).isEmpty
  }

  /// Returns the tags that lead to the commit that is checked out, or those that do not, in the order of the
  /// versions that they name.
  ///
  /// - Throws: ``WaystoneError`` where git cannot list them.
  package func tags(thatLeadHere: Bool = true) throws(WaystoneError) -> [String] {
    try text(
      [
        "for-each-ref", thatLeadHere ? "--merged=HEAD" : "--no-merged=HEAD",
        "--sort=version:refname", "--format=%(refname:strip=2)",
        "refs/tags",
      ],
      orSay: "git cannot list its tags",
      "See what `git tag` says."
    ).split(separator: "\n").map(String.init)
  }

  /// Returns the path relative to the work tree's folder; nil where it is outside.
  func pathBelowRoot(_ path: String) -> String? {
    guard let path = try? FileSystem.canonical(path) else { return nil }
    if path == root { return "" }
    let start = root == "/" ? "/" : root + "/"
    return path.hasPrefix(start) ? String(path.dropFirst(start.count)) : nil
  }
}
