import Foundation
import MigrationTestSupport
import StoreAccess
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

  /// The same folder, for plans and runs.
  var sketched: SketchedProject { SketchedProject(folder: folder) }

  func write(_ text: String, to name: String) throws {
    try TemporaryFolder.write(Array(text.utf8), to: "\(folder)/\(name)")
  }

  /// Replaces text in a file that has it.
  func edit(_ name: String, _ old: String, _ new: String) throws {
    let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
    try #require(text.contains(old))
    try write(text.replacing(old, with: new), to: name)
  }

  /// Lets the app's classes name what v1 and v2 called the instructions.
  func keepOriginalName() throws {
    for schema in ["SchemaV1", "SchemaV2"] {
      try edit(
        "Sources/\(schema).swift",
        "var instructions",
        "@Attribute(originalName: \"method\") var instructions"
      )
    }
  }

  /// Gives the app's container a migration plan.
  func addPlan() throws {
    try write(
      """
      import SwiftData

      enum RecipesPlan: SchemaMigrationPlan {
        static var schemas: [any VersionedSchema.Type] { [SchemaV1.self, SchemaV2.self] }
        static var stages: [MigrationStage] {
          [.lightweight(fromVersion: SchemaV1.self, toVersion: SchemaV2.self)]
        }
      }
      """,
      to: "Sources/RecipesPlan.swift"
    )
    try edit(
      "Sources/RecipesStore.swift",
      "      configurations:",
      "      migrationPlan: RecipesPlan.self,\n      configurations:"
    )
  }

  var project: Project { get throws { try Project(at: URL(filePath: folder)) } }

  /// Returns the outcome of each version in the app, by the version's name.
  var outcomes: [String: String] {
    get throws {
      let model = try #require(try project.coverage().models.first)
      return Dictionary(
        model.paths.flatMap { path in path.versions.map { ($0, path.app.kind.rawValue) } },
        uniquingKeysWith: { first, _ in first }
      )
    }
  }

  /// The findings of a check with a code.
  func findings(_ code: String) throws -> [String] {
    try project.check().findings.filter { $0.code.rawValue == code }.map {
      "\($0.severity.rawValue): \($0.message)"
    }
  }

  func rows(_ store: String, _ sql: String) throws -> [[SQLiteValue]] {
    try SQLiteConnection(path: "\(folder)/\(store)", access: .readOnly).rows(sql)
  }
}
