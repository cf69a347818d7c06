#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import StoreAccess
  import StoreGeneration
  import Testing

  /// Changes of an opened store, held against what plain SQL finds in its file.
  @Suite struct SavingTests {
    static let notes = """
      Folder { name: String; size: Int32 derived notes.@count
        notes ->> Note.folder ordered cascade; locks ->> Lock.folder deny }
      Note { title: String; body: String?; stars: Int16 = 3; data: Binary? external
        folder -> Folder.notes; tags ->> Tag.notes; twin -> Note.twin2; twin2 -> Note.twin }
      Photo : Note { width: Double? }
      Tag { name: String; notes ->> Note.tags; unique name }
      Lock { kind: String?; folder -> Folder.locks required }
      """

    private func insert(
      _ entity: String,
      _ values: [String: Any],
      _ context: NSManagedObjectContext
    ) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValuesForKeys(values)
      return object
    }

    @Test func `a new store has what is saved, and nothing before`() throws {
      try AppFolder.with(Self.notes) { app in
        try {
          let context = try app.container(app.newest()).viewContext
          let folder = insert("Folder", ["name": "Inbox"], context)
          let first = insert("Note", ["title": "one", "folder": folder], context)
          let second = insert("Photo", ["title": "two", "folder": folder, "width": 2.5], context)
          second.mutableSetValue(forKey: "tags").add(insert("Tag", ["name": "red"], context))
          first.setValue(second, forKey: "twin")
          #expect(first.objectID.isTemporaryID)
          #expect(context.hasChanges)
          let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
          request.predicate = NSPredicate(format: "folder.name == %@", "Inbox")
          #expect(try context.fetch(request).count == 2)
          #expect(try app.rows("SELECT COUNT(*) FROM ZNOTE") == [[.integer(0)]])
          try context.save()
          #expect(!context.hasChanges)
          #expect(!first.objectID.isTemporaryID)
          #expect(first.value(forKey: "stars") as? Int == 3)
          #expect(folder.value(forKey: "size") as? Int == 2)
          #expect(try context.existingObject(with: second.objectID) === second)
        }()
        #expect(
          try app.rows(
            "SELECT n.ZTITLE, n.ZSTARS, n.Z_OPT, n.ZWIDTH, f.ZNAME, f.ZSIZE FROM ZNOTE n"
              + " JOIN ZFOLDER f ON f.Z_PK = n.ZFOLDER ORDER BY n.Z_FOK_FOLDER"
          ) == [
            [.text("one"), .integer(3), .integer(1), .null, .text("Inbox"), .integer(2)],
            [.text("two"), .integer(3), .integer(1), .real(2.5), .text("Inbox"), .integer(2)],
          ]
        )
        #expect(
          try app.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1") == [
            [.text("Folder"), .integer(1)], [.text("Lock"), .integer(0)],
            [.text("Note"), .integer(2)], [.text("Photo"), .integer(0)],
            [.text("Tag"), .integer(1)],
          ]
        )
        try app.expectSound()
      }
    }

    @Test func `changes and deletions keep every other row as it is`() throws {
      try AppFolder.with(Self.notes) { app in
        try app.generate(version: 1, rows: 60)
        try AppDatabase(app.store.path).execute("DELETE FROM ZLOCK")
        let others = "SELECT * FROM ZNOTE WHERE Z_PK NOT IN (2, 3) AND ZFOLDER IS NOT 1 ORDER BY 1"
        let before = try app.rows(others)
        let version = try app.rows("SELECT Z_OPT FROM ZNOTE WHERE Z_PK = 2")[0][0].integer ?? 0
        try {
          let context = try app.container(app.newest()).viewContext
          let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
          let kept = notes[1]
          kept.setValue("changed", forKey: "title")
          #expect(kept.changedValues().keys.sorted() == ["title"])
          kept.setValue(nil, forKey: "folder")
          for key in ["twin", "twin2"] {
            kept.setValue(nil, forKey: key)
            notes[2].setValue(nil, forKey: key)
          }
          context.delete(notes[2])
          let folders = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder"))
          context.delete(folders[0])
          try context.save()
          #expect(kept.objectID.uriRepresentation().path == "/\(kept.entity.name ?? "")/p2")
        }()
        #expect(try app.rows("SELECT Z_PK FROM ZNOTE WHERE Z_PK = 3").isEmpty)
        #expect(try app.rows("SELECT Z_PK FROM ZNOTE WHERE ZFOLDER = 1").isEmpty)
        #expect(
          try app.rows("SELECT ZTITLE, Z_OPT FROM ZNOTE WHERE Z_PK = 2")
            == [[.text("changed"), .integer(version + 1)]]
        )
        let after = try app.rows(others)
        // Twins and tags of what went are touched; their own rows are not compared.
        #expect(after.count <= before.count && after.count > before.count - 8)
        try app.expectSound()
      }
    }

    @Test func `a rollback leaves the last save`() throws {
      try AppFolder.with(Self.notes) { app in
        let context = try app.container(app.newest()).viewContext
        let folder = insert("Folder", ["name": "a"], context)
        let note = insert("Note", ["title": "kept", "folder": folder], context)
        try context.save()
        note.setValue("other", forKey: "title")
        let new = insert("Note", ["title": "new", "folder": folder], context)
        context.delete(folder)
        #expect(note.isDeleted)
        context.rollback()
        #expect(!note.isDeleted && new.isDeleted && !context.hasChanges)
        #expect(note.value(forKey: "title") as? String == "kept")
        #expect(
          (folder.value(forKey: "notes") as? NSOrderedSet)?.array as? [NSManagedObject] == [note]
        )
        try context.save()
        #expect(try app.rows("SELECT ZTITLE FROM ZNOTE") == [[.text("kept")]])
      }
    }

    @Test func `a save reports each rule that is broken`() throws {
      try AppFolder.with(Self.notes) { app in
        let context = try app.container(app.newest()).viewContext
        let note = insert("Note", [:], context)
        #expect(cocoaCode { try context.save() } == NSValidationMissingMandatoryPropertyError)
        _ = insert("Lock", [:], context)
        #expect(cocoaCode { try context.save() } == NSValidationMultipleErrorsError)
        context.rollback()
        let folder = insert("Folder", ["name": "locked"], context)
        _ = insert("Lock", ["folder": folder], context)
        try context.save()
        context.delete(folder)
        #expect(cocoaCode { try context.save() } == NSValidationRelationshipDeniedDeleteError)
        context.rollback()
        _ = insert("Tag", ["name": "a"], context)
        _ = insert("Tag", ["name": "a"], context)
        #expect(cocoaCode { try context.save() } == NSManagedObjectConstraintMergeError)
        context.rollback()
        note.setValue("x", forKey: "nickname")
        #expect(try app.rows("SELECT COUNT(*) FROM ZFOLDER") == [[.integer(1)]])
        #expect(try app.rows("SELECT COUNT(*) FROM ZTAG") == [[.integer(0)]])
      }
    }

    @Test func `two contexts that change one object conflict, unless a policy decides`() throws {
      try AppFolder.with(Self.notes) { app in
        let container = try app.container(app.newest())
        let first = container.viewContext
        let folder = insert("Folder", ["name": "a"], first)
        let note = insert("Note", ["title": "t", "body": "b", "folder": folder], first)
        try first.save()
        /// Lets both contexts change the note, and returns the title and the body after it.
        func race(_ policy: NSMergePolicy?) throws -> [SQLiteValue] {
          let second = container.newBackgroundContext()
          let twin = try second.existingObject(with: note.objectID)
          _ = twin.value(forKey: "title")
          first.refresh(note, mergeChanges: false)
          note.setValue("first", forKey: "title")
          note.setValue("first", forKey: "body")
          try first.save()
          twin.setValue("second", forKey: "title")
          if let policy { second.mergePolicy = policy }
          if policy == nil {
            #expect(cocoaCode { try second.save() } == NSManagedObjectMergeError)
            #expect(second.hasChanges)
          } else {
            try second.save()
          }
          let row = try app.rows("SELECT ZTITLE, ZBODY FROM ZNOTE")[0]
          first.refresh(note, mergeChanges: false)
          note.setValue("t", forKey: "title")
          note.setValue("b", forKey: "body")
          try first.save()
          return row
        }
        #expect(try race(nil) == [.text("first"), .text("first")])
        #expect(
          try race(NSMergeByPropertyObjectTrumpMergePolicy) == [.text("second"), .text("first")]
        )
        #expect(
          try race(NSMergeByPropertyStoreTrumpMergePolicy) == [.text("first"), .text("first")]
        )
        #expect(try race(NSOverwriteMergePolicy) == [.text("second"), .text("b")])
        #expect(try race(NSRollbackMergePolicy) == [.text("first"), .text("first")])
      }
    }

    @Test func `an object that is deleted elsewhere is a conflict of its new links`() throws {
      try AppFolder.with(Self.notes) { app in
        let container = try app.container(app.newest())
        let first = container.viewContext
        let folder = insert("Folder", ["name": "a"], first)
        try first.save()
        let second = container.newBackgroundContext()
        let twin = try second.existingObject(with: folder.objectID)
        let note = insert("Note", ["title": "late", "folder": twin], second)
        first.delete(folder)
        try first.save()
        #expect(cocoaCode { try second.save() } == NSManagedObjectMergeError)
        second.rollback()
        #expect(note.isDeleted)
        #expect(try app.rows("SELECT COUNT(*) FROM ZNOTE") == [[.integer(0)]])
      }
    }

    @Test func `another context's save is seen where the app asks for it`() throws {
      try AppFolder.with(Self.notes) { app in
        let container = try app.container(app.newest())
        let view = container.viewContext
        let folder = insert("Folder", ["name": "a"], view)
        try view.save()
        #expect(folder.value(forKey: "name") as? String == "a")
        container.performBackgroundTask { context in
          let twin = context.object(with: folder.objectID)
          twin.setValue("b", forKey: "name")
          try? context.save()
        }
        #expect(folder.value(forKey: "name") as? String == "a")
        view.automaticallyMergesChangesFromParent = true
        container.performBackgroundTask { context in
          _ = insert("Folder", ["name": "c"], context)
          try? context.save()
        }
        #expect(folder.value(forKey: "name") as? String == "b")
        #expect(try view.count(for: NSFetchRequest<NSManagedObject>(entityName: "Folder")) == 2)
      }
    }

    @Test func `objects without attributes are counted as the others`() throws {
      try AppFolder.with("Group { items ->> Item.group } Item { group -> Group.items }") { app in
        let container = try app.container(app.newest())
        let context = container.viewContext
        let group = insert("Group", [:], context)
        let items = (0..<3).map { _ in insert("Item", ["group": group], context) }
        try context.save()
        let second = container.newBackgroundContext()
        let twin = try second.existingObject(with: group.objectID)
        #expect((twin.value(forKey: "items") as? NSSet)?.count == 3)
        context.delete(items[0])
        try context.save()
        #expect(try app.rows("SELECT Z_OPT FROM ZGROUP") == [[.integer(2)]])
        #expect(items[0].isDeleted && items[0].value(forKey: "group") == nil)
        second.refreshAllObjects()
        second.delete(twin)
        try second.save()
        // Another context's deletion is one here, too, as soon as the object is read again.
        context.refreshAllObjects()
        #expect(items[1].value(forKey: "group") == nil)
        items[1].setValue(group, forKey: "group")
        #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
        context.rollback()
        #expect(try app.rows("SELECT ZGROUP FROM ZITEM") == [[.null], [.null]])
      }
    }

    @Test func `identifiers outlive a context, and can be had before a save`() throws {
      try AppFolder.with(Self.notes) { app in
        let container = try app.container(app.newest())
        let context = container.viewContext
        let folder = insert("Folder", ["name": "a"], context)
        let note = insert("Note", ["title": "n", "folder": folder], context)
        try context.obtainPermanentIDs(for: [note])
        #expect(!note.objectID.isTemporaryID)
        let uri = note.objectID.uriRepresentation()
        try context.save()
        #expect(note.objectID.uriRepresentation() == uri)
        let coordinator = container.persistentStoreCoordinator
        let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(
          try container.newBackgroundContext().existingObject(with: id).objectID == note.objectID
        )
        #expect(try app.rows("SELECT ZFOLDER FROM ZNOTE") == [[.integer(1)]])
      }
    }

    @Test func `a store that another process migrated is not written into`() throws {
      try AppFolder.with(Self.notes, "Folder { name: String }") { app in
        let context = try app.container(app.model(1)).viewContext
        _ = insert("Folder", ["name": "a"], context)
        let other = try AppDatabase(app.store.path)
        try other.execute("CREATE TABLE OTHER (A)")
        try context.save()
        let newer = app.url.appendingPathComponent("newer.sqlite").path
        try StoreGenerator(model: app.versions[1], rows: 1, seed: 1).write(to: newer)
        try other.execute(
          "ATTACH '\(newer)' AS n; CREATE TABLE MORE (A);"
            + " UPDATE Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM n.Z_METADATA)"
        )
        _ = insert("Folder", ["name": "b"], context)
        #expect(cocoaCode { try context.save() } == NSPersistentStoreIncompatibleVersionHashError)
        #expect(try app.rows("SELECT ZNAME FROM ZFOLDER") == [[.text("a")]])
      }
    }

    @Test(
      arguments: [
        ("CREATE TABLE ATRANSACTION (Z_PK INTEGER PRIMARY KEY)", "history"),
        ("CREATE TRIGGER EVIL AFTER INSERT ON ZTAG BEGIN DELETE FROM ZNOTE; END", "EVIL"),
      ]
    )
    func `a store that could not be kept whole is only read`(_ script: String, _ word: String)
      throws
    {
      try AppFolder.with(Self.notes) { app in
        try app.generate(version: 1, rows: 20)
        try AppDatabase(app.store.path).execute(script)
        let container = try app.container(app.newest())
        #expect(container.persistentStoreCoordinator.persistentStores[0].isReadOnly)
        let context = container.viewContext
        let note = try #require(
          try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first
        )
        note.setValue("x", forKey: "title")
        let error = #expect(throws: (any Error).self) { try context.save() }
        #expect((error as NSError?)?.localizedDescription.contains(word) == true)
      }
    }
  }
#endif
