import Files
import MigrationTestSupport
import ModelCoding
import ModelImport
import ObjectModel
import StoreAccess
import StoreGeneration
import Testing

@Suite struct StoreGeneratorTests {
  /// Makes a store and returns what is wrong with it.
  private func problems(
    _ model: ManagedObjectModel,
    rows: Int,
    seed: UInt64,
    in folder: String
  ) throws -> [String] {
    let path = "\(folder)/\(rows)-\(seed).sqlite"
    try StoreGenerator(model: model, rows: rows, seed: seed).write(to: path)
    return try StoreAudit(path, model: model).problems
  }

  @Test(arguments: ["Letters", "Notes"], ["v1", "v2", "v3", "v4"])
  func `stores of the sample models obey them`(name: String, version: String) throws {
    let model = try SampleArchive.version(name, version).model
    try TemporaryFolder.with { folder in
      for (rows, seed) in [(0, 1), (1, 2), (7, 3), (50, 4), (1000, 5), (3001, 6)] {
        let found = try problems(model, rows: rows, seed: UInt64(seed), in: folder)
        #expect(found == [], "\(rows) rows, seed \(seed)")
      }
    }
  }

  @Test func `every kind of link is there`() throws {
    let model = try SampleArchive.version("Letters", "v4").model
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try StoreGenerator(model: model, rows: 700, seed: 1).write(to: path)
      let audit = try StoreAudit(path, model: model)
      let counts = audit.linkCounts
      #expect(counts["Letter.topics"] ?? 0 > 100)
      #expect(counts["Letter.recipients"] ?? 0 > 100)
      #expect(counts["Letter.sender"] ?? 0 > 50)
      #expect(counts["Enclosure.letter"] ?? 0 > 50)
      let shared = try audit.connection.integer(
        "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM ZENCLOSURE GROUP BY ZLETTER)"
      )
      #expect(shared ?? 0 > 2)
      let missing = try audit.connection.integer(
        "SELECT COUNT(*) FROM ZLETTER WHERE ZSENDER IS NULL"
      )
      #expect(missing ?? 0 > 0)
      let kinds = try audit.connection.integer(
        "SELECT COUNT(DISTINCT Z2_SENDER) FROM ZLETTER"
      )
      #expect(kinds == 2)
    }
  }

  /// Shapes that the sample models do not have.
  @Test(arguments: [
    "A { b -> B.a; n: Int16 } B { a -> A.b }",
    "A { b -> B.a required } B { a -> A.b }",
    "A { spouse -> A.spouse } B { x: String? }",
    "A { next -> A.previous; previous -> A.next }",
    "A { friends ->> A.friends } B { x: Date }",
    "A { bs ->> B.as ordered } B { as ->> A.bs ordered }",
    "A { bs ->> B.as required max 3 } B { as ->> A.bs max 9 }",
    "A { bs ->> B } B { x: Double? }",
    "A { bs ->> B ordered } B { b -> B }",
    "A { bs ->> B.a required ordered } B { a -> A.bs required }",
    "A { bs ->> B.a max 2 } B { a -> A.bs }",
    "abstract A { c -> C.as } B : A { x: Float } D : B { y: Decimal } C { as ->> A.c ordered }",
    "A { n: Int32; s: String?; d: Date; unique n; unique s d } B { a -> A }",
    "A { b: Boolean; u: UUID; l: URI?; t: Transformable; e: Binary external }",
  ])
  func `stores of all shapes obey their models`(sketch: String) throws {
    let model = try ModelSketch.model(sketch)
    try TemporaryFolder.with { folder in
      for rows in [0, 1, 2, 3, 16, 17, 64, 998] {
        let seed = UInt64.random(in: 0...UInt64.max)
        let found = try problems(model, rows: rows, seed: seed, in: folder)
        #expect(found == [], "\(rows) rows, seed \(seed)")
      }
    }
  }

  @Test func `one seed gives one store to the byte, and another gives another`() throws {
    let model = try SampleArchive.version("Letters", "v3").model
    try TemporaryFolder.with { folder in
      for (name, seed) in [("a", 7), ("b", 7), ("c", 8)] {
        try StoreGenerator(model: model, rows: 500, seed: UInt64(seed))
          .write(to: "\(folder)/\(name)")
      }
      let bytes = try ["a", "b", "c"].map {
        try #require(TemporaryFolder.bytes(of: "\(folder)/\($0)"))
      }
      #expect(bytes[0] == bytes[1])
      #expect(bytes[0] != bytes[2])
      for suffix in ["-wal", "-shm", "-journal"] {
        #expect(TemporaryFolder.bytes(of: "\(folder)/a\(suffix)") == nil)
      }
    }
  }

  @Test func `a store is what Core Data would make and says which version it is`() throws {
    let version = try SampleArchive.version("Letters", "v2")
    try TemporaryFolder.with { folder in
      let path = folder + "/Letters.sqlite"
      try StoreGenerator(model: version.model, rows: 100, seed: 3).write(to: path)
      let store = try PersistentStore(reading: path)
      let metadata = store.metadata
      #expect(metadata.versionHashes == version.model.entityVersionHashes)
      #expect(metadata.versionHashesDigest == version.model.versionHashesDigest)
      #expect(metadata.versionChecksum == version.model.versionChecksum)
      #expect(metadata.versionIdentifiers == ["2"])
      #expect(metadata.frameworkVersion == StoreGenerator.frameworkVersion)
      #expect(metadata.autoVacuumLevel == "2")
      #expect(metadata.uuid.utf8.count == 36)
      let comparison = SchemaComparison(
        predicted: PhysicalSchema(model: version.model),
        real: try StoreSchema(of: store.connection)
      )
      #expect(comparison.level == .identical)
      #expect(store.header.isWriteAheadLogged)
      let cache = store.modelCache
      let cached = try ModelCache.decode(try #require(cache))
      #expect(cached.model.entityVersionHashes == version.model.entityVersionHashes)
    }
  }

  @Test func `values are awkward`() throws {
    let model = try ModelSketch.model(
      "A { i: Int64; s: String; o: String?; d: Date; e: Binary external; b: Binary }"
    )
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try StoreGenerator(model: model, rows: 4000, seed: 11).write(to: path)
      let connection = try SQLiteConnection(path: path, access: .readOnly)
      for condition in [
        "ZI = -9223372036854775808", "ZI = 9223372036854775807", "ZI = 0", "ZI = -1", "ZS = ''",
        "ZS LIKE '%👩‍👩‍👧‍👦%'", "ZS LIKE '%e\u{301}%'", "length(ZS) > 2000", "ZO IS NULL",
        "ZO IS NOT NULL", "typeof(ZD) = 'integer'", "typeof(ZD) = 'real'", "ZD < 0",
        "ZD = -63114076800", "length(ZE) = 1", "length(ZE) > 4000", "length(ZB) = 0",
      ] {
        #expect(
          try connection.integer("SELECT 1 FROM ZA WHERE \(condition) LIMIT 1") == 1,
          "\(condition)"
        )
      }
      #expect(
        try connection.integer("SELECT COUNT(*) FROM ZA WHERE substr(ZE, 1, 1) <> x'01'") == 0
      )
    }
  }

  @Test func `what lies at the path is never touched`() throws {
    let model = try ModelSketch.model("A { i: Int16 }")
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      try TemporaryFolder.write([1, 2, 3], to: path)
      #expect(throws: StoreAccessError.self) {
        try StoreGenerator(model: model, rows: 1, seed: 1).write(to: path)
      }
      #expect(TemporaryFolder.bytes(of: path) == [1, 2, 3])
    }
  }

  @Test func `a store that cannot be finished is removed`() throws {
    let model = try ModelSketch.model("A { i: Int16; unique i }")
    try TemporaryFolder.with { folder in
      let path = folder + "/a.sqlite"
      #expect(throws: StoreAccessError.self) {
        try StoreGenerator(model: model, rows: 40_000, seed: 1).write(to: path)
      }
      let isThere = try FileSystem.exists(path)
      #expect(!isThere)
    }
  }
}
