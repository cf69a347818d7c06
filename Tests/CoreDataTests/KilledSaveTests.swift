#if os(Linux)
  import CoreData
  import Glibc
  import MigrationTestSupport
  import StoreAccess
  import Testing

  /// Processes that are killed while they save.
  @Suite(.serialized) struct KilledSaveTests {
    static let sketch =
      "Item { number: Int64; group -> Group.items } Group { items ->> Item.group }"

    /// Saves again and again, ten items and their group each time, and dies after some microseconds.
    static func saveUntilKilled(_ models: String, _ store: String, after delay: UInt32) throws {
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

    @Test func `leave whole saves alone`() async throws {
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
      var random = SeededGenerator(seed: 7)
      var saved: Int64 = 0
      for _ in Trials.some(of: 36) {
        let delay = UInt32.random(in: 1000...60_000, using: &random)
        await #expect(processExitsWith: .signal(SIGKILL)) {
          [
            models = models.path as String, store = app.store.path as String,
            delay = delay as UInt32
          ] in
          try KilledSaveTests.saveUntilKilled(models, store, after: delay)
        }
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
      #expect(saved > 0)
    }
  }
#endif
