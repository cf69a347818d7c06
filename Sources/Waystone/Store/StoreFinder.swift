internal import Files
internal import ObjectModel
internal import StoreAccess

/// Finds the stores below a folder: files of SQLite's, and those whose names say that they are stores.
///
/// Folders that links lead to are entered, each folder once.
struct StoreFinder {
  /// What may not be passed over in silence: a folder or file that cannot be looked at.
  struct Gap {
    /// The path, from the folder that was named.
    var path: String
    /// Why.
    var error: FileError
  }

  /// The greatest number of files and folders that are looked at.
  static let greatestCount = 100_000

  /// The paths of the stores, from the folder that was named, in byte order.
  private(set) var stores: [String] = []
  /// What could not be looked at, in byte order.
  private(set) var gaps: [Gap] = []
  /// Whether there are more files than are looked at.
  let isIncomplete: Bool

  /// Looks at all files below a folder.
  ///
  /// - Complexity: A look at each file, and at the first bytes of those of other names.
  init(below folder: String) {
    var walk = FolderWalk(below: folder, links: .followed, limit: Self.greatestCount)
    while let item = walk.next() {
      switch item {
      case .folder: break
      case .gap(let path, let error): gaps.append(Gap(path: path, error: error))
      case .entry(let entry):
        do throws(FileError) {
          if try Self.isStore(entry) { stores.append(entry.path) }
        } catch {
          gaps.append(Gap(path: entry.path, error: error))
        }
      }
    }
    isIncomplete = walk.isIncomplete
    stores.sort(by: ByteOrder.precedes)
    gaps.sort { ByteOrder.precedes($0.path, $1.path) }
  }

  private static func isStore(_ entry: FolderWalk.Entry) throws(FileError) -> Bool {
    let isNamed = StoreFiles.isNamedStore(entry.name)
    guard let status = entry.status else {
      // The file of such a link may be a store that was never fetched.
      guard isNamed else { return false }
      throw FileError(code: .missing, message: "the link leads nowhere")
    }
    guard status.kind == .file else { return false }
    return try isNamed ? true : isDatabase(entry.fullPath, size: status.size)
  }

  /// Whether a file begins as SQLite databases do.
  private static func isDatabase(_ path: String, size: Int64) throws(FileError) -> Bool {
    guard size >= Int64(DatabaseHeader.magic.count) else { return false }
    let file = try OpenFile(plainFile: FileSystem.resolved(path))
    return DatabaseHeader.begins(try file.read(count: DatabaseHeader.magic.count, at: 0))
  }
}
