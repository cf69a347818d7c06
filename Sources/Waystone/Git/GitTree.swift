internal import ObjectModel
internal import SwiftDataImport

/// The Swift files of a folder as a commit has them.
struct GitTree {
  private let repository: GitRepository
  private let folder: String
  private let reference: String

  /// A folder at a commit of its repository.
  ///
  /// - Parameter folder: The path below the work tree's folder.
  init(of folder: String, at reference: String, in repository: GitRepository) {
    self.repository = repository
    self.folder = folder
    self.reference = reference
  }

  /// Returns the files in the order of their paths, which are relative to the folder.
  ///
  /// - Parameter withTargets: Whether projects are read too, and folders of tests, which then decide.
  ///
  /// Files are read by their hashes, so that no filter, attribute or hook of the repository takes part.
  /// - Throws: ``WaystoneError`` where git knows no such commit, or prints other output than it
  ///   announced.
  func files(withTargets: Bool) throws(WaystoneError) -> SourceFiles {
    let start = folder.isEmpty ? 0 : folder.utf8.count + 1
    let all = try repository.files(
      of: repository.commit(reference),
      below: folder,
      withSizes: true
    ).filter(\.isPlain).map { file in
      Entry(file: file, path: String(decoding: file.path.utf8.dropFirst(start), as: UTF8.self))
    }
    let others = Set(all.map(\.parts).filter(SourceFolder.isOfAnother).map { $0.dropLast() })
    let entries = all.filter { file in
      SourceFolder.holds(file.parts, withTests: withTargets)
        && file.parts.indices.allSatisfy { !others.contains(file.parts.prefix($0)) }
    }.sorted { $0.path < $1.path }
    // Git gives no size of a file that is damaged or absent.
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
    var files = SourceFiles()
    files.texts = try texts(of: entries)
    guard withTargets else { return files }
    var left = SourceFolder.projectLimits.all
    let projects = all.filter { file in
      guard SourceFolder.isProject(file.parts), file.size >= 0,
        file.size <= min(SourceFolder.projectLimits.file, left)
      else { return false }
      left -= file.size
      return true
    }
    files.projects = try texts(of: projects)
    return files
  }

  private func texts(of entries: [Entry]) throws(WaystoneError) -> [SourceText] {
    var texts: [SourceText] = []
    var rest = entries[...]
    while !rest.isEmpty {
      texts += try contents(of: Array(rest.prefix(GitRepository.batch)))
      rest = rest.dropFirst(GitRepository.batch)
    }
    return texts
  }

  /// Returns the contents of some files, which git prints one after the other, cut by the sizes that it
  /// listed.
  private func contents(of entries: [Entry]) throws(WaystoneError) -> [SourceText] {
    let size = entries.reduce(0) { $0 + $1.size }
    let bytes = try repository.bytes(
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
      return SourceText(name: entry.path, bytes: content)
    }
  }

  /// A plain file, by its path below the folder.
  private struct Entry {
    let file: GitRepository.File
    let path: String
    /// The names of the folders around the file, and its own.
    let parts: [String]

    var hash: String { file.hash }
    var size: Int { file.size }

    init(file: GitRepository.File, path: String) {
      self.file = file
      self.path = path
      parts = path.split(separator: "/").map(String.init)
    }
  }
}
