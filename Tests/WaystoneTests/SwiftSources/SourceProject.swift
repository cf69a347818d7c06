import Foundation
import MigrationTestSupport
import Waystone

/// A project of Swift sources, as tests write it.
struct SourceProject {
  let folder: String

  /// Lends the body a folder with sources by their names, and a `waystone.yml`.
  static func with(
    _ sources: [String: String],
    _ configuration: String = "",
    _ body: (SourceProject) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let project = SourceProject(folder: folder)
      try FileManager.default.createDirectory(
        atPath: folder + "/App",
        withIntermediateDirectories: true
      )
      for (name, text) in sources { try project.write(text, to: "App/\(name)") }
      try project.write("models: App\n" + configuration, to: "waystone.yml")
      try body(project)
    }
  }

  func write(_ text: String, to path: String) throws {
    try TemporaryFolder.write(Array(text.utf8), to: "\(folder)/\(path)")
  }

  /// The project as it is now.
  func read() throws -> Project { try Project(at: URL(filePath: folder)) }

  /// The codes of what a check fails by.
  func failures() throws -> [String] { try read().check().failures.map(\.code.rawValue) }
}
