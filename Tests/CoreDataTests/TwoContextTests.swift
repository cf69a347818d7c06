#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import StoreAccess
  import Testing

  /// Changes that two contexts make to the same objects, in all orders: none may be lost without an error.
  @Suite struct TwoContextTests {
    static let sketch = """
      Folder { name: String?; size: Int32 derived notes.@count; notes ->> Note.folder
        pages ->> Page.folder ordered }
      Note { title: String?; status: Int16 = 0; folder -> Folder.notes; tags ->> Tag.notes; best -> Tag }
      Page { title: String?; folder -> Folder.pages }
      Tag { name: String?; notes ->> Note.tags }
      Base { name: String?; owners ->> Owner.base }
      Left : Base { }
      Right : Base { }
      Owner { name: String?; base -> Base.owners; next -> Owner.previous; previous -> Owner.next }
      Book { name: String?; leaves ->> Leaf.book cascade }
      Leaf { text: String?; book -> Book.leaves }
      """

    /// Two contexts of one store, with what the first one saved.
    private struct Pair {
      let app: AppFolder
      let container: NSPersistentContainer
      let a: NSManagedObjectContext
      let b: NSManagedObjectContext

      init(_ app: AppFolder) throws {
        self.app = app
        container = try app.container(app.newest())
        a = container.newBackgroundContext()
        b = container.newBackgroundContext()
      }

      func insert(_ entity: String, _ values: [String: Any] = [:]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: a)
        object.setValuesForKeys(values)
        return object
      }

      /// Returns the second context's object of the first one's.
      func other(_ object: NSManagedObject) throws -> NSManagedObject {
        try b.existingObject(with: object.objectID)
      }

      func saveConflicts(_ context: NSManagedObjectContext) -> Bool {
        cocoaCode { try context.save() } == NSManagedObjectMergeError
      }
    }

    private func with(_ body: (Pair) throws -> Void) throws {
      try AppFolder.with(Self.sketch) { app in
        try { try body(try Pair(app)) }()
        try app.expectSound()
      }
    }

    @Test(arguments: ["title", "folder", "tags"])
    func `a change of what another context deleted is a conflict`(_ key: String) throws {
      try with { pair in
        let note = pair.insert("Note", ["title": "n"])
        let (folder, tag) = (pair.insert("Folder"), pair.insert("Tag", ["name": "t"]))
        try pair.a.save()
        for (object, name) in [(note, "title"), (folder, "name"), (tag, "name")] {
          _ = object.value(forKey: name)
        }
        let gone = key == "title" ? note : key == "folder" ? folder : tag
        pair.b.delete(try pair.other(gone))
        try pair.b.save()
        switch key {
        case "title": note.setValue("changed", forKey: key)
        case "folder": note.setValue(folder, forKey: key)
        default: note.mutableSetValue(forKey: key).add(tag)
        }
        #expect(pair.saveConflicts(pair.a))
        // No policy may leave a link that leads nowhere.
        pair.a.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        #expect(pair.saveConflicts(pair.a) == (key != "title"))
        pair.a.rollback()
        #expect(try pair.app.rows("SELECT Z_PK FROM ZNOTE WHERE ZFOLDER IS NOT NULL").isEmpty)
      }
    }

    @Test func `what was fetched before another context's save is a conflict`() throws {
      try with { pair in
        let note = pair.insert("Note", ["title": "job"])
        try pair.a.save()
        pair.a.reset()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "status == 0")
        let job = try #require(try pair.a.fetch(request).first)
        _ = note
        let taken = try #require(try pair.b.fetch(request).first)
        taken.setValue(1, forKey: "status")
        taken.setValue("b", forKey: "title")
        try pair.b.save()
        job.setValue(2, forKey: "status")
        #expect(pair.saveConflicts(pair.a))
        pair.a.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
        try pair.a.save()
        #expect(try pair.app.rows("SELECT ZSTATUS FROM ZNOTE") == [[.integer(1)]])
      }
    }

    @Test func `what was saved here and then by another context is a conflict`() throws {
      try with { pair in
        let note = pair.insert("Note", ["title": "a"])
        try pair.a.save()
        try pair.other(note).setValue("b", forKey: "title")
        try pair.b.save()
        note.setValue("c", forKey: "title")
        #expect(pair.saveConflicts(pair.a))
        pair.a.refresh(note, mergeChanges: true)
        try pair.a.save()
        #expect(try pair.app.rows("SELECT ZTITLE FROM ZNOTE") == [[.text("c")]])
      }
    }

    @Test func `the columns of one relationship are merged together`() throws {
      for (policy, name) in [
        (NSMergeByPropertyStoreTrumpMergePolicy, "b"),
        (NSMergeByPropertyObjectTrumpMergePolicy, "a"), (NSOverwriteMergePolicy, "a"),
        (NSRollbackMergePolicy, "b"),
      ] {
        try with { pair in
          let bases = [("Left", "old"), ("Left", "b"), ("Right", "a")].map {
            pair.insert($0.0, ["name": $0.1])
          }
          let owner = pair.insert("Owner", ["base": bases[0]])
          try pair.a.save()
          _ = owner.value(forKey: "base")
          try pair.other(owner).setValue(try pair.other(bases[1]), forKey: "base")
          try pair.b.save()
          owner.setValue(bases[2], forKey: "base")
          pair.a.mergePolicy = policy
          try pair.a.save()
          #expect(
            try pair.app.rows(
              "SELECT b.ZNAME FROM ZOWNER o JOIN ZBASE b ON b.Z_PK = o.ZBASE"
                + " AND b.Z_ENT = o.Z\(try Self.entityColumn(pair.app))"
            ) == [[.text(name)]]
          )
        }
      }
    }

    /// Returns the end of the name of the column with the entity of an owner's base.
    private static func entityColumn(_ app: AppFolder) throws -> String {
      let names = try app.rows("SELECT name FROM pragma_table_info('ZOWNER')")
      let name = names.compactMap { $0[0].text }.first {
        $0.hasSuffix("_ZBASE") || $0.hasSuffix("_BASE")
      }
      return String(try #require(name).dropFirst())
    }

    @Test(arguments: ["notes", "pages"])
    func `a member that another context added stays`(_ key: String) throws {
      try with { pair in
        let entity = key == "notes" ? "Note" : "Page"
        let folder = pair.insert("Folder", ["name": "f"])
        let members = (1...2).map { pair.insert(entity, ["title": "\($0)", "folder": folder]) }
        try pair.a.save()
        pair.a.refreshAllObjects()
        _ = folder.value(forKey: key)
        let third = NSEntityDescription.insertNewObject(forEntityName: entity, into: pair.b)
        third.setValue("3", forKey: "title")
        third.setValue(try pair.other(folder), forKey: "folder")
        try pair.b.save()
        folder.setValue(
          key == "notes" ? NSSet(object: members[1]) : NSOrderedSet(object: members[1]),
          forKey: key
        )
        #expect(pair.saveConflicts(pair.a))
        pair.a.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try pair.a.save()
        #expect(
          try pair.app.rows(
            "SELECT ZTITLE FROM Z\(entity.uppercased()) WHERE ZFOLDER = 1 ORDER BY 1"
          )
            == [[.text("2")], [.text("3")]]
        )
      }
    }

    @Test(arguments: ["parent", "child"])
    func `a deletion with what it cascades to is kept back as a whole`(_ changed: String) throws {
      try with { pair in
        let book = pair.insert("Book", ["name": "b"])
        let leaf = pair.insert("Leaf", ["text": "l", "book": book])
        try pair.a.save()
        _ = (book.value(forKey: "name"), leaf.value(forKey: "text"))
        let other = try pair.other(changed == "parent" ? book : leaf)
        other.setValue("changed", forKey: changed == "parent" ? "name" : "text")
        try pair.b.save()
        pair.a.delete(book)
        for policy in [NSMergeByPropertyStoreTrumpMergePolicy, NSRollbackMergePolicy] {
          pair.a.mergePolicy = policy
          #expect(pair.saveConflicts(pair.a))
        }
        #expect(try pair.app.rows("SELECT ZBOOK FROM ZLEAF") == [[.integer(1)]])
        pair.a.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try pair.a.save()
        #expect(try pair.app.rows("SELECT Z_PK FROM ZLEAF").isEmpty)
      }
    }

    @Test func `a pair that both contexts make otherwise is a conflict under each policy`() throws {
      try with { pair in
        let owners = (1...3).map { pair.insert("Owner", ["name": "\($0)"]) }
        try pair.a.save()
        try pair.other(owners[0]).setValue(try pair.other(owners[1]), forKey: "next")
        try pair.b.save()
        owners[0].setValue(owners[2], forKey: "next")
        for policy in [
          NSErrorMergePolicy, NSMergeByPropertyStoreTrumpMergePolicy, NSOverwriteMergePolicy,
          NSMergeByPropertyObjectTrumpMergePolicy, NSRollbackMergePolicy,
        ] {
          pair.a.mergePolicy = policy
          #expect(pair.saveConflicts(pair.a))
        }
        pair.a.rollback()
        let links = try pair.app.rows("SELECT ZNEXT FROM ZOWNER ORDER BY Z_PK")
        #expect(links == [[.integer(2)], [.null], [.null]])
      }
    }

    @Test func `a derived count is right where the owner's own change is rolled back`() throws {
      try with { pair in
        let folder = pair.insert("Folder", ["name": "a"])
        try pair.a.save()
        _ = folder.value(forKey: "name")
        _ = pair.insert("Note", ["folder": folder])
        try pair.other(folder).setValue("b", forKey: "name")
        try pair.b.save()
        pair.a.mergePolicy = NSRollbackMergePolicy
        try pair.a.save()
        #expect(
          try pair.app.rows("SELECT ZNAME, ZSIZE, Z_OPT FROM ZFOLDER")
            == [[.text("b"), .integer(1), .integer(3)]]
        )
      }
    }

    @Test func `a link that both contexts make is one`() throws {
      try with { pair in
        let (note, tag) = (pair.insert("Note", ["title": "n"]), pair.insert("Tag", ["name": "t"]))
        try pair.a.save()
        note.mutableSetValue(forKey: "tags").add(tag)
        try pair.other(note).mutableSetValue(forKey: "tags").add(try pair.other(tag))
        try pair.b.save()
        #expect(pair.saveConflicts(pair.a))
        pair.a.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try pair.a.save()
        #expect((try pair.other(tag).value(forKey: "notes") as? NSSet)?.count == 1)
      }
    }

    @Test func `a deleted object takes no changes, and an unknown one is told when it is used`()
      throws
    {
      try with { pair in
        let (note, tag) = (pair.insert("Note", ["title": "n"]), pair.insert("Tag", ["name": "t"]))
        try pair.a.save()
        pair.a.delete(note)
        note.setValue("x", forKey: "title")
        note.setValue(NSSet(object: tag), forKey: "tags")
        try pair.a.save()
        #expect(pair.b.registeredObject(for: tag.objectID) == nil)
        #expect(try pair.b.registeredObject(for: pair.other(tag).objectID) != nil)
        let fault = pair.b.object(with: note.objectID)
        try pair.other(tag).setValue("u", forKey: "name")
        try pair.b.save()
        #expect(try pair.app.rows("SELECT ZNAME FROM ZTAG") == [[.text("u")]])
        fault.setValue("lost", forKey: "title")
        #expect(pair.b.hasChanges && pair.saveConflicts(pair.b))
        #expect(try pair.app.rows("SELECT COUNT(*) FROM ZNOTE") == [[.integer(0)]])
      }
    }

    @Test func `a link to a new object that is deleted again is none`() throws {
      try with { pair in
        let note = pair.insert("Note", ["title": "n"])
        let tag = pair.insert("Tag")
        note.setValue(tag, forKey: "best")
        try pair.a.obtainPermanentIDs(for: [note])
        let other = pair.insert("Tag")
        note.setValue(other, forKey: "best")
        pair.a.delete(other)
        pair.a.delete(tag)
        try pair.a.save()
        #expect(try pair.app.rows("SELECT ZBEST FROM ZNOTE") == [[.null]])
      }
    }
  }
#endif
