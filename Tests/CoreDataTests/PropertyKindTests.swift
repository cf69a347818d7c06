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

    @Test func `a decimal that is not a number is saved as text, and read as it is`() throws {
      try AppFolder.with("Price { amount: Decimal? }") { app in
        try {
          let container = try app.container(app.newest())
          let context = container.viewContext
          let price = NSEntityDescription.insertNewObject(forEntityName: "Price", into: context)
          price.setValue(NSDecimalNumber.notANumber, forKey: "amount")
          try context.save()
          let reader = container.newBackgroundContext()
          let read = try reader.existingObject(with: price.objectID)
          let amount = read.value(forKey: "amount") as? NSDecimalNumber
          #expect(amount?.decimalValue.isNaN == true)
        }()
        #expect(try app.rows("SELECT ZAMOUNT FROM ZPRICE") == [[.text("NaN")]])
      }
    }

    /// A transformer of the app's own.
    final class ShiftTransformer: ValueTransformer {
      override func transformedValue(_ value: Any?) -> Any? {
        (value as? String).map { Data($0.utf8.map { $0 &+ 3 }) }
      }

      override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map { String(decoding: $0.map { $0 &- 3 }, as: UTF8.self) }
      }
    }

    /// A transformer of archives, which the app derives from Foundation's.
    final class TagsTransformer: NSSecureUnarchiveFromDataTransformer {
      override class var allowedTopLevelClasses: [AnyClass] { [NSArray.self, NSString.self] }
    }

    @Test func `transformers that an app registers read and write their attributes`() throws {
      ValueTransformer.setValueTransformer(ShiftTransformer(), forName: .init("ShiftByThree"))
      ValueTransformer.setValueTransformer(TagsTransformer(), forName: .init("TagsTransformer"))
      let sketch =
        "Spot { secret: Transformable? by ShiftByThree; tags: Transformable? by TagsTransformer }"
      try AppFolder.with(sketch) { app in
        try {
          let container = try app.container(app.newest())
          let context = container.viewContext
          let spot = NSEntityDescription.insertNewObject(forEntityName: "Spot", into: context)
          spot.setValue("abc", forKey: "secret")
          spot.setValue(["x", "y"], forKey: "tags")
          try context.save()
          context.reset()
          let request = NSFetchRequest<NSManagedObject>(entityName: "Spot")
          let read = try #require(try context.fetch(request).first)
          #expect(read.value(forKey: "secret") as? String == "abc")
          #expect(read.value(forKey: "tags") as? [String] == ["x", "y"])
          // An object whose class the app's archives call otherwise is refused, and nothing is written.
          read.setValue(NSObject(), forKey: "tags")
          #expect(throws: (any Error).self) { try context.save() }
        }()
        #expect(try app.rows("SELECT ZSECRET FROM ZSPOT") == [[.blob(Array("def".utf8))]])
        #expect(
          try app.rows("SELECT substr(ZTAGS, 1, 8) FROM ZSPOT") == [[.blob(Array("bplist00".utf8))]]
        )
        try app.expectSound()
      }
    }
  }
#endif
