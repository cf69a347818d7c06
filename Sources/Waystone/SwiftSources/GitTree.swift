internal import ObjectModel
internal import SwiftDataImport

/// The Swift files of a folder as a commit has them.
struct GitTree {
  private let git: GitProcess
  private let reference: String

  /// The most files that one call of git prints.
  private static let batch = 500

  /// A folder at a commit of its repository.
  ///
  /// - Throws: ``WaystoneError`` where there is no git.
  init(of folder: String, at reference: String) throws(WaystoneError) {
    git = try GitProcess(in: folder, isLocal: true)
    self.reference = reference
  }

  /// The files in the order of their paths, which stand below the folder.
  ///
  /// Files are read by their hashes, so that no filter, attribute or hook of the repository takes part.
  /// - Throws: ``WaystoneError`` where git knows no such commit, or prints something else than it said.
  func texts() throws(WaystoneError) -> [SourceText] {
    let commit = try git.text(
      ["rev-parse", "--verify", "--quiet", "--end-of-options", "\(reference)^{commit}"],
      orSay: "git knows no commit \(reference)",
      "Name a tag or a commit of this repository; a shallow clone may have to fetch it first."
    ).filter { $0.isHexDigit }
    let listed = try git.text(
      ["ls-tree", "-r", "-l", "-z", commit, "."],
      orSay: "git cannot list \(reference)",
      "See what `git ls-tree \(reference)` says."
    )
    let files = listed.split(separator: "\0").compactMap { Entry(String($0)) }
    let others = Set(files.map(\.parts).filter(SourceFolder.isOfAnother).map { $0.dropLast() })
    let entries = files.filter { file in
      SourceFolder.holds(file.parts)
        && file.parts.indices.allSatisfy { !others.contains(file.parts.prefix($0)) }
    }.sorted { $0.path < $1.path }
    // Of a file that is damaged or not there git tells no size.
    if let unread = entries.first(where: { $0.size < 0 }) {
      throw WaystoneError(
        .badFile,
        "git cannot read \(unread.path) of \(reference).",
        recovery: "See what `git fsck` says. A partial clone lacks files: `git checkout "
          + "\(reference)` in another worktree fetches them."
      )
    }
    let size = entries.reduce(0) { $0 + $1.size }
    guard entries.count <= SourceLimits.fileCount, size <= SourceLimits.totalSize else {
      throw WaystoneError(
        .badFile,
        "\(reference) has \(entries.count) Swift files of \(size >> 20) MiB, more than any app.",
        recovery: "Name the folder that holds the app's models."
      )
    }
    var texts: [SourceText] = []
    var rest = entries[...]
    while !rest.isEmpty {
      texts += try contents(of: Array(rest.prefix(Self.batch)))
      rest = rest.dropFirst(Self.batch)
    }
    return texts.contains(where: \.mentionsModels) ? texts : []
  }

  /// What git prints of some files one behind the other, cut by the sizes that it told.
  private func contents(of entries: [Entry]) throws(WaystoneError) -> [SourceText] {
    let size = entries.reduce(0) { $0 + $1.size }
    let bytes = try git.bytes(
      ["show", "--no-textconv", "--no-color", "--end-of-options"] + entries.map(\.hash),
      limit: size,
      orSay: "git cannot show the files of \(reference)",
      "A partial clone lacks them: fetch them first, as by `git checkout \(reference)`."
    )
    guard bytes.count == size else {
      throw WaystoneError(
        .badFile,
        "git prints other files of \(reference) than it lists.",
        recovery: "See what `git fsck` says."
      )
    }
    var start = 0
    return entries.map { entry in
      defer { start += entry.size }
      let content = Array(bytes[start..<(start + entry.size)])
      return SourceText(name: "\(reference):\(entry.path)", bytes: content)
    }
  }

  /// A plain file of a tree, as `git ls-tree -l` lists it.
  private struct Entry {
    let hash: String
    /// The bytes; -1 where git cannot tell.
    let size: Int
    let path: String
    /// The names of the folders around the file, and its own.
    let parts: [String]

    init?(_ line: String) {
      guard let tab = line.firstIndex(of: "\t") else { return nil }
      let parts = line[..<tab].split(separator: " ")
      guard parts.count == 4, parts[0].hasPrefix("100"), parts[1] == "blob" else { return nil }
      hash = String(parts[2])
      size = Int(parts[3]) ?? -1
      path = String(line[line.index(after: tab)...])
      self.parts = path.split(separator: "/").map(String.init)
    }
  }
}
