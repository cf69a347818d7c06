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

extension SampleStore {
  /// Plans for the store as it is now.
  func plan(
    to version: VersionName,
    _ change: (inout MigrationOptions) -> Void = { _ in }
  ) throws -> StorePlan {
    var options = MigrationOptions()
    change(&options)
    return try ModelArchive(contentsOf: Self.models)
      .plan(for: Store(reading: url), to: version, options)
  }

  /// Migrates the store, in place or to another file of its folder.
  @discardableResult func migrate(
    to version: VersionName,
    output: String? = nil,
    _ change: (inout MigrationOptions) -> Void = { _ in }
  ) throws -> MigrationOutcome {
    var options = MigrationOptions()
    options.output = output.map { "\(folder)/\($0)" }
    change(&options)
    let store = try Store(reading: url)
    return try ModelArchive(contentsOf: Self.models).plan(for: store, to: version, options)
      .migrate(store, options)
  }
}
