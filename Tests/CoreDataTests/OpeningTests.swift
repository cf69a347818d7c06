#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import StoreMigration
  import Testing

  /// Stores of older versions, opened as apps open them: the listings of every tutorial.
  @Suite struct OpeningTests {
    static let first = """
      Flight { number: String; payload: String?; stars: Int16? }
      Aircraft { name: String; flight -> Flight }
      """
    static let second = """
      Flight { number: String; payload: String?; stars: Int16?; pilot: String? }
      Aircraft { name: String; tail: String?; flight -> Flight }
      """
    static let third = """
      Flight { number: String; stars: Int16?; pilot: String?; note: String? }
      Aircraft { name: String; tail: String?; flight -> Flight }
      """

    private func expectMigrated(_ app: AppFolder, _ before: [[SQLiteValue]]) throws {
      #expect(
        try app.rows("SELECT Z_PK, ZNUMBER, ZSTARS FROM ZFLIGHT ORDER BY 1") == before
      )
      #expect(before.count > 5)
      try app.expectSound()
    }

    private static let kept = "SELECT Z_PK, ZNUMBER, ZSTARS FROM ZFLIGHT ORDER BY 1"

    /// The stack of an app delegate.
    final class AppDelegate {
      let models: Bundle
      let url: URL
      var failure: (any Error)?

      init(_ app: AppFolder) throws {
        models = try #require(Bundle(path: app.url.path))
        url = app.store
      }

      lazy var persistentContainer: NSPersistentContainer = {
        guard let model = NSManagedObjectModel.mergedModel(from: [models]) else {
          fatalError("the models are not beside the program")
        }
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
        container.persistentStoreDescriptions.first?.url = url
        container.loadPersistentStores(completionHandler: { storeDescription, error in
          if let error = error as NSError? { self.failure = error }
        })
        return container
      }()

      func saveContext() throws {
        let context = persistentContainer.viewContext
        if context.hasChanges { try context.save() }
      }
    }

    @Test func `a container in an app delegate migrates, reads and saves`() throws {
      try AppFolder.with(Self.first, Self.second, Self.third) { app in
        try app.generate(version: 1, rows: 40)
        let before = try app.rows(Self.kept)
        try {
          let delegate = try AppDelegate(app)
          let context = delegate.persistentContainer.viewContext
          #expect(delegate.failure == nil)
          let request = NSFetchRequest<NSManagedObject>(entityName: "Flight")
          request.predicate = NSPredicate(format: "stars > %d", 0)
          let wanted = try app.rows("SELECT COUNT(*) FROM ZFLIGHT WHERE ZSTARS > 0")
          #expect(try [[.integer(Int64(context.count(for: request)))]] == wanted)
          let plane = NSManagedObject(
            entity: try #require(
              NSEntityDescription.entity(forEntityName: "Aircraft", in: context)
            ),
            insertInto: context
          )
          plane.setValue("new", forKey: "name")
          try delegate.saveContext()
        }()
        #expect(
          try app.rows("SELECT COUNT(*) FROM ZAIRCRAFT WHERE ZNAME = 'new'") == [[.integer(1)]]
        )
        try expectMigrated(app, before)
        let workspace = app.store.path + ".waystone"
        #expect(!TemporaryFolder.names(in: workspace).isEmpty, "the original is kept")
      }
    }

    @Test func `without the options a store of another version is refused as by Core Data`() throws
    {
      try AppFolder.with(Self.first, Self.second) { app in
        try app.generate(version: 1, rows: 10)
        let before = TemporaryFolder.bytes(of: app.store.path)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try app.newest())
        let code = cocoaCode {
          try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType,
            configurationName: nil,
            at: app.store
          )
        }
        #expect(code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(TemporaryFolder.bytes(of: app.store.path) == before)
        #expect(
          cocoaCode { _ = try app.container(app.newest()) { $0.isReadOnly = true } }
            == NSPersistentStoreIncompatibleVersionHashError
        )
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
          ofType: NSSQLiteStoreType,
          at: app.store
        )
        let isOld = try app.model(1)
          .isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        let isNew = try app.newest()
          .isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        #expect(isOld && !isNew)
        let none = app.url.appendingPathComponent("none.sqlite")
        #expect(
          cocoaCode {
            _ = try NSPersistentStoreCoordinator.metadataForPersistentStore(
              ofType: NSSQLiteStoreType,
              at: none
            )
          } == CocoaError.fileReadNoSuchFile.rawValue
        )
        // Inferring is not allowed, and there is no mapping model.
        #expect(
          cocoaCode {
            _ = try app.container(app.newest()) { $0.shouldInferMappingModelAutomatically = false }
          } == NSMigrationMissingMappingModelError
        )
        #expect(TemporaryFolder.bytes(of: app.store.path) == before)
      }
    }

    /// Migrates a store version by version, each into a temporary file, as tutorials do.
    struct ProgressiveMigration {
      let models: Bundle

      func migrateStoreAt(URL storeURL: URL, versions: [NSManagedObjectModel]) throws -> Int {
        var steps = 0
        while true {
          let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType,
            at: storeURL,
            options: nil
          )
          guard
            let current = NSManagedObjectModel.mergedModel(
              from: [models],
              forStoreMetadata: metadata
            ),
            let index = versions.firstIndex(where: {
              $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            })
          else { throw CocoaError(.featureUnsupported) }
          guard index + 1 < versions.count else { return steps }
          let next = versions[index + 1]
          let mapping =
            try NSMappingModel(
              from: [models],
              forSourceModel: current,
              destinationModel: next
            )
            ?? NSMappingModel.inferredMappingModel(forSourceModel: current, destinationModel: next)
          let manager = NSMigrationManager(sourceModel: current, destinationModel: next)
          let temporary = storeURL.deletingLastPathComponent()
            .appendingPathComponent("step-\(steps).sqlite")
          try manager.migrateStore(
            from: storeURL,
            sourceType: NSSQLiteStoreType,
            options: nil,
            with: mapping,
            toDestinationURL: temporary,
            destinationType: NSSQLiteStoreType,
            destinationOptions: nil
          )
          let coordinator = NSPersistentStoreCoordinator(managedObjectModel: next)
          try coordinator.replacePersistentStore(
            at: storeURL,
            destinationOptions: nil,
            withPersistentStoreFrom: temporary,
            sourceOptions: nil,
            ofType: NSSQLiteStoreType
          )
          try coordinator.destroyPersistentStore(
            at: temporary,
            ofType: NSSQLiteStoreType,
            options: nil
          )
          steps += 1
        }
      }
    }

    @Test func `a migration manager walks the versions by hand`() throws {
      try AppFolder.with(Self.first, Self.second, Self.third) { app in
        try app.generate(version: 1, rows: 40)
        let before = try app.rows(Self.kept)
        let migration = ProgressiveMigration(models: try #require(Bundle(path: app.url.path)))
        let versions = try (1...3).map { try app.model($0) }
        #expect(try migration.migrateStoreAt(URL: app.store, versions: versions) == 2)
        try expectMigrated(app, before)
        #expect(
          TemporaryFolder.names(in: app.url.path) == ["Notes.sqlite", "Notes.xcdatamodeld"]
        )
      }
    }

    @Test func `a mapping model beside the models is found, and its policy runs`() throws {
      try AppFolder.with(Self.first, Self.third) { app in
        try app.generate(version: 1, rows: 40)
        let before = try app.rows(
          "SELECT Z_PK, ZNUMBER, ZSTARS, 'from ' || ZPAYLOAD FROM ZFLIGHT ORDER BY 1"
        )
        let hop = """
          from: Notes/v1
          to: Notes/v2
          entities:
            - source: Flight
              policy: CoreDataTests.NotePolicy
          """
        try hop.write(
          to: app.url.appendingPathComponent("v1-v2.hop.yml"),
          atomically: true,
          encoding: .utf8
        )
        let (first, last) = try (app.model(1), app.model(2))
        let bundle = try #require(Bundle(path: app.url.path))
        let mapping = try #require(
          NSMappingModel(
            from: [bundle],
            forSourceModel: first,
            destinationModel: last
          )
        )
        let result = app.url.appendingPathComponent("result.sqlite")
        try NSMigrationManager(sourceModel: first, destinationModel: last).migrateStore(
          from: app.store,
          type: .sqlite,
          mapping: mapping,
          to: result,
          type: .sqlite
        )
        let after = try AppDatabase(result.path).rows(
          "SELECT Z_PK, ZNUMBER, ZSTARS, ZNOTE FROM ZFLIGHT ORDER BY 1"
        )
        #expect(after == before)
        // The same where the store is opened, though nothing may be inferred.
        _ = try app.container(app.newest()) { $0.shouldInferMappingModelAutomatically = false }
        #expect(
          try app.rows("SELECT Z_PK, ZNUMBER, ZSTARS, ZNOTE FROM ZFLIGHT ORDER BY 1") == before
        )
      }
    }

    @Test func `a container without a model reports it, and makes nothing`() throws {
      try TemporaryFolder.with { folder in
        let container = NSPersistentContainer(name: "Nowhere")
        let url = URL(fileURLWithPath: folder + "/Nowhere.sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: NSError?
        container.loadPersistentStores { failure = $1 as NSError? }
        #expect(failure?.code == NSPersistentStoreOpenError)
        #expect(TemporaryFolder.names(in: folder).isEmpty)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        #expect(
          cocoaCode { _ = try container.viewContext.fetch(request) } == NSPersistentStoreOpenError
        )
      }
    }

    @Test func `stores can be copied, moved and made for the program alone`() throws {
      try AppFolder.with(Self.first) { app in
        try app.generate(version: 1, rows: 20)
        let rows = try app.rows(Self.kept)
        let container = try app.container(app.newest())
        let coordinator = container.persistentStoreCoordinator
        let copy = app.url.appendingPathComponent("copy.sqlite")
        #expect(
          cocoaCode {
            try coordinator.destroyPersistentStore(at: app.store, ofType: NSSQLiteStoreType)
          } == NSPersistentStoreOperationError
        )
        try coordinator.migratePersistentStore(
          coordinator.persistentStores[0],
          to: copy,
          options: nil,
          withType: NSSQLiteStoreType
        )
        #expect(coordinator.persistentStores[0].url == copy)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Flight")
        #expect(try container.viewContext.count(for: request) == rows.count)
        #expect(try AppDatabase(copy.path).rows(Self.kept) == rows)
        // External files go with the store.
        let files = app.url.appendingPathComponent(".copy_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        try Data([1, 2]).write(to: files.appendingPathComponent("A"))
        try coordinator.replacePersistentStore(
          at: app.store,
          withPersistentStoreFrom: copy,
          ofType: NSSQLiteStoreType
        )
        let file = app.url.path + "/.Notes_SUPPORT/_EXTERNAL_DATA/A"
        #expect(TemporaryFolder.bytes(of: file) == [1, 2])
        #expect(try app.rows(Self.kept) == rows)
        try coordinator.destroyPersistentStore(at: app.store, ofType: NSSQLiteStoreType)
        #expect(
          TemporaryFolder.names(in: app.url.path).filter { $0.contains("Notes") }
            == ["Notes.xcdatamodeld"]
        )
        let memory = NSPersistentStoreCoordinator(managedObjectModel: try app.newest())
        try memory.addPersistentStore(
          ofType: NSInMemoryStoreType,
          configurationName: nil,
          at: nil
        )
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = memory
        let flight = NSEntityDescription.insertNewObject(forEntityName: "Flight", into: context)
        flight.setValue("1", forKey: "number")
        try context.save()
        #expect(try context.count(for: request) == 1)
      }
    }
  }

  /// Carries what the version drops, found by the name of its module and its own.
  final class NotePolicy: NSEntityMigrationPolicy {
    override func createDestinationInstances(
      forSource sInstance: NSManagedObject,
      in mapping: NSEntityMapping,
      manager: NSMigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
      let made = manager.destinationInstances(
        forEntityMappingName: mapping.name,
        sourceInstances: [sInstance]
      )
      guard let payload = sInstance.value(forKey: "payload") as? String else { return }
      made.first?.setValue("from \(payload)", forKey: "note")
    }
  }
#endif
