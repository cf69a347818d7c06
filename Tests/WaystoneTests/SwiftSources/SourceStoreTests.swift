import Foundation
import MigrationTestSupport
import ObjectModel
import SwiftDataImport
import Testing
import Waystone

/// Stores of versions that sources declare.
@Suite(.enabled(if: SourceParser.isAvailable, "needs the package trait SwiftData"))
struct SourceStoreTests {
  private static let sample = URL(filePath: SampleArchive.root + "/Trips/Sources")

  /// Whether stores of models with composites can be made, as SchemaV3 has some.
  private static let takesComposites: Bool = {
    (try? generate("SchemaV3") { _ in }) != nil
  }()

  private static func generate(_ version: String, _ body: (Store) throws -> Void) throws {
    let archive = try ModelArchive(contentsOf: sample)
    try TemporaryFolder.with { folder in
      let url = URL(filePath: folder + "/default.store")
      try archive.generateStore(at: url, of: VersionName(version), rows: 40, seed: 1)
      try body(Store(reading: url))
    }
  }

  @Test(arguments: ["SchemaV1", "SchemaV2"])
  func `are made, and known as stores of their version`(version: String) throws {
    let archive = try ModelArchive(contentsOf: Self.sample)
    try Self.generate(version) { store in
      #expect(archive.identify(store).versions.map(\.name) == [version])
    }
  }

  @Test func `are migrated to the next version`() throws {
    let archive = try ModelArchive(contentsOf: Self.sample)
    try Self.generate("SchemaV1") { store in
      let plan = try archive.plan(for: store, to: "SchemaV2")
      #expect(plan.isSafe, "\(plan.blockers)")
      _ = try plan.migrate(store)
    }
  }

  @Test(.enabled(if: takesComposites, "stores with composite attributes cannot be made yet"))
  func `with composites are made, and known`() throws {
    let archive = try ModelArchive(contentsOf: Self.sample)
    try Self.generate("SchemaV3") { store in
      #expect(archive.identify(store).versions.map(\.name) == ["SchemaV3"])
    }
  }
}
