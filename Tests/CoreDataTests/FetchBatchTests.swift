#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import StoreMigration
  import Testing

  /// Results whose values are read in batches, and whose objects the engine makes only for these.
  @Suite struct FetchBatchTests {
    private static let sketch = """
      Folder { name: String?; notes ->> Note.folder cascade }
      Note { title: String?; stars: Int16?; price: Decimal?; id: UUID?; made: Date?; good: Boolean?
        ratio: Float?; note: String? transient; folder -> Folder.notes }
      Photo : Note { width: Double?; data: Binary? external }
      """

    private func with(
      _ rows: Int = 60,
      _ body: (AppFolder, NSPersistentContainer) throws -> Void
    ) throws {
      try AppFolder.withStore(Self.sketch, rows: rows, body: body)
    }

    /// Returns a request for notes in batches.
    private static func notes(
      _ size: Int = 4,
      by keys: [(String, Bool)] = [],
      where format: String? = nil
    ) -> NSFetchRequest<NSManagedObject> {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.fetchBatchSize = size
      request.predicate = format.map { NSPredicate(format: $0) }
      request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: $1) }
      return request
    }

    /// The keys of orders; SQL cannot express the last ones.
    private static let orders: [[(String, Bool)]] = [
      [("title", true)], [("title", false)], [("stars", true), ("title", false)],
      [("price", false)], [("made", true)], [("good", true), ("ratio", false)],
      [("folder.name", true), ("stars", false)], [("note", true), ("stars", true)],
      [("title.length", false)],
    ]

    @Test func `an order is that of the values, in SQL and in memory, in batches or not`() throws {
      try with(200) { app, container in
        let context = container.viewContext
        let all = try context.fetch(Self.notes(0))
        // Values that only the context has count.
        for (place, note) in all.enumerated() where place % 5 == 0 {
          note.setValue(["é", "E", "z", "", "\u{1F600}", "\u{FFFD}"][place % 6], forKey: "title")
          note.setValue(nil, forKey: "stars")
        }
        for keys in Self.orders {
          let descriptors = keys.map { NSSortDescriptor(key: $0, ascending: $1) }
          let expected = all.enumerated().sorted { left, right in
            for descriptor in descriptors {
              let order = descriptor.compare(left.element, to: right.element)
              if order != .orderedSame { return order == .orderedAscending }
            }
            return left.offset < right.offset
          }.map(\.element)
          for (size, format) in [
            (0, nil), (4, nil), (4, "SELF.title.length > 3"), (0, "stars > 1"),
          ] {
            let request = Self.notes(size, by: keys, where: format)
            let predicate = format.map { NSPredicate(format: $0) }
            let chosen = expected.filter { predicate?.evaluate(with: $0) ?? true }
            #expect(try context.fetch(request) == chosen, "\(keys) \(size) \(format ?? "")")
            (request.fetchOffset, request.fetchLimit) = (3, 5)
            let part = Array(chosen.dropFirst(3).prefix(5))
            #expect(try context.fetch(request) == part, "\(keys) \(size) \(format ?? "")")
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Note")
            (ids.resultType, ids.fetchOffset, ids.fetchLimit) = (.managedObjectIDResultType, 3, 5)
            (ids.predicate, ids.sortDescriptors) = (request.predicate, request.sortDescriptors)
            #expect(try context.fetch(ids) == part.map(\.objectID))
          }
        }
      }
    }

    @Test func `the engine has objects for one batch alone, whatever the order`() throws {
      try with(400) { app, container in
        let expected = try app.rows("SELECT ZTITLE FROM ZNOTE ORDER BY ZTITLE, Z_PK")
        for isReversed in [false, true] {
          let context = container.newBackgroundContext()
          let engine = try context.stored
          let notes = try context.fetch(Self.notes(10, by: [("title", true)]))
          #expect(notes.count > 100 && engine.objectsInMemory == 0)
          var titles: [String?] = []
          for (place, note) in isReversed
            ? notes.enumerated().reversed() : Array(notes.enumerated())
          {
            titles.append(note.value(forKey: "title") as? String)
            // One statement read the whole batch.
            #expect(engine.objectsInMemory == min(10, notes.count - place / 10 * 10))
          }
          #expect((isReversed ? titles.reversed() : titles) == expected.map { $0[0].text })
        }
      }
    }

    @Test func `an object is one instance, however it is found`() throws {
      try with { app, container in
        let context = container.viewContext
        let notes = try context.fetch(Self.notes())
        let place = try #require(notes.firstIndex { $0.value(forKey: "folder") != nil })
        let note = notes[place]
        let id = note.objectID
        func leave() throws {
          _ = notes[place < 8 ? notes.count - 1 : 0].value(forKey: "title")
          try context.stored.trim()
        }
        for size in [0, 3, 1000] {
          try leave()
          #expect(note.unread != nil)
          #expect(
            try context.fetch(Self.notes(size, by: [("title", false)])).contains { $0 === note }
          )
          try leave()
          #expect(
            try context.fetch(Self.notes(size, where: "SELF.title.length >= 0 OR title == nil"))
              .contains { $0 === note }
          )
        }
        try leave()
        #expect(try context.existingObject(with: id) === note)
        try leave()
        #expect(context.object(with: id) === note)
        try leave()
        #expect(context.registeredObject(for: id) === note)
        try leave()
        let folder = try #require(note.value(forKey: "folder") as? NSManagedObject)
        try leave()
        let members = (folder.value(forKey: "notes") as? NSSet)?.allObjects as? [NSManagedObject]
        #expect(members?.contains { $0 === note } == true)
      }
    }

    /// The ways to come to an object again that a batch has let go of.
    enum Way: CaseIterable {
      case held, fetched, inBatches, sorted, byIdentifier, byRelationship, trimmed
    }

    @Test(arguments: Way.allCases)
    func `a value that was seen is not written over another save unseen`(_ way: Way) throws {
      try with { app, container in
        let (context, other) = (container.viewContext, container.newBackgroundContext())
        let folder = try #require(
          context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")).first
        )
        let notes = try context.fetch(Self.notes(2))
        let same = try #require(try other.fetch(Self.notes(0)).first)
        same.setValue(try other.existingObject(with: folder.objectID), forKey: "folder")
        same.setValue(1, forKey: "stars")
        try other.save()
        context.refreshAllObjects()
        let stars = notes[0].value(forKey: "stars") as? Int ?? 0
        _ = notes[9].value(forKey: "stars")
        #expect(notes[0].unread?.isSeen == true)
        same.setValue(77, forKey: "stars")
        try other.save()
        let again: NSManagedObject? =
          switch way {
          case .held: notes[0]
          case .fetched: try context.fetch(Self.notes(0)).first
          case .inBatches: try context.fetch(Self.notes(3)).first
          case .sorted:
            try context.fetch(Self.notes(3, by: [("stars", true)])).first { $0 === notes[0] }
          case .byIdentifier: try context.existingObject(with: notes[0].objectID)
          case .byRelationship:
            ((folder.value(forKey: "notes") as? NSSet)?.allObjects as? [NSManagedObject])?
              .first { $0 === notes[0] }
          case .trimmed:
            try {
              try context.stored.trim()
              _ = try context.fetch(Self.notes(0))
              try context.stored.trim()
              return try context.fetch(Self.notes(5)).first
            }()
          }
        #expect(again === notes[0])
        again?.setValue(stars + 1, forKey: "stars")
        #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
        context.rollback()
        // What is read anew is not in conflict.
        context.refreshAllObjects()
        notes[0].setValue(2, forKey: "stars")
        try context.save()
        #expect(try app.rows("SELECT ZSTARS FROM ZNOTE ORDER BY Z_PK LIMIT 1") == [[.integer(2)]])
      }
    }

    @Test func `links that were seen through another object are not lost unseen`() throws {
      try with { app, container in
        let (context, other) = (container.viewContext, container.newBackgroundContext())
        let request = NSFetchRequest<NSManagedObject>(entityName: "Folder")
        request.fetchBatchSize = 2
        let folders = try context.fetch(request)
        let note = try #require(try context.fetch(Self.notes(0, where: "folder != nil")).first)
        let seen = try #require(note.value(forKeyPath: "folder.notes") as? NSSet)
        // Asked elsewhere, so that the object of this context is not read.
        let same = try other.existingObject(with: note.objectID)
        let id = try #require(same.value(forKey: "folder") as? NSManagedObject).objectID
        try context.stored.trim()
        let theirs = NSEntityDescription.insertNewObject(forEntityName: "Note", into: other)
        theirs.setValue("theirs", forKey: "title")
        theirs.setValue(try other.existingObject(with: id), forKey: "folder")
        try other.save()
        #expect(try context.fetch(request) == folders)
        let mine = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
        mine.setValue("mine", forKey: "title")
        let folder = try #require(folders.first { $0.objectID == id })
        folder.setValue(NSSet(array: seen.allObjects + [mine]), forKey: "notes")
        let code = cocoaCode { try context.save() }
        let linked = try app.rows("SELECT ZFOLDER IS NOT NULL FROM ZNOTE WHERE ZTITLE = 'theirs'")
        #expect(linked == [[.integer(1)]], "\(code ?? 0)")
        context.rollback()
      }
    }

    @Test func `a value that a batch let go of is not in conflict after a refresh`() throws {
      try with { app, container in
        let (context, other) = (container.viewContext, container.newBackgroundContext())
        let notes = try context.fetch(Self.notes(2))
        _ = notes[0].value(forKey: "stars")
        _ = notes[9].value(forKey: "stars")
        #expect(notes[0].unread?.isSeen == true)
        try #require(try other.fetch(Self.notes(0)).first).setValue(77, forKey: "stars")
        try other.save()
        context.refreshAllObjects()
        notes[0].setValue(3, forKey: "stars")
        try context.save()
        #expect(try app.rows("SELECT ZSTARS FROM ZNOTE ORDER BY Z_PK LIMIT 1") == [[.integer(3)]])
      }
    }

    @Test func `a result that was not read shows what a later fetch finds`() throws {
      try with { app, container in
        let (context, other) = (container.viewContext, container.newBackgroundContext())
        let notes = try context.fetch(Self.notes(2))
        try #require(try other.fetch(Self.notes(0)).first).setValue(77, forKey: "stars")
        try other.save()
        // The app chose it by its former values.
        notes[0].setValue(1, forKey: "stars")
        #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
        context.rollback()
        let again = try context.fetch(Self.notes(2, by: [("stars", true)]))
        #expect(again.contains { $0 === notes[0] })
        #expect(notes[0].value(forKey: "stars") as? Int == 77)
        notes[0].setValue(1, forKey: "stars")
        try context.save()
      }
    }

    @Test func `results that are deleted are so for their holders, too`() throws {
      try with { app, container in
        let (context, other) = (container.viewContext, container.newBackgroundContext())
        let folder = try #require(
          context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")).first
        )
        let all = try context.fetch(Self.notes())
        for note in all.prefix(3) { note.setValue(folder, forKey: "folder") }
        try context.save()
        _ = all.last?.value(forKey: "title")
        try context.stored.trim()
        let notes = Array(all.prefix(3))
        #expect(notes.allSatisfy { $0.unread != nil && !$0.isDeleted })
        // By the delete rule of another object.
        context.delete(folder)
        #expect(notes.allSatisfy { $0.isDeleted })
        #expect(!(try context.fetch(Self.notes())).contains { notes.contains($0) })
        context.rollback()
        #expect(notes.allSatisfy { !$0.isDeleted })
        #expect(try context.fetch(Self.notes()) == all)
        // By another context.
        let gone = try #require(try other.fetch(Self.notes(0)).last)
        other.delete(gone)
        try other.save()
        try context.stored.trim()
        let last = try #require(all.last)
        #expect(last.value(forKey: "title") == nil && last.isDeleted)
        last.setValue("t", forKey: "title")
        #expect(context.hasChanges && cocoaCode { try context.save() } != nil)
        context.rollback()
        #expect(try context.fetch(Self.notes()) == all.dropLast())
      }
    }

    @Test func `results outlive their context, without values`() throws {
      try with { app, container in
        var notes: [NSManagedObject] = []
        weak var gone: NSManagedObjectContext?
        try {
          let context = container.newBackgroundContext()
          gone = context
          notes = try context.fetch(Self.notes())
          _ = notes[0].value(forKey: "title")
          context.reset()
          // An object of the store as it is now is another one.
          #expect(try context.existingObject(with: notes[1].objectID) !== notes[1])
          #expect(notes[1].value(forKey: "title") == nil)
          #expect(cocoaCode { try context.save() } != nil)
          context.rollback()
          notes += try context.fetch(Self.notes())
        }()
        #expect(gone == nil)
        for note in notes {
          #expect(!note.objectID.isTemporaryID && note.entity.name != nil)
          #expect(note.value(forKey: "title") == nil && !note.isDeleted && !note.hasChanges)
        }
      }
    }
  }
#endif
