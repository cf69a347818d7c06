import MigrationTestSupport
import ObjectModel
import StoreAccess
import Testing

/// The layout of tables, on models small enough to be read.
@Suite struct PhysicalSchemaTests {
  typealias Parts = ModelParts

  @Test func `Tables stand in order of number and columns in their groups`() throws {
    let schema = PhysicalSchema(model: try Parts.library())
    let tables = schema.tables.map(\.createSQL)
    #expect(
      tables == [
        "CREATE TABLE ZAUTHOR ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZNAME VARCHAR )",
        "CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZISLENT INTEGER, ZPAGECOUNT INTEGER, ZAUTHOR INTEGER, ZHASCOLOR INTEGER, "
          + "ZPRINTEDAT TIMESTAMP, ZPRICE DECIMAL, ZAUTHORNAME VARCHAR, ZTITLE VARCHAR, "
          + "ZIDENTIFIER BLOB, ZCOVER BLOB )",
        "CREATE TABLE ZPAGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZNUMBER INTEGER, ZBOOK INTEGER, Z2_BOOK INTEGER, Z_FOK_BOOK INTEGER )",
        "CREATE TABLE ZSHELF ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
          + "ZPLACE VARCHAR )",
      ]
    )
    #expect(schema.unsupported.isEmpty)
    #expect(schema.unsettledNames.isEmpty)
  }

  @Test func `Entities are numbered depth first and without regard to case`() throws {
    let model = try ManagedObjectModel(entities: [
      Parts.entity("SyncFeature"), Parts.entity("SyncableMetadata"),
      Parts.entity("Zebra", below: "SyncableMetadata"),
      Parts.entity("apple", below: "Zebra"), Parts.entity("Bee", below: "SyncableMetadata"),
    ])
    let schema = PhysicalSchema(model: model)
    #expect(schema.entityNames == ["SyncableMetadata", "Bee", "Zebra", "apple", "SyncFeature"])
    #expect(schema.entityNumber("apple") == 4)
    #expect(schema.entityName(5) == "SyncFeature")
    #expect(schema.entityName(0) == nil)
    #expect(schema.entityName(6) == nil)
    #expect(schema.entityName(.min) == nil && schema.entityName(.max) == nil)
    #expect(schema.entityNumbers(below: "Zebra") == [3, 4])
    #expect(schema.table(of: "apple")?.name == "ZSYNCABLEMETADATA")
  }

  @Test func `Within a group the names go by byte`() throws {
    let names = ["allowsTo", "allowStories", "allowedZ"]
    let model = try ManagedObjectModel(entities: [
      Parts.entity("A", names.map { Parts.attribute($0, .boolean) })
    ])
    let columns = PhysicalSchema(model: model).tables[0].columns.dropFirst(3).map(\.name)
    #expect(columns == ["ZALLOWSTORIES", "ZALLOWEDZ", "ZALLOWSTO"])
  }

  @Test func `Siblings with equal property names get numbers in order of entity`() throws {
    let model = try ManagedObjectModel(entities: [
      Parts.entity("Message", [Parts.attribute("nonce", .uuid)]),
      Parts.entity("Text", below: "Message", [Parts.attribute("text")]),
      Parts.entity("Knock", below: "Message", [Parts.attribute("text", .binary)]),
      Parts.entity("System", below: "Message", [Parts.attribute("text")]),
    ])
    let schema = PhysicalSchema(model: model)
    #expect(schema.column(of: "text", in: "Knock")?.name == "ZTEXT")
    #expect(schema.column(of: "text", in: "System")?.name == "ZTEXT1")
    #expect(schema.column(of: "text", in: "Text")?.name == "ZTEXT2")
    #expect(schema.column(of: "nonce", in: "Text")?.name == "ZNONCE")
    #expect(schema.column(of: "text", in: "Message") == nil)
  }

  @Test func `Relationships are found from both sides`() throws {
    let schema = PhysicalSchema(model: try Parts.library())
    #expect(
      schema.storage(of: "author", in: "Comic")
        == .key(table: "ZBOOK", key: "ZAUTHOR", entity: nil, order: nil)
    )
    #expect(
      schema.storage(of: "books", in: "Author")
        == .inverseKey(table: "ZBOOK", key: "ZAUTHOR", order: nil)
    )
    #expect(
      schema.storage(of: "book", in: "Page")
        == .key(table: "ZPAGE", key: "ZBOOK", entity: "Z2_BOOK", order: "Z_FOK_BOOK")
    )
    #expect(
      schema.storage(of: "pages", in: "Comic")
        == .inverseKey(table: "ZPAGE", key: "ZBOOK", order: "Z_FOK_BOOK")
    )
    guard case .join(let table, let own, let other, nil) = schema.storage(of: "books", in: "Shelf")
    else {
      Issue.record("Shelf.books is kept in a join table")
      return
    }
    #expect(table.name == "Z_2SHELVES")
    #expect(own == "Z_5SHELVES")
    #expect(other == "Z_2BOOKS")
    #expect(
      table.createSQL == "CREATE TABLE Z_2SHELVES ( Z_2BOOKS INTEGER, Z_5SHELVES INTEGER, "
        + "PRIMARY KEY (Z_2BOOKS, Z_5SHELVES) )"
    )
    #expect(
      table.index.sql
        == "CREATE INDEX Z_2SHELVES_Z_5SHELVES_INDEX ON Z_2SHELVES (Z_5SHELVES, Z_2BOOKS)"
    )
  }

  @Test func `A to-many without inverse puts its owner into the destination`() throws {
    let model = try ManagedObjectModel(entities: [
      Parts.entity("Call", [Parts.attribute("at", .date)]),
      Parts.entity("Log", [], [Parts.toMany("calls", "Call", isOrdered: true)]),
    ])
    let schema = PhysicalSchema(model: model)
    #expect(
      schema.tables[0].columns.map(\.name)
        == ["Z_PK", "Z_ENT", "Z_OPT", "Z2CALLS", "Z_FOK_2CALLS", "ZAT"]
    )
    #expect(
      schema.storage(of: "calls", in: "Log")
        == .ownerKey(table: "ZCALL", owner: "Z2CALLS", order: "Z_FOK_2CALLS")
    )
    #expect(schema.indexes.isEmpty)
  }

  @Test func `What is not stored has no column`() throws {
    var cached = Parts.attribute("cached")
    cached.isTransient = true
    var current = Parts.toOne("current", "A")
    current.isTransient = true
    let model = try ManagedObjectModel(entities: [
      Parts.entity("A", [cached, Parts.attribute("any", .undefined)], [current])
    ])
    let schema = PhysicalSchema(model: model)
    #expect(schema.tables[0].columns.count == 3)
    #expect(schema.column(of: "cached", in: "A") == nil)
    #expect(schema.storage(of: "current", in: "A") == nil)
    #expect(schema.unsupported.isEmpty)
  }

  @Test func `Forms that no store has shown are named`() throws {
    var nested = Parts.attribute("nested", .composite)
    nested.compositeName = "Outer"
    var empty = Parts.attribute("empty", .composite)
    empty.compositeName = "Empty"
    var inner = Parts.attribute("inner", .composite)
    inner.compositeName = "Place"
    var unique = Parts.entity("a", [inner])
    unique.uniquenessConstraints = [["inner"]]
    let model = try ManagedObjectModel(
      entities: [
        Parts.entity("A", [nested, empty, Parts.attribute("object", .objectID)]),
        Parts.entity("B", below: "A", [Parts.attribute("x")]),
        Parts.entity("C", below: "B", [Parts.attribute("x")]), unique,
      ],
      composites: [
        CompositeDescription(name: "Place", attributes: [Parts.attribute("city")]),
        CompositeDescription(name: "Outer", attributes: [inner]),
        CompositeDescription(name: "Empty", attributes: []),
      ]
    )
    let features = PhysicalSchema(model: model).unsupported
    #expect(
      features.map(\.kind) == [
        .compositeAttribute, .compositeAttribute, .attributeType, .redeclaredProperty,
        .compositeConstraint, .tableName,
      ]
    )
    #expect(features.prefix(2).map(\.propertyName) == ["empty", "nested"])
  }

  @Test func `Elements of composites have columns, ordered by their composites' names`() throws {
    let schema = PhysicalSchema(
      model: try ModelSketch.model(
        """
        composite Colour { red: Float; green: Float; blue: Float }
        composite Author { name: String?; id: UUID? }
        Drink {
          id: UUID; front: Composite? of Colour; back: Composite? of Colour
          author: Composite? of Author; red: Float; image: Binary
        }
        """
      )
    )
    #expect(
      schema.tables[0].columns.dropFirst(3).map(\.name) == [
        "ZRED", "ZGREEN", "ZBLUE", "ZRED1", "ZGREEN1", "ZBLUE1", "ZRED2", "ZNAME", "ZID", "ZID1",
        "ZIMAGE",
      ]
    )
    #expect(schema.column(of: "author.id", in: "Drink")?.name == "ZID")
    #expect(schema.column(of: "front.green", in: "Drink")?.name == "ZGREEN1")
    #expect(schema.column(of: "author", in: "Drink") == nil)
    #expect(schema.unsupported.isEmpty)
  }

  @Test func `Names outside of ASCII are capitals, and odd ones are quoted`() throws {
    let model = try ManagedObjectModel(entities: [
      Parts.entity("Straße", [Parts.attribute("größe", .double), Parts.attribute("a\"b; c")])
    ])
    #expect(
      PhysicalSchema(model: model).tables[0].createSQL
        == "CREATE TABLE ZSTRASSE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
        + "ZGRÖSSE FLOAT, \"ZA\"\"B; C\" VARCHAR )"
    )
  }
}
