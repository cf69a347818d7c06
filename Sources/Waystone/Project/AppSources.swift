internal import Files

/// The source files of an app below a folder, without those of tests and of package managers.
struct AppSources {
  /// The folder.
  let folder: String

  /// The most files that are read for an answer.
  private static let fileLimit = 20_000
  /// The most bytes of one file, and of all.
  private static let byteLimits = (file: 4 << 20, all: 128 << 20)
  /// The endings of source files.
  private static let endings = [".swift", ".m", ".mm", ".h"]

  /// Reads one file after the other, until the visitor returns false; returns whether no file before that was
  /// passed over.
  ///
  /// - Complexity: O(*n*) in the bytes of the sources.
  func read(_ visit: ([UInt8]) -> Bool) -> Bool {
    var walk = FolderWalk(below: folder, links: .reported, limit: Self.fileLimit)
    var size = 0
    while let item = walk.next() {
      switch item {
      case .folder(_, let path, _):
        let parts = path.split(separator: "/").map(String.init)
        if !SourceFolder.holds(parts + ["A.swift"]) { walk.skipFolder() }
      case .gap: return false
      case .entry(let entry):
        guard entry.status?.kind == .file, Self.endings.contains(where: entry.name.hasSuffix)
        else { continue }
        guard let file = try? OpenFile(plainFile: entry.fullPath, limit: .max),
          let bytes = try? file.read(count: Self.byteLimits.file + 1, at: 0),
          bytes.count <= Self.byteLimits.file
        else { return false }
        size += bytes.count
        guard size <= Self.byteLimits.all else { return false }
        if !visit(bytes) { return true }
      }
    }
    return !walk.isIncomplete
  }
}
