import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Expressions of entity mappings, as a pass evaluates them object by object.
@Suite struct MappingExpressionTests {
  static let first = """
    Note { title: String?; rank: Int16?; owner -> Person.notes }
    Draft : Note { extra: String? }
    Person { name: String?; notes ->> Note.owner }
    """
  static let second = """
    Note { text: String?; number: Int32?; made: Date? }
    """
  static let rows = """
    INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 3, 1, 'Ann'), (2, 3, 1, NULL);
    INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZRANK, ZOWNER) VALUES
    (1, 1, 1, 'a', 1, 1), (2, 1, 1, 'b', 2, 2), (3, 2, 1, 'c', 3, 1), (4, 1, 1, NULL, NULL, NULL)
    """

  /// Answers the methods that the expressions call.
  class Answering: EntityMigrationPolicy {
    override func call(
      _ selector: String,
      arguments: [ExpressionValue],
      manager: MigrationManager
    ) throws -> ExpressionValue {
      switch (selector, arguments.count) {
      case ("shout:", 1):
        guard case .scalar(.string(let text)) = arguments[0] else { return .nothing }
        return .scalar(.string(text.uppercased()))
      case ("titleOf:manager:", 2):
        guard case .object(let object as ManagedObject) = arguments[0],
          case .object = arguments[1]
        else { return .nothing }
        return try object.value(forKey: "title")
      default:
        return try super.call(selector, arguments: arguments, manager: manager)
      }
    }
  }

  private func texts(
    _ expression: String,
    of property: String = "text",
    where filter: String? = nil
  ) throws -> [SQLiteValue] {
    try TemporaryFolder.with { folder in
      let source = try ModelSketch.model(Self.first)
      _ = try SketchedStore(source, rows: Self.rows, at: folder + "/before.sqlite")
      var mapping = EntityMapping(mappingType: .custom, source: "Note", destination: "Note")
      mapping.entityMigrationPolicyClassName = "Answering"
      mapping.sourcePredicate = try filter.map { try Predicate(format: $0) }
      mapping.attributeMappings = [
        PropertyMapping(name: property, valueExpression: try Expression(format: expression))
      ]
      var registry = MigrationRegistry()
      registry.register(Answering.self)
      let hop = try PolicyHop(
        MappingModel(entityMappings: [mapping]),
        from: source,
        to: ModelSketch.model(Self.second),
        in: folder,
        registry: registry
      )
      try hop.run()
      let column = SQL.identifier("Z" + property.uppercased())
      return try hop.rows("SELECT \(column) FROM main.ZNOTE ORDER BY Z_PK").map { $0[0] }
    }
  }

  @Test(
    arguments: [
      ("$source.title", ["a", "b", nil]),
      ("title", ["a", "b", nil]),
      ("$source.owner.name", ["Ann", nil, nil]),
      (#"FUNCTION($entityPolicy, "shout:", $source.title)"#, ["A", "B", nil]),
      (#"FUNCTION($entityPolicy, "titleOf:manager:", $source, $manager)"#, ["a", "b", nil]),
      ("$entityMapping.name", ["NoteToNote", "NoteToNote", "NoteToNote"]),
      (#"TERNARY($source.rank > 1, "high", "low")"#, ["low", "high", "low"]),
      (
        #"FUNCTION($manager, "sourceInstanceForEntityNamed:key:value:", "Person", "name", "Ann").name"#,
        ["Ann", "Ann", "Ann"]
      ),
    ] as [(String, [SQLiteValue])]
  )
  func `an expression gives each object its value`(
    expression: String,
    expected: [SQLiteValue]
  ) throws {
    let texts = try texts(expression)
    #expect(texts == expected)
  }

  @Test func `a collection of the source is counted`() throws {
    let numbers = try texts("$source.owner.notes.@count", of: "number")
    #expect(numbers == [2, 1, nil])
  }

  @Test func `a fetch request gives the objects of its predicate`() throws {
    let request =
      #"FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Note", "rank > 1")"#
    let counts = try texts("FETCH(\(request), $manager.sourceContext, YES)", of: "number")
    // Subentities count, as in Core Data's fetch requests.
    #expect(counts == [2, 2, 2])
  }

  @Test func `the time is the same for all objects`() throws {
    let times = try texts("now()", of: "made")
    #expect(Set(times).count == 1 && times.count == 3)
    guard case .real(let seconds)? = times.first else {
      Issue.record("there is no time")
      return
    }
    #expect(seconds > 780_000_000)
  }

  @Test(
    arguments: [
      ("rank == 2", ["b"]), ("owner.name == 'Ann'", ["a"]), ("title == nil", [nil]),
      ("FALSEPREDICATE", []), ("title IN {'a', 'b'}", ["a", "b"]),
    ] as [(String, [SQLiteValue])]
  )
  func `a filter decides which objects are mapped, subentities' never`(
    filter: String,
    expected: [SQLiteValue]
  ) throws {
    let texts = try texts("$source.title", where: filter)
    #expect(texts == expected)
  }

  @Test(arguments: [
    (#"FUNCTION($entityPolicy, "unknown:", $source.title)"#, "unknown:"),
    (#"FUNCTION($manager, "unknown:", $source.title)"#, "unknown:"),
    ("$source.missing", "missing"),
    ("$source.rank", "Note.text"),
    (
      #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "X", $source)"#,
      "X"
    ),
  ])
  func `an expression that has no value says where`(expression: String, name: String) throws {
    let error = #expect(throws: (any Error).self) { try texts(expression) }
    #expect("\(try #require(error))".contains(name))
  }
}
