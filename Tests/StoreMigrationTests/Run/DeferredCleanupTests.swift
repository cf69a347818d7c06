import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import StoreVerification
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Columns, tables and indexes that go are left for later, and then removed.
@Suite struct DeferredCleanupTests {
  static let versions = [
    """
    Note { title: String; draft: String?; size: Int32?; folder -> Folder.notes; unique title }
    Folder { name: String?; notes ->> Note.folder }
    Zebra { stripes: Int16? }
    """,
    // The draft goes, and Zebra with its table.
    """
    Note { title: String; size: Int32?; folder -> Folder.notes; unique title }
    Folder { name: String?; notes ->> Note.folder }
    """,
    // The size goes, the constraint too, and a draft is new.
    """
    Note { title: String; draft: Binary?; folder -> Folder.notes }
    Folder { name: String?; notes ->> Note.folder }
    """,
  ]

  /// A store on its way through the versions.
  struct Walk {
    let folder: String
    let store: String
    let graph: VersionGraph

    init(_ folder: String, _ sketches: [String] = versions, makesStore: Bool = true) throws {
      let versions = try sketches.enumerated().map {
        ModelVersion(modelName: "M", name: "v\($0 + 1)", model: try ModelSketch.model($1))
      }
      self.folder = folder
      store = folder + "/store.sqlite"
      graph = VersionGraph(VersionedModel(name: "M", versions: versions))
      guard makesStore else { return }
      try StoreGenerator(model: versions[0].model, rows: 60, seed: 5).write(to: store)
    }

    func migrator(
      from first: String,
      to last: String,
      _ configure: (inout MigrationOptions) -> Void = { _ in }
    ) throws -> StoreMigrator {
      let plan = try MigrationPlanner(graph: graph).plan(
        from: try #require(graph.node(named: first)),
        to: try #require(graph.node(named: last)),
        options: .walking
      )
      var options = MigrationOptions()
      configure(&options)
      return StoreMigrator(plan: plan, options: options)
    }

    @discardableResult
    func migrate(
      _ first: String,
      _ last: String,
      defers: Bool,
      output: String? = nil
    ) throws -> MigrationOutcome {
      try migrator(from: first, to: last) {
        $0.settings.defersCleanup = defers
        $0.output = output
      }.migrate(store)
    }

    func finisher(
      at version: String,
      onEvent: @escaping @Sendable (MigrationEvent) -> Void = { _ in }
    ) throws -> StoreMigrator {
      try migrator(from: version, to: version) {
        $0.settings.finishesCleanup = true
        $0.onEvent = onEvent
      }
    }

    func schema(_ name: String) throws -> PhysicalSchema {
      PhysicalSchema(model: try #require(graph.node(named: name)).version.model)
    }

    /// The contents of a store beyond its version, and whether its metadata marks them.
    func state(_ path: String, _ version: String) throws -> (names: [String], isPending: Bool) {
      let store = try PersistentStore(reading: path)
      let real = try StoreSchema(of: store.connection)
      let comparison = SchemaComparison(predicted: try schema(version), real: real)
      return (
        Leftovers(comparison).names + comparison.extraIndexes.sorted(),
        store.metadata.isCleanupPending
      )
    }

    func digest(_ path: String, _ version: String) throws -> LogicalDigest {
      let store = try PersistentStore(reading: path)
      return try LogicalDigest(of: store.connection, schema: try schema(version), externalData: "")
    }

    func verify(_ path: String, _ version: String) throws -> VerificationReport {
      let store = try PersistentStore(reading: path)
      return try StoreVerifier.verify(
        store.connection,
        database: "main",
        schema: try schema(version),
        level: .full
      )
    }
  }

  func walk(_ body: (Walk) throws -> Void) throws {
    try TemporaryFolder.with { try body(Walk($0)) }
  }

  @Test func `what goes is left, marked and removed by finish`() throws {
    try walk { walk in
      try walk.migrate("v1", "v2", defers: false, output: walk.folder + "/whole.sqlite")
      let outcome = try walk.migrate("v1", "v2", defers: true)
      #expect(outcome.notes == ["left for `waystone finish`: ZNOTE.ZDRAFT, ZZEBRA"])
      #expect(try walk.state(walk.store, "v2") == (["ZNOTE.ZDRAFT", "ZZEBRA"], true))
      let digest = try walk.digest(walk.folder + "/whole.sqlite", "v2")
      #expect(try walk.digest(walk.store, "v2") == digest)
      let report = try walk.verify(walk.store, "v2")
      #expect(report.passed && report.warnings.map(\.name) == ["leftovers"])
      // An app goes on writing.
      try SketchedStore.damage(
        walk.store,
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (900, 2, 1, 'new');"
          + "UPDATE Z_PRIMARYKEY SET Z_MAX = 900 WHERE Z_NAME = 'Note'"
      )
      let before = try walk.digest(walk.store, "v2")
      let finished = try walk.finisher(at: "v2").migrate(walk.store)
      #expect(finished.notes == ["removed: ZNOTE.ZDRAFT, ZZEBRA"])
      #expect(try walk.state(walk.store, "v2") == ([], false))
      #expect(try walk.digest(walk.store, "v2") == before)
      #expect(try walk.verify(walk.store, "v2").warnings.isEmpty)
      try StoreMigrator.rollback(walk.store)
      #expect(try walk.state(walk.store, "v2").isPending)
    }
  }

  @Test func `a name that is wanted, and an index that would refuse rows, are not left`() throws {
    try walk { walk in
      try walk.migrate("v1", "v2", defers: true)
      try walk.migrate("v2", "v3", defers: true)
      // The old draft made place for the new one; the size waits beside Zebra.
      #expect(try walk.state(walk.store, "v3") == (["ZNOTE.ZSIZE", "ZZEBRA"], true))
      try SketchedStore.damage(walk.store, "UPDATE ZNOTE SET ZTITLE = 'same'")
    }
  }

  @Test func `the next migration finishes what it does not leave`() throws {
    try walk { walk in
      try walk.migrate("v1", "v3", defers: false, output: walk.folder + "/whole.sqlite")
      try walk.migrate("v1", "v2", defers: true)
      try walk.migrate("v2", "v3", defers: false)
      #expect(try walk.state(walk.store, "v3") == ([], false))
      let digest = try walk.digest(walk.folder + "/whole.sqlite", "v3")
      #expect(try walk.digest(walk.store, "v3") == digest)
    }
  }

  @Test func `all hops of a plan leave what they can`() throws {
    try walk { walk in
      try walk.migrate("v1", "v3", defers: true)
      #expect(try walk.state(walk.store, "v3").isPending)
      _ = try walk.finisher(at: "v3").migrate(walk.store)
      #expect(try walk.state(walk.store, "v3") == ([], false))
    }
  }

  @Test func `a copy keeps what is left, and an index alone is marked too`() throws {
    try TemporaryFolder.with { folder in
      let walk = try Walk(folder, ["A { s: String?; n: Int16? }", "A { s: String?; m: Int16? }"])
      try SketchedStore.damage(walk.store, "CREATE INDEX ZA_ZS_INDEX ON ZA (ZS)")
      try walk.migrate("v1", "v2", defers: true)
      #expect(try walk.state(walk.store, "v2") == (["ZA.ZN", "ZA_ZS_INDEX"], true))
      try walk.migrate("v2", "v2", defers: false, output: folder + "/copy.sqlite")
      #expect(try walk.state(folder + "/copy.sqlite", "v2").isPending)
      _ = try walk.finisher(at: "v2").migrate(walk.store)
      #expect(try walk.state(walk.store, "v2") == ([], false))
    }
  }

  @Test func `a hop that writes anew leaves nothing and says so`() throws {
    try TemporaryFolder.with { folder in
      // The subentity's rows go, so that the table is written anew.
      let walk = try Walk(
        folder,
        ["A { s: String?; n: Int16? } B : A { t: Date? }", "A { s: String? }"]
      )
      let outcome = try walk.migrate("v1", "v2", defers: true)
      #expect(outcome.notes.contains { $0.hasPrefix("no column or table is left for later") })
      #expect(try walk.state(walk.store, "v2") == ([], false))
    }
  }

  private static let own =
    "ALTER TABLE ZNOTE ADD COLUMN ZOWN TEXT; UPDATE ZNOTE SET ZOWN = 'mine' WHERE Z_PK <= 3"

  @Test func `a column of the app's own is no part of what was left`() throws {
    try walk { walk in
      try walk.migrate("v1", "v2", defers: true)
      try SketchedStore.damage(walk.store, Self.own)
      #expect(try !walk.verify(walk.store, "v2").passed)
      for defers in [false, true] {
        let error = #expect(throws: MigrationError.self) {
          try walk.migrate("v2", "v3", defers: defers)
        }
        #expect(error?.code == .refused && error?.message.contains("ZNOTE.ZOWN") == true)
      }
      // The cleanup removes what was left, and nothing else.
      let finished = try walk.finisher(at: "v2").migrate(walk.store)
      #expect(finished.notes.contains("removed: ZNOTE.ZDRAFT, ZZEBRA"), "\(finished.notes)")
      #expect(finished.notes.contains { $0.hasPrefix("kept") && $0.hasSuffix("ZNOTE.ZOWN") })
      #expect(try walk.state(walk.store, "v2") == (["ZNOTE.ZOWN"], false))
      let store = try PersistentStore(reading: walk.store)
      #expect(try store.connection.count("SELECT COUNT(ZOWN) FROM ZNOTE") == 3)
    }
  }

  @Test func `columns of a cleanup that names nothing are asked for`() throws {
    try walk { walk in
      try walk.migrate("v1", "v2", defers: true)
      do {
        // As Core Data marks its own.
        let connection = try SQLiteConnection(path: walk.store, access: .readWrite)
        var metadata = try StoreMetadata(reading: connection)
        metadata.others[StoreMetadata.leftoversKey] = nil
        try metadata.write(to: connection)
      }
      #expect(try walk.state(walk.store, "v2").isPending)
      let error = #expect(throws: MigrationError.self) {
        try walk.migrate("v2", "v3", defers: false)
      }
      #expect(error?.code == .refused && error?.message.contains("ZNOTE.ZDRAFT") == true)
    }
  }

  @Test func `columns that nobody left are still an error`() throws {
    try walk { walk in
      try walk.migrate("v1", "v2", defers: false)
      try SketchedStore.damage(walk.store, "ALTER TABLE ZNOTE ADD COLUMN ZEXTRA INTEGER")
      #expect(try !walk.verify(walk.store, "v2").passed)
    }
  }

  @Test func `a cleanup survives a kill at every step`() async throws {
    let folder = try ScratchFolder()
    let walk = try Walk(folder.path)
    try walk.migrate("v1", "v2", defers: true)
    let digest = try walk.digest(walk.store, "v2")
    let rehearsal = try folder.copy(walk.store, as: "rehearsal.sqlite")
    let events = try KillPoint.record { onEvent in
      _ = try walk.finisher(at: "v2", onEvent: onEvent).migrate(rehearsal)
    }
    #expect(events.count > 8)
    for index in events.indices {
      let store = try folder.copy(walk.store, as: "killed-\(index).sqlite")
      await #expect(processExitsWith: .signal(SIGKILL), "at \(events[index])") {
        [store = store as String, index = index as Int] in
        let walk = try Walk("", makesStore: false)
        _ = try walk.finisher(at: "v2", onEvent: KillPoint.killer(at: index)).migrate(store)
      }
      #expect(try walk.digest(store, "v2") == digest)
      let isPending = try walk.state(store, "v2").isPending
      let journal = try CheckpointJournal(path: store + ".waystone/journal.ndjson")
      if journal.run == nil {
        _ = try walk.finisher(at: "v2").migrate(store)
      } else if !journal.isFinished {
        _ = try walk.finisher(at: "v2").resume(store)
      } else {
        #expect(!isPending)
      }
      #expect(try walk.state(store, "v2") == ([], false), "resumed after \(events[index])")
      #expect(try walk.digest(store, "v2") == digest)
    }
  }
}
