import MigrationTestSupport
import ObjectModel
import StoreAccess
import StoreMigration
import Testing

/// Authored mappings that SQL runs, object by object.
@Suite struct ObjectHopTests {
  static let notes = """
    Note { title: String; category: String?; words: Int16; author -> Person.notes }
    Person { name: String?; notes ->> Note.author }
    """

  /// Runs a mapping between two sketches, and gives the body its step.
  static func run(
    _ first: String,
    _ second: String,
    _ mappings: [EntityMapping],
    rows: Int = 60,
    batchSize: Int = 7,
    prepare: (AppDatabase) throws -> Void = { _ in },
    body: (AuthoredStep) throws -> Void
  ) throws {
    try TemporaryFolder.with { folder in
      let step = AuthoredStep(
        source: try ModelSketch.model(first),
        destination: try ModelSketch.model(second),
        mapping: MappingModel(entityMappings: mappings),
        folder: folder
      )
      try step.makeStore(rows: rows, prepare: prepare)
      try step.run(batchSize: batchSize)
      try body(step)
    }
  }

  private func old(_ step: AuthoredStep, _ sql: String) throws -> [[SQLiteValue]] {
    try SQLiteConnection(path: step.before, access: .readOnly).rows(sql)
  }

  @Test func `attributes are carried, converted, constant or at their default`() throws {
    try Self.run(
      "A { a: String?; n: Int16; x: Double? }",
      "B { b: String?; n: Double; kind: String; rank: Int32 = 7; x: Double? }",
      [
        AuthoredStep.mapping(
          "A",
          "B",
          attributes: [
            "b": .source("a"), "n": .source("n"), "kind": .constant(.string("it's")),
            "x": .constant(nil),
          ]
        )
      ]
    ) { step in
      _ = try step.digest()
      #expect(
        try step.rows("SELECT Z_PK, ZB, ZN, ZKIND, ZRANK, ZX FROM ZB")
          == old(step, "SELECT Z_PK, ZA, ZN * 1.0, 'it''s', 7, NULL FROM ZA")
      )
      let greatest = try step.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'B'")
      #expect(try greatest == old(step, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'A'"))
    }
  }

  @Test func `one object becomes two that are joined`() throws {
    try Self.run(
      Self.notes,
      """
      Note { title: String; parts ->> Part.note; author -> Person.notes }
      Part { text: String?; note -> Note.parts }
      Person { name: String?; notes ->> Note.author }
      """,
      [
        AuthoredStep.mapping(
          "Note",
          "Note",
          attributes: ["title": .source("title")],
          relationships: ["author": .instances(of: "PersonToPerson", at: "author")]
        ),
        AuthoredStep.mapping(
          "Note",
          "Part",
          attributes: ["text": .source("category")],
          relationships: ["note": .instances(of: "NoteToNote")]
        ),
        AuthoredStep.mapping("Person", "Person", attributes: ["name": .source("name")]),
      ]
    ) { step in
      _ = try step.digest()
      #expect(
        try step.rows("SELECT Z_PK, ZTITLE, ZAUTHOR FROM ZNOTE ORDER BY 1")
          == old(step, "SELECT Z_PK, ZTITLE, ZAUTHOR FROM ZNOTE ORDER BY 1")
      )
      #expect(
        try step.rows("SELECT ZNOTE, ZTEXT FROM ZPART ORDER BY 1")
          == old(step, "SELECT Z_PK, ZCATEGORY FROM ZNOTE ORDER BY 1")
      )
    }
  }

  @Test(arguments: [1, 4, 1000])
  func `objects with equal values become one, whatever the batches are`(batchSize: Int) throws {
    try Self.run(
      Self.notes,
      """
      Note { title: String; category -> Category.notes }
      Category { name: String?; notes ->> Note.category }
      """,
      [
        AuthoredStep.mapping(
          "Note",
          "Note",
          attributes: ["title": .source("title")],
          relationships: ["category": .instances(of: "NoteToCategory")]
        ),
        {
          var mapping = AuthoredStep.mapping(
            "Note",
            "Category",
            attributes: ["name": .source("category")]
          )
          mapping.deduplicationKeys = ["name"]
          return mapping
        }(),
      ],
      batchSize: batchSize,
      prepare: {
        try $0.execute(
          "UPDATE ZNOTE SET ZCATEGORY = CASE Z_PK % 4 WHEN 0 THEN 'a' WHEN 1 THEN 'b' "
            + "WHEN 2 THEN 'c' END"
        )
      },
      body: { step in
        _ = try step.digest()
        // The first note of each category gives its key; those without one share an object.
        #expect(
          try step.rows("SELECT Z_PK, ZNAME, Z_ENT FROM ZCATEGORY ORDER BY Z_PK")
            == [[1, "b"], [2, "c"], [3, nil], [4, "a"]].map { row in
              let name = row[1] as? String
              return [
                .integer(Int64(row[0] as? Int ?? 0)), name.map { .text($0) } ?? .null, .integer(1),
              ]
            }
        )
        #expect(
          try step.rows(
            "SELECT n.Z_PK, c.ZNAME FROM ZNOTE n JOIN ZCATEGORY c ON c.Z_PK = n.ZCATEGORY "
              + "ORDER BY 1"
          ) == old(step, "SELECT Z_PK, ZCATEGORY FROM ZNOTE ORDER BY 1")
        )
      }
    )
  }

  @Test func `rows of two hierarchies meet in one table`() throws {
    try Self.run(
      "A { a: String?; next -> B.back } B { b: String?; back -> A.next }",
      "C { c: String?; next -> C.back; back -> C.next }",
      [
        AuthoredStep.mapping(
          "A",
          "C",
          attributes: ["c": .source("a")],
          relationships: ["next": .instances(of: "BToC", at: "next")]
        ),
        AuthoredStep.mapping("B", "C", attributes: ["c": .source("b")]),
      ]
    ) { step in
      _ = try step.digest()
      let issued = try #require(
        old(step, "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'A'")[0][0].integer
      )
      #expect(
        try step.rows("SELECT Z_PK - \(issued), ZC FROM ZC WHERE Z_PK > \(issued)")
          == old(step, "SELECT Z_PK, ZB FROM ZB")
      )
      #expect(
        try step.rows("SELECT Z_PK, ZNEXT - \(issued) FROM ZC WHERE Z_PK <= \(issued) ORDER BY 1")
          == old(step, "SELECT Z_PK, ZNEXT FROM ZA ORDER BY 1")
      )
    }
  }

  @Test func `one row makes two objects of one table, and both have keys`() throws {
    try Self.run(
      "A { a: String? }",
      "Base { c: String? } C : Base {} D : Base {}",
      [
        AuthoredStep.mapping("A", "C", attributes: ["c": .source("a")]),
        AuthoredStep.mapping("A", "D", attributes: ["c": .source("a")]),
      ]
    ) { step in
      _ = try step.digest()
      let counts = try step.rows(
        "SELECT Z_ENT, COUNT(*), MIN(Z_PK), MAX(Z_PK) FROM ZBASE GROUP BY 1"
      )
      #expect(
        counts == [
          [.integer(2), .integer(60), .integer(1), .integer(60)],
          [.integer(3), .integer(60), .integer(61), .integer(120)],
        ]
      )
    }
  }

  @Test func `a path leads over several relationships`() throws {
    try Self.run(
      """
      City { country -> Country.cities }
      Country { planet -> Planet.countries; cities ->> City.country }
      Planet { name: String?; countries ->> Country.planet }
      """,
      """
      City { planet -> Planet.cities }
      Planet { name: String?; cities ->> City.planet ordered }
      """,
      [
        AuthoredStep.mapping(
          "City",
          "City",
          relationships: ["planet": .instances(of: "PlanetToPlanet", at: "country", "planet")]
        ),
        AuthoredStep.mapping("Planet", "Planet", attributes: ["name": .source("name")]),
      ]
    ) { step in
      _ = try step.digest()
      #expect(
        try step.rows("SELECT Z_PK, ZPLANET FROM ZCITY ORDER BY 1")
          == old(
            step,
            "SELECT c.Z_PK, o.ZPLANET FROM ZCITY c LEFT JOIN ZCOUNTRY o ON o.Z_PK = c.ZCOUNTRY "
              + "ORDER BY 1"
          )
      )
      // A list that had no order gets the places of one that is set at once.
      let lists = try step.rows(
        "SELECT ZPLANET, MIN(Z_FOK_PLANET), MAX(Z_FOK_PLANET) - 1024 * COUNT(*) FROM ZCITY "
          + "WHERE ZPLANET IS NOT NULL GROUP BY 1"
      )
      #expect(
        !lists.isEmpty && lists.allSatisfy { $0[1] == .integer(2048) && $0[2] == .integer(1024) }
      )
    }
  }

  @Test func `a filter sends some objects here and some there`() throws {
    var long = AuthoredStep.mapping("Note", "Long", attributes: ["title": .source("title")])
    long.sourcePredicate = try Predicate(format: "words > 0 AND title != nil")
    var short = AuthoredStep.mapping("Note", "Short", attributes: ["title": .source("title")])
    short.sourcePredicate = try Predicate(format: "NOT (words > 0 AND title != nil)")
    try Self.run(
      Self.notes,
      "Base { title: String } Long : Base {} Short : Base {}",
      [long, short]
    ) { step in
      _ = try step.digest()
      // Each keeps its key, since none is made twice.
      #expect(
        try step.rows("SELECT Z_PK, ZTITLE, Z_ENT FROM ZBASE ORDER BY 1")
          == old(step, "SELECT Z_PK, ZTITLE, CASE WHEN ZWORDS > 0 THEN 2 ELSE 3 END FROM ZNOTE")
      )
    }
  }

  @Test func `values are computed by expressions, and numbers must fit`() throws {
    let words = try Expression(format: "$source.words * 2")
    let title = try Expression(format: "uppercase($source.title)")
    let mapping = AuthoredStep.mapping(
      "Note",
      "Note",
      attributes: ["title": title, "length": words]
    )
    try Self.run(Self.notes, "Note { title: String; length: Int32 }", [mapping]) { step in
      _ = try step.digest()
      #expect(
        try step.rows("SELECT Z_PK, ZLENGTH FROM ZNOTE")
          == old(step, "SELECT Z_PK, ZWORDS * 2 FROM ZNOTE")
      )
    }
    let error = #expect(throws: (any Error).self) {
      try Self.run(
        Self.notes,
        "Note { title: String; length: Int16 }",
        [mapping],
        prepare: { try $0.execute("UPDATE ZNOTE SET ZWORDS = 30000") },
        body: { _ in }
      )
    }
    #expect("\(try #require(error))".contains("cannot hold"))
  }

  @Test func `rules that objects break are listed, and nothing else is`() throws {
    let error = #expect(throws: MigrationError.self) {
      try Self.run(
        "A { a: String? }",
        "A { a: String?; b: String }",
        [AuthoredStep.mapping("A", "A", attributes: ["a": .source("a")])]
      ) { _ in }
    }
    #expect(error?.code == .failed)
    #expect(error?.message.contains("A.b: 60 objects") == true, "\(error?.message ?? "")")
  }

  @Test(arguments: [
    ("b", Expression.constant(.string("x")), "which B does not have"),
    ("n", .constant(.string("x")), "a constant of another type"),
    ("n", .source("nothing"), "reads nothing"),
    ("n", .keyPath(.evaluatedObject, ["nothing"]), "reads nothing"),
    ("n", .source("a"), "whose type is another"),
  ])
  func `a mapping that fits no model is refused`(
    attribute: String,
    value: Expression,
    words: String
  ) throws {
    let error = #expect(throws: MigrationError.self) {
      try Self.run(
        "A { a: String? }",
        "B { n: Int16? }",
        [AuthoredStep.mapping("A", "B", attributes: [attribute: value])]
      ) { _ in }
    }
    #expect(error?.code == .refused)
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }
}
