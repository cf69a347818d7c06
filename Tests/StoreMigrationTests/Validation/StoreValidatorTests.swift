import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Each rule of a model finds exactly the objects that break it.
@Suite struct StoreValidatorTests {
  /// Numbers: Being 1, Person 2, Teacher 3, Club 4, House 5.
  static let sketch = """
    abstract Being { name: String; code: String?; house -> House.beings required; unique code }
    Person : Being {
      age: Int16?; born: Date?; height: Double?; price: Decimal?; mail: String?
      friends ->> Person.friends max 2; clubs ->> Club.members max 2; unique mail age
    }
    Teacher : Person { subject: String; secret: String? transient; total: Int64 derived clubs.@count }
    Club { name: String?; members ->> Person.clubs }
    House { street: String?; beings ->> Being.house required }
    """

  static let rows = """
    INSERT INTO ZHOUSE (Z_PK, Z_ENT, Z_OPT, ZSTREET) VALUES (1, 5, 1, 'a'), (2, 5, 1, NULL);
    INSERT INTO ZBEING (Z_PK, Z_ENT, Z_OPT, ZHOUSE, ZNAME, ZCODE, ZAGE, ZBORN, ZHEIGHT, ZPRICE, ZMAIL,
    ZSUBJECT) VALUES
    (1, 2, 1, 1, 'one', 'ab12', 5, 100.5, 0.5, 19.99, 'a@b', NULL),
    (2, 2, 1, 1, 'two', 'cd34', 6, 0, 1.5, 0, 'a@b', NULL),
    (3, 3, 1, 2, '👩‍👩‍👧‍👦', NULL, NULL, NULL, NULL, NULL, 'a@b', 'art'),
    (4, 3, 1, 2, 'abcdefghijk', NULL, 150, 1000000, 2.5, 100, NULL, '');
    INSERT INTO ZCLUB (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1), (2, 4, 1), (3, 4, 1);
    INSERT INTO Z_4MEMBERS (Z_2MEMBERS, Z_4CLUBS) VALUES (1, 1), (1, 2), (3, 1);
    INSERT INTO Z_2FRIENDS (REFLEXIVE, Z_2FRIENDS) VALUES (1, 2), (3, 1)
    """

  static func model() throws -> ManagedObjectModel {
    var entities = try ModelSketch.model(sketch).entities
    func change(_ name: String, _ attribute: String, _ body: (inout AttributeValidation) -> Void) {
      for entity in entities.indices where entities[entity].name == name {
        for index in entities[entity].attributes.indices
        where entities[entity].attributes[index].name == attribute {
          body(&entities[entity].attributes[index].validation)
        }
      }
    }
    change("Being", "name") {
      $0.minimum = .integer(2)
      $0.maximum = .integer(11)
    }
    change("Being", "code") { $0.regularExpression = "[a-z]{2}|[a-z]{2}[0-9]+" }
    change("Person", "age") {
      $0.minimum = .integer(0)
      $0.maximum = .integer(150)
    }
    change("Person", "born") {
      $0.minimum = .date(0)
      $0.maximum = .date(1_000_000)
    }
    change("Person", "height") { $0.maximum = .real(2.5) }
    change("Person", "price") { $0.maximum = .decimal("100.00") }
    for index in entities.indices {
      if entities[index].name == "Club" { entities[index].relationships[0].minCount = 2 }
      if entities[index].name == "House" { entities[index].relationships[0].minCount = 1 }
    }
    return try ManagedObjectModel(entities: entities)
  }

  /// A change of a store whose clubs have too few members, and the rules that it breaks.
  struct Breach: Sendable, CustomTestStringConvertible {
    let statements: String
    let violations: [String]
    var testDescription: String { statements }

    init(_ statements: String, _ violations: String...) {
      self.statements = statements
      self.violations = violations
    }
  }

  static let breaches = [
    Breach(
      "UPDATE ZBEING SET ZNAME = NULL WHERE Z_PK > 1",
      "WS601 Person.name 1 [2]",
      "WS601 Teacher.name 2 [3, 4]"
    ),
    Breach("UPDATE ZBEING SET ZNAME = 'x' WHERE Z_PK = 1", "WS604 Person.name 1 [1]"),
    Breach("UPDATE ZBEING SET ZNAME = 'é' WHERE Z_PK = 1", "WS604 Person.name 1 [1]"),
    Breach("UPDATE ZBEING SET ZNAME = '𝄞' WHERE Z_PK = 1"),
    Breach("UPDATE ZBEING SET ZNAME = 'éééééééééé' WHERE Z_PK = 1"),
    Breach(
      "UPDATE ZBEING SET ZNAME = '𝄞𝄞𝄞𝄞𝄞𝄞'",
      "WS605 Person.name 2 [1, 2]",
      "WS605 Teacher.name 2 [3, 4]"
    ),
    Breach(
      "UPDATE ZBEING SET ZNAME = 'a' || char(0) || 'bcdefghijkl' WHERE Z_PK = 4",
      "WS605 Teacher.name 1 [4]"
    ),
    Breach("UPDATE ZBEING SET ZCODE = 'ab' WHERE Z_PK = 1"),
    Breach("UPDATE ZBEING SET ZCODE = 'ab12 ' WHERE Z_PK = 1", "WS606 Person.code 1 [1]"),
    Breach("UPDATE ZBEING SET ZCODE = 'ab' || char(10) WHERE Z_PK = 1", "WS606 Person.code 1 [1]"),
    Breach("UPDATE ZBEING SET ZCODE = '' WHERE Z_PK = 4", "WS606 Teacher.code 1 [4]"),
    Breach("UPDATE ZBEING SET ZCODE = 'ab12' WHERE Z_PK = 4", "WS609 Being.code 2 [1, 4]"),
    Breach("UPDATE ZBEING SET ZCODE = 'zz'", "WS609 Being.code 4 [1, 2, 3, 4]"),
    Breach("UPDATE ZBEING SET ZAGE = 6", "WS609 Person.mail, age 3 [1, 2, 3]"),
    Breach(
      "UPDATE ZBEING SET ZAGE = -1 WHERE Z_PK = 1; UPDATE ZBEING SET ZAGE = 151 WHERE Z_PK = 4",
      "WS602 Person.age 1 [1]",
      "WS603 Teacher.age 1 [4]"
    ),
    Breach("UPDATE ZBEING SET ZBORN = -0.25 WHERE Z_PK = 1", "WS602 Person.born 1 [1]"),
    Breach("UPDATE ZBEING SET ZBORN = 1000000.5 WHERE Z_PK = 4", "WS603 Teacher.born 1 [4]"),
    Breach("UPDATE ZBEING SET ZHEIGHT = 2.75 WHERE Z_PK = 2", "WS603 Person.height 1 [2]"),
    Breach("UPDATE ZBEING SET ZPRICE = 100.01 WHERE Z_PK = 2", "WS603 Person.price 1 [2]"),
    Breach("UPDATE ZBEING SET ZPRICE = 'NaN' WHERE Z_PK = 2"),
    Breach("UPDATE ZBEING SET ZPRICE = 'x' WHERE Z_PK = 2", "WS611 Person.price 1 [2]"),
    Breach("UPDATE ZBEING SET ZHOUSE = NULL WHERE Z_PK = 2", "WS601 Person.house 1 [2]"),
    Breach("UPDATE ZBEING SET ZHOUSE = 9 WHERE Z_PK = 2", "WS610 Person.house 1 [2]"),
    Breach("UPDATE ZBEING SET ZHOUSE = 1", "WS607 House.beings 1 [2]"),
    Breach("UPDATE ZBEING SET ZSUBJECT = NULL", "WS601 Teacher.subject 2 [3, 4]"),
    Breach(
      "INSERT INTO Z_4MEMBERS (Z_2MEMBERS, Z_4CLUBS) VALUES (1, 3), (2, 3)",
      "WS608 Person.clubs 1 [1]"
    ),
    Breach("INSERT INTO Z_2FRIENDS (REFLEXIVE, Z_2FRIENDS) VALUES (2, 1)"),
    Breach(
      "INSERT INTO Z_2FRIENDS (REFLEXIVE, Z_2FRIENDS) VALUES (4, 1), (1, 4)",
      "WS608 Person.friends 1 [1]"
    ),
  ]

  func report(_ path: String, _ model: ManagedObjectModel) throws -> ValidationReport {
    let connection = try SQLiteConnection(path: path, access: .quiescent)
    return try StoreValidator(schema: PhysicalSchema(model: model)).report(on: connection)
  }

  static func lines(_ report: ValidationReport) -> [String] {
    report.violations.map {
      "\($0.code.rawValue) \($0.entity).\($0.property) \($0.count) \($0.primaryKeys)"
    }
  }

  /// A club has one member where two are the least; an empty one is optional.
  static let fewMembers = "WS607 Club.members 1 [2]"

  @Test(arguments: breaches)
  func `a rule finds exactly the objects that break it`(_ breach: Breach) throws {
    try TemporaryFolder.with { folder in
      let model = try Self.model()
      let store = try SketchedStore(model, rows: Self.rows, at: folder + "/store.sqlite")
      try SketchedStore.damage(store.path, "DROP INDEX Z_Being_UNIQUE_code")
      try SketchedStore.damage(store.path, "DROP INDEX Z_Person_UNIQUE_mail_age")
      try SketchedStore.damage(store.path, breach.statements)
      let lines = Self.lines(try report(store.path, model))
      #expect(lines.filter { !$0.contains("Club.members") } == breach.violations)
    }
  }

  @Test func `an optional relationship may be empty, and has its minimum otherwise`() throws {
    try TemporaryFolder.with { folder in
      let model = try Self.model()
      let store = try SketchedStore(model, rows: Self.rows, at: folder + "/store.sqlite")
      let report = try report(store.path, model)
      #expect(Self.lines(report) == [Self.fewMembers])
      #expect(report.objectCount == 9)
      #expect(report.ruleCount == 50)
      #expect(report.unchecked.isEmpty)
      #expect(!report.passed && report.summary.hasPrefix("Club.members: 1 object has"))
    }
  }

  @Test func `no value is in what is reported`() throws {
    try TemporaryFolder.with { folder in
      let model = try Self.model()
      let store = try SketchedStore(model, rows: Self.rows, at: folder + "/store.sqlite")
      try SketchedStore.damage(
        store.path,
        "UPDATE ZBEING SET ZCODE = 'secret' || Z_PK, ZAGE = 777 + Z_PK"
      )
      let report = try report(store.path, model)
      #expect(report.violations.count == 5)
      for violation in report.violations {
        #expect(!violation.description.contains("secret") && !"\(violation)".contains("777"))
      }
    }
  }

  @Test func `what cannot be checked is said`() throws {
    try TemporaryFolder.with { folder in
      var entities = try ModelSketch.model("A { t: String?; n: Int16; b: Binary? }").entities
      entities[0].attributes[2].validation.regularExpression = "("
      let model = try ManagedObjectModel(entities: entities)
      let store = try SketchedStore(model, rows: "", at: folder + "/store.sqlite")
      try SketchedStore.damage(store.path, "ALTER TABLE ZA DROP COLUMN ZN")
      let unchecked = try report(store.path, model).unchecked
      #expect(unchecked.map(\.property) == ["n", "t"])
      #expect(unchecked.map(\.reason.first) == ["t", "i"])
    }
  }

  @Test func `an attached database is checked where it is`() throws {
    try TemporaryFolder.with { folder in
      let model = try Self.model()
      let store = try SketchedStore(model, rows: Self.rows, at: folder + "/store.sqlite")
      let connection = try SQLiteConnection(path: folder + "/other.sqlite", access: .create)
      try connection.attach(path: store.path, as: "old", access: .readOnly)
      let validator = StoreValidator(schema: PhysicalSchema(model: model), database: "old")
      let violations = try validator.violations(on: connection)
      #expect(violations.map(\.code) == [.tooFewDestinations])
    }
  }
}
