internal import Files
internal import StoreAccess
internal import Waystone

/// The files that a search leaves out: the output tree and the ledger of the batch.
struct SearchBoundary {
  private let output: String?
  /// The ledger, and the files beside it.
  private let ledger: [String]
  private let ledgerFile: FolderWalk.Identity?
  /// The identity of the output tree, the same under any name; nil where it does not exist.
  let outputFolder: FolderWalk.Identity?

  /// - Throws: `FileError` where it cannot be known where they are.
  init(_ options: StoreSearch.Options) throws {
    output = try options.output.map { try Self.canonical(options.folder.resolved($0)) }
    let file = try options.ledger.map { try Self.canonical(options.folder.resolved($0)) }
    let suffixes = [""] + StoreFiles.companionSuffixes + [".holders"]
    ledger = file.map { file in suffixes.map { file + $0 } } ?? []
    outputFolder = try output.flatMap { try FileSystem.status($0) }.map(FolderWalk.Identity.init)
    ledgerFile = try file.flatMap { try FileSystem.status($0) }.map(FolderWalk.Identity.init)
  }

  /// Returns the path without links, as far as its folders exist.
  static func canonical(_ path: String) throws -> String {
    var path = path
    while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
    if try FileSystem.exists(path) { return try FileSystem.resolved(path) }
    let folder = try canonical(FileSystem.folder(of: path))
    return (folder == "/" ? "" : folder) + "/" + FileSystem.name(of: path)
  }

  /// Returns the name of the place that contains a path without links, the output tree or the ledger; nil
  /// where neither does.
  func place(of path: String) -> String? {
    if let output, Self.lies(path, in: output) { return "the output tree" }
    return ledger.contains { Self.lies(path, in: $0) } ? "the ledger" : nil
  }

  /// The paths of the batch's own files in the output tree, relative to it.
  var filesInOutput: [String] {
    guard let output else { return [] }
    return ledger.filter { Self.lies($0, in: output) && $0 != output }
      .map { String(Substring($0.utf8.dropFirst(output.utf8.count + 1))) }
  }

  /// Returns whether a path is equal to another, or below it.
  static func lies(_ path: String, in folder: String) -> Bool {
    guard path.utf8.starts(with: folder.utf8) else { return false }
    let rest = path.utf8.dropFirst(folder.utf8.count)
    return rest.isEmpty || folder == "/" || rest.first == UInt8(ascii: "/")
  }

  /// Returns whether a file is the ledger under another name.
  func isLedger(_ status: FileStatus) -> Bool {
    ledgerFile.map { $0 == FolderWalk.Identity(status) } ?? false
  }
}
