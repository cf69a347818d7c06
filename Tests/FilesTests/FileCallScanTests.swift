import Files
import Foundation
import Testing

/// A scan that shows that one target alone asks the operating system about files.
@Suite struct `Calls about files` {
  /// Calls whose answer says whether something is there, or by which something goes.
  private static let calls = [
    "stat", "lstat", "fstat", "fstatat", "access", "faccessat", "opendir", "fdopendir", "readdir",
    "unlink", "unlinkat", "rmdir", "rename", "renameat", "realpath", "readlink",
  ]
  /// Foundation's, which take every error for absence.
  private static let methods = [
    "fileExists(atPath", "contents(atPath", "isReadableFile(atPath", "isExecutableFile(atPath",
    "enumerator(atPath", "FileHandle(forReadingAtPath",
  ]

  /// Files that still do: SQLite's own calls, made again where a signal interrupts them; what a change
  /// touches, the stores that `init` proposes as samples, and the first bytes by which an argument
  /// is told for a store or a model, all of which decide nothing about data.
  private static let exceptions = [
    "SQLite/SQLiteSystemCalls.swift", "Coverage/ChangedFiles.swift",
    "Beginning/ProjectSurvey.swift",
    "Running/NamedModel.swift",
  ]

  @Test func `no other code asks for a file by itself`() throws {  // F1
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let sources = root.appendingPathComponent("Sources")
    let walk = try #require(FileManager.default.enumerator(atPath: sources.path))
    let pattern = try Regex(
      "(?:^|[^\\w.`])(?:" + Self.calls.joined(separator: "|") + ")\\((?!\\w+:|\\)|_ |table)"
    )
    var found: [String] = []
    var count = 0
    for case let name as String in walk where name.hasSuffix(".swift") {
      if name.hasPrefix("Files/") || Self.exceptions.contains(where: name.hasSuffix) { continue }
      count += 1
      let text = try String(contentsOf: sources.appendingPathComponent(name), encoding: .utf8)
      for line in text.split(separator: "\n") {
        let code = line.trimmingCharacters(in: .whitespaces)
        if code.hasPrefix("//") || code.contains("func ") { continue }
        if code.contains(pattern) || Self.methods.contains(where: { code.contains($0) }) {
          found.append("\(name): \(code)")
        }
      }
    }
    #expect(count > 300)
    #expect(found == [])
  }
}
