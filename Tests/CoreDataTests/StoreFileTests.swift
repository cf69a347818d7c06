#if os(Linux)
  import CoreData
  import Files
  import MigrationTestSupport
  import StoreAccess
  import StoreGeneration
  import Testing

  /// The files of stores: what is left beside them, and stores that are opened, moved and removed.
  @Suite struct StoreFileTests {
    static let sketch = "Note { title: String?; data: Binary? external }"
    private static let blob = "8A3F1C52-7B0E-4B9D-9A56-0C1D2E3F4A5B"

    private func insert(_ title: String, _ context: NSManagedObjectContext) {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
      note.setValue(title, forKey: "title")
    }

    /// Puts a file among the large values of the store of a name.
    private func write(_ text: String, _ app: AppFolder, _ stem: String) throws -> String {
      let folder = app.url.path + "/.\(stem)_SUPPORT/_EXTERNAL_DATA"
      try FileSystem.ensureFolders(folder)
      try AtomicFile.write(text, to: "\(folder)/\(Self.blob)")
      return "\(folder)/\(Self.blob)"
    }

    @Test func `without a store a save fails, and so it does when the store was removed`() throws {
      try AppFolder.with(Self.sketch) { app in
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: try app.newest())
        container.persistentStoreDescriptions = [
          NSPersistentStoreDescription(url: app.url.appendingPathComponent("no/\u{0}.sqlite"))
        ]
        container.loadPersistentStores { #expect($1 != nil) }
        insert("a", container.viewContext)
        #expect(container.viewContext.hasChanges)
        #expect(cocoaCode { try container.viewContext.save() } == NSPersistentStoreOpenError)
        let other = try app.container(app.newest())
        insert("b", other.viewContext)
        let coordinator = other.persistentStoreCoordinator
        try coordinator.remove(coordinator.persistentStores[0])
        #expect(other.viewContext.hasChanges)
        #expect(cocoaCode { try other.viewContext.save() } == NSPersistentStoreOpenError)
        other.viewContext.reset()
        #expect(!other.viewContext.hasChanges)
      }
    }

    @Test func `a store is not moved under changes that are not saved`() throws {
      try AppFolder.with(Self.sketch) { app in
        let container = try app.container(app.newest())
        insert("a", container.viewContext)
        let coordinator = container.persistentStoreCoordinator
        let url = app.url.appendingPathComponent("Moved.sqlite")
        func move() throws {
          try coordinator.migratePersistentStore(
            coordinator.persistentStores[0],
            to: url,
            withType: NSSQLiteStoreType
          )
        }
        #expect(cocoaCode(move) == NSPersistentStoreOperationError)
        try container.viewContext.save()
        // A copy that was killed left a part of a large value, and a log without its store.
        _ = try write("whole", app, "Notes")
        let part = try write("wh", app, "Moved")
        try AtomicFile.write("stale", to: url.path + "-journal")
        try move()
        #expect(try FileSystem.size(of: part) == 5)
        #expect(try !FileSystem.exists(url.path + "-journal"))
        #expect(
          try container.viewContext.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
            == 1
        )
      }
    }

    @Test func `a new store takes nothing from the log of one that is gone`() throws {
      try AppFolder.with(Self.sketch) { app in
        try app.generate(version: 1, rows: 3)
        do {
          let writer = try AppDatabase(app.store.path)
          try writer.execute("PRAGMA journal_mode = WAL; UPDATE ZNOTE SET ZTITLE = 'stale'")
          try FileSystem.copy(app.store.path + "-wal", toNewFile: app.store.path + "-kept")
        }
        _ = try FileSystem.remove(app.store.path)
        try FileSystem.rename(app.store.path + "-kept", to: app.store.path + "-wal")
        let context = try app.container(app.newest()).viewContext
        insert("new", context)
        try context.save()
        #expect(try app.rows("SELECT ZTITLE FROM ZNOTE") == [[.text("new")]])
      }
    }

    @Test func `the large values of another store of the same stem stay`() throws {
      try AppFolder.with(Self.sketch) { app in
        let other = app.url.appendingPathComponent("Notes.db")
        for path in [app.store.path, other.path] {
          try StoreGenerator(model: app.versions[0], rows: 1, seed: 1).write(to: path)
        }
        let blob = try write("blob", app, "Notes")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try app.newest())
        try coordinator.destroyPersistentStore(at: app.store, ofType: NSSQLiteStoreType)
        #expect(try FileSystem.exists(blob) && !FileSystem.exists(app.store.path))
        try coordinator.destroyPersistentStore(at: other, ofType: NSSQLiteStoreType)
        #expect(try !FileSystem.exists(blob))
      }
    }

    @Test func `a context of a store that was migrated meanwhile is not made`() throws {
      try AppFolder.with(
        "Folder { name: String? }",
        "Alpha { x: String? } Folder { name: String? }"
      ) {
        app in
        let old = try app.container(app.model(1))
        let newer = app.url.appendingPathComponent("newer.sqlite").path
        try StoreGenerator(model: app.versions[1], rows: 1, seed: 1).write(to: newer)
        try AppDatabase(app.store.path).execute(
          "ATTACH '\(newer)' AS n; CREATE TABLE MORE (A);"
            + " UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM n.Z_METADATA)"
        )
        let context = old.newBackgroundContext()
        _ = NSEntityDescription.insertNewObject(forEntityName: "Folder", into: context)
        #expect(cocoaCode { try context.save() } == NSPersistentStoreIncompatibleVersionHashError)
      }
    }

    @Test func `a history that begins while the store is open ends its saves`() throws {
      try AppFolder.with(Self.sketch) { app in
        let context = try app.container(app.newest()).viewContext
        insert("a", context)
        try context.save()
        try AppDatabase(app.store.path).execute(
          "CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)"
        )
        insert("b", context)
        #expect(cocoaCode { try context.save() } == NSPersistentStoreSaveError)
        #expect(try app.rows("SELECT COUNT(*) FROM ZNOTE") == [[.integer(1)]])
      }
    }

    @Test(
      arguments: [
        ("UPDATE ZNOTE SET Z_OPT = 9223372036854775807", true),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807", true),
        ("UPDATE ZNOTE SET Z_PK = -1", false),
        ("CREATE TABLE Z_RT_Note_place (A)", false),
      ]
    )
    func `numbers without room and indexes of places are refused`(_ script: String, _ isOpen: Bool)
      throws
    {
      try AppFolder.with(Self.sketch) { app in
        try app.generate(version: 1, rows: 1)
        try AppDatabase(app.store.path).execute(script)
        let before = try app.rows("SELECT * FROM ZNOTE")
        let container = try app.container(app.newest())
        #expect(container.persistentStoreCoordinator.persistentStores[0].isReadOnly == !isOpen)
        let context = container.viewContext
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        try context.fetch(request).first?.setValue("x", forKey: "title")
        insert("y", context)
        #expect(cocoaCode { try context.save() } != nil)
        #expect(try app.rows("SELECT * FROM ZNOTE") == before)
      }
    }
  }
#endif
