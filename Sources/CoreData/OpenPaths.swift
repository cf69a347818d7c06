import Files
import StoreAccess
import StoreMigration

/// The stores that are open in this process.
///
/// They are asked through SQLite alone, which keeps the locks that the process holds on them.
enum OpenPaths {
  /// Returns whether a store is open in this process.
  static func contain(_ url: URL) -> Bool {
    (try? FileSystem.resolved(url.path)).map(OpenedStore.isOpen) ?? false
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
