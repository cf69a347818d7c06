#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import Testing
  import Waystone

  extension CorpusOpeningTests {
    /// Returns all rows of a store that its entities have, by table and key.
    private func rows(_ path: String, _ schema: PhysicalSchema) throws -> [String: [SQLiteValue]] {
      let file = try AppDatabase(path, patience: 5000)
      var rows: [String: [SQLiteValue]] = [:]
      for table in schema.tables {
        let list = table.columns.map { "\"\($0.name)\"" }.joined(separator: ", ")
        for row in try file.rows("SELECT \(list) FROM \(table.name)") {
          rows["\(table.name) \(row[0].integer ?? 0)"] = row
        }
      }
      return rows
    }

    /// Gives an object values of all its required attributes.
    private func fill(_ object: NSManagedObject) {
      for (name, attribute) in object.entity.attributesByName
      where !attribute.isOptional && !attribute.isTransient && object.value(forKey: name) == nil {
        let value: Any? =
          switch attribute.attributeType {
          case .stringAttributeType: "x"
          case .dateAttributeType: Date(timeIntervalSinceReferenceDate: 1)
          case .binaryDataAttributeType: Data([1])
          case .UUIDAttributeType: UUID()
          case .URIAttributeType: URL(string: "https://example.org")
          case .transformableAttributeType, .compositeAttributeType: nil
          default: 1
          }
        if let value { object.setValue(value, forKey: name) }
      }
    }

    @Test(arguments: Trials.some(of: samples))
    func `saves leave a sound store, whose other rows are as they were`(_ sample: Sample) throws {
      try TemporaryFolder.with { folder in
        let path = try TemporaryFolder.copy(sample.path, into: folder)
        let url = URL(fileURLWithPath: path)
        let (model, isReadOnly) = try {
          let container = try open(url, sample)
          let store = container.persistentStoreCoordinator.persistentStores[0]
          return (container.managedObjectModel, store.isReadOnly)
        }()
        let archive = try ModelArchive(contentsOf: URL(fileURLWithPath: sample.models))
        let version = try #require(
          archive.versions.last {
            $0.model.entityVersionHashes.mapValues { Data($0.bytes) }
              == model.entityVersionHashesByName
          }
        )
        let schema = PhysicalSchema(model: version.model)
        let before = try rows(path, schema)
        let isSound = try Store(reading: url).verify(in: archive, level: .full).passed
        var saves = 0
        try {
          let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
          try coordinator.addPersistentStore(type: .sqlite, at: url)
          let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
          context.persistentStoreCoordinator = coordinator
          /// Makes one change, and drops it where a rule of the model forbids it.
          func change(_ body: () throws -> Void) throws {
            try body()
            switch cocoaCode({ try context.save() }) {
            case nil: saves += 1
            case .some(let code):
              #expect(
                1550...1690 ~= code || isReadOnly || code == NSManagedObjectConstraintMergeError
              )
              context.rollback()
            }
          }
          for entity in model.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
            request.includesSubentities = false
            let objects = try context.fetch(request)
            try change {
              let made = NSEntityDescription.insertNewObject(
                forEntityName: entity.name ?? "",
                into: context
              )
              fill(made)
              for (name, relationship) in entity.relationshipsByName where !relationship.isTransient
              {
                let wanted = NSFetchRequest<NSManagedObject>(
                  entityName: relationship.destinationEntity?.name ?? ""
                )
                wanted.fetchLimit = 2
                let found = try context.fetch(wanted).filter { $0 !== made }
                guard !found.isEmpty else { continue }
                if relationship.isToMany {
                  made.setValue(
                    relationship.isOrdered ? NSOrderedSet(array: found) : NSSet(array: found),
                    forKey: name
                  )
                } else {
                  made.setValue(found[0], forKey: name)
                }
              }
            }
            try change {
              guard let first = objects.first else { return }
              let text = entity.attributesByName.values
                .filter { $0.attributeType == .stringAttributeType && !$0.isTransient }
                .map(\.name).min()
              if let text { first.setValue("changed", forKey: text) }
            }
            try change { if let last = objects.last { context.delete(last) } }
          }
        }()
        #expect(saves > 0 || isReadOnly)
        let after = try rows(path, schema)
        for (place, row) in before {
          guard let now = after[place], now[2] == row[2] else { continue }
          #expect(now == row, "\(place)")
        }
        #expect(before.count < 20 || after.count { before[$0.key] == $0.value } > before.count / 3)
        let report = try Store(reading: url).verify(in: archive, level: .full)
        #expect(report.passed == isSound, "\(report.failures)")
      }
    }
  }
#endif
