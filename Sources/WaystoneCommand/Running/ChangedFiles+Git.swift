private import Foundation
internal import Waystone

extension ChangedFiles {
  /// Asks git for the files that changed in the repository around a path.
  ///
  /// - Throws: ``WaystoneError`` where there is no git, no repository or no such commit.
  init(since reference: String, around path: String, _ console: Console) throws(WaystoneError) {
    guard !reference.hasPrefix("-") else {
      throw WaystoneError(
        .badArgument,
        "\(reference) is no commit.",
        recovery: "Name a branch, a tag or a commit: --changed-only main."
      )
    }
    let folder = Self.folder(of: path)
    let git = try GitProcess(in: folder, environment: console.environment)
    let root = try git.text(
      ["rev-parse", "--show-toplevel"],
      orSay: "\(console.shortened(folder)) is in no git repository that git reads",
      "Leave --changed-only out, or run it where the models are in a git repository of this user."
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
    self.init(since: reference, paths: names.map { "\(root)/\($0)" })
  }

  /// The folder itself, or that of a file.
  static func folder(of path: String) -> String {
    var isFolder = ObjCBool(false)
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return exists && isFolder.boolValue
      ? path : URL(fileURLWithPath: path).deletingLastPathComponent().path
  }
}
