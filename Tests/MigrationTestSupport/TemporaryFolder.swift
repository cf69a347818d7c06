#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A new folder that lives as long as a closure runs.
public enum TemporaryFolder {
  /// Makes a folder, hands its path to the closure and removes it with all it holds.
  public static func with<Value>(_ body: (String) throws -> Value) throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "waystone-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder.path)
  }

  /// The bytes of a file, or nil where there is none.
  public static func bytes(of path: String) -> [UInt8]? {
    (try? Data(contentsOf: URL(fileURLWithPath: path))).map { Array($0) }
  }

  /// The names of all that lies in a folder, hidden ones included, in byte order.
  public static func names(in folder: String) -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  /// Writes a file, replacing what was there.
  public static func write(_ bytes: [UInt8], to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// Copies the files that exist of the path with each of the suffixes into a folder.
  ///
  /// - Returns: The path of the copy that has no suffix.
  public static func copy(
    _ path: String,
    suffixes: [String] = ["", "-wal", "-shm"],
    into folder: String
  ) throws -> String {
    let name = URL(fileURLWithPath: path).lastPathComponent
    for suffix in suffixes {
      guard let bytes = bytes(of: path + suffix) else { continue }
      try write(bytes, to: "\(folder)/\(name)\(suffix)")
    }
    return "\(folder)/\(name)"
  }
}
