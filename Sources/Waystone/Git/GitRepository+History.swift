extension GitRepository {
  /// Returns the place of the first commit that added each folder with an ending, below folders of one name,
  /// among all commits that lead to the one checked out.
  ///
  /// The folders count wherever they were when a commit added them. A shallow clone's last commit adds all
  /// that it has.
  ///
  /// - Parameters:
  ///   - ending: The end of the added folders' names, which the result's keys lack.
  ///   - folder: The name of the folders around them, without a wildcard.
  /// - Throws: ``WaystoneError`` where git cannot read its history.
  /// - Complexity: Git reads the whole history, which takes seconds in a large repository.
  package func places(ofFirstCommitsAdding ending: String, below folder: String)
    throws(WaystoneError) -> [String: Int]
  {
    let printed = try text(
      [
        "--no-literal-pathspecs", "log", "--topo-order", "--reverse", "--no-renames",
        "--diff-filter=A", "--name-only", "-z",
        "--format=%x01", "HEAD", "--", ":(top,glob)**/\(folder)/**",
      ],
      patience: 120,
      orSay: "git cannot read the history of \(folder)",
      "See what `git log` says."
    )
    var places: [String: Int] = [:]
    for (place, record) in printed.split(separator: "\u{1}").enumerated() {
      for path in record.split(whereSeparator: { $0 == "\0" || $0 == "\n" }) {
        let added = path.split(separator: "/").last { $0.hasSuffix(ending) }
        guard let name = added?.dropLast(ending.count) else { continue }
        places[String(name)] = places[String(name)] ?? place
      }
    }
    return places
  }
}
