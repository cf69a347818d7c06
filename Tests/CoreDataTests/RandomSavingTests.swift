#if os(Linux)
  import CoreData
  import MigrationTestSupport
  import StoreAccess
  import StoreMigration
  import Testing

  /// Random sequences of changes and saves in two contexts, held against plain dictionaries.
  @Suite struct RandomSavingTests {
    static let sketch = """
      Owner { name: String; things ->> Thing.owner ordered; fans ->> Owner.idols; idols ->> Owner.fans
        next -> Owner.previous; previous -> Owner.next; best -> Thing }
      Thing { name: String; count: Int64?; owner -> Owner.things }
      Part : Thing { size: Double? }
      """

    /// The seeds of the sequences of each test: a thousand where all trials are made.
    static let seeds = 0..<(Trials.areAll ? 1000 : 20)

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

      func owner(of thing: String) -> String? { owners.first { $0.value.contains(thing) }?.key }

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
      /// The names of the objects whose rows the changes write, as Core Data counts a change of a link at both ends.
      var touched: Set<String> = []
      /// The names of the objects whose place in a list may have become another.
      var reordered: Set<String> = []
      /// The names of the new objects.
      var made: Set<String> = []
      /// The names of the objects that are to be deleted.
      var deleted: Set<String> = []
      /// The number of objects of a batch; 0 for no batches.
      let batch: Int
      /// The results of fetches in batches, which the test holds as an app may.
      private var held: [NSManagedObject] = []

      init(_ context: NSManagedObjectContext, _ world: World, batch: Int) {
        self.context = context
        self.world = world
        self.batch = batch
      }

      /// Begins again from a state.
      func reset(to saved: World) {
        context.reset()
        world = saved
        (touched, reordered, made, deleted, held) = ([], [], [], [], [])
      }

      /// Returns objects in batches, and forgets all but the last hundred of those before.
      private func objects(_ entity: String, _ predicate: NSPredicate? = nil) throws
        -> [NSManagedObject]
      {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = predicate
        request.fetchBatchSize = batch
        if batch > 1 { request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)] }
        let found = try context.fetch(request)
        if batch > 0 {
          held = held.suffix(100) + found
          if held.count % 3 == 0 { try context.stored.trim() }
        }
        return found
      }

      func object(_ entity: String, _ name: String) throws -> NSManagedObject {
        try #require(
          try objects(entity, NSPredicate(format: "name == %@", name)).first,
          "\(entity) \(name)"
        )
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
          self.made.insert(name)
          world.things[name] = .init()
        case 2:
          let made = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
          made.setValue(name, forKey: "name")
          self.made.insert(name)
          world.owners[name] = []
        case 3:
          guard let thing else { return }
          let count = Int64.random(in: 0...99, using: &random)
          try object("Thing", thing).setValue(count, forKey: "count")
          if world.things[thing]?.count != count { touched.insert(thing) }
          world.things[thing]?.count = count
        case 4, 5:
          guard let thing else { return }
          try object("Thing", thing).setValue(
            owner.map { try object("Owner", $0) },
            forKey: "owner"
          )
          let former = world.owner(of: thing)
          if former != owner { touched.formUnion([thing, former, owner].compactMap { $0 }) }
          // To be put into a list is a change of it, too, where the object is in it already.
          if let owner { touched.insert(owner) }
          world.move(thing, to: owner)
        case 6:
          guard let owner, let members = world.owners[owner] else { return }
          let shuffled = members.shuffled(using: &random)
          try object("Owner", owner).setValue(
            NSOrderedSet(array: shuffled.map { try object("Thing", $0) }),
            forKey: "things"
          )
          if !members.isEmpty { touched.insert(owner) }
          reordered.formUnion(members)
          world.owners[owner] = shuffled
        case 7:
          guard let owner, let other else { return }
          let set = try object("Owner", owner).mutableSetValue(forKey: "fans")
          touched.formUnion([owner, other])
          if world.fans.insert([owner, other]).inserted {
            set.add(try object("Owner", other))
          } else {
            set.remove(try object("Owner", other))
            world.fans.remove([owner, other])
          }
        case 8:
          guard let owner, let other else { return }
          try object("Owner", owner).setValue(try object("Owner", other), forKey: "next")
          if world.next[owner] != other {
            let ends = world.next.filter { $0.key == owner || $0.value == other }
            touched.formUnion([owner, other] + ends.keys + ends.values)
          }
          world.next = world.next.filter { $0.key != owner && $0.value != other }
          world.next[owner] = other
        case 9:
          guard let thing else { return }
          context.delete(try object("Thing", thing))
          if let owner = world.owner(of: thing) { touched.insert(owner) }
          deleted.insert(thing)
          world.delete(thing: thing)
        default:
          guard let owner else { return }
          context.delete(try object("Owner", owner))
          touched.formUnion(world.owners[owner] ?? [])
          touched.formUnion(world.fans.filter { $0.contains(owner) }.joined())
          for ends in world.next where ends.key == owner || ends.value == owner {
            touched.formUnion([ends.key, ends.value])
          }
          deleted.insert(owner)
          world.delete(owner: owner)
        }
      }

      /// The state that the context shows.
      func shown() throws -> World {
        var world = World()
        func name(_ object: Any?) -> String? {
          (object as? NSManagedObject)?.value(forKey: "name") as? String
        }
        for thing in try objects("Thing") {
          world.things[name(thing) ?? ""] = .init(count: thing.value(forKey: "count") as? Int64)
        }
        for owner in try objects("Owner") {
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

    @Test(arguments: Self.seeds)
    func `states are those of dictionaries`(seed: Int) throws {
      try AppFolder.with(Self.sketch) { app in
        var random = SeededGenerator(seed: UInt64(seed))
        var saved = World()
        try {
          let container = try app.container(app.newest())
          let sides = (0..<2).map {
            Side(container.newBackgroundContext(), saved, batch: (seed + $0) % 4)
          }
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
                sides[1 - index].reset(to: saved)
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

    @Test(arguments: Self.seeds)
    func `of two contexts that change the same, the second fails, and else both are saved`(
      seed: Int
    ) throws {
      try AppFolder.with(Self.sketch) { app in
        var random = SeededGenerator(seed: UInt64(seed) + 1000)
        var saved = World()
        var (conflicts, saves) = (0, 0)
        try {
          let container = try app.container(app.newest())
          let sides = (0..<2).map {
            Side(container.newBackgroundContext(), saved, batch: (seed + $0) % 4)
          }
          let (first, second) = (sides[0], sides[1])
          for round in 0..<12 {
            for side in sides { side.reset(to: saved) }
            for step in 0..<(round % 6) {
              for (index, side) in sides.enumerated() {
                try side.change("\(round)-\(index)-\(step)", &random)
              }
            }
            let comment: Comment = "seed \(seed), round \(round)"
            #expect(cocoaCode { try first.context.save() } == nil, comment)
            saved = first.world
            #expect(try Self.file(app) == saved, comment)
            let code = cocoaCode { try second.context.save() }
            let (certain, possible) = second.conflicts(after: first)
            #expect(code == nil || code == NSManagedObjectMergeError, comment)
            #expect(code != nil || !certain, comment)
            #expect(code == nil || possible, comment)
            if code == nil {
              saves += 1
              saved = second.merged(into: saved)
            } else {
              conflicts += 1
            }
            #expect(try Self.file(app) == saved, comment)
          }
        }()
        #expect(conflicts > 0 && saves > 0 || seed > 0)
        try app.expectSound("seed \(seed)")
      }
    }
  }

  extension RandomSavingTests.Side {
    /// Whether the second of two contexts, which began from the same state, cannot save; what is certain, and what
    /// is possible where a list has another order: only the places of some of its members change.
    func conflicts(after first: RandomSavingTests.Side) -> (certain: Bool, possible: Bool) {
      func meet(_ own: Set<String>, _ others: Set<String>) -> Bool {
        // Both may delete the same.
        !own.union(deleted).isDisjoint(with: others)
          || !own.subtracting(deleted).isDisjoint(with: first.deleted)
      }
      return (
        meet(touched, first.touched.subtracting(first.deleted)),
        meet(
          touched.union(reordered),
          first.touched.union(first.reordered).subtracting(first.deleted)
        )
      )
    }

    /// Returns the state of a store that others changed elsewhere, with this context's changes.
    func merged(into other: RandomSavingTests.World) -> RandomSavingTests.World {
      // Another place in a list changes the owner's list, and no value of the member.
      let own = touched.union(deleted).union(made)
      func merge<Value>(_ mine: [String: Value], _ theirs: [String: Value]) -> [String: Value] {
        theirs.filter { !own.contains($0.key) }.merging(mine.filter { own.contains($0.key) }) { $1 }
      }
      var world = RandomSavingTests.World()
      world.things = merge(self.world.things, other.things)
      world.owners = merge(self.world.owners, other.owners)
      world.next = merge(self.world.next, other.next)
      world.fans = other.fans.filter { own.isDisjoint(with: $0) }
        .union(self.world.fans.filter { !own.isDisjoint(with: $0) })
      return world
    }
  }
#endif
