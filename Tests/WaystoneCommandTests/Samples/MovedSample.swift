import Foundation
import MigrationTestSupport
import Testing
import Waystone

/// A copy of the sample Recipes, whose history goes from Core Data to SwiftData.
struct MovedSample {
  let folder: String

  /// Lends the body a copy without a lock.
  static func with(_ body: (MovedSample) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      for name in ["Recipes.xcdatamodeld", "Sources", "waystone.yml"] {
        try FileManager.default.copyItem(
          atPath: "\(SampleArchive.root)/Recipes/\(name)",
          toPath: "\(folder)/\(name)"
        )
      }
      try body(MovedSample(folder: folder))
    }
  }

  func run(_ arguments: String...) -> CommandRun { CommandRun(arguments, in: folder) }

  func write(_ text: String, to name: String) throws {
    try TemporaryFolder.write(Array(text.utf8), to: "\(folder)/\(name)")
  }

  /// Replaces text in a file that has it.
  func edit(_ name: String, _ old: String, _ new: String) throws {
    let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    try #require(text.contains(old))
    try write(text.replacing(old, with: new), to: name)
  }

  var project: Project { get throws { try Project(at: URL(filePath: folder)) } }
}
