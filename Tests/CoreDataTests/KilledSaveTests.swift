#if os(Linux)
  import CoreData
  import Glibc
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import StoreMigration
  import Synchronization
  import Testing

  /// Processes that are killed while they save.
  @Suite(.serialized) struct KilledSaveTests {
    static let sketch =
      "Item { number: Int64; group -> Group.items } Group { items ->> Item.group }"

    /// The model, with a class of the test's own for items.
    private static func model() throws -> ManagedObjectModel {
      let sketch = try ModelSketch.model(sketch)
      return try ManagedObjectModel(
        entities: sketch.entities.map { entity in
          var entity = entity
          if entity.name == "Item" { entity.managedObjectClassName = "MarkedItem" }
          return entity
        }
      )
    }

    /// An item that marks in a file, which outlives the process, that a save writes.
    final class MarkedItem: NSManagedObject {
      /// The descriptor of that file.
      static let file = Atomic<Int32>(-1)

      /// Writes the mark, by a call that a kill cannot cut in two.
      private static func mark(_ text: StaticString) {
        pwrite(file.load(ordering: .relaxed), text.utf8Start, 1, 0)
      }

      /// After this all rows are written in one transaction.
      override func validateForInsert() throws { Self.mark("1") }

      /// Before this the transaction has ended.
      override func didSave() { Self.mark("0") }
    }

    /// Saves again and again, ten items and their group each time, and dies after some microseconds.
    ///
    /// - Parameter mark: The file that has a 1 where it died in a save.
    static func saveUntilKilled(
      _ models: String,
      _ store: String,
      _ mark: String,
      after delay: UInt32
    ) throws {
      MarkedItem.file.store(Glibc.open(mark, O_WRONLY | O_CREAT, 0o600), ordering: .relaxed)
      ManagedObjectClasses.register(MarkedItem.self)
      let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: models)))
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: store))
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      let thread = Thread {
        usleep(delay)
        kill(getpid(), SIGKILL)
      }
      thread.start()
      for round in 0... {
        let group = NSEntityDescription.insertNewObject(forEntityName: "Group", into: context)
        for number in 0..<10 {
          let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
          item.setValue(round * 10 + number, forKey: "number")
          item.setValue(group, forKey: "group")
        }
        try context.save()
      }
    }

    /// Saves a number of groups, each in a transaction of its own.
    static func save(_ count: Int, _ models: String, _ store: String) throws {
      let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: models)))
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.addPersistentStore(type: .sqlite, at: URL(fileURLWithPath: store))
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      for number in 0..<count {
        let group = NSEntityDescription.insertNewObject(forEntityName: "Group", into: context)
        let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
        item.setValue(number, forKey: "number")
        item.setValue(group, forKey: "group")
        try context.save()
      }
    }

    /// Opens a store of an older version, and dies at an event of its migration.
    static func open(_ models: String, _ store: String, dyingAt event: Int) throws {
      let model = try #require(NSManagedObjectModel(contentsOf: URL(fileURLWithPath: models)))
      let count = Atomic<Int>(0)
      var options = MigrationOptions()
      options.onEvent = { _ in
        if count.add(1, ordering: .relaxed).newValue == event { kill(getpid(), SIGKILL) }
      }
      try NSPersistentStoreCoordinator(managedObjectModel: model).addPersistentStore(
        type: .sqlite,
        at: URL(fileURLWithPath: store),
        options: [
          NSMigratePersistentStoresAutomaticallyOption: true,
          NSInferMappingModelAutomaticallyOption: true,
          WaystoneMigrationOptionsKey: WaystoneMigrationOptions(options),
        ]
      )
    }

    @Test(arguments: [(3, "opened"), (12, "opened"), (12, "written"), (12, "refused")])
    func `opening a store goes on with a migration that was killed, or begins it anew`(
      event: Int,
      then: String
    ) async throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("waystone-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let models = folder.appendingPathComponent("Notes.xcdatamodeld")
      let versions = try [OpeningTests.first, OpeningTests.second, OpeningTests.third]
        .map { try ModelSketch.model($0) }
      let app = AppFolder(url: folder, models: models, versions: versions)
      try app.export()
      try app.generate(version: 1, rows: 40)
      let kept = "SELECT Z_PK, ZNUMBER, ZSTARS FROM ZFLIGHT ORDER BY 1"
      var before = try app.rows(kept)
      await #expect(processExitsWith: .signal(SIGKILL)) {
        [models = models.path as String, store = app.store.path as String, event = event as Int] in
        try KilledSaveTests.open(models, store, dyingAt: event)
      }
      #expect(try app.rows(kept) == before)
      if then == "refused" {
        // What this caller does not allow is not done by the run of another one.
        let code = cocoaCode {
          _ = try app.container(app.newest()) { $0.shouldInferMappingModelAutomatically = false }
        }
        #expect(code == NSMigrationMissingMappingModelError)
        #expect(try app.rows(kept) == before)
      }
      if then == "written" {
        // The app's old version was used once more.
        try AppDatabase(app.store.path).execute("UPDATE ZFLIGHT SET ZSTARS = 5 WHERE Z_PK = 1")
        before = try app.rows(kept)
      }
      try {
        let container = try app.container(app.newest())
        let request = NSFetchRequest<NSManagedObject>(entityName: "Flight")
        #expect(try container.viewContext.count(for: request) == before.count)
      }()
      #expect(try app.rows(kept) == before)
      try app.expectSound()
    }

    @Test func `two processes save side by side`() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("waystone-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let models = folder.appendingPathComponent("Notes.xcdatamodeld")
      let app = AppFolder(
        url: folder,
        models: models,
        versions: [try ModelSketch.model(Self.sketch)]
      )
      try app.export()
      let (model, store) = (models.path, app.store.path)
      try Self.save(1, model, store)
      async let other: ExitTest.Result? = #expect(processExitsWith: .success) {
        [model = model as String, store = store as String] in
        try KilledSaveTests.save(100, model, store)
      }
      try Self.save(100, model, store)
      _ = await other
      #expect(
        try app.rows(
          "SELECT COUNT(*), COUNT(DISTINCT i.ZGROUP), MAX(i.Z_PK), MAX(g.Z_PK) FROM ZITEM i"
            + " JOIN ZGROUP g ON g.Z_PK = i.ZGROUP"
        ) == [[.integer(201), .integer(201), .integer(201), .integer(201)]]
      )
      try app.expectSound()
    }

    @Test func `leave whole saves alone`() async throws {
      let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("waystone-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      let models = folder.appendingPathComponent("Notes.xcdatamodeld")
      let app = AppFolder(url: folder, models: models, versions: [try Self.model()])
      try app.export()
      let mark = folder.appendingPathComponent("mark")
      var random = SeededGenerator(seed: 7)
      var saved: Int64 = 0
      // Only kills within a save count.
      let wanted = Trials.areAll ? 200 : 4
      var (kills, hits) = (0, 0)
      while hits < wanted, kills < 4 * wanted {
        kills += 1
        try Data("0".utf8).write(to: mark)
        let delay = UInt32.random(in: 1000...60_000, using: &random)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [
            models = models.path as String, store = app.store.path as String,
            mark = mark.path as String, delay = delay as UInt32
          ] in
          try KilledSaveTests.saveUntilKilled(models, store, mark, after: delay)
        }
        if try Data(contentsOf: mark) == Data("1".utf8) { hits += 1 }
        guard FileManager.default.fileExists(atPath: app.store.path) else { continue }
        let counts = try app.rows(
          "SELECT (SELECT COUNT(*) FROM ZITEM), (SELECT COUNT(*) FROM ZGROUP),"
            + " (SELECT COUNT(*) FROM ZITEM i JOIN ZGROUP g ON g.Z_PK = i.ZGROUP),"
            + " (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Item')"
        )[0].compactMap(\.integer)
        #expect(counts[0] == counts[1] * 10 && counts[2] == counts[0] && counts[3] == counts[0])
        #expect(counts[0] >= saved)
        saved = counts[0]
        try app.expectSound()
      }
      print("\(hits) of \(kills) kills hit a save; \(saved / 10) saves are whole")
      #expect(hits == wanted && saved > 0)
    }
  }
#endif
