import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Passes over more objects than are kept in memory at a time.
@Suite struct LargePassTests {
  static let sketch = """
    Album { name: String?; cover: Binary?; songs ->> Song; picks ->> Song ordered }
    Song { title: String?; word: String? }
    """

  /// Holds every tenth object that it makes, and looks at all of them at the end.
  class Holding: EntityMigrationPolicy {
    private var held: [ManagedObject] = []
    override var state: State { .inMemory }

    override func createDestinationInstances(
      forSource sInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let object = try manager.createDefaultInstance(forSource: sInstance)
      if let object, sInstance.objectID.key % 10 == 0 { held.append(object) }
    }

    override func endInstanceCreation(
      forMapping mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      #expect(held.count == 90)
      for object in held {
        let same = try manager.destinationContext.object(with: object.objectID)
        #expect(same === object)
        try object.set("held", forKey: "word")
      }
    }
  }

  private func withHop(
    _ policy: String?,
    relationships: [String: String] = [:],
    _ body: (PolicyHop) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      try StoreGenerator(model: model, rowCounts: ["Song": 900, "Album": 300], seed: 8)
        .write(to: folder + "/before.sqlite")
      var registry = MigrationRegistry()
      registry.register(Holding.self)
      var mapping = PolicyHop.mapping(
        [("Song", "Song", policy)],
        attributes: ["title": "title", "word": "word"]
      )
      mapping.entityMappings +=
        PolicyHop.mapping(
          [("Album", "Album", nil)],
          attributes: ["name": "name", "cover": "cover"],
          relationships: relationships
        ).entityMappings
      let hop = try PolicyHop(
        mapping,
        from: model,
        to: model,
        in: folder,
        registry: registry,
        batchSize: 10_000
      )
      try hop.run()
      try body(hop)
    }
  }

  @Test func `objects that a policy holds are the same throughout`() throws {
    try withHop("Holding") { hop in
      let changed = try hop.rows(
        "SELECT COUNT(*), SUM(ZWORD = 'held'), SUM(Z_OPT) FROM main.ZSONG"
      )
      #expect(changed == [[900, 90, 900]])
      let titles = try hop.rows(
        "SELECT COUNT(*) FROM main.ZSONG a JOIN old.ZSONG b USING (Z_PK)"
          + " WHERE a.ZTITLE IS NOT b.ZTITLE"
      )
      #expect(titles == [[0]])
    }
  }

  @Test func `relationships without inverse arrive, and leave no index behind`() throws {
    try withHop(nil, relationships: ["songs": "songs", "picks": "picks"]) { hop in
      let columns = "Z_PK, Z1SONGS, Z1PICKS, Z_FOK_1PICKS"
      let before = try hop.rows("SELECT \(columns) FROM old.ZSONG ORDER BY Z_PK")
      let after = try hop.rows("SELECT \(columns) FROM main.ZSONG ORDER BY Z_PK")
      #expect(before == after)
      #expect(before.contains { !$0[2].isNull })
      let covers = try hop.rows(
        "SELECT COUNT(*) FROM main.ZALBUM a JOIN old.ZALBUM b USING (Z_PK)"
          + " WHERE a.ZCOVER IS b.ZCOVER"
      )
      #expect(covers == [[300]])
      let left = try hop.rows("SELECT name FROM main.sqlite_master WHERE name LIKE 'waystone%'")
      #expect(left.isEmpty)
    }
  }
}
