#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import StoreGeneration
  import StoreMigration
  import Testing

  /// Policies as apps write them for Apple's framework.
  @Suite struct CoreDataPolicyTests {
    static let first = """
      Person { name: String; city: String?; age: Int16?; born: Date?; picture: Binary?
        friends ->> Person.friends2; friends2 ->> Person.friends }
      """
    static let second = """
      Person { name: String; age: Int32?; born: Date?; picture: Binary?; label: String?
        home -> City.people; friends ->> Person.friends2; friends2 ->> Person.friends }
      City { name: String; size: Int64?; people ->> Person.home }
      """

    /// Finds or makes the city of each person: by a fetch, or in a dictionary.
    class HomePolicy: NSEntityMigrationPolicy {
      private var made: [String: NSManagedObject] = [:]

      override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard
          let person = manager.destinationInstances(
            forEntityMappingName: mapping.name,
            sourceInstances: [sInstance]
          ).first, let name = sInstance.value(forKey: "city") as? String
        else { return }
        let age = sInstance.value(forKey: "age") as? Int ?? 0
        person.setValue("\(name) \(age)", forKey: "label")
        let city = try city(name, in: manager.destinationContext)
        person.setValue(city, forKey: "home")
        city.setValue(Int64(city.mutableSetValue(forKey: "people").count), forKey: "size")
      }

      func city(_ name: String, in context: NSManagedObjectContext) throws -> NSManagedObject {
        if let known = made[name] { return known }
        let city = NSEntityDescription.insertNewObject(forEntityName: "City", into: context)
        city.setValue(name, forKey: "name")
        made[name] = city
        return city
      }
    }

    /// The same by a fetch request.
    final class FetchingPolicy: HomePolicy {
      override func city(
        _ name: String,
        in context: NSManagedObjectContext
      ) throws -> NSManagedObject {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "City")
        request.predicate = NSPredicate(format: "%K == %@", "name", name)
        if let city = try context.fetch(request).first as? NSManagedObject { return city }
        let city = NSManagedObject(
          entity: try #require(NSEntityDescription.entity(forEntityName: "City", in: context)),
          insertInto: context
        )
        city.setValue(name, forKey: "name")
        return city
      }
    }

    /// Makes everything by hand, as the policies of many apps do, and walks the mappings.
    final class HandPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        let made = NSEntityDescription.insertNewObject(
          forEntityName: try #require(mapping.destinationEntityName),
          into: manager.destinationContext
        )
        for property in mapping.attributeMappings ?? [] {
          let name = try #require(property.name)
          let context: NSMutableDictionary = ["source": sInstance]
          let value = property.valueExpression?.expressionValue(with: sInstance, context: context)
          made.setValue(value, forKey: name)
        }
        manager.associate(
          sourceInstance: sInstance,
          withDestinationInstance: made,
          for: mapping
        )
      }

      override func createRelationships(
        forDestination dInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        let sources = manager.sourceInstances(
          forEntityMappingName: mapping.name,
          destinationInstances: [dInstance]
        )
        let friends = try #require(sources.first?.value(forKey: "friends") as? Set<NSManagedObject>)
        let made = manager.destinationInstances(
          forEntityMappingName: mapping.name,
          sourceInstances: Array(friends)
        )
        dInstance.setValue(NSSet(array: made), forKey: "friends")
      }
    }

    private func migrated(
      by policy: String,
      _ registry: MigrationRegistry,
      rows: Int = 30,
      _ body: (PolicyHop) throws -> Void
    ) throws {
      try TemporaryFolder.with { folder in
        let source = try ModelSketch.model(Self.first)
        try StoreGenerator(model: source, rows: rows, seed: 5).write(to: folder + "/before.sqlite")
        let cities = "CASE Z_PK % 4 WHEN 0 THEN NULL ELSE 'City ' || (Z_PK % 4) END"
        try AppDatabase(folder + "/before.sqlite").execute("UPDATE ZPERSON SET ZCITY = \(cities)")
        var carried = ["name": "name", "age": "age", "born": "born", "picture": "picture"]
        carried["label"] = policy.hasSuffix("HandPolicy") ? "city" : nil
        let hop = try PolicyHop(
          PolicyHop.mapping(
            [("Person", "Person", policy)],
            attributes: carried,
            relationships: ["friends": "friends"]
          ),
          from: source,
          to: ModelSketch.model(Self.second),
          in: folder,
          registry: registry
        )
        try body(hop)
      }
    }

    private static let carriedColumns = "Z_PK, ZNAME, ZAGE, ZBORN, ZPICTURE"

    @Test(arguments: ["HomePolicy", "FetchingPolicy", "RegisteredPolicy"])
    func `a policy finds or makes objects`(name: String) throws {
      var registry = MigrationRegistry()
      registry.register(HomePolicy.self)
      registry.register(FetchingPolicy.self)
      registry.register(RegisteredPolicy.self)
      try migrated(by: name, registry) { hop in
        try hop.run()
        let before = try hop.rows(
          "SELECT \(Self.carriedColumns), ZCITY, ZCITY || ' ' || coalesce(ZAGE, 0) FROM old.ZPERSON"
            + " ORDER BY Z_PK"
        )
        let after = try hop.rows(
          "SELECT p.Z_PK, p.ZNAME, p.ZAGE, p.ZBORN, p.ZPICTURE, c.ZNAME, p.ZLABEL"
            + " FROM main.ZPERSON AS p LEFT JOIN main.ZCITY AS c ON c.Z_PK = p.ZHOME ORDER BY p.Z_PK"
        )
        #expect(before == after)
        #expect(before.count == 30)
        let cities = try hop.rows(
          "SELECT ZNAME, ZSIZE = (SELECT COUNT(*) FROM main.ZPERSON WHERE ZHOME = ZCITY.Z_PK)"
            + " FROM main.ZCITY ORDER BY 1"
        )
        #expect(cities == (1...3).map { [.text("City \($0)"), .integer(1)] })
      }
    }

    @Test func `a policy makes objects and links by hand`() throws {
      var registry = MigrationRegistry()
      registry.register(HandPolicy.self)
      try migrated(by: "App.HandPolicy", registry) { hop in
        try hop.run()
        let columns = "ZNAME, ZAGE, ZBORN, ZPICTURE"
        let before = try hop.rows(
          "SELECT \(columns), ZCITY FROM old.ZPERSON ORDER BY 1, 2, 3, 4, 5"
        )
        let after = try hop.rows(
          "SELECT \(columns), ZLABEL FROM main.ZPERSON ORDER BY 1, 2, 3, 4, 5"
        )
        #expect(before == after)
        #expect(before.count == 30)
        let old = try PhysicalSchema(model: ModelSketch.model(Self.first)).joinTables[0].name
        let count = try hop.rows("SELECT COUNT(*) FROM old.\(old)")
        let new = hop.destination.joinTables[0].name
        #expect(try hop.rows("SELECT COUNT(*) FROM main.\(new)") == count)
        #expect(count != [[.integer(0)]])
      }
    }

    /// Does what Core Data would raise an exception for, where nothing can be thrown.
    final class WrongPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        sInstance.setValue(sInstance.value(forKey: "nickname"), forKey: "name")
      }
    }

    @Test func `an unknown key ends the run with its entity`() throws {
      var registry = MigrationRegistry()
      registry.register(WrongPolicy.self)
      try migrated(by: "WrongPolicy", registry) { hop in
        let error = #expect(throws: MigrationError.self) { try hop.run() }
        #expect(error.map { "\($0)".contains("nickname") && "\($0)".contains("Person") } == true)
      }
    }

    /// Keeps an object for ever, as code does that runs once in an app.
    final class KeepingPolicy: NSEntityMigrationPolicy {
      nonisolated(unsafe) static var kept: NSManagedObject?

      override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        let kept = Self.kept ?? sInstance
        Self.kept = kept
        _ = kept.value(forKey: "name")
      }
    }

    @Test func `an object of an earlier migration is not taken for one of this`() throws {
      var registry = MigrationRegistry()
      registry.register(KeepingPolicy.self)
      try migrated(by: "KeepingPolicy", registry) { hop in try hop.run() }
      try migrated(by: "KeepingPolicy", registry) { hop in
        let error = #expect(throws: MigrationError.self) { try hop.run() }
        #expect(error.map { "\($0)".contains("after its migration was over") } == true)
      }
    }

    /// Copies each attribute by its mapping's expression, and by its key path.
    final class CopyingPolicy: NSEntityMigrationPolicy {
      override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        let made = NSEntityDescription.insertNewObject(
          forEntityName: "Person",
          into: manager.destinationContext
        )
        let expression = mapping.attributeMappings?.first?.valueExpression
        let variables: NSMutableDictionary = [NSMigrationSourceObjectKey: sInstance]
        made.setValue(
          expression?.expressionValue(with: nil, context: variables),
          forKey: "shots"
        )
        made.setValue(sInstance.value(forKeyPath: "shots"), forKey: "more")
        manager.associate(
          sourceInstance: sInstance,
          withDestinationInstance: made,
          for: mapping
        )
      }
    }

    @Test func `a transformable attribute is copied as it is`() throws {
      var registry = MigrationRegistry()
      registry.register(CopyingPolicy.self)
      try TemporaryFolder.with { folder in
        let source = try ModelSketch.model("Person { shots: Transformable? }")
        try StoreGenerator(model: source, rows: 9, seed: 5).write(to: folder + "/before.sqlite")
        let hop = try PolicyHop(
          PolicyHop.mapping(
            [("Person", "Person", "CopyingPolicy")],
            attributes: ["shots": "shots"]
          ),
          from: source,
          to: ModelSketch.model("Person { shots: Transformable?; more: Transformable? }"),
          in: folder,
          registry: registry
        )
        try hop.run()
        func values(_ column: String, _ table: String) throws -> [PropertyListValue] {
          try hop.rows("SELECT \(column) FROM \(table) WHERE \(column) IS NOT NULL ORDER BY Z_PK")
            .map { try SecureUnarchiveFromDataTransformer().value(of: $0[0].blob ?? []) }
        }
        let before = try values("ZSHOTS", "old.ZPERSON")
        #expect(!before.isEmpty)
        #expect(try Set(values("ZSHOTS", "main.ZPERSON")) == Set(before))
        #expect(try Set(values("ZMORE", "main.ZPERSON")) == Set(before))
      }
    }

    /// Answers a method of the mapping's.
    final class AnsweringPolicy: NSEntityMigrationPolicy {
      func size(of age: NSNumber?) -> String { (age?.intValue ?? 0) < 50 ? "young" : "old" }

      override func answer(_ selector: String, _ arguments: [Any?]) throws -> Any? {
        switch selector {
        case "sizeOf:": return size(of: try argument(arguments, 0))
        case "shots": return ["one", 2] as NSArray
        default: return try super.answer(selector, arguments)
        }
      }
    }

    @Test func `an expression calls a method of the policy`() throws {
      var registry = MigrationRegistry()
      registry.register(AnsweringPolicy.self)
      try TemporaryFolder.with { folder in
        let source = try ModelSketch.model("Person { age: Int16? }")
        try StoreGenerator(model: source, rows: 9, seed: 5).write(to: folder + "/before.sqlite")
        try AppDatabase(folder + "/before.sqlite").execute("UPDATE ZPERSON SET ZAGE = Z_PK * 10")
        var model = PolicyHop.mapping([("Person", "Person", "AnsweringPolicy")])
        model.entityMappings[0].attributeMappings = [
          PropertyMapping(
            name: "label",
            valueExpression: try ObjectModel.Expression(
              format: "FUNCTION($entityPolicy, \"sizeOf:\", $source.age)"
            )
          ),
          PropertyMapping(
            name: "shots",
            valueExpression: try ObjectModel.Expression(
              format: "FUNCTION($entityPolicy, \"shots\")"
            )
          ),
        ]
        let hop = try PolicyHop(
          model,
          from: source,
          to: ModelSketch.model("Person { label: String?; shots: Transformable? }"),
          in: folder,
          registry: registry
        )
        try hop.run()
        let labels = try hop.rows("SELECT ZLABEL, COUNT(*) FROM main.ZPERSON GROUP BY 1 ORDER BY 1")
        #expect(labels == [[.text("old"), .integer(5)], [.text("young"), .integer(4)]])
        let shots = try hop.rows("SELECT DISTINCT ZSHOTS FROM main.ZPERSON").first?.first?.blob
        let value = try SecureUnarchiveFromDataTransformer().value(of: try #require(shots))
        #expect(value == ["one", 2])
      }
    }

    /// Asks by predicates and orders.
    final class AskingPolicy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        let context = manager.sourceContext
        func names(_ predicate: NSPredicate?, _ order: [NSSortDescriptor] = []) throws -> Int {
          let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
          request.predicate = predicate
          request.sortDescriptors = order
          return try context.fetch(request).count
        }
        let cities = ["City 1", "City 2"]
        let one = try names(NSPredicate(format: "city == 'City 1'"))
        let two = try names(NSPredicate(format: "city IN %@", cities))
        #expect(two > one && one > 0)
        #expect(try names(NSPredicate(format: "city == NIL")) == 7)
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
          NSPredicate(format: "city == %@", "City 1"), NSPredicate(format: "age >= %d", 0),
        ])
        #expect(try names(both) <= one)
        #expect(
          try names(
            NSPredicate { object, _ in
              (object as? NSManagedObject)?.value(forKey: "city") as? String == "City 1"
            }
          ) == one
        )
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [
          NSSortDescriptor(key: "city", ascending: false),
          NSSortDescriptor(key: "age", ascending: true),
        ]
        request.fetchLimit = 5
        let best = try context.fetch(request)
        #expect(
          best.map { $0.value(forKey: "city") as? String } == Array(repeating: "City 3", count: 5)
        )
        let ages = best.map { $0.value(forKey: "age") as? Int ?? .min }
        #expect(ages == ages.sorted())
        let friend = try #require(best.first)
        let friends = (friend.value(forKey: "friends2") as? NSSet)?.count
        #expect(try names(NSPredicate(format: "ANY friends == %@", friend)) == friends)
        #expect(friend.value(forKeyPath: "friends2.@count") as? Int == friends)
        #expect(try names(NSPredicate(format: "SELF IN %@", best)) == 5)
      }
    }

    @Test func `a policy asks by predicates, blocks and orders`() throws {
      var registry = MigrationRegistry()
      registry.register(AskingPolicy.self)
      try migrated(by: "AskingPolicy", registry) { hop in try hop.run() }
    }
  }
#endif
