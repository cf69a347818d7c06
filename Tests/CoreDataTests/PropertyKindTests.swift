#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import StoreAccess
  import Testing

  /// Properties of each kind, saved by one context and read by another.
  @Suite struct PropertyKindTests {
    static let sketch = """
      composite Place { latitude: Double; longitude: Double? }
      Spot { name: String; place: Composite? of Place; tags: Transformable?; when: Date?; id: UUID?
        link: URI?; price: Decimal?; data: Binary? external; ratio: Float?; flag: Boolean?
        small: Int16?; draft: Transformable? transient; marks ->> Mark ordered; best -> Mark; loose ->> Mark }
      Mark { text: String? }
      Stamp : Mark { year: Int32? }
      """

    @Test func `values and one-sided links arrive`() throws {
      try AppFolder.with(Self.sketch) { app in
        let when = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
        let id = UUID()
        let big = Data((0..<200_000).map { UInt8($0 % 251) })
        try {
          let container = try app.container(app.newest())
          let context = container.viewContext
          func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
            let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
            object.setValuesForKeys(values)
            return object
          }
          let marks = ["a", "b", "c"].map { insert("Mark", ["text": $0]) }
          let stamp = insert("Stamp", ["text": "s", "year": 1999])
          let spot = insert(
            "Spot",
            [
              "name": "one", "place": ["latitude": 1.5], "tags": ["x", 2] as [Any], "when": when,
              "id": id, "link": try #require(URL(string: "https://example.org/a")),
              "price": NSDecimalNumber(string: "12.50"), "data": big, "ratio": Float(0.1),
              "flag": true, "small": Int16(-3), "best": stamp,
              "marks": NSOrderedSet(array: [marks[2], stamp, marks[0]]),
              "loose": NSSet(array: [marks[1]]),
            ]
          )
          spot.setValue(["a", "b"], forKey: "draft")
          try context.save()
          #expect((spot.value(forKey: "draft") as? [Any])?.count == 2)
          let reader = container.newBackgroundContext()
          let read = try reader.existingObject(with: spot.objectID)
          for object in [spot, read] {
            #expect(
              (object.value(forKey: "place") as? [String: Any])?["latitude"] as? Double == 1.5
            )
            #expect((object.value(forKey: "tags") as? [Any])?.count == 2)
            #expect(object.value(forKey: "when") as? Date == when)
            #expect(object.value(forKey: "id") as? UUID == id)
            #expect((object.value(forKey: "link") as? URL)?.path == "/a")
            #expect(object.value(forKey: "price") as? NSDecimalNumber == 12.5)
            #expect(object.value(forKey: "data") as? Data == big)
            #expect(object.value(forKey: "ratio") as? Float == 0.1)
            #expect(object.value(forKey: "flag") as? Bool == true)
            #expect(object.value(forKey: "small") as? Int == -3)
            let best = object.value(forKey: "best") as? NSManagedObject
            #expect(best?.entity.name == "Stamp" && best?.value(forKey: "year") as? Int == 1999)
            let listed = (object.value(forKey: "marks") as? NSOrderedSet)?.array
              .compactMap { ($0 as? NSManagedObject)?.value(forKey: "text") as? String }
            #expect(listed == ["c", "s", "a"])
            #expect((object.value(forKey: "loose") as? NSSet)?.count == 1)
          }
          // The list is the object's own: two contexts that change it conflict.
          read.mutableOrderedSetValue(forKey: "marks").removeObject(at: 0)
          spot.mutableOrderedSetValue(forKey: "marks").removeObject(at: 1)
          try reader.save()
          #expect(cocoaCode { try context.save() } == NSManagedObjectMergeError)
          context.rollback()
          context.refreshAllObjects()
          #expect((spot.value(forKey: "marks") as? NSOrderedSet)?.count == 2)
        }()
        #expect(
          try app.rows("SELECT ZSMALL, ZFLAG, ZPRICE, ZWHEN FROM ZSPOT")
            == [[.integer(-3), .integer(1), .real(12.5), .real(700_000_000.25)]]
        )
        try app.expectSound()
      }
    }
  }
#endif
