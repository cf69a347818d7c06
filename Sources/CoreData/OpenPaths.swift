import Files
import StoreAccess
import StoreMigration
import Synchronization

/// The stores that are open in this process.
///
/// Opening and closing such a file by other means than SQLite's would drop the locks that the process holds on
/// it, so that it is asked through SQLite alone.
enum OpenPaths {
  private static let counts = Mutex<[String: Int]>([:])

  static func add(_ path: String) { counts.withLock { $0[path, default: 0] += 1 } }

  static func remove(_ path: String) {
    counts.withLock { $0[path] = ($0[path] ?? 1) > 1 ? ($0[path] ?? 1) - 1 : nil }
  }

  /// Returns whether a store is open in this process.
  static func contain(_ url: URL) -> Bool {
    guard let path = try? FileSystem.resolved(url.path) else { return false }
    return counts.withLock { $0[path] != nil }
  }

  /// Returns the metadata of a store that is open in this process.
  static func metadata(of url: URL) throws -> [String: Any] {
    let connection = try SQLiteConnection(path: url.path, access: .readOnly, busyTimeout: 1000)
    let metadata = try StoreMetadata(reading: connection, schema: "main")
    return StoreMetadataKeys.dictionary(
      metadata.uuid,
      metadata.versionHashes,
      metadata.versionIdentifiers
    )
  }

  /// Throws where a store is open in this process, and so cannot be replaced.
  static func requireClosed(_ url: URL, to deed: String) throws {
    guard contain(url) else { return }
    throw NSError.coreData(
      NSPersistentStoreOperationError,
      "\(url.path) is open in this process, so that it cannot be \(deed).",
      recovery: "Remove it from its coordinator and let go of its contexts first."
    )
  }
}
