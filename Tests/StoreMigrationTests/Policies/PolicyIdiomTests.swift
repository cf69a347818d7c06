#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import ObjectModel
  import StoreAccess
  import StoreGeneration
  import StoreMigration
  import Testing

  /// Policies of apps that do more than read and make objects.
  @Suite struct PolicyIdiomTests {
    /// Numbers the persons by the order of their names when the mapping begins, and deletes each from the source.
    final class NumberingPolicy: NSEntityMigrationPolicy {
      private var names: [String] = []

      private func persons(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [
          NSSortDescriptor(
            key: "name",
            ascending: false,
            selector: Selector("localizedStandardCompare:")
          )
        ]
        return try context.fetch(request)
      }

      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        names = try persons(manager.sourceContext).compactMap {
          $0.value(forKey: "name") as? String
        }
      }

      override func createDestinationInstances(
        forSource sInstance: NSManagedObject,
        in mapping: NSEntityMapping,
        manager: NSMigrationManager
      ) throws {
        try autoreleasepool {
          try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        }
        let made = manager.destinationInstances(
          forEntityMappingName: mapping.name,
          sourceInstances: [sInstance]
        )
        let place = names.firstIndex(of: try #require(sInstance.value(forKey: "name") as? String))
        made.first?.setValue(place, forKey: "place")
        manager.sourceContext.delete(sInstance)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        #expect(sInstance.isDeleted)
        let left = try manager.sourceContext.count(for: request)
        #expect(try persons(manager.sourceContext).count == left)
        made.first?.setValue(left, forKey: "left")
      }
    }

    @Test func `a policy sorts by a selector, and deletes source objects for itself`() throws {
      var registry = MigrationRegistry()
      registry.register(NumberingPolicy.self)
      try TemporaryFolder.with { folder in
        let source = try ModelSketch.model("Person { name: String }")
        try StoreGenerator(model: source, rows: 12, seed: 5).write(to: folder + "/before.sqlite")
        try AppDatabase(folder + "/before.sqlite")
          .execute("UPDATE ZPERSON SET ZNAME = 'Person ' || Z_PK")
        let hop = try PolicyHop(
          PolicyHop.mapping(
            [("Person", "Person", "NumberingPolicy")],
            attributes: ["name": "name"]
          ),
          from: source,
          to: ModelSketch.model("Person { name: String; place: Int64?; left: Int64? }"),
          in: folder,
          registry: registry
        )
        try hop.run()
        // Numbers in texts count as numbers, and the last is first.
        let rows = try hop.rows("SELECT ZNAME, ZPLACE FROM main.ZPERSON ORDER BY Z_PK")
        #expect(rows == (1...12).map { [.text("Person \($0)"), .integer(Int64(12 - $0))] })
        #expect(try hop.rows("SELECT SUM(ZLEFT) FROM main.ZPERSON") == [[.integer(66)]])
        #expect(try hop.rows("SELECT COUNT(*) FROM old.ZPERSON") == [[.integer(12)]])
      }
    }

    /// Asks for an order by a method of the app's own.
    final class UnknownOrderPolicy: NSEntityMigrationPolicy {
      override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = [
          NSSortDescriptor(key: "name", ascending: true, selector: Selector("compareOwn:"))
        ]
        _ = try manager.sourceContext.fetch(request)
      }
    }

    @Test func `an order by an unknown selector ends the run with its name`() throws {
      var registry = MigrationRegistry()
      registry.register(UnknownOrderPolicy.self)
      try TemporaryFolder.with { folder in
        let source = try ModelSketch.model("Person { name: String }")
        try StoreGenerator(model: source, rows: 3, seed: 5).write(to: folder + "/before.sqlite")
        let hop = try PolicyHop(
          PolicyHop.mapping([("Person", "Person", "UnknownOrderPolicy")]),
          from: source,
          to: ModelSketch.model("Person { name: String? }"),
          in: folder,
          registry: registry
        )
        let error = #expect(throws: MigrationError.self) { try hop.run() }
        #expect(error.map { "\($0)".contains("compareOwn:") } == true)
      }
    }

    @Test(arguments: [
      ("%U.%03U %lU", "%u.%03u %lu"), ("%%U %UU %D", "%%U %uU %d"), ("U%@ %5.2f", "U%@ %5.2f"),
    ])
    func `a format has the letters that Linux knows`(_ example: (apple: String, linux: String)) {
      #expect(AppleFormat.onLinux(example.apple) == example.linux)
    }

    /// Answers a method that takes the migration's own objects.
    final class ManagerPolicy: NSEntityMigrationPolicy {
      override func answer(_ selector: String, _ arguments: [Any?]) throws -> Any? {
        let manager: NSMigrationManager = try argument(arguments, 0)
        let mapping: NSEntityMapping = try argument(arguments, 1)
        let policy: NSEntityMigrationPolicy = try argument(arguments, 2)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        let count = try manager.destinationContext.count(for: request)
        return "\(mapping.name) \(policy === self) \(count > 0)"
      }
    }

    @Test func `an expression hands the manager, the mapping and the policy to a method`() throws {
      var registry = MigrationRegistry()
      registry.register(ManagerPolicy.self)
      try TemporaryFolder.with { folder in
        let source = try ModelSketch.model("Person { name: String }")
        try StoreGenerator(model: source, rows: 3, seed: 5).write(to: folder + "/before.sqlite")
        var model = PolicyHop.mapping([("Person", "Person", "ManagerPolicy")])
        model.entityMappings[0].attributeMappings = [
          PropertyMapping(
            name: "label",
            valueExpression: try ObjectModel.Expression(
              format:
                "FUNCTION($entityPolicy, \"label:::\", $manager, $entityMapping, $entityPolicy)"
            )
          )
        ]
        let name = model.entityMappings[0].name
        let hop = try PolicyHop(
          model,
          from: source,
          to: ModelSketch.model("Person { label: String? }"),
          in: folder,
          registry: registry
        )
        try hop.run()
        let labels = try hop.rows("SELECT DISTINCT ZLABEL FROM main.ZPERSON")
        #expect(labels == [[.text("\(name) true true")]])
      }
    }

    @Test func `arguments are what Objective-C makes of them`() throws {
      let policy = NSEntityMigrationPolicy()
      let ordered: [Any?] = [NSOrderedSet(array: ["b", "a"])]
      #expect(try policy.argument(ordered, 0) as [String] == ["b", "a"])
      let nothing: [Any?] = [nil]
      #expect(try policy.argument(nothing, 0) as String == "")
      #expect(try policy.argument(nothing, 0) as String? == nil)
      #expect(try policy.argument(nothing, 0) as [String] == [])
      #expect(try policy.argument(nothing, 0) as NSNumber == 0)
      #expect(throws: MigrationError.self) { try policy.argument(nothing, 0) as Date }
      #expect(throws: MigrationError.self) { try policy.argument(["a"], 0) as NSNumber }
    }
  }
#endif
