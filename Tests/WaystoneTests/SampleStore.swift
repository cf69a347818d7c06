import Foundation
import MigrationTestSupport
import StoreAccess
import StoreGeneration
import Waystone

/// A generated store of a sample model in a folder of its own, seen as a program sees it.
struct SampleStore {
  let folder: String
  /// The path of the store.
  var url: URL { URL(filePath: path) }
  /// The same as a path.
  var path: String { "\(folder)/app.sqlite" }

  /// The folder of the sample models with their mappings.
  static let models = URL(filePath: SampleArchive.root)

  /// Lends the body a store of a version.
  static func with<Value>(
    _ model: String,
    _ version: String,
    rows: Int = 40,
    _ body: (SampleStore) throws -> Value
  ) throws -> Value {
    try TemporaryFolder.with { folder in
      let sample = SampleStore(folder: folder)
      let model = try SampleArchive.version(model, version).model
      try StoreGenerator(model: model, rows: rows, seed: 7)
        .write(to: sample.path)
      return try body(sample)
    }
  }

  /// Changes the store as an app would.
  func change(_ sql: String) throws {
    try AppDatabase(path).execute(sql)
  }
}

/// Stands in for the policy of the sample Notes.
final class ImageAttachmentPolicy: EntityMigrationPolicy {}
