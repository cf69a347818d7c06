private import Foundation

extension GitRepository {
  /// The first commit that has a file or folder.
  package struct FirstCommit: Hashable, Sendable {
    /// The place among the commits that lead to the one checked out, each after its parents.
    package let position: Int
    /// Seconds since 1970, as its committer's clock gave them.
    package let date: Int
  }

  /// Returns the first commit of each path, among those that lead to the commit that is checked out.
  ///
  /// A path is missing in the result where no such commit adds it, and where a shallow clone ends with the
  /// commit that has it.
  ///
  /// - Parameter paths: Paths of files and folders, absolute or below the work tree's folder.
  /// - Throws: ``WaystoneError`` where git cannot read its history.
  /// - Complexity: Git reads the whole history, which takes seconds in a large repository.
  package func firstCommits(of paths: [String]) throws(WaystoneError) -> [String: FirstCommit] {
    var wanted: [String: String] = [:]
    for path in paths {
      let below = path.hasPrefix("/") ? pathBelowRoot(path) : path
      if let below, !below.isEmpty { wanted[below] = path }
    }
    guard !wanted.isEmpty else { return [:] }
    let printed = try text(
      [
        "log", "--topo-order", "--reverse", "--no-renames", "--diff-filter=A", "--name-only", "-z",
        "--format=%x01%H %ct", "HEAD", "--",
      ] + wanted.keys.sorted(),
      patience: 120,
      orSay: "git cannot read the history",
      "See what `git log` says."
    )
    var result: [String: FirstCommit] = [:]
    for (position, record) in printed.split(separator: "\u{1}").enumerated() {
      var lines = record.split { $0 == "\0" || $0 == "\n" }[...]
      let head = lines.popFirst()?.split(separator: " ") ?? []
      guard head.count == 2, let date = Int(head[1]), !isShallow(at: String(head[0])) else {
        continue
      }
      for line in lines {
        // The file itself and the folders that it is in.
        var path = String(line)
        while !path.isEmpty {
          if let asked = wanted[path], result[asked] == nil {
            result[asked] = FirstCommit(position: position, date: date)
          }
          path = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
        }
      }
    }
    return result
  }
}
