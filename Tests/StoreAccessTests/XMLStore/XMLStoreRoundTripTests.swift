import Files
import MigrationTestSupport
import ObjectModel
import PropertyLists
import StoreAccess
import StoreGeneration
import Testing

/// Stores of the XML kind against the rows that they were written of.
@Suite struct XMLStoreRoundTripTests {
  /// Writes a made store as one of the XML kind, reads it, and returns what differs.
  private func differences(
    _ model: ManagedObjectModel,
    rows: Int,
    seed: UInt64,
    in folder: String
  ) throws -> [String] {
    let made = "\(folder)/\(rows)-\(seed).sqlite"
    try StoreGenerator(model: model, rows: rows, seed: seed).write(to: made)
    let text = try XMLStoreText(of: made, model: model)
    try TemporaryFolder.write(Array(text.text.utf8), to: made + ".xml")
    let copy = try XMLStoreCopy(of: made + ".xml", by: model, in: folder)
    return try XMLStoreText.differences(made, copy.store, model, offsets: text.offsets)
      + copy.notes.filter { ![.guessedName, .doubtfulEscape].contains($0.kind) }.map(\.words)
  }

  @Test(arguments: ["v1", "v2", "v3", "v4"])
  func `a store of the sample model has the rows that it was written of`(version: String) throws {
    let model = try SampleArchive.version("Letters", version).model
    try TemporaryFolder.with { folder in
      for (rows, seed) in [(0, 1), (1, 2), (7, 3), (300, 4)] {
        let found = try differences(model, rows: rows, seed: UInt64(seed), in: folder)
        #expect(found == [], "\(rows) rows, seed \(seed)")
      }
    }
  }

  @Test func `every type of attribute and every kind of link is read`() throws {
    let model = try XMLStoreSketch.model()
    try TemporaryFolder.with { folder in
      for seed in 1...4 {
        let found = try differences(model, rows: 250, seed: UInt64(seed), in: folder)
        #expect(found == [], "seed \(seed)")
      }
    }
  }

  @Test func `stores of random models are read`() throws {
    try TemporaryFolder.with { folder in
      for seed in Trials.some(of: 30) {
        var random = SeededGenerator(seed: UInt64(seed) + 500)
        var sketch = RandomModel(&random)
        for _ in 0..<4 { sketch.evolve(&random) }
        let entities = (sketch.model?.entities ?? []).map { entity in
          var entity = entity
          // The time of a save is a date, which random types are not.
          entity.attributes.removeAll {
            $0.attributeType == .composite || $0.derivationExpression == .now
          }
          return entity
        }
        guard let model = try? ManagedObjectModel(entities: entities),
          PhysicalSchema(model: model).unsupported.isEmpty,
          model.entities.contains(where: { !$0.isAbstract })
        else { continue }
        let found = try differences(model, rows: 60, seed: UInt64(seed), in: folder)
        #expect(found == [], "seed \(seed)")
      }
    }
  }

  @Test func `what the store states of itself is kept`() throws {
    let model = try XMLStoreSketch.model()
    try TemporaryFolder.with { folder in
      let made = folder + "/a.sqlite"
      try StoreGenerator(model: model, rows: 20, seed: 1).write(to: made)
      let own = [
        "<key>Author</key><string>a &amp; b</string>", "<key>Edits</key><integer>-7</integer>",
      ]
      let text = try XMLStoreText(of: made, model: model, metadata: own)
      try TemporaryFolder.write(Array(text.text.utf8), to: folder + "/a.xml")
      let store = try PersistentStore.open(folder + "/a.xml", by: model, scratchFolder: folder)
      let original = try PersistentStore(reading: made)
      #expect(store.metadata.uuid == original.metadata.uuid)
      #expect(store.metadata.versionHashes == model.entityVersionHashes)
      #expect(store.metadata.frameworkVersion == 640)
      #expect(store.metadata.others["Author"]?.string == "a & b")
      #expect(store.metadata.others["Edits"]?.integer == -7)
      #expect(store.metadata.others["NSStoreType"]?.string == "SQLite")
      #expect(store.modelCache != nil)
      let greatest = try store.connection.integer("SELECT MAX(Z_PK) FROM ZTHING")
      #expect(store.primaryKeys["Thing"]?.maximum == greatest)
    }
  }
}
