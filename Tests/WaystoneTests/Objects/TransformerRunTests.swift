import MigrationTestSupport
import StoreAccess
import Testing
import Waystone

/// Transformable attributes in the policies of a whole run.
@Suite struct TransformerRunTests {
  /// Puts each image into an array with a number.
  final class WrappingPolicy: EntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      guard let made = try manager.createDefaultInstance(forSource: sInstance) else { return }
      let image: PropertyListValue? = try sInstance.transformedValue(forKey: "image")
      try made.setTransformedValue(image.map { [$0, 7] as PropertyListValue }, forKey: "image")
    }
  }

  private static func images(_ path: String) throws -> [PropertyListValue] {
    let rows = try SQLiteConnection(path: path, access: .readOnly)
      .rows("SELECT ZIMAGE FROM ZATTACHMENT WHERE ZIMAGE IS NOT NULL ORDER BY Z_PK")
    return try rows.compactMap { row in
      guard case .blob(let bytes) = row[0] else { return nil }
      return try SecureUnarchiveFromDataTransformer().value(of: bytes)
    }
  }

  @Test func `a policy reads and writes the objects of a transformable attribute`() throws {
    try SampleStore.with("Notes", "v3") { sample in
      let before = try Self.images(sample.path)
      #expect(!before.isEmpty)
      var options = MigrationOptions()
      options.registry.register(WrappingPolicy.self, as: "ImageAttachmentPolicy")
      let models = try ModelArchive(contentsOf: SampleStore.models)
      let store = try Store(reading: sample.url)
      try models.plan(for: store, options).migrate(store, options)
      let after = try Self.images(sample.path)
      #expect(Set(after) == Set(before.map { [$0, 7] }))
      #expect(after.count == before.count)
    }
  }
}
