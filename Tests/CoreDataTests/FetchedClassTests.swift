#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import StoreMigration
  import Testing

  /// Results in batches whose class is the app's own, with values that no model knows.
  @Suite struct FetchedClassTests {
    final class Draft: NSManagedObject {
      /// A value that no model knows.
      var text = ""
      var readings = 0
      var isItself = false

      override func awakeFromFetch() {
        readings += 1
        text = value(forKey: "title") as? String ?? ""
        isItself = managedObjectContext?.object(with: objectID) === self
      }
    }

    private func with(
      _ rows: Int,
      _ body: (AppFolder, NSManagedObjectContext) throws -> Void
    ) throws {
      ManagedObjectClasses.register(Draft.self)
      let sketch = try ModelSketch.model("Draft { title: String?; note: String? transient }")
      var entity = try #require(sketch["Draft"])
      entity.managedObjectClassName = "Draft"
      try AppFolder.with([ManagedObjectModel(entities: [entity])]) { app in
        try app.generate(version: 1, rows: rows)
        try { try body(app, app.container(app.newest()).viewContext) }()
        try app.expectSound()
      }
    }

    @Test func `an object that asks for itself when it is read is the one of its row`() throws {
      try with(12) { _, context in
        let request = NSFetchRequest<Draft>(entityName: "Draft")
        (request.fetchBatchSize, request.predicate) = (4, NSPredicate { _, _ in true })
        let drafts = try context.fetch(request)
        #expect(drafts.count == 12 && drafts.allSatisfy(\.isItself))
      }
    }

    @Test func `a result that was deleted and saved is not registered`() throws {
      try with(12) { _, context in
        let request = NSFetchRequest<Draft>(entityName: "Draft")
        request.fetchBatchSize = 4
        let drafts = try context.fetch(request)
        let id = drafts[5].objectID
        #expect(context.registeredObject(for: id) === drafts[5])
        context.delete(drafts[5])
        try context.save()
        #expect(context.registeredObject(for: id) == nil)
        #expect(context.registeredObject(for: drafts[6].objectID) === drafts[6])
      }
    }

    @Test func `a changed result stays the instance that it is, and others are let go of`() throws {
      try with(40) { app, context in
        let engine = try context.stored
        let request = NSFetchRequest<Draft>(entityName: "Draft")
        (request.fetchBatchSize, request.sortDescriptors) = (
          4, [NSSortDescriptor(key: "title", ascending: true)]
        )
        weak var unread: Draft?
        weak var read: Draft?
        weak var changed: Draft?
        weak var marked: Draft?
        try {
          let drafts = try context.fetch(request)
          #expect(drafts.count == 40 && drafts.allSatisfy { $0.readings == 0 })
          (unread, read, changed, marked) = (drafts[0], drafts[5], drafts[10], drafts[15])
          for draft in drafts.dropFirst(4) {
            let title = draft.value(forKey: "title") as? String ?? ""
            #expect(draft.text == title)
          }
          #expect(drafts.dropFirst(4).allSatisfy { $0.readings == 1 })
          drafts[5].text = "lost"
          (drafts[10].text, drafts[15].text) = ("kept", "kept, too")
          drafts[10].setValue("changed", forKey: "title")
          drafts[15].setValue("in memory", forKey: "note")
          engine.trim()
          #expect(drafts[5].readings == 1 && drafts[5].text == "lost")
        }()
        engine.trim()
        #expect(unread == nil && read == nil)
        #expect(
          changed?.text == "kept" && changed?.value(forKey: "title") as? String == "changed"
        )
        #expect(marked?.value(forKey: "note") as? String == "in memory")
        #expect(context.updatedObjects == [changed])
        let found = try context.fetch(request)
        #expect(found.contains { $0 === changed } && found.contains { $0 === marked })
        #expect(found.first { $0 === marked }?.text == "kept, too")
        try context.save()
        #expect(changed?.text == "kept")
        #expect(
          try app.rows("SELECT COUNT(*) FROM ZDRAFT WHERE ZTITLE = 'changed'") == [[.integer(1)]]
        )
      }
    }
  }
#endif
