#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import StoreMigration
  import Testing

  /// Fetches and saves of many objects: what they hold in memory, and what they show.
  @Suite struct FetchingTests {
    static let sketch = """
      Folder { name: String?; notes ->> Note.folder }
      Note { title: String?; stars: Int16?; price: Decimal?; id: UUID?; folder -> Folder.notes
        next -> Note.previous; previous -> Note.next }
      Photo : Note { width: Double?; data: Binary? external }
      Tag { name: String; unique name }
      """

    private func with(
      _ rows: Int = 60,
      _ body: (AppFolder, NSPersistentContainer) throws -> Void
    ) throws {
      try AppFolder.withStore(Self.sketch, rows: rows, body: body)
    }

    private static func notes(
      _ change: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) -> NSFetchRequest<NSManagedObject> {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      change(request)
      return request
    }

    private static let keys = ["title", "stars", "price", "id", "width", "data"]

    private static func values(_ objects: [NSManagedObject]) -> [[String: AnyHashable]] {
      objects.map { object in
        Dictionary(
          uniqueKeysWithValues: keys.filter { object.entity.attributesByName[$0] != nil }
            .map { ($0, object.value(forKey: $0) as? AnyHashable) }
        ).compactMapValues(\.self)
      }
    }

    @Test func `values are the same however they are read`() throws {
      try with(200) { app, container in
        let request = Self.notes { $0.includesPropertyValues = false }
        let expected = Self.values(try container.viewContext.fetch(request))
        #expect(expected.count > 40 && expected.contains { $0["width"] != nil })
        for size in [0, 1, 7, 1000] {
          let context = container.newBackgroundContext()
          let objects = try context.fetch(Self.notes { $0.fetchBatchSize = size })
          #expect(Self.values(objects) == expected)
          #expect(Self.values(objects.reversed()).reversed() == expected)
          #expect(Self.values(objects) == Self.values(try context.fetch(Self.notes())))
        }
      }
    }

    @Test func `parts, identifiers and counts are those of the whole`() throws {
      try with { _, container in
        let context = container.viewContext
        for format in [nil, "stars > 0", "title != nil", "SELF.title.length > 3"] {
          func request<Result>() -> NSFetchRequest<Result> {
            let request = NSFetchRequest<Result>(entityName: "Note")
            request.predicate = format.map { NSPredicate(format: $0) }
            return request
          }
          let all = try context.fetch(request() as NSFetchRequest<NSManagedObject>)
          #expect(try context.count(for: request() as NSFetchRequest<NSManagedObject>) == all.count)
          for (offset, limit) in [
            (0, 0), (0, 5), (3, 4), (all.count - 1, 5), (all.count, 5), (2, 0),
          ] {
            let part = Array(all.dropFirst(offset).prefix(limit == 0 ? .max : limit))
            let (objects, ids) = (
              request() as NSFetchRequest<NSManagedObject>,
              request() as NSFetchRequest<NSManagedObjectID>
            )
            (objects.fetchOffset, objects.fetchLimit) = (offset, limit)
            (ids.fetchOffset, ids.fetchLimit) = (offset, limit)
            ids.resultType = .managedObjectIDResultType
            #expect(try context.fetch(objects) == part)
            #expect(try context.fetch(ids) == part.map(\.objectID))
            #expect(try context.count(for: objects) == part.count)
          }
        }
      }
    }

    @Test func `counts and parts see changes that are not saved`() throws {
      try with { _, container in
        let context = container.viewContext
        let photos = NSFetchRequest<NSManagedObject>(entityName: "Photo")
        let (notes, before) = (try context.fetch(Self.notes()), try context.count(for: photos))
        for note in notes.prefix(5) { context.delete(note) }
        notes[7].setValue(nil, forKey: "stars")
        for _ in 0..<3 {
          _ = NSEntityDescription.insertNewObject(forEntityName: "Photo", into: context)
        }
        let gone = notes.prefix(5).filter { $0.entity.name == "Photo" }.count
        for _ in 0..<2 {
          #expect(try context.count(for: Self.notes()) == notes.count - 2)
          #expect(try context.count(for: photos) == before - gone + 3)
          let exact = Self.notes { $0.includesSubentities = false }
          #expect(try context.count(for: exact) == context.fetch(exact).count)
          #expect(try context.fetch(Self.notes()).count == notes.count - 2)
          try context.save()
        }
      }
    }

    @Test func `values that were fetched and not read show another context's save`() throws {
      try with { _, container in
        let (context, other) = (container.viewContext, container.newBackgroundContext())
        let objects = try context.fetch(Self.notes())
        _ = objects[0].value(forKey: "title")
        for object in try other.fetch(Self.notes()).prefix(2) {
          object.setValue("changed", forKey: "title")
        }
        try other.save()
        #expect(objects[0].value(forKey: "title") as? String != "changed")
        #expect(objects[1].value(forKey: "title") as? String == "changed")
        // It counts as read when it was fetched.
        objects[1].setValue(4, forKey: "stars")
        #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
        context.rollback()
      }
    }

    @Test func `a batch keeps the values that were changed`() throws {
      try with { app, container in
        let context = container.viewContext
        let objects = try context.fetch(Self.notes { $0.fetchBatchSize = 4 })
        for (place, object) in objects.enumerated() where place % 3 == 0 {
          object.setValue("title \(place)", forKey: "title")
        }
        for (place, object) in objects.enumerated() where place % 3 == 0 {
          #expect(object.value(forKey: "title") as? String == "title \(place)")
        }
        try context.save()
        #expect(
          try app.rows("SELECT COUNT(*) FROM ZNOTE WHERE ZTITLE LIKE 'title %' AND Z_OPT = 2")
            == [[.integer(Int64((objects.count + 2) / 3))]]
        )
      }
    }

    /// Returns the 20 notes from a place on, after a walk over their relationships.
    private static func page(
      from offset: Int,
      _ context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
      let request = notes()
      request.fetchOffset = offset
      request.fetchLimit = 20
      let page = try context.fetch(request)
      for note in page {
        let folder = note.value(forKey: "folder") as? NSManagedObject
        _ = folder?.value(forKey: "notes")
      }
      return page
    }

    @Test func `objects that no code holds are released, but for those with changes`() throws {
      try with(1000) { _, container in
        let context = container.viewContext
        let engine = try context.stored
        engine.greatestUnheld = 50
        var changed: [NSManagedObjectID] = []
        let held = try #require(context.fetch(Self.notes { $0.fetchLimit = 1 }).first)
        held.setValue("held", forKey: "title")
        let count = try context.count(for: Self.notes())
        for offset in stride(from: 0, to: count, by: 20) {
          let page = try Self.page(from: offset, context)
          guard changed.count < 5 else { continue }
          page[1].setValue("changed", forKey: "title")
          changed.append(page[1].objectID)
        }
        #expect(changed.count == 5 && count >= 300)
        #expect(engine.objectsInMemory < 250)
        #expect(context.updatedObjects.count == 6)
        #expect(try context.fetch(Self.notes { $0.fetchLimit = 1 }).first === held)
        for id in changed {
          #expect(
            try context.existingObject(with: id).value(forKey: "title") as? String == "changed"
          )
        }
        try context.save()
      }
    }

    @Test func `new objects that name each other are saved with one another`() throws {
      try with { app, container in
        let context = container.viewContext
        let folder = try #require(
          context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Folder")).first
        )
        var last: NSManagedObject?
        let notes = (0..<40).map { place in
          let name = place % 2 == 0 ? "Note" : "Photo"
          let note = NSEntityDescription.insertNewObject(forEntityName: name, into: context)
          note.setValue("new \(place)", forKey: "title")
          note.setValue(place % 3 == 0 ? folder : nil, forKey: "folder")
          note.setValue(last, forKey: "previous")
          last = note
          return note
        }
        try context.save()
        #expect(!notes.contains { $0.objectID.isTemporaryID })
        #expect(
          try app.rows(
            "SELECT COUNT(*), COUNT(ZFOLDER), SUM(n.ZNEXT IS NOT NULL) FROM ZNOTE n"
              + " WHERE ZTITLE LIKE 'new %' AND Z_OPT = 1"
          ) == [[.integer(40), .integer(14), .integer(39)]]
        )
        #expect(
          try app.rows(
            "SELECT COUNT(*) FROM ZNOTE a JOIN ZNOTE b ON b.ZPREVIOUS = a.Z_PK AND a.ZNEXT = b.Z_PK"
              + " AND b.ZTITLE = 'new ' || (SUBSTR(a.ZTITLE, 5) + 1) WHERE a.ZTITLE LIKE 'new %'"
          ) == [[.integer(39)]]
        )
        for (place, note) in notes.enumerated() {
          #expect(note.value(forKey: "title") as? String == "new \(place)")
          #expect(try context.existingObject(with: note.objectID) === note)
        }
      }
    }

    @Test func `a save of new objects that fails leaves all as it was, and can be mended`() throws {
      try with { app, container in
        let context = container.viewContext
        let before = try app.rows("SELECT Z_PK FROM ZTAG ORDER BY Z_PK")
        let counters = try app.rows("SELECT * FROM Z_PRIMARYKEY")
        let tags = (0..<20).map { place in
          let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
          tag.setValue("tag \(place)", forKey: "name")
          return tag
        }
        tags[3].setValue(nil, forKey: "name")
        #expect(cocoaCode { try context.save() } == NSValidationMissingMandatoryPropertyError)
        tags[3].setValue("tag 4", forKey: "name")
        #expect(cocoaCode { try context.save() } == NSManagedObjectConstraintMergeError)
        #expect(try app.rows("SELECT Z_PK FROM ZTAG ORDER BY Z_PK") == before)
        #expect(try app.rows("SELECT * FROM Z_PRIMARYKEY") == counters)
        #expect(tags.allSatisfy { $0.objectID.isTemporaryID && $0.isInserted })
        tags[3].setValue("tag 3", forKey: "name")
        try context.save()
        #expect(try app.rows("SELECT Z_PK FROM ZTAG").count == before.count + 20)
        #expect(!tags.contains { $0.objectID.isTemporaryID })
      }
    }

    @Test func `objects of different batches can be linked`() throws {
      let sketch =
        "Node { name: String?; parent -> Node.children; children ->> Node.parent ordered }"
      try AppFolder.with(sketch) { app in
        try app.generate(version: 1, rows: 12)
        try {
          let context = try app.container(app.newest()).viewContext
          let request = NSFetchRequest<NSManagedObject>(entityName: "Node")
          request.fetchBatchSize = 1
          let nodes = try context.fetch(request)
          for (child, parent) in zip(nodes.dropFirst(), nodes) {
            child.setValue(parent, forKey: "parent")
          }
          nodes[11].mutableOrderedSetValue(forKey: "children").add(nodes[0])
          try context.save()
        }()
        let rows = try app.rows("SELECT COUNT(*) FROM ZNODE WHERE ZPARENT = Z_PK - 1")
        #expect(rows == [[.integer(11)]])
        try app.expectSound()
      }
    }

    @Test func `a value of a batch that is gone is not written over another save unseen`() throws {
      try with { app, container in
        let context = container.viewContext
        let notes = try context.fetch(Self.notes { $0.fetchBatchSize = 2 })
        let stars = notes[0].value(forKey: "stars") as? Int ?? 0
        _ = notes[9].value(forKey: "stars")
        let other = try app.container(app.newest()).viewContext
        let same = try #require(try other.fetch(Self.notes()).first)
        same.setValue(77, forKey: "stars")
        try other.save()
        _ = try context.fetch(Self.notes())
        notes[0].setValue(stars + 1, forKey: "stars")
        #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
        context.rollback()
      }
    }

    final class Memo: NSManagedObject {
      /// A value that no model knows.
      var draft = ""
      var fetches = 0

      override func awakeFromFetch() { fetches += 1 }
    }

    @Test func `a changed object is one instance, with values of its own, until it is saved`()
      throws
    {
      ManagedObjectClasses.register(Memo.self)
      let sketch = try ModelSketch.model("Memo { title: String?; note: String? transient }")
      var entity = try #require(sketch["Memo"])
      entity.managedObjectClassName = "Memo"
      try AppFolder.with([ManagedObjectModel(entities: [entity])]) { app in
        try {
          let container = try app.container(app.newest())
          let context = container.newBackgroundContext()
          weak var gone: Memo?
          func change(_ body: (Memo) -> Void) throws {
            let request = NSFetchRequest<Memo>(entityName: "Memo")
            let memo = try context.fetch(request).first ?? Memo(context: context)
            gone = memo
            body(memo)
          }
          try change { $0.draft = "first" }
          try change { #expect($0.draft == "first" && $0.fetches == 0) }
          try context.save()
          #expect(gone == nil)
          // A value that no store keeps is a change, too.
          try change {
            $0.draft = "second"
            $0.setValue("kept", forKey: "note")
          }
          try context.stored.trim()
          try change {
            #expect($0.draft == "second" && $0.value(forKey: "note") as? String == "kept")
            $0.setValue("t", forKey: "title")
          }
          try context.stored.trim()
          try context.save()
          #expect(gone == nil)
          try change { $0.setValue("lost", forKey: "note") }
          context.rollback()
          try context.stored.trim()
          try change { #expect($0.value(forKey: "note") == nil && $0.draft.isEmpty) }
          // A context that is dropped with changes lets go of them.
          weak var other: Memo?
          try {
            let context = container.newBackgroundContext()
            let memo = Memo(context: context)
            other = memo
            _ = try context.count(for: NSFetchRequest<Memo>(entityName: "Memo"))
          }()
          #expect(other == nil)
        }()
        try app.expectSound()
      }
    }
  }
#endif
