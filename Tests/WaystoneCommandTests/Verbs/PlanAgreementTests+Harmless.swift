import MigrationTestSupport
import Testing
import WaystoneCommand

/// Stores that look as if a run could not take them.
extension PlanAgreementTests {
  private static let derived: String = [
    #"<attribute name="saved" optional="YES" attributeType="Date" derived="YES" "#,
    #"derivationExpression="now()"/>"#,
  ].joined()
  static let many =
    #"<relationship name="l" optional="YES" toMany="YES" deletionRule="Nullify" "#
    + #"destinationEntity="L" inverseName="r" inverseEntity="L"/>"#

  private static let harmless: [Case] = [
    Case(
      testDescription: "a derived attribute that is unique in both versions",
      before: [
        entity("A", attribute("n", "Integer 16"), derived, unique.replacing("x", with: "saved"))
      ],
      after: [entity("A", attribute("n", "Double"), derived, unique.replacing("x", with: "saved"))],
      damage: "UPDATE ZA SET Z_OPT = 2",
      code: ""
    ),
    Case(
      testDescription: "an attribute that becomes transient, and that a constraint names",
      before: [entity("A", attribute("x", "String"))],
      after: [entity("A", attribute("x", "String", #"transient="YES""#), unique)],
      damage: "UPDATE ZA SET ZX = 'a'",
      code: ""
    ),
    Case(
      testDescription: "keys that lead to no row, of what becomes a one-to-one",
      before: [entity("L", end("r", "R", "l")) + entity("R", many), other],
      after: [pair, other],
      damage: "UPDATE ZL SET ZR = Z_PK; UPDATE ZL SET ZR = 99 WHERE Z_PK = 2",
      code: ""
    ),
  ]

  @Test(arguments: harmless) func `a run goes on where plan says so`(_ example: Case) throws {
    try TemporaryFolder.with { folder in
      try SketchedModel.write(
        [("v1", example.before.joined()), ("v2", example.after.joined())],
        into: folder
      )
      let options = ["--models", folder]
      let made = CommandRun(
        ["generate", "v1", "--rows", "8", "--seed", "3", "-o", "s.sqlite"] + options,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        "\(folder)/s.sqlite",
        example.damage + "; PRAGMA wal_checkpoint(TRUNCATE)"
      )
      for verb in ["plan", "migrate"] {
        let run = CommandRun(
          [verb, "s.sqlite", "--to", "v2", "--accept-loss", "any"] + options,
          in: folder
        )
        #expect(run.status == .success, "\(run.output)\(run.errors)")
        #expect(!run.output.contains("WS314"), "\(run.output)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `a change that is accepted is accepted by plan and run alike`(isAccepted: Bool) throws {
    try TemporaryFolder.with { folder in
      func version(_ type: String) -> String { Self.entity("A", Self.attribute("x", type)) }
      try SketchedModel.write(
        [("v1", version("Integer 16")), ("v2", version("Decimal"))],
        into: folder
      )
      let options = ["--models", folder]
      let made = CommandRun(
        ["generate", "v1", "--rows", "8", "-o", "s.sqlite"] + options,
        in: folder
      )
      try #require(made.status == .success, "\(made.errors)")
      try AppDatabase.run(
        "\(folder)/s.sqlite",
        "UPDATE ZA SET ZX = x'00ff' WHERE Z_PK = 2; PRAGMA wal_checkpoint(TRUNCATE)"
      )
      let accepting = isAccepted ? ["--accept-changed-values"] : []
      let plan = CommandRun(["plan", "s.sqlite", "--to", "v2"] + accepting + options, in: folder)
      #expect(plan.status == (isAccepted ? .success : .answerIsNo), "\(plan.output)")
      #expect(plan.words.contains(isAccepted ? "warning WS523" : "error WS523"), "\(plan.output)")
      #expect(plan.words.contains("refused") != isAccepted, "\(plan.output)")
      let run = CommandRun(["migrate", "s.sqlite", "--to", "v2"] + accepting + options, in: folder)
      #expect(run.status == (isAccepted ? .success : .migrationFailed), "\(run.errors)")
    }
  }
}
