import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Mappings in which several source objects share one, or one makes several.
@Suite struct SharedObjectsTests {
  static let first = "Note { title: String?; category: String?; words: String?; rank: Int16? }"
  static let second = """
    Note { title: String?; category -> Category.notes; words ->> Word.notes }
    Category { name: String?; rank: Int32?; notes ->> Note.category }
    Word { text: String?; place: Int16?; notes ->> Note.words }
    """
  static let rows = """
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZCATEGORY, ZWORDS, ZRANK) VALUES
    (1, 1, 1, 'a', 'work', 'x, y', 1), (2, 1, 1, 'b', 'home', 'y', 2),
    (5, 1, 1, 'c', 'work', NULL, 3), (6, 1, 1, 'd', NULL, 'x,z', NULL),
    (9, 1, 1, 'e', 'Work', '', 1), (10, 1, 1, 'f', NULL, 'x', 4)
    """

  private func entity(
    _ destination: String,
    _ attributes: [String: Expression],
    _ relationships: [String: Expression] = [:]
  ) -> EntityMapping {
    var mapping = EntityMapping(mappingType: .custom, source: "Note", destination: destination)
    mapping.attributeMappings = attributes.sorted { $0.key < $1.key }.map {
      PropertyMapping(name: $0.key, valueExpression: $0.value)
    }
    mapping.relationshipMappings = relationships.sorted { $0.key < $1.key }.map {
      PropertyMapping(name: $0.key, valueExpression: $0.value)
    }
    return mapping
  }

  private func run(
    _ mappings: [EntityMapping],
    batchSize: Int,
    _ registry: MigrationRegistry = MigrationRegistry(),
    _ body: (PolicyHop) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let source = try ModelSketch.model(Self.first)
      _ = try SketchedStore(source, rows: Self.rows, at: folder + "/before.sqlite")
      let hop = try PolicyHop(
        MappingModel(entityMappings: mappings),
        from: source,
        to: ModelSketch.model(Self.second),
        in: folder,
        registry: registry,
        batchSize: batchSize
      )
      try hop.run()
      try body(hop)
    }
  }

  @Test(arguments: [1, 2, 100])
  func `objects with equal keys are one, and many notes share it`(batchSize: Int) throws {
    var categories = entity("Category", ["name": .source("category"), "rank": .source("rank")])
    categories.deduplicationKeys = ["name"]
    let notes = entity(
      "Note",
      ["title": .source("title")],
      ["category": .destinationInstances(forMapping: "NoteToCategory", of: .variable("source"))]
    )
    try run([notes, categories], batchSize: batchSize) { hop in
      let made = try hop.rows("SELECT ZNAME, ZRANK FROM main.ZCATEGORY ORDER BY Z_PK")
      #expect(made == [["work", 1], ["home", 2], [nil, nil], ["Work", 1]])
      let joined = try hop.rows(
        "SELECT n.Z_PK, c.ZNAME FROM main.ZNOTE n JOIN main.ZCATEGORY c ON c.Z_PK = n.ZCATEGORY"
          + " ORDER BY n.Z_PK"
      )
      #expect(
        joined == [[1, "work"], [2, "home"], [5, "work"], [6, nil], [9, "Work"], [10, nil]]
      )
    }
  }

  /// Finds or creates the category of each note, in code.
  class Categories: EntityMigrationPolicy {
    override func createRelationships(
      forDestination dInstance: ManagedObject,
      in mapping: EntityMapping,
      manager: MigrationManager
    ) throws {
      let source = try manager.sourceInstances(
        forEntityMappingName: mapping.name,
        destinationInstances: [dInstance]
      )
      guard let name = try source.first?.string(forKey: "category") else { return }
      let context = manager.destinationContext
      let predicate = try Predicate(format: "name == '\(name)'")
      let fetched = try context.fetch(entityName: "Category", predicate: predicate)
      let found = try manager.destinationInstance(
        ofEntity: "Category",
        where: "name",
        equals: .scalar(.string(name))
      )
      #expect(fetched.count <= 1 && fetched.first === found)
      let category = try found ?? context.insert(entityName: "Category")
      try category.set(name, forKey: "name")
      try dInstance.set(category, forKey: "category")
    }
  }

  @Test(arguments: [1, 2, 100])
  func `a policy finds or creates`(batchSize: Int) throws {
    var notes = entity("Note", ["title": .source("title")])
    notes.entityMigrationPolicyClassName = "Categories"
    var registry = MigrationRegistry()
    registry.register(Categories.self)
    try run([notes], batchSize: batchSize, registry) { hop in
      let joined = try hop.rows(
        "SELECT n.Z_PK, c.ZNAME, c.Z_PK FROM main.ZNOTE n"
          + " JOIN main.ZCATEGORY c ON c.Z_PK = n.ZCATEGORY ORDER BY n.Z_PK"
      )
      #expect(
        joined == [
          [1, "work", 1001], [2, "home", 1002], [5, "work", 1001], [9, "Work", 1003],
        ]
      )
      let left = try hop.rows("SELECT name FROM main.sqlite_master WHERE name LIKE 'waystone%'")
      #expect(left.isEmpty)
    }
  }

  @Test func `several keys tell objects apart together`() throws {
    var categories = entity("Category", ["name": .source("category"), "rank": .source("rank")])
    categories.deduplicationKeys = ["name", "rank"]
    try run([categories], batchSize: 2) { hop in
      let count = try hop.rows("SELECT COUNT(*) FROM main.ZCATEGORY")
      #expect(count == [[6]])
    }
  }

  @Test(arguments: [1, 100])
  func `parts make objects, and are shared by their keys`(batchSize: Int) throws {
    var words = entity("Word", ["text": .variable("piece"), "place": .variable("index")])
    words.pieces = .init(of: .source("words"), separator: ",")
    words.deduplicationKeys = ["text"]
    let notes = entity(
      "Note",
      ["title": .source("title")],
      ["words": .destinationInstances(forMapping: "NoteToWord", of: .variable("source"))]
    )
    try run([words, notes], batchSize: batchSize) { hop in
      let made = try hop.rows("SELECT ZTEXT, ZPLACE FROM main.ZWORD ORDER BY Z_PK")
      #expect(made == [["x", 0], ["y", 1], ["z", 1]])
      let table = hop.destination.joinTables[0]
      let pairs = try hop.rows(
        "SELECT n.ZTITLE, w.ZTEXT FROM main.\(table.name) j"
          + " JOIN main.ZNOTE n ON n.Z_PK = j.Z_2NOTES JOIN main.ZWORD w ON w.Z_PK = j.Z_3WORDS"
          + " ORDER BY 1, 2"
      )
      #expect(
        pairs == [["a", "x"], ["a", "y"], ["b", "y"], ["d", "x"], ["d", "z"], ["f", "x"]]
      )
    }
  }

  @Test func `a relationship that depends on the part is refused`() throws {
    var words = entity("Word", ["text": .variable("piece")], ["notes": .variable("piece")])
    words.pieces = .init(of: .source("words"), separator: ",")
    #expect(throws: MigrationError.self) { try run([words], batchSize: 9) { _ in } }
  }

  @Test(arguments: [1, 100])
  func `objects are found by the value of an attribute`(batchSize: Int) throws {
    var categories = entity("Category", ["name": .source("category")])
    categories.deduplicationKeys = ["name"]
    let first = Expression.sourceInstance(
      ofEntity: "Note",
      where: "category",
      equals: .source("category")
    )
    let notes = entity(
      "Note",
      ["title": .keyPath(first, ["title"])],
      [
        "category": .destinationInstance(
          ofEntity: "Category",
          where: "name",
          equals: .source("category")
        )
      ]
    )
    try run([categories, notes], batchSize: batchSize) { hop in
      let joined = try hop.rows(
        "SELECT n.Z_PK, n.ZTITLE, c.ZNAME FROM main.ZNOTE n"
          + " LEFT JOIN main.ZCATEGORY c ON c.Z_PK = n.ZCATEGORY ORDER BY n.Z_PK"
      )
      #expect(
        joined == [
          [1, "a", "work"], [2, "b", "home"], [5, "a", "work"], [6, nil, nil],
          [9, "e", "Work"], [10, nil, nil],
        ]
      )
      try hop.manager.dropLookups()
      let left = try hop.rows(
        "SELECT name FROM main.sqlite_master WHERE name LIKE 'waystone%'"
      )
      #expect(left.isEmpty)
    }
  }
}
