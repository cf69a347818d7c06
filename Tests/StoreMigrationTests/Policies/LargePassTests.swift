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

  /// Looks at what there is while its rows are being written.
  final class Counting: EntityMigrationPolicy {
    private var made = 0
    override var state: State { .inMemory }

    override func createDestinationInstances(
      forSource sInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      if made % 37 == 0 {
        var seen = 0
        try manager.destinationContext.forEach(entityName: "Song", predicate: nil) { object in
          seen += 1
          // Rows that are read stay where they are when more is made meanwhile.
          if seen == made, made == 370 {
            for _ in 0..<200 {
              try manager.createDefaultInstance(forSource: sInstance)
            }
          }
          return true
        }
        #expect(seen >= made)
        if made < 370 { #expect(seen == made) }
      }
      try manager.createDefaultInstance(forSource: sInstance)
      made += 1
    }
  }

  private func withHop(
    _ policy: String?,
    relationships: [String: String] = [:],
    prepare: (PolicyHop) throws -> Void = { _ in },
    onFailure: (PolicyHop) throws -> Void = { _ in },
    _ body: (PolicyHop) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      try StoreGenerator(model: model, rowCounts: ["Song": 900, "Album": 300], seed: 8)
        .write(to: folder + "/before.sqlite")
      var registry = MigrationRegistry()
      registry.register(Holding.self)
      registry.register(Counting.self)
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
      try prepare(hop)
      do { try hop.run() } catch {
        try onFailure(hop)
        throw error
      }
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

  @Test func `what a policy asks of the destination has all that was made before`() throws {
    try withHop("Counting") { hop in
      #expect(try hop.rows("SELECT COUNT(*) FROM main.ZSONG") == [[1100]])
      let lost = try hop.rows(
        "SELECT COUNT(*) FROM old.ZSONG a LEFT JOIN main.ZSONG b USING (Z_PK)"
          + " WHERE a.ZTITLE IS NOT b.ZTITLE OR a.ZWORD IS NOT b.ZWORD"
      )
      #expect(lost == [[0]])
    }
  }

  @Test func `a row that cannot be written ends the pass, and none behind it is written`() throws {
    var written: [[SQLiteValue]] = []
    let error = #expect(throws: SQLiteError.self) {
      try withHop(
        nil,
        prepare: { hop in
          // The row of key 300, and no other.
          try hop.database.connection.execute(
            "CREATE UNIQUE INDEX main.refusing ON ZSONG (1) WHERE Z_PK IN (299, 300)"
          )
        },
        onFailure: { hop in written = try hop.rows("SELECT MAX(Z_PK) FROM main.ZSONG") }
      ) { _ in }
    }
    #expect(error?.code == .constraint)
    #expect(written == [[299]])
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
