import Foundation
import Testing

/// Git, in repositories that tests make.
enum Git {
  /// Whether the machine has it; tests of what a change touches are skipped without.
  static let isThere = FileManager.default.isExecutableFile(atPath: "/usr/bin/git")

  /// Makes a folder a repository, and commits all that is in it.
  static func commitAll(in folder: String) throws {
    try run("init", "-q", "-b", "main", in: folder)
    try run("add", "-A", in: folder)
    try run("commit", "-q", "-m", "a", in: folder)
  }

  /// Runs it in a folder, and demands that it succeeds.
  static func run(_ arguments: String..., in folder: String) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/git")
    process.arguments =
      ["-C", folder, "-c", "user.name=T", "-c", "user.email=t@example.org"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    try #require(process.terminationStatus == 0, "\(arguments)")
  }
}
