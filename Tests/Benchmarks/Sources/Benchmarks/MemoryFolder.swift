#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A folder of a file system in memory, where no disk is waited for: what a run does once costs the same
/// on every machine there, and is done as often.
struct MemoryFolder {
  let path: String
  /// Whether it is in memory: only Linux has such a file system at a known place.
  let isInMemory: Bool

  private static let parent = "/dev/shm"

  /// Makes the folder; elsewhere it is one that is there.
  init(else folder: String) throws {
    isInMemory = FileManager.default.isWritableFile(atPath: Self.parent)
    path =
      isInMemory
      ? "\(Self.parent)/waystone-benchmark-\(ProcessInfo.processInfo.processIdentifier)" : folder
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Removes what was made.
  func remove() {
    if isInMemory { try? FileManager.default.removeItem(atPath: path) }
  }
}
