internal import Files
internal import ObjectModel
internal import StoreAccess

/// The stores below a folder: files of SQLite's, stores of the XML kind, and files that are named as stores;
/// ledgers of batches are none.
struct StoreFinder {
  /// A folder or file that cannot be read, which must be reported.
  struct Gap {
    /// The path, from the folder that was named.
    var path: String
    /// The error.
    var error: FileError
  }

  /// The greatest number of files and folders that are examined.
  static let greatestCount = 100_000

  /// The paths of the stores, from the folder that was named, in byte order.
  private(set) var stores: [String] = []
  /// The folders and files that cannot be read, in byte order.
  private(set) var gaps: [Gap] = []
  /// Whether there are more files than are examined.
  let isIncomplete: Bool

  /// Examines all files below a folder.
  ///
  /// - Complexity: One system call for each file, and a read of the first bytes of those that are not named
  ///   as stores.
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
    if isNamed {
      // A file that cannot be read is a store that is reported.
      guard let head = try? head(of: entry.fullPath) else { return true }
      return !StoreFiles.isLedger(head)
    }
    guard status.size >= Int64(DatabaseHeader.magic.count) else { return false }
    return StoreFiles.mayBeStore(try head(of: entry.fullPath))
  }

  /// Returns the first bytes of a file, enough to recognize a store, and a ledger of a batch.
  private static func head(of path: String) throws(FileError) -> [UInt8] {
    try OpenFile(plainFile: FileSystem.resolved(path)).read(count: OtherStoreKind.headSize, at: 0)
  }
}
