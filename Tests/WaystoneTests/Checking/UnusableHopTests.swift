import MigrationTestSupport
import Testing
import Waystone

/// Hop files that no run could carry out, which check, coverage and plan find before there is a run.
@Suite struct UnusableHopTests {
  private static let sheet = "abstract Sheet { s: String? }"

  /// Two versions, of which the later one's `up` is for the hop file to fill.
  private static let versions = ["", "up: String?"].enumerated().map { index, added in
    """
    Book {
      name: String?; n: Int64?; day: Date?; blob: Binary?; any: Transformable?
      next -> Book.before; before ->> Book.next; \(added)
    }
    Draft { t\(index): String? }
    \(sheet)
    """
  }

  private func with(_ entities: String, _ body: (SketchedProject) throws -> Void) throws {
    try SketchedProject.with(Self.versions) { project in
      try project.write("from: v1\nto: v2\nentities:\n" + entities, to: "v1-v2.hop.yml")
      try body(project)
    }
  }

  private static func up(_ expression: String) -> String {
    "  - source: Book\n    attributes:\n      up: >-\n        \(expression)\n"
  }

  private static let impossible: [(entities: String, line: Int, words: String)] = [
    (up(#"FUNCTION($source.name, "frobnicate:", "x")"#), 6, "frobnicate: of a string is not known"),
    (up(#"FUNCTION($source.name, "firstMatchOfPattern:", "([")"#), 6, "no regular expression"),
    (up(#"TERNARY($source.name MATCHES "([", "a", "b")"#), 6, "MATCHES is no regular expression"),
    (up(#"TERNARY($source.n > 1, $source.name.foo, "b")"#), 6, "The key foo"),
    (up(#"CAST($source.name, "NSFoo")"#), 6, "CAST to a type"),
    (up(#"FUNCTION(CAST("NSString", "Class"), "foo")"#), 6, "foo of NSString"),
    (up(#"FUNCTION($manager, "nothing:", 1)"#), 6, "no method for the selector nothing:"),
    (up(#"FUNCTION($entityPolicy, "do:", 1)"#), 6, "names none"),
    (up(#"FUNCTION($source.next.x, "stringValue")"#), 6, "no property x"),
    (up("$source.name + $source.n"), 6, "cannot be done with a string"),
    (up("sum:($source.n)"), 6, "sum: cannot be done"),
    (up("$source.n"), 6, "its value is a number"),
    (
      "  - source: Book\n    attributes:\n"
        + "      up: {lookup: {entity: Book, where: n, equals: $source.name, value: name}}\n",
      6, "Book.n is integer64, and it is compared with a string"
    ),
    (up("$source.before"), 6, "is a set"),
    (up("$source.before.name[FIRST]"), 6, "An index cannot be done with a set"),
    (up("random()"), 6, "not the same each time"),
    ("  - source: Book\n    where: name + n > 1\n", 5, "The filter"),
    ("  - source: Book\n    destination: Sheet\n", 4, "which is abstract"),
    (
      "  - source: Book\n    relationships:\n      next: '\"x\"'\n", 6,
      "next is a relationship"
    ),
    (
      "  - source: Book\n    split: {text: $source.name, separator: \",\"}\n    relationships:\n"
        + "      next: {lookup: {entity: Book, where: up, equals: $piece}}\n", 7,
      "depends on the part that made the object"
    ),
    (
      "  - source: Book\n    relationships: {next: {piece: next}}\n", 5, "BookToBook has no parts"
    ),
    ("  - source: Book\n    split: {text: $source.n, separator: \",\"}\n", 5, "a number to cut"),
  ]

  @Test(arguments: impossible)
  func `what cannot run is an error at its line, for a check and for a plan`(
    _ example: (entities: String, line: Int, words: String)
  ) throws {
    try with(example.entities) { project in
      let found = try #require(
        try project.check().mappings.flatMap(\.findings).of(.unusableMapping).first
      )
      #expect(found.severity == .error && found.place.line == example.line)
      #expect(found.message.contains(example.words), "\(found.message)")
      #expect(try project.planOrRefusals("v1").contains("WS421"))
    }
  }

  @Test(arguments: Trials.some(of: impossible))
  func `coverage fails for what cannot run`(
    _ example: (entities: String, line: Int, words: String)
  ) throws {
    try with(example.entities) { project throws in
      #expect(try project.coverage().gaps.has(.unusableMapping))
    }
  }

  private static let possible: [String] = [
    up(#"FUNCTION($source.any, "frobnicate:", 1)"#), up("$source.next.next.name"),
    up(#"FUNCTION($source.name, "componentsSeparatedByString:", ", ")[5]"#),
    up(#"FUNCTION($source.name, "substringFromIndex:", 7)"#),
    up(
      #"FUNCTION(FUNCTION($source.day, "component:inTimeZone:", $source.name, "UTC"), "stringValue")"#
    ),
    up(#"FUNCTION($source.name, "firstMatchOfPattern:", $source.next.name)"#),
    up(#"FUNCTION($source.blob, "archivedValueAtPath:", "a.b")"#),
    up(#"CAST(count:($source.before), "NSString")"#), up("$source.before.@max.name"),
    up(#"FUNCTION(sum:($source.before.n), "stringValue")"#),
    up(#"SUBQUERY($source.before, $b, $b.n > 1 AND $b.name LIKE "x*").@min.name"#),
    up(#"TERNARY($source.name == nil, nil, uppercase:($source.name))"#),
    up(#"FUNCTION(FUNCTION($manager, "newUUID"), "UUIDString")"#),
    up("{lookup: {entity: Book, where: n, equals: $source.n, value: name}}").replacing(
      ">-\n        ",
      with: ""
    ),
    "  - source: Book\n    split: {each: $source.before}\n    attributes: {up: $piece.name}\n",
    "  - source: Book\n    policy: BookPolicy\n    attributes: {up: 'FUNCTION($entityPolicy, \"x\")'}\n",
    // A policy may make objects of any subentity.
    "  - source: Book\n    destination: Sheet\n    policy: BookPolicy\n",
    // One mapping drops what another makes anew under the same name.
    "  - drop: Draft\n",
  ]

  @Test(arguments: possible)
  func `what a run may carry out has no finding`(_ entities: String) throws {
    try with(entities) { project throws in
      #expect(try !project.check().allFindings.has(.unusableMapping))
    }
  }

  private static let instances = "destinationInstancesForEntityMappingNamed:sourceInstances:"

  @Test(arguments: [("DraftToDraft", false), ("DraftToNone", true)])
  func `a file may ask for what an entity mapping of another file makes`(
    name: String,
    isRefused: Bool
  ) throws {
    try with("  - source: Draft\nothers: drop\n") { project in
      // An abstract entity is of every file.
      for (index, sketch) in Self.versions.enumerated() {
        try project.redraw("v\(index + 1)", sketch.replacing(Self.sheet, with: ""))
      }
      let asking = #"FUNCTION($manager, "\#(Self.instances)", "\#(name)", nil)"#
      try project.write(
        "from: v1\nto: v2\nothers: drop\nentities:\n  - source: Book\n    relationships:\n"
          + "      next: \(asking)\n",
        to: "more.hop.yml"
      )
      let found = try project.check().allFindings
      #expect(found.contains { $0.message.contains("is called \(name)") } == isRefused)
    }
  }

  @Test func `an entity that is dropped and made anew is migrated`() throws {
    try with("  - drop: Draft\n") { project in
      let store = try project.store("v1")
      #expect(try project.migrate(store, to: "o.sqlite").hops == 1)
    }
  }

  @Test func `a plan for a store whose tables are refused is refused`() throws {
    try SketchedProject.with(
      "A { x: String?; toB ->> B.toA } B { x: String?; toA ->> A.toB }",
      "A { xmore: String?; toB ->> B.toA } B { xmore: String?; toA ->> A.toB }"
    ) { project in
      let store = try project.store("v1")
      #expect(try project.plan(store).refusals.isEmpty)
      try AppDatabase("\(project.folder)/\(store)").execute(
        """
        ALTER TABLE Z_1TOB RENAME TO old;
        CREATE TABLE Z_1TOB (Z_1TOA INTEGER, Z_2TOB INTEGER);
        INSERT INTO Z_1TOB SELECT * FROM old; DROP TABLE old
        """
      )
      #expect(try project.plan(store).refusals == ["WS505"])
      #expect(throws: (any Error).self) { try project.migrate(store, to: "o.sqlite") }
    }
  }
}
