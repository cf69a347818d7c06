#if os(Linux)
  @testable import CoreData
  import MigrationTestSupport
  import StoreAccess
  import StoreMigration
  import Testing

  /// Fetch requests whose condition and order SQLite answers, against the same condition and order asked of each
  /// object in memory.
  @Suite struct FetchAgreementTests {
    private static let sketch = """
      Folder { name: String?; rank: Int16?; notes ->> Note.folder ordered; tags ->> Tag.folders }
      Note { title: String?; text: String?; stars: Int16?; views: Int64?; price: Decimal?; ratio: Double?
        size: Float?; written: Date?; done: Boolean?; id: UUID?; folder -> Folder.notes
        twin -> Note.twin }
      Photo : Note { width: Double? }
      Tag { name: String?; folders ->> Folder.tags }
      """

    private static let orders: [[(String, Bool)]] = [
      [], [("title", true)], [("text", false), ("stars", true)],
      [("price", true), ("title", false)],
      [("written", false)], [("folder.name", true), ("folder.rank", false), ("views", true)],
      [("done", false), ("ratio", true)], [("size", true), ("title", true)],
      [("id", true)], [("folder.name", true), ("id", false)],
    ]

    /// Conditions with their arguments.
    private static let conditions: [(String, [any Sendable])] = [
      ("title == nil", []), ("title == %@", [""]), ("title != %@", ["0"]),
      ("%K == %@", ["title", " "]),
      ("title CONTAINS[cd] %@", ["é"]), ("title BEGINSWITH[c] %@", ["the"]),
      ("title LIKE[cd] %@", ["?e*"]),
      ("title MATCHES %@", [".*[a-z]"]), ("title IN %@", [["NULL", "0", " ", "Dear friend"]]),
      ("stars > %d", [10]), ("stars BETWEEN %@", [[-5, 300]]), ("stars == nil OR stars < 0", []),
      ("views > %ld", [Int.max - 1]), ("views == %@", [Int64.max]), ("price > %@", [19.98]),
      ("price == %@", [NSDecimalNumber(string: "0.01")]), ("price <= 0", []), ("ratio < %f", [0.0]),
      ("size >= %@", [16_777_217]), ("written > %@", [Date(timeIntervalSinceReferenceDate: 0)]),
      ("written == nil AND done == YES", []), ("done == NO", []), ("done != %@", [true]),
      ("id != nil", []),
      ("id > %@", [UUID(uuid: (0x80, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 0))]),
      ("folder == nil", []), ("folder.name CONTAINS[c] %@", ["e"]),
      ("folder.rank > 0 AND NOT (title BEGINSWITH 'D')", []), ("folder.notes.@count > 2", []),
      ("ANY folder.tags.name != nil", []), ("twin != nil AND twin.stars < 100", []),
      ("title < text", []), ("title.length > 12", []), ("stars + 1 > views", []),
    ]

    @Test func `the objects are the same, and in the same order`() throws {
      var (answered, choosing, withNothing, wide) = (0, 0, 0, 0)
      try AppFolder.withStore(Self.sketch, rows: 150) { app, container in
        let context = container.viewContext
        let all = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
        withNothing = all.count { $0.value(forKey: "title") == nil }
        wide = all.count {
          ($0.value(forKey: "title") as? String)?.utf8.contains { $0 > 0x7f } == true
        }
        for (place, (format, arguments)) in Self.conditions.enumerated() {
          let predicate = NSPredicate(format: format, argumentArray: arguments)
          let chosen = all.filter { predicate.evaluate(with: $0) }
          for next in 0..<5 {
            let order = Self.orders[(place + next) % Self.orders.count]
            let descriptors = order.map { NSSortDescriptor(key: $0.0, ascending: $0.1) }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = predicate
            request.sortDescriptors = descriptors
            let expected = chosen.enumerated().sorted { left, right in
              for descriptor in descriptors {
                switch descriptor.compare(left.element, to: right.element) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
              }
              return left.offset < right.offset
            }.map(\.element)
            #expect(try context.fetch(request) == expected, "\(format) by \(order)")
            if try Self.isAnsweredBySQL(request, context) { answered += 1 }
            if !expected.isEmpty, expected.count < all.count { choosing += 1 }
          }
        }
        let ordered = try app.rows(
          "SELECT COUNT(*) FROM ZNOTE a JOIN ZNOTE b ON a.ZFOLDER = b.ZFOLDER AND a.Z_PK < b.Z_PK"
            + " AND a.Z_FOK_FOLDER > b.Z_FOK_FOLDER"
        )
        #expect((ordered.first?.first?.integer ?? 0) > 3)
      }
      #expect(withNothing > 3 && wide > 3)
      #expect(answered == 5 * Self.conditions.count, "SQL answers \(answered)")
      #expect(choosing >= 100, "\(choosing)")
    }

    /// Whether SQL alone answers a request.
    private static func isAnsweredBySQL(
      _ request: NSFetchRequest<NSManagedObject>,
      _ context: NSManagedObjectContext
    ) throws -> Bool {
      let condition = request.predicate.map { FetchCondition($0, in: context) }
      var choices = FetchChoices()
      choices.predicate = condition?.predicate
      let keys = (request.sortDescriptors ?? []).compactMap(\.sortKey)
      choices.order = try context.stored.order(of: "Note", by: keys)
      guard condition?.filter == nil, choices.order != nil else { return false }
      return try context.stored.forEachKey(entityName: "Note", choices) { _, _, _ in }
    }
  }
#endif
