internal import Files
internal import ModelImport
internal import ObjectModel
private import Synchronization

/// A comparison of files with those of a commit, each made when it is asked for.
///
/// Contents are compared in this process, as they are: a file that a filter of git converts, as of large file
/// storage or of line ends, differs where the conversion changes it. A file that cannot be compared counts as
/// different.
final class CommitComparison: Sendable {
  private let repository: GitRepository
  /// The files of the commit by their paths below the work tree's folder.
  private let files: [String: GitRepository.File]
  /// Their paths in the order of bytes.
  private let paths: [String]
  /// The answers given before, by path.
  private let known = Mutex<[String: Bool]>([:])

  /// A comparison with a commit.
  ///
  /// - Throws: ``WaystoneError`` where git knows no such commit.
  init(with reference: String, in repository: GitRepository) throws(WaystoneError) {
    self.repository = repository
    let listed = try repository.files(of: repository.commit(reference))
    files = Dictionary(listed.map { ($0.path, $0) }) { first, _ in first }
    paths = files.keys.sorted(by: ByteOrder.precedes)
  }

  /// Returns whether a file, or a file below a folder, differs.
  ///
  /// Below a folder only files count that Waystone reads there: what belongs to a model or a mapping, and
  /// Swift sources.
  ///
  /// - Parameter path: An absolute path, whose symbolic links are resolved.
  func differs(at path: String) -> Bool {
    if let answer = known.withLock({ $0[path] }) { return answer }
    let answer = compare(path)
    known.withLock { $0[path] = answer }
    return answer
  }

  /// Returns whether a file that the commit has below a folder is gone; true where that cannot be known.
  func hasRemovals(below folder: String) -> Bool {
    guard let folder = repository.pathBelowRoot(folder) else { return false }
    return readPaths(below: folder).contains(where: isGone)
  }

  /// Whether a mapping that the commit has is gone; true where that cannot be known.
  var hasRemovedMapping: Bool {
    paths.contains { path in
      (MappingFinder.isMapping(path) || path.contains(".xcmappingmodel/")) && isGone(path)
    }
  }

  private func compare(_ path: String) -> Bool {
    // Nothing is known about a file elsewhere.
    guard let below = repository.pathBelowRoot(path),
      let status = try? Optional(FileSystem.status(path, followsLinks: false))
    else { return true }
    guard status?.kind == .folder || !readPaths(below: below).isEmpty else {
      return files[below].map { differ([$0]) } ?? (status != nil)
    }
    return differ(readPaths(below: below).compactMap { files[$0] })
      || (status?.kind == .folder && hasAdditions(path, below))
  }

  /// Returns whether one of some files is gone or has another content.
  private func differ(_ files: [GitRepository.File]) -> Bool {
    files.contains { file in
      let path = "\(repository.root)/\(file.path)"
      let status = try? FileSystem.status(path, followsLinks: false)
      guard let status, status.kind == .file, file.isPlain,
        let opened = try? OpenFile(plainFile: path, limit: .max),
        let bytes = try? opened.read(count: Int(status.size), at: 0)
      else { return true }
      return BlobName.name(of: bytes, like: file.hash) != file.hash
    }
  }

  /// Returns whether a folder has a file that the commit lacks.
  private func hasAdditions(_ folder: String, _ below: String) -> Bool {
    var walk = FolderWalk(below: folder, links: .reported)
    while let item = walk.next() {
      switch item {
      case .folder(_, let path, _):
        if path.split(separator: "/").last?.hasPrefix(".") == true { walk.skipFolder() }
      case .gap: return true
      case .entry(let entry):
        let path = Self.joined(below, entry.path)
        if files[path] == nil, Self.isRead(entry.path, below: below) { return true }
      }
    }
    return false
  }

  private func isGone(_ path: String) -> Bool {
    (try? FileSystem.exists("\(repository.root)/\(path)")) != true
  }

  /// Returns the commit's paths below a folder that Waystone reads.
  private func readPaths(below folder: String) -> [String] {
    let start = folder.isEmpty ? "" : folder + "/"
    var (low, high) = (0, paths.count)
    while low < high {
      let middle = (low + high) / 2
      if ByteOrder.precedes(paths[middle], start) { low = middle + 1 } else { high = middle }
    }
    return paths[low...].prefix { $0.utf8.starts(with: start.utf8) }.filter { path in
      Self.isRead(
        String(decoding: path.utf8.dropFirst(start.utf8.count), as: UTF8.self),
        below: folder
      )
    }
  }

  private static let bundles = [".xcdatamodeld", ".xcdatamodel", ".xcmappingmodel", ".momd"]

  /// Returns whether Waystone reads a file that it finds below a folder.
  private static func isRead(_ path: String, below folder: String) -> Bool {
    let parts = path.split(separator: "/").map(String.init)
    guard let name = parts.last else { return false }
    let around = folder.split(separator: "/").map(String.init) + parts.dropLast()
    if around.contains(where: { part in bundles.contains { part.hasSuffix($0) } }) {
      return name == ".xccurrentversion" || !parts.contains { $0.hasPrefix(".") }
    }
    return SourceFolder.holds(parts) || MappingFinder.isMapping(name) || name.hasSuffix(".mom")
      || name.hasSuffix(".omo") || SourceFolder.isProject(parts)
  }

  private static func joined(_ folder: String, _ name: String) -> String {
    folder.isEmpty ? name : "\(folder)/\(name)"
  }
}
