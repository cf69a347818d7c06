extension GitRepository {
  /// Returns the distinct sets of folders that the commits up to one have or had, for each commit that leads
  /// to the one checked out.
  ///
  /// A folder counts wherever the folder around it was, and although a later commit removes it. A shallow
  /// clone's last commit has all at once.
  ///
  /// - Parameters:
  ///   - ending: The end of the folders' names, which the result lacks.
  ///   - folder: The name of the folders around them, without a wildcard.
  /// - Throws: ``WaystoneError`` where git cannot read its history.
  /// - Complexity: Git reads the whole history, which takes seconds in a large repository.
  package func folders(endingIn ending: String, below folder: String)
    throws(WaystoneError) -> Set<Set<String>>
  {
    // A merge may add a folder that no parent has: what differs from all of its parents counts.
    let printed = try text(
      [
        "--no-literal-pathspecs", "log", "--topo-order", "--reverse", "--full-history", "--parents",
        "-c", "--no-renames", "--name-only", "-z", "--format=%x01%H %P", "HEAD", "--",
        ":(top,glob)**/\(folder)/**",
      ],
      patience: 120,
      orSay: "git cannot read the history of \(folder)",
      "See what `git log` says."
    )
    var foldersOf: [Substring: Set<String>] = [:]
    for record in printed.split(separator: "\u{1}") {
      let fields = record.split { $0 == "\0" || $0 == "\n" }
      let commits = (fields.first ?? "").split(separator: " ")
      guard let commit = commits.first else { continue }
      var folders = foldersOf[commit] ?? []
      for parent in commits.dropFirst() {
        guard let inherited = foldersOf[parent], !inherited.isSubset(of: folders) else { continue }
        folders = folders.isSubset(of: inherited) ? inherited : folders.union(inherited)
      }
      // Git names a folder whose files a commit adds or changes; one that it removes, a parent had.
      for path in fields.dropFirst() {
        let name = path.split(separator: "/").last { $0.hasSuffix(ending) }?.dropLast(ending.count)
        if let name { folders.insert(String(name)) }
      }
      foldersOf[commit] = folders
    }
    return Set(foldersOf.values)
  }
}
