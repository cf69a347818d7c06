#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import StoreMigration
  import Testing
  import Waystone

  /// Stores that Apple's framework wrote for public apps, opened as the apps' newest version.
  @Suite(.enabled(if: Corpus.isPresent)) struct CorpusOpeningTests {
    /// A store with the models of its app.
    struct Sample: Sendable, CustomTestStringConvertible {
      let path: String
      let models: String
      var testDescription: String { String(path.dropFirst(Corpus.path("").count)) }
    }

    static let samples: [Sample] = {
      let models = (try? Corpus.models.get())?.models ?? []
      return Corpus.files { path in
        ["sqlite", "storedata", ".db", ".graphdb", "moody", ".store", ".wiredatabase"].contains {
          path.hasSuffix($0)
        }
      }.compactMap { path in
        guard let store = try? Store(reading: URL(fileURLWithPath: path)) else { return nil }
        let model = models.first { model in
          model.path.hasSuffix("d")
            && model.versions.contains { $0.model.entityVersionHashes == store.versionHashes }
        }
        return model.map { Sample(path: path, models: $0.path) }
      }
    }()

    /// Opens a store as the newest version; where the app's versions have no safe way there, as its own.
    func open(_ url: URL, _ sample: Sample) throws -> NSPersistentContainer {
      let newest = try #require(
        NSManagedObjectModel(contentsOf: URL(fileURLWithPath: sample.models)),
        "\(sample.models)"
      )
      let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
        type: .sqlite,
        at: url
      )
      var options = MigrationOptions()
      options.settings.acceptsUnprovenNames = true
      var failures: [String] = []
      let own = NSManagedObjectModel.mergedModel(
        from: [
          try #require(
            Bundle(path: URL(fileURLWithPath: sample.models).deletingLastPathComponent().path)
          )
        ],
        forStoreMetadata: metadata
      )
      for model in [newest, own].compactMap({ $0 }) {
        let container = NSPersistentContainer(name: "Corpus", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(
          WaystoneMigrationOptions(options),
          forKey: WaystoneMigrationOptionsKey
        )
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { failure = $1 }
        guard let failure else {
          print("\(model === newest ? "newest" : "own   ") \(sample) \(failures.joined())")
          return container
        }
        failures.append((failure as NSError).localizedDescription.prefix(150) + " ")
      }
      throw CocoaError(.featureUnsupported, userInfo: ["failures": failures])
    }

    @Test(arguments: Trials.some(of: samples))
    func `fetches and relationships are those of plain SQL`(_ sample: Sample) throws {
      try TemporaryFolder.with { folder in
        let path = try TemporaryFolder.copy(sample.path, into: folder)
        let url = URL(fileURLWithPath: path)
        let container = try open(url, sample)
        let context = container.newBackgroundContext()
        let model = container.managedObjectModel
        let archive = try ModelArchive(contentsOf: URL(fileURLWithPath: sample.models))
        let version = try #require(
          archive.versions.last {
            $0.model.entityVersionHashes.mapValues { Data($0.bytes) }
              == model.entityVersionHashesByName
          }
        )
        let file = try AppDatabase(path, patience: 5000)
        let connection = try SQLiteConnection(path: path, access: .readOnly, busyTimeout: 5000)
        let schema = PhysicalSchema(
          model: version.model,
          names: JoinNames(
            settledBy: try StoreSchema(of: connection).columnNames,
            model: version.model
          )
        )
        for entity in model.entities {
          let name = try #require(entity.name)
          let table = try #require(schema.table(of: name)?.name)
          let number = try #require(schema.entityNumber(name))
          let request = NSFetchRequest<NSManagedObject>(entityName: name)
          request.includesSubentities = false
          let objects = try context.fetch(request)
          let keys = try file.rows(
            "SELECT Z_PK FROM \(table) WHERE Z_ENT = \(number) ORDER BY Z_PK"
          ).map { "p\($0[0].integer ?? 0)" }
          #expect(
            objects.map { $0.objectID.uriRepresentation().lastPathComponent } == keys,
            "\(name)"
          )
          for relationship in entity.relationshipsByName.keys.sorted() {
            let query = LinkQuery(
              of: relationship,
              in: name,
              schema,
              database: "main",
              scansTables: true
            )
            guard let query else { continue }
            let links = try file.integer(
              "SELECT COUNT(*) FROM (\(query.sql)) AS l JOIN \(table) AS s ON s.Z_PK = l.owner"
                + " WHERE s.Z_ENT = \(number)"
            )
            let found = objects.reduce(0) {
              $0 + $1.objectIDs(forRelationshipNamed: relationship).count
            }
            #expect(found == Int(links ?? 0), "\(name).\(relationship)")
          }
        }
      }
    }
  }
#endif
