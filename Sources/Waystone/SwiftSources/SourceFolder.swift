internal import Files
internal import ModelImport
internal import SwiftDataImport

/// The Swift files of a folder that may be an app's own: none in hidden folders, in folders of tests and
/// of package managers, in projects of their own, and none behind a link.
struct SourceFolder {
  /// Folders in which package managers and builds keep what is not the project's own.
  private static let foreign: Set<String> = [
    "Pods", "Carthage", "DerivedData", "node_modules", "SourcePackages",
  ]

  /// Whether a path below the folder, by its parts, is one of the app's own Swift files.
  static func holds(_ parts: [String]) -> Bool {
    parts.last?.hasSuffix(".swift") == true
      && parts.allSatisfy { !$0.hasPrefix(".") && !foreign.contains($0) }
      && !Project.isOfTests(parts)
  }

  /// Whether a file, by its path's parts below the folder, makes a folder in it a project of its own.
  static func isOfAnother(_ parts: [String]) -> Bool {
    parts.count > 1 && parts.last == Configuration.fileName
  }

  /// Whether a folder is a project of its own: one with a waystone.yml, or a checkout of Waystone.
  private static func isAnother(_ folder: String) throws -> Bool {
    try OtherProject.isAt(folder) || OwnCheckout.isAt(folder)
  }

  /// The files below a folder in the order of their paths; none where none of them mentions a model.
  ///
  /// - Throws: ``WaystoneError`` where a file or folder cannot be read.
  /// - Complexity: O(*n*) in the bytes of the files.
  static func texts(below folder: String) throws -> [SourceText] {
    var walk = FolderWalk(below: folder, links: .reported)
    var texts: [SourceText] = []
    var size = 0
    var mentionsModels = false
    while let item = walk.next() {
      switch item {
      case .folder(_, let path, _):
        let parts = path.split(separator: "/").map(String.init)
        let isOwn = try parts.isEmpty || !isAnother("\(folder)/\(path)")
        if !isOwn || !holds(parts + ["A.swift"]) { walk.skipFolder() }
      case .gap(let path, let error):
        guard path.hasSuffix(".swift") else { continue }
        throw WaystoneError(
          .missingFile,
          "\(folder)/\(path) cannot be read: \(error.reason).",
          recovery: error.recovery
        )
      case .entry(let entry):
        guard entry.status?.kind == .file,
          holds(entry.path.split(separator: "/").map(String.init))
        else { continue }
        let file = try OpenFile(plainFile: entry.fullPath, limit: .max)
        let length = min(Int(clamping: try file.status().size), SourceLimits.totalSize - size + 1)
        let bytes = try file.read(count: length, at: 0)
        let text = SourceText(name: entry.path, bytes: bytes)
        size += bytes.count
        guard size <= SourceLimits.totalSize, texts.count < SourceLimits.fileCount else {
          // That there is too much is said where it would be parsed.
          return mentionsModels ? texts + [text] : []
        }
        mentionsModels = mentionsModels || text.mentionsModels
        texts.append(text)
      }
    }
    return mentionsModels ? texts.sorted { $0.name < $1.name } : []
  }
}
