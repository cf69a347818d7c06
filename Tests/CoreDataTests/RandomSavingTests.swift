#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import StoreAccess
  import Testing

  /// Random sequences of changes and saves in two contexts, held against plain dictionaries.
  @Suite struct RandomSavingTests {
    static let sketch = """
      Owner { name: String; things ->> Thing.owner ordered; fans ->> Owner.idols; idols ->> Owner.fans
        next -> Owner.previous; previous -> Owner.next; best -> Thing }
      Thing { name: String; count: Int64?; owner -> Owner.things }
      Part : Thing { size: Double? }
      """

    /// The state of the store as the test expects it: objects by a name that never changes.
    struct World: Equatable {
      struct Thing: Equatable {
        var count: Int64?
      }
      var things: [String: Thing] = [:]
      /// The things of each owner, in their order.
      var owners: [String: [String]] = [:]
      var fans: Set<[String]> = []
      var next: [String: String] = [:]

      mutating func delete(thing: String) {
        things[thing] = nil
        for owner in owners.keys { owners[owner]?.removeAll { $0 == thing } }
      }

      mutating func delete(owner: String) {
        owners[owner] = nil
        fans = fans.filter { !$0.contains(owner) }
        next = next.filter { $0.key != owner && $0.value != owner }
      }

      mutating func move(_ thing: String, to owner: String?) {
        for other in owners.keys where other != owner { owners[other]?.removeAll { $0 == thing } }
        guard let owner, owners[owner]?.contains(thing) == false else { return }
        owners[owner]?.append(thing)
      }
    }

    /// A context with the state that it should show.
    final class Side {
      let context: NSManagedObjectContext
      var world: World

      init(_ context: NSManagedObjectContext, _ world: World) {
        self.context = context
        self.world = world
      }

      func object(_ entity: String, _ name: String) throws -> NSManagedObject {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: "name == %@", name)
        return try #require(try context.fetch(request).first, "\(entity) \(name)")
      }

      /// Makes one random change, in the context and in the expected state.
      func change(_ name: String, _ random: inout SeededGenerator) throws {
        let thing = world.things.keys.sorted().randomElement(using: &random)
        let owner = world.owners.keys.sorted().randomElement(using: &random)
        let other = world.owners.keys.sorted().randomElement(using: &random)
        switch Int.random(in: 0..<11, using: &random) {
        case 0, 1:
          let isPart = Bool.random(using: &random)
          let made = NSEntityDescription.insertNewObject(
            forEntityName: isPart ? "Part" : "Thing",
            into: context
          )
          made.setValue(name, forKey: "name")
          world.things[name] = .init()
        case 2:
          let made = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
          made.setValue(name, forKey: "name")
          world.owners[name] = []
        case 3:
          guard let thing else { return }
          let count = Int64.random(in: 0...99, using: &random)
          try object("Thing", thing).setValue(count, forKey: "count")
          world.things[thing]?.count = count
        case 4, 5:
          guard let thing else { return }
          try object("Thing", thing).setValue(
            owner.map { try object("Owner", $0) },
            forKey: "owner"
          )
          world.move(thing, to: owner)
        case 6:
          guard let owner, let members = world.owners[owner] else { return }
          let shuffled = members.shuffled(using: &random)
          try object("Owner", owner).setValue(
            NSOrderedSet(array: shuffled.map { try object("Thing", $0) }),
            forKey: "things"
          )
          world.owners[owner] = shuffled
        case 7:
          guard let owner, let other else { return }
          let set = try object("Owner", owner).mutableSetValue(forKey: "fans")
          if world.fans.insert([owner, other]).inserted {
            set.add(try object("Owner", other))
          } else {
            set.remove(try object("Owner", other))
            world.fans.remove([owner, other])
          }
        case 8:
          guard let owner, let other else { return }
          try object("Owner", owner).setValue(try object("Owner", other), forKey: "next")
          world.next = world.next.filter { $0.key != owner && $0.value != other }
          world.next[owner] = other
        case 9:
          guard let thing else { return }
          context.delete(try object("Thing", thing))
          world.delete(thing: thing)
        default:
          guard let owner else { return }
          context.delete(try object("Owner", owner))
          world.delete(owner: owner)
        }
      }

      /// The state that the context shows.
      func shown() throws -> World {
        var world = World()
        func name(_ object: Any?) -> String? {
          (object as? NSManagedObject)?.value(forKey: "name") as? String
        }
        for thing in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")) {
          world.things[name(thing) ?? ""] = .init(count: thing.value(forKey: "count") as? Int64)
        }
        for owner in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Owner")) {
          let own = name(owner) ?? ""
          world.owners[own] =
            (owner.value(forKey: "things") as? NSOrderedSet)?.array.compactMap(name) ?? []
          for fan in (owner.value(forKey: "fans") as? NSSet)?.allObjects ?? [] {
            world.fans.insert([own, name(fan) ?? ""])
          }
          world.next[own] = name(owner.value(forKey: "next"))
        }
        return world
      }
    }

    /// Returns the state that the file has, by plain SQL.
    static func file(_ app: AppFolder) throws -> World {
      var world = World()
      for row in try app.rows("SELECT ZNAME, ZCOUNT FROM ZTHING") {
        world.things[row[0].text ?? ""] = .init(count: row[1].integer)
      }
      for row in try app.rows("SELECT ZNAME FROM ZOWNER") { world.owners[row[0].text ?? ""] = [] }
      for row in try app.rows(
        "SELECT o.ZNAME, t.ZNAME FROM ZTHING t JOIN ZOWNER o ON o.Z_PK = t.ZOWNER"
          + " ORDER BY o.Z_PK, t.Z_FOK_OWNER"
      ) {
        world.owners[row[0].text ?? ""]?.append(row[1].text ?? "")
      }
      let schema = PhysicalSchema(model: app.versions[0])
      let join = schema.joinTables[0]
      let isOwnersFan = join.master.propertyName == "fans"
      for row in try app.rows(
        "SELECT a.ZNAME, b.ZNAME FROM \(join.name) j JOIN ZOWNER a ON a.Z_PK = j.\(join.ownerColumn.name)"
          + " JOIN ZOWNER b ON b.Z_PK = j.\(join.destinationColumn.name)"
      ) {
        let names = row.map { $0.text ?? "" }
        world.fans.insert(isOwnersFan ? names : names.reversed())
      }
      for row in try app.rows(
        "SELECT a.ZNAME, b.ZNAME FROM ZOWNER a JOIN ZOWNER b ON b.Z_PK = a.ZNEXT"
      ) {
        world.next[row[0].text ?? ""] = row[1].text
      }
      return world
    }

    @Test(arguments: Trials.some(of: 60))
    func `states are those of dictionaries`(seed: Int) throws {
      try AppFolder.with(Self.sketch) { app in
        var random = SeededGenerator(seed: UInt64(seed))
        var saved = World()
        try {
          let container = try app.container(app.newest())
          let sides = (0..<2).map { _ in Side(container.newBackgroundContext(), saved) }
          for step in 0..<60 {
            let index = Int.random(in: 0..<2, using: &random)
            let side = sides[index]
            let comment: Comment = "seed \(seed), step \(step)"
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<7: try side.change("\(index)-\(step)", &random)
            case 7:
              side.context.rollback()
              side.context.refreshAllObjects()
              side.world = saved
            default:
              if cocoaCode({ try side.context.save() }) == nil {
                saved = side.world
                #expect(try Self.file(app) == saved, comment)
                // The other one begins again from what is saved now.
                sides[1 - index].context.reset()
                sides[1 - index].world = saved
              } else {
                Issue.record("a save failed: \(comment)")
              }
            }
            #expect(try side.shown() == side.world, comment)
          }
        }()
        #expect(try Self.file(app) == saved)
        try app.expectSound("seed \(seed)")
      }
    }

    @Test(arguments: Trials.some(of: 60))
    func `of two contexts that change the same, one saves and the file is sound`(seed: Int) throws {
      try AppFolder.with(Self.sketch) { app in
        var random = SeededGenerator(seed: UInt64(seed) + 1000)
        var saved = World()
        var conflicts = 0
        try {
          let container = try app.container(app.newest())
          let sides = (0..<2).map { _ in Side(container.newBackgroundContext(), saved) }
          for round in 0..<12 {
            for side in sides {
              side.context.reset()
              side.world = saved
            }
            for step in 0..<5 {
              for (index, side) in sides.enumerated() {
                try side.change("\(round)-\(index)-\(step)", &random)
              }
            }
            for (index, side) in sides.enumerated() {
              let code = cocoaCode { try side.context.save() }
              if index == 0 {
                #expect(code == nil, "seed \(seed)")
                saved = side.world
              } else if code == nil {
                // Nothing that both changed: the file has both.
                saved = try Self.file(app)
              } else {
                #expect(code == NSManagedObjectMergeError, "seed \(seed)")
                conflicts += 1
                #expect(try Self.file(app) == saved, "seed \(seed)")
              }
            }
          }
        }()
        #expect(conflicts > 0 || seed > 0)
        try app.expectSound("seed \(seed)")
      }
    }
  }
#endif
