#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import StoreAccess
  import Testing

  /// Stores that are migrated by stages when they are opened.
  @Suite struct StagedOpeningTests {
    @Test func `a staged migration calls its handlers with the store's objects`() throws {
      let before = """
        Flight { number: String; flightData: String? }
        """
      let during = """
        Flight { number: String; flightData: String?; parameters -> Parameters.flight }
        Parameters { text: String?; flight -> Flight.parameters }
        """
      let after = """
        Flight { number: String; parameters -> Parameters.flight }
        Parameters { text: String?; flight -> Flight.parameters }
        """
      try AppFolder.with(before, during, after) { app in
        try app.generate(version: 1, rows: 30)
        let old = try app.rows(
          "SELECT Z_PK, ZNUMBER, ZFLIGHTDATA FROM ZFLIGHT ORDER BY 1"
        )
        let models = try (1...3).map { try app.model($0) }
        let bundle = try #require(Bundle(path: app.url.path))
        let references = [
          NSManagedObjectModelReference(
            model: models[0],
            versionChecksum: models[0].versionChecksum
          ),
          NSManagedObjectModelReference(
            name: "v2",
            in: bundle,
            versionChecksum: models[1].versionChecksum
          ),
          NSManagedObjectModelReference(
            entityVersionHashes: models[2].entityVersionHashesByName,
            in: bundle,
            versionChecksum: models[2].versionChecksum
          ),
        ]
        let light = NSLightweightMigrationStage([models[0].versionChecksum])
        light.label = "add the parameters"
        let custom = NSCustomMigrationStage(migratingFrom: references[1], to: references[2])
        custom.willMigrateHandler = { manager, stage in
          guard let container = manager.container else { throw CocoaError(.featureUnsupported) }
          let context = container.viewContext
          try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Flight")
            request.predicate = NSPredicate(format: "flightData != nil")
            for flight in try context.fetch(request) {
              let parameters = NSEntityDescription.insertNewObject(
                forEntityName: "Parameters",
                into: context
              )
              parameters.setValue(flight.value(forKey: "flightData"), forKey: "text")
              parameters.setValue(flight, forKey: "flight")
            }
            try context.save()
          }
        }
        var seen = 0
        custom.didMigrateHandler = { manager, stage in
          let context = manager.container?.newBackgroundContext()
          let request = NSFetchRequest<NSManagedObject>(entityName: "Parameters")
          seen = try context?.count(for: request) ?? -1
        }
        let manager = NSStagedMigrationManager([light, custom])
        try {
          let container = try app.container(models[2]) {
            $0.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
          }
          let request = NSFetchRequest<NSManagedObject>(entityName: "Flight")
          #expect(try container.viewContext.count(for: request) == old.count)
        }()
        #expect(manager.container == nil)
        let new = try app.rows(
          "SELECT f.Z_PK, f.ZNUMBER, p.ZTEXT FROM ZFLIGHT f LEFT JOIN ZPARAMETERS p"
            + " ON p.ZFLIGHT = f.Z_PK ORDER BY 1"
        )
        #expect(new == old)
        #expect(seen == old.count { $0[2] != .null } && seen > 0)
        try app.expectSound()
      }
    }

    @Test func `a handler that throws leaves the store as it was`() throws {
      try AppFolder.with(OpeningTests.first, OpeningTests.second) { app in
        try app.generate(version: 1, rows: 10)
        let before = try app.rows("SELECT * FROM ZFLIGHT")
        let references = try (1...2).map { version in
          let model = try app.model(version)
          return NSManagedObjectModelReference(
            model: model,
            versionChecksum: model.versionChecksum
          )
        }
        let stage = NSCustomMigrationStage(migratingFrom: references[0], to: references[1])
        stage.didMigrateHandler = { _, _ in throw CocoaError(.userCancelled) }
        let manager = NSStagedMigrationManager([stage])
        #expect(throws: (any Error).self) {
          try app.container(app.newest()) {
            $0.setOption(manager, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
          }
        }
        #expect(try app.rows("SELECT * FROM ZFLIGHT") == before)
      }
    }
  }
#endif
