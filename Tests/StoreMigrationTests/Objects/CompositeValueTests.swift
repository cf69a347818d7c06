import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreGeneration
import StoreMigration
import Testing

/// Composites as policies see them: a dictionary, and a key for each element.
@Suite struct CompositeValueTests {
  private static let sketch = """
    composite Place { city: String?; floor: Int16 = 2 }
    Shop { name: String?; place: Composite? of Place; partner -> Shop }
    """

  private func withShops(_ body: (OpenedStore) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(Self.sketch)
      let path = folder + "/store.sqlite"
      try StoreGenerator(model: model, rows: 3, seed: 1).write(to: path)
      try AppDatabase.run(
        path,
        """
        UPDATE ZSHOP SET ZCITY = 'Oslo', ZFLOOR = 4, ZPARTNER = 2 WHERE Z_PK = 1;
        UPDATE ZSHOP SET ZCITY = NULL, ZFLOOR = NULL, ZPARTNER = 1 WHERE Z_PK = 2;
        UPDATE ZSHOP SET ZCITY = NULL, ZFLOOR = 7 WHERE Z_PK = 3;
        """
      )
      try body(try OpenedStore(path, model))
    }
  }

  private func city(_ value: ExpressionValue?) -> String? {
    if case .scalar(.string(let text))? = value { text } else { nil }
  }

  @Test func `a composite reads as its elements, and as nothing where all are NULL`() throws {
    try withShops { store in
      let shops = try store.objects("Shop")
      let first = try #require(try shops[0].composite(forKey: "place"))
      #expect(city(first["city"]) == "Oslo" && first.count == 2)
      #expect(try shops[0].string(forKey: "place.city") == "Oslo")
      #expect(try shops[0].integer(forKey: "place.floor") == 4)
      #expect(try shops[1].composite(forKey: "place") == nil)
      let third = try #require(try shops[2].composite(forKey: "place"))
      #expect(city(third["city"]) == nil && third.count == 2)
      #expect(throws: MigrationError.self) { try shops[0].string(forKey: "place") }
      // An attribute without a value is nothing of any type.
      #expect(throws: MigrationError.self) {
        for shop in shops { _ = try shop.composite(forKey: "name") }
      }
    }
  }

  @Test func `key paths lead through composites`() throws {
    try withShops { store in
      let shops = try store.objects("Shop")
      let evaluator = ExpressionEvaluator(variables: ["source": .object(shops[1])])
      for text in [
        "$source.partner.place.city",
        "FUNCTION($source.partner, \"valueForKeyPath:\", \"place.city\")",
        "FUNCTION(FUNCTION($source.partner, \"valueForKey:\", \"place\"), \"valueForKey:\", \"city\")",
      ] {
        #expect(city(try evaluator.evaluate(Expression(format: text))) == "Oslo", "\(text)")
      }
      let empty = try evaluator.evaluate(Expression(format: "$source.place.city"))
      guard case .nothing = empty else {
        Issue.record("a composite that is nothing has elements")
        return
      }
    }
  }

  @Test func `a composite is set as a whole, and left out elements are nothing`() throws {
    try withShops { store in
      let shops = try store.objects("Shop")
      try shops[0].set(composite: ["city": .scalar(.string("Rome"))], forKey: "place")
      try shops[1].set("Bonn", forKey: "place.city")
      try shops[2].set(composite: nil, forKey: "place")
      let made = try store.context.insert(entityName: "Shop")
      #expect(try made.integer(forKey: "place.floor") == 2)
      #expect(throws: MigrationError.self) {
        try made.set(composite: ["street": .nothing], forKey: "place")
      }
      #expect(throws: MigrationError.self) { try made.set("Rome", forKey: "place") }
      try store.context.save()
      let rows = try store.database.connection.rows(
        "SELECT ZCITY, ZFLOOR FROM ZSHOP ORDER BY Z_PK"
      )
      #expect(
        rows == [
          [.text("Rome"), .null], [.text("Bonn"), .null], [.null, .null], [.null, .integer(2)],
        ]
      )
    }
  }

  @Test func `what a composite wants is held against rows that have it`() throws {
    try TemporaryFolder.with { folder in
      let model = try ModelSketch.model(
        "composite P { x: Double; y: Double? } N { p: Composite? of P; q: Composite of P }"
      )
      let path = folder + "/store.sqlite"
      try StoreGenerator(model: model, rows: 400, seed: 5).write(to: path)
      func violations() throws -> [String] {
        let store = try PersistentStore(reading: path)
        let validator = StoreValidator(schema: PhysicalSchema(model: model))
        return try validator.violations(on: store.connection).map { "\($0.property) \($0.count)" }
      }
      #expect(try violations().isEmpty)
      let rows = try AppDatabase(path).rows(
        "SELECT COUNT(*), COUNT(ZX), COUNT(ZY), COUNT(ZX1) FROM ZN WHERE ZX IS NULL AND ZY IS NULL"
      )
      // A composite that is nothing is so as a whole, and one that is required never is.
      #expect((rows[0][0].integer ?? 0) > 20 && rows[0][3] == rows[0][0])
      try AppDatabase.run(path, "UPDATE ZN SET ZX = NULL, ZY = 1 WHERE Z_PK IN (1, 2)")
      try AppDatabase.run(path, "UPDATE ZN SET ZX = NULL, ZY = NULL WHERE Z_PK = 3")
      try AppDatabase.run(path, "UPDATE ZN SET ZX1 = NULL WHERE Z_PK = 4")
      #expect(try violations() == ["p.x 2", "q.x 1"])
    }
  }
}
