import Foundation
import MigrationTestSupport
import StoreAccess
import Testing
import WaystoneCommand

/// The answer of `plan` on a store that no run takes: never that it is well.
@Suite struct PlanAgreementTests {
  static func attribute(_ name: String, _ type: String, _ more: String = "") -> String {
    #"<attribute name="\#(name)" optional="YES" attributeType="\#(type)" \#(more)/>"#
  }

  static func entity(_ name: String, _ parts: String..., more: String = "") -> String {
    #"<entity name="\#(name)" syncable="YES" \#(more)>\#(parts.joined())</entity>"#
  }

  /// A model's two versions, a hop file, what is done to the store, and what both verbs name.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let before: [String]
    let after: [String]
    var hop: String?
    let damage: String
    let code: String
    var status = CommandStatus.migrationFailed
  }

  static let other = entity("Z", attribute("m", "Integer 64"))
  private static let changed = entity(
    "Z",
    attribute("m", "Integer 64"),
    attribute("n", "Integer 64")
  )
  private static let five = "  - source: Z\n    attributes:\n      n: \"5\"\n"
  private static let parent: String = [
    entity("P", attribute("x", "String"), more: #"isAbstract="YES""#),
    entity("A", more: #"parentEntity="P""#), entity("B", more: #"parentEntity="P""#),
  ].joined()
  private static let one =
    #"<relationship name="one" optional="YES" maxCount="1" deletionRule="Nullify" "#
    + #"destinationEntity="P"/>"#
  static let pair =
    entity("L", end("r", "R", "l")) + entity("R", end("l", "L", "r"))
  static func end(_ name: String, _ entity: String, _ inverse: String) -> String {
    #"<relationship name="\#(name)" optional="YES" maxCount="1" deletionRule="Nullify" "#
      + #"destinationEntity="\#(entity)" inverseName="\#(inverse)" inverseEntity="\#(entity)"/>"#
  }
  private static func bare(_ name: String, _ entity: String) -> String {
    end(name, entity, "").replacing(#" inverseName="" inverseEntity="\#(entity)""#, with: "")
  }
  private static let needed = one.replacing(#"optional="YES" "#, with: "")
  private static let required = #"<attribute name="x" attributeType="String"/>"#
  static let unique =
    #"<uniquenessConstraints><uniquenessConstraint><constraint value="x"/>"#
    + "</uniquenessConstraint></uniquenessConstraints>"

  static let cases: [Case] = [
    Case(
      testDescription: "two relationships that become inverses beside a hop file, and disagree",
      before: [entity("L", bare("r", "R")), entity("R", bare("l", "L")), other],
      after: [pair, changed],
      hop: five,
      damage: "UPDATE ZL SET ZR = NULL",
      code: "WS329"
    ),
    Case(
      testDescription: "text that is too long for an entity that the hop file does not name",
      before: [entity("A", attribute("x", "String")), other],
      after: [entity("A", attribute("x", "String", #"maxValueString="3""#)), changed],
      hop: five,
      damage: "UPDATE ZA SET ZX = 'aaaa'",
      code: "WS605"
    ),
    Case(
      testDescription: "a number below the minimum",
      before: [entity("A", attribute("x", "Integer 64")), other],
      after: [entity("A", attribute("x", "Integer 64", #"minValueString="5""#)), changed],
      hop: five,
      damage: "UPDATE ZA SET ZX = 1",
      code: "WS602"
    ),
    Case(
      testDescription: "a number above the maximum that an expression gives",
      before: [entity("A", attribute("x", "Integer 64"))],
      after: [entity("A", attribute("y", "Integer 64", #"maxValueString="5""#))],
      hop: "  - source: A\n    attributes:\n      y: $source.x * 2\n",
      damage: "UPDATE ZA SET ZX = 3",
      code: "WS603"
    ),
    Case(
      testDescription: "a required value for which a hop file gives nothing",
      before: [entity("A", required), other],
      after: [entity("A", required), changed],
      hop: five + "  - source: A\n    attributes:\n      x: nil\n",
      damage: "UPDATE ZA SET Z_OPT = 2",
      code: "WS313"
    ),
    Case(
      testDescription: "a required value that an expression does not give",
      before: [entity("A", required)],
      after: [entity("A", required, attribute("q", "String"))],
      hop: "  - source: A\n    attributes:\n      x: uppercase:($source.x)\n",
      damage: "UPDATE ZA SET ZX = NULL WHERE Z_PK = 2",
      code: "WS313"
    ),
    Case(
      testDescription: "a new text whose default is too short",
      before: [entity("A", attribute("x", "String"))],
      after: [
        entity(
          "A",
          attribute("x", "String"),
          attribute("y", "String", #"defaultValueString="a" minValueString="2""#)
        ), other,
      ],
      hop: "  - source: A\n    attributes:\n      x: uppercase:($source.x)\n",
      damage: "UPDATE ZA SET Z_OPT = 2",
      code: "WS604"
    ),
    Case(
      testDescription: "a one-to-one whose sides disagree, and whose objects are made anew",
      before: [pair, other],
      after: [pair, changed],
      hop: five,
      damage: "UPDATE ZL SET ZR = NULL; UPDATE ZL SET ZR = 1 WHERE Z_PK < 3",
      code: "WS508"
    ),
    Case(
      testDescription: "a row without a required value",
      before: [entity("A", required), other],
      after: [entity("A", required), changed],
      hop: five,
      damage: "UPDATE ZA SET ZX = NULL WHERE Z_PK = 3",
      code: "WS313"
    ),
    Case(
      testDescription: "a to-one that becomes required",
      before: [parent, entity("C", one)],
      after: [parent, entity("C", attribute("q", "String"), needed)],
      hop: "  - source: A\n",
      damage: "UPDATE ZC SET ZONE = NULL WHERE Z_PK = 2",
      code: "WS315"
    ),
    Case(
      testDescription: "a required to-one that a row has not",
      before: [parent, entity("C", needed)],
      after: [parent, entity("C", attribute("q", "String"), needed)],
      hop: "  - source: C\n    attributes:\n      q: \"'a'\"\n",
      damage: "UPDATE ZC SET ZONE = NULL WHERE Z_PK = 2",
      code: "WS315"
    ),
    Case(
      testDescription: "a required to-one that the hop file leaves out",
      before: [parent, entity("C", one)],
      after: [parent, entity("C", attribute("q", "String"), needed)],
      hop: "  - source: C\n    relationships:\n      one: null\n",
      damage: "UPDATE ZC SET Z_OPT = 2",
      code: "WS315"
    ),
    Case(
      testDescription: "a list that has fewer links than its new minimum, and not none",
      before: [entity("L", end("r", "R", "l")) + entity("R", many), other],
      after: [
        entity("L", end("r", "R", "l"))
          + entity("R", many.replacing("toMany", with: #"minCount="2" toMany"#)), changed,
      ],
      hop: five,
      damage: "UPDATE ZL SET ZR = CASE Z_PK WHEN 2 THEN 2 WHEN 3 THEN 1 WHEN 4 THEN 1 END",
      code: "WS315"
    ),
    Case(
      testDescription: "a missing external file",
      before: [
        entity("A", attribute("x", "Binary", #"allowsExternalBinaryDataStorage="YES""#)), other,
      ],
      after: [entity("A", attribute("x", "Binary")), changed],
      hop: five,
      damage: "UPDATE ZA SET ZX = x'0742'",
      code: "WS323"
    ),
    Case(
      testDescription: "a reference with the number of another entity",
      before: [parent, entity("C", attribute("t", "String"), one)],
      after: [parent, entity("C", attribute("t", "String"), attribute("q", "String"), one)],
      damage: "UPDATE ZC SET ZONE = 1, Z2_ONE = 99",
      code: "WS524",
      status: .damagedInput
    ),
    Case(
      testDescription: "a key in a row of another subentity",
      before: [
        entity("P", attribute("x", "String")), entity("Q", one, more: #"parentEntity="P""#),
      ],
      after: [
        entity("P", attribute("x", "String"), attribute("q", "String")),
        entity("Q", one, more: #"parentEntity="P""#),
      ],
      damage: "UPDATE ZP SET ZONE = 1 WHERE Z_ENT = 1",
      code: "WS524",
      status: .damagedInput
    ),
    Case(
      testDescription: "rows that are equal where a unique index is gone",
      before: [entity("A", attribute("x", "String"), unique)],
      after: [entity("A", attribute("x", "String"), attribute("q", "String"), unique)],
      damage: "DROP INDEX Z_A_UNIQUE_x; UPDATE ZA SET ZX = 'a'",
      code: "WS609"
    ),
  ]

  @Test(arguments: cases) func `plan says no where the run would`(_ example: Case) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [("v1", example.before.joined()), ("v2", example.after.joined())],
        into: folder
      )
      if let hop = example.hop {
        let text = "from: v1\nto: v2\nentities:\n" + hop
        try SketchedModel.write(text, to: folder + "/v1-to-v2.hop.yml")
      }
      let models = ["--models", folder]
      let made = CommandRun(
        ["generate", "v1", "--rows", "8", "--seed", "3", "-o", "s.sqlite"] + models,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        "\(folder)/s.sqlite",
        example.damage + "; PRAGMA wal_checkpoint(TRUNCATE)"
      )
      let plan = CommandRun(["plan", "s.sqlite", "--to", "v2"] + models, in: folder)
      #expect(plan.status == .answerIsNo, "\(plan.output)\(plan.errors)")
      #expect(plan.words.contains("error \(example.code)"), "\(plan.output)")
      let run = CommandRun(["migrate", "s.sqlite", "--to", "v2"] + models, in: folder)
      #expect(run.status == example.status, "\(run.output)\(run.errors)")
      #expect(!run.errors.contains("Please report"), "\(run.errors)")
    }
  }

  private static let constants: [(type: String, value: String, isHeld: Bool)] = [
    ("Integer 16", "70000", false), ("Integer 16", "1.5", false), ("Integer 16", "-32768", true),
    ("Integer 32", "99999999999", false), ("Integer 64", "1e30", false), ("Boolean", "2", false),
    ("Boolean", "1", true), ("Float", "1e300", false), ("Float", "0.1", true),
    ("Double", "9007199254740993", false), ("Double", "9007199254740992", true),
    ("Integer 16", "TERNARY($source.k == nil, 70000, 1)", false),
  ]

  @Test(arguments: constants)
  func `a constant that its attribute cannot hold is an error at its line`(
    type: String,
    value: String,
    isHeld: Bool
  ) throws {
    try TemporaryFolder.with { folder in
      let text = Self.attribute("k", "String")
      try SketchedModel.write(
        [
          ("v1", Self.entity("A", text)),
          ("v2", Self.entity("A", text, Self.attribute("x", type, #"usesScalarValueType="YES""#))),
        ],
        into: folder
      )
      let hop = "from: v1\nto: v2\nentities:\n  - source: A\n    attributes:\n      x: '\(value)'\n"
      try SketchedModel.write(hop, to: folder + "/v1-to-v2.hop.yml")
      let check = CommandRun(
        "check",
        "--mappings",
        "v1-to-v2.hop.yml",
        "--models",
        folder,
        in: folder
      )
      #expect(check.status == (isHeld ? .success : .answerIsNo), "\(check.output)\(check.errors)")
      #expect(check.words.contains("v1-to-v2.hop.yml:6") != isHeld, "\(check.output)")
      let plan = CommandRun("plan", "v1", "--to", "v2", "--models", folder, in: folder)
      #expect(plan.status == (isHeld ? .success : .noPath), "\(plan.output)\(plan.errors)")
    }
  }

  @Test func `validate finds values that no attribute of their type can have`() throws {
    try TemporaryFolder.with { folder in
      let version = Self.entity(
        "A",
        Self.attribute("n", "Integer 16"),
        Self.attribute("b", "Boolean"),
        Self.attribute("d", "Double")
      )
      try SketchedModel.write([("v1", version)], into: folder)
      let made = CommandRun(
        "generate",
        "v1",
        "--rows",
        "8",
        "-o",
        "s.sqlite",
        "--models",
        folder,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      func validate() -> CommandRun {
        CommandRun("validate", "s.sqlite", "--models", folder, in: folder)
      }
      #expect(validate().status == .success, "\(validate().output)")
      try AppDatabase.run(
        "\(folder)/s.sqlite",
        "UPDATE ZA SET ZN = 70000 WHERE Z_PK = 1; UPDATE ZA SET ZB = 2 WHERE Z_PK = 2; "
          + "UPDATE ZA SET ZD = 'a' WHERE Z_PK = 3; PRAGMA wal_checkpoint(TRUNCATE)"
      )
      let run = validate()
      #expect(run.status == .answerIsNo)
      for name in ["n", "b", "d"] {
        #expect(run.words.contains("WS611 A.\(name)"), "\(run.output)")
      }
    }
  }

  @Test func `the sides of a one-to-one that disagree are counted each by itself`() throws {
    try TemporaryFolder.with { folder in
      func relationship(_ name: String, _ target: String, _ inverse: String) -> String {
        #"<relationship name="\#(name)" optional="YES" maxCount="1" deletionRule="Nullify" "#
          + #"destinationEntity="\#(target)" inverseName="\#(inverse)" inverseEntity="\#(target)"/>"#
      }
      let other = Self.entity("B", Self.attribute("u", "String"), relationship("i", "A", "r"))
      let (text, link) = (Self.attribute("u", "String"), relationship("r", "B", "i"))
      let versions: [(name: String, entities: String)] = [
        ("v1", Self.entity("A", text, link) + other),
        ("v2", Self.entity("A", text, Self.attribute("n", "String"), link) + other),
      ]
      try SketchedModel.write(versions, into: folder)
      let made = CommandRun(
        "generate",
        "v1",
        "--rows",
        "6",
        "-o",
        "s.sqlite",
        "--models",
        folder,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        "\(folder)/s.sqlite",
        "UPDATE ZA SET ZR = Z_PK; UPDATE ZB SET ZI = CASE WHEN Z_PK > 1 THEN Z_PK END; "
          + "PRAGMA wal_checkpoint(TRUNCATE)"
      )
      let run = CommandRun(
        "migrate",
        "s.sqlite",
        "-o",
        "o.sqlite",
        "--certificate",
        "c.json",
        "--models",
        folder,
        in: folder
      )
      try #require(run.status == .success, "\(run.output)\(run.errors)")
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/c.json"))
      let json = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
      let total = try #require(json["total"] as? [String: Any])
      let lines = try #require(total["departures"] as? [[String: Any]])
      func count(_ entity: String, _ name: String) -> Int? {
        lines.first { $0["entity"] as? String == entity && $0["property"] as? String == name }?[
          "count"
        ] as? Int
      }
      #expect(count("A", "r") == 3 && count("B", "i") == 2, "\(lines)")
      let verify = CommandRun(
        "verify",
        "o.sqlite",
        "--certificate",
        "c.json",
        "--models",
        folder,
        in: folder
      )
      #expect(verify.status == .success, "\(verify.output)")
    }
  }
}
