#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A new folder that lives as long as the value; for tests that wait, where a closure cannot.
public final class ScratchFolder: Sendable {
  /// The folder.
  public let path: String

  /// Makes a folder, in the system's folder for temporary files or another.
  public init(in parent: String? = nil) throws {
    let parent = parent ?? FileManager.default.temporaryDirectory.path
    path = "\(parent)/waystone-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Copies a closed store into the folder under a name of its own.
  public func copy(_ store: String, as name: String) throws -> String {
    let copy = "\(path)/\(name)"
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store + suffix) {
      try FileManager.default.copyItem(atPath: store + suffix, toPath: copy + suffix)
    }
    return copy
  }

  /// Writes to a closed store in a way that stays in its `-wal`, as an app does that is killed.
  public func leaveLog(of store: String) throws {
    let app = try AppDatabase(store)
    try app.execute("PRAGMA journal_mode = WAL")
    app.keepsLog()
    try app.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + 1 WHERE Z_SUPER = 0")
  }
}
