import Foundation
import MigrationTestSupport
import Testing
import WaystoneCommand

/// Hop files that no run could carry out, which every verb tells before there is a run.
@Suite struct UnusableHopTests {
  private static let sheet =
    #"<entity name="Sheet" representedClassName="Sheet" isAbstract="YES" syncable="YES">"#
    + #"<attribute name="s" optional="YES" attributeType="String"/></entity>"#

  /// Two versions, of which the later one's `up` is for the hop file to fill.
  private static let versions: [(name: String, entities: String)] = ["", "up"].enumerated()
    .map { index, added in
      let more =
        added.isEmpty
        ? "" : #"<attribute name="up" optional="YES" attributeType="String"/>"#
      return (
        "v\(index + 1)",
        """
        <entity name="Book" representedClassName="Book" syncable="YES">
        <attribute name="name" optional="YES" attributeType="String"/>
        <attribute name="n" optional="YES" attributeType="Integer 64" usesScalarValueType="YES"/>
        <attribute name="day" optional="YES" attributeType="Date"/>
        <attribute name="blob" optional="YES" attributeType="Binary"/>
        <attribute name="any" optional="YES" attributeType="Transformable"/>
        <relationship name="next" optional="YES" maxCount="1" deletionRule="Nullify" \
        destinationEntity="Book" inverseName="before" inverseEntity="Book"/>
        <relationship name="before" optional="YES" toMany="YES" deletionRule="Nullify" \
        destinationEntity="Book" inverseName="next" inverseEntity="Book"/>
        \(more)</entity>
        <entity name="Draft" representedClassName="Draft" syncable="YES">
        <attribute name="t\(index)" optional="YES" attributeType="String"/></entity>
        \(sheet)
        """
      )
    }

  private func with(_ entities: String, _ body: (String) throws -> Void) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(Self.versions, into: "\(folder)/ModelArchive")
      let text = "from: v1\nto: v2\nentities:\n" + entities
      try SketchedModel.write(text, to: "\(folder)/ModelArchive/v1-to-v2.hop.yml")
      try body(folder)
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
  func `what cannot run is an error at its line`(
    _ example: (entities: String, line: Int, words: String)
  ) throws {
    try with(example.entities) { folder in
      let run = CommandRun(["check", "--format", "json"], in: folder)
      #expect(run.status == .answerIsNo, "\(run.output) \(run.errors)")
      let mapping = try #require((try run.json()["mappings"] as? [[String: Any]])?.first)
      let findings = try #require(mapping["findings"] as? [[String: Any]])
      let found = try #require(findings.first { $0["code"] as? String == "WS421" }, "\(run.output)")
      #expect(found["line"] as? Int == example.line)
      #expect((found["message"] as? String)?.contains(example.words) == true, "\(found)")
    }
  }

  @Test(arguments: Trials.some(of: impossible))
  func `every verb tells what cannot run, at its line, and fails`(
    _ example: (entities: String, line: Int, words: String)
  ) throws {
    try with(example.entities) { folder in
      let verbs: [(arguments: [String], status: CommandStatus)] = [
        (["check"], .answerIsNo), (["coverage"], .answerIsNo),
        (["plan", "v1", "--to", "v2"], .noPath),
      ]
      for (arguments, status) in verbs {
        let run = CommandRun(arguments, in: folder)
        #expect(run.status == status, "\(arguments) \(run.output) \(run.errors)")
        #expect(run.words.contains("WS421"), "\(arguments) \(run.output)")
        #expect(run.words.contains(example.words), "\(arguments) \(run.output)")
        #expect(
          run.words.contains("ModelArchive/v1-to-v2.hop.yml:\(example.line)"),
          "\(arguments) \(run.output)"
        )
      }
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
  func `what a run may carry out is told by none`(_ entities: String) throws {
    try with(entities) { folder in
      let run = CommandRun(["check", "--verbose"], in: folder)
      #expect(!run.words.contains("WS421"), "\(run.output) \(run.errors)")
      #expect(run.status == .success || run.status == .answerIsNo, "\(run.errors)")
    }
  }

  @Test func `a file may ask for what an entity mapping of another file makes`() throws {
    try with("  - source: Draft\nothers: drop\n") { folder in
      let asking = #"FUNCTION($manager, "\#(Self.instances)", "DraftToDraft", nil)"#
      let text =
        "from: v1\nto: v2\nothers: drop\nentities:\n  - source: Book\n    relationships:\n"
        + "      next: \(asking)\n"
      // An abstract entity is of every file.
      let plain = Self.versions.map {
        (name: $0.name, entities: $0.entities.replacing(Self.sheet, with: ""))
      }
      try SketchedModel.write(plain, into: "\(folder)/ModelArchive")
      try SketchedModel.write(text, to: "\(folder)/ModelArchive/more.hop.yml")
      #expect(!CommandRun("check", in: folder).words.contains("is called DraftToDraft"))
      let lost = text.replacing("DraftToDraft", with: "DraftToNone")
      try SketchedModel.write(lost, to: "\(folder)/ModelArchive/more.hop.yml")
      #expect(
        CommandRun("check", in: folder).words.contains("No entity mapping is called DraftToNone")
      )
    }
  }

  private static let instances = "destinationInstancesForEntityMappingNamed:sourceInstances:"

  @Test func `an entity that is dropped and made anew is migrated`() throws {
    try with("  - drop: Draft\n") { folder in
      #expect(
        CommandRun("generate", "v1", "--rows", "9", "-o", "a.sqlite", in: folder).status == .success
      )
      let run = CommandRun("migrate", "a.sqlite", "-o", "b.sqlite", in: folder)
      #expect(run.status == .success, "\(run.errors)")
      let counts = CommandRun("inspect", "b.sqlite", "--format", "json", in: folder)
      #expect(counts.status == .success)
    }
  }

  @Test func `a plan for a store whose tables are refused says so`() throws {
    try TemporaryFolder.with { folder in
      let models = [("v1", ""), ("v2", "more")].map { name, added in
        (
          name: name,
          entities: ["A": "B", "B": "A"].sorted { $0.key < $1.key }.map { entity, other in
            """
            <entity name="\(entity)" representedClassName="\(entity)" syncable="YES">
            <attribute name="x\(added)" optional="YES" attributeType="String"/>
            <relationship name="to\(other)" optional="YES" toMany="YES" deletionRule="Nullify" \
            destinationEntity="\(other)" inverseName="to\(entity)" inverseEntity="\(other)"/>
            </entity>
            """
          }.joined()
        )
      }
      try SketchedModel.write(models, into: "\(folder)/ModelArchive")
      #expect(
        CommandRun("generate", "v1", "--rows", "9", "-o", "a.sqlite", in: folder).status == .success
      )
      #expect(CommandRun("plan", "a.sqlite", in: folder).status == .success)
      do {
        let connection = try AppDatabase("\(folder)/a.sqlite")
        for text in [
          "ALTER TABLE Z_1TOB RENAME TO old",
          "CREATE TABLE Z_1TOB (Z_1TOA INTEGER, Z_2TOB INTEGER)",
          "INSERT INTO Z_1TOB SELECT * FROM old", "DROP TABLE old",
        ] {
          try connection.execute(text)
        }
      }
      let refused = CommandRun("migrate", "a.sqlite", "-o", "b.sqlite", in: folder)
      #expect(refused.status != .success && refused.errors.contains("the primary key of Z_1TOB"))
      for arguments in [["plan", "a.sqlite"], ["migrate", "a.sqlite", "--dry-run"]] {
        let run = CommandRun(arguments, in: folder)
        #expect(run.status == .answerIsNo, "\(run.output)")
        #expect(run.words.contains("WS505"), "\(run.output)")
        #expect(run.words.contains("the primary key of Z_1TOB"), "\(run.output)")
      }
    }
  }
}
