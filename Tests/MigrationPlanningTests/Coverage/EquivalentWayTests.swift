import MigrationPlanning
import MigrationTestSupport
import ObjectModel
import Testing

@Suite struct `Ways that do the same to every object` {
  @Test(arguments: [
    ["A { n: String = d }", "A { n: String? = d }", "A { n: String = d; x: String? }"],
    ["A { }", "A { n: Int16? = 0 }", "A { n: Double? = 0.0; x: String? }"],
    ["A { }", "A { n: Decimal? = 0 }", "A { n: Decimal? = 0.0; x: String? }"],
    ["A { }", "A { n: Int16? = 1 }", "A { n: Boolean? = YES; x: String? }"],
    [
      "A { r -> B.q } B { q -> A.r }", "A { r ->> B.q } B { q -> A.r }",
      "A { r -> B.q; x: String? } B { q -> A.r }",
    ],
    [
      "A { r ->> B.q } B { q -> A.r }", "A { r ->> B.q ordered } B { q -> A.r }",
      "A { r ->> B.q; x: String? } B { q -> A.r }",
    ],
    ["A { n: Int16? }", "A { n: Int16 = 3 }", "A { n: Int32 = 3; x: String? }"],
  ])
  func `a detour that no row can see is no loss`(versions: [String]) throws {
    let outcome = try App(versions[0], versions[1], versions[2]).outcome()
    #expect(outcome.kind != .loses, "\(outcome)")
    #expect(!outcome.findings.contains { $0.code == .appLosesSilently })
  }

  @Test(arguments: [0, 1])
  func `a hop's constant number is the truth value of a default`(number: Int64) throws {
    var app = try App("A { t: String? }", "A { t: String?; n: Boolean? = NO }")
    app.add(
      1,
      2,
      .hopFile,
      entity: "A",
      values: ["t": .source("t"), "n": .constant(.integer(number))]
    )
    let outcome = try app.outcome()
    #expect(outcome.kind == (number == 0 ? .arrives : .loses), "\(outcome)")
  }

  @Test(arguments: [
    ["A { n: String? }", "A { n: String = d }", "A { n: String?; x: String? }"],
    [
      "A { r ->> B.q ordered } B { q -> A.r }", "A { r ->> B.q } B { q -> A.r }",
      "A { r ->> B.q ordered; x: String? } B { q -> A.r }",
    ],
    [
      "A { r ->> B.q } B { q -> A.r }", "A { r -> B.q } B { q -> A.r }",
      "A { r ->> B.q; x: String? } B { q -> A.r }",
    ],
    ["A { n: Double? }", "A { n: Int16? }", "A { n: Double?; x: String? }"],
  ])
  func `a detour that costs a row something is no loss where the app does not take it`(
    versions: [String]
  ) throws {
    let outcome = try App(versions[0], versions[1], versions[2]).outcome()
    #expect(outcome.kind == .keeps, "\(outcome)")
    #expect(outcome.findings.allSatisfy { $0.code == .appKeepsMore })
    #expect(outcome.findings.allSatisfy { $0.message.contains("version by version it gets") })
  }

  @Test func `version by version is no advice where that loses what the app keeps`() throws {
    let outcome = try App(
      "A { t: String?; n: Int32? }",
      "A { h: String? was t; n: Int16? }",
      "A { h: String?; n: Int32?; x: String? }"
    ).outcome()
    #expect(outcome.kind == .loses)
    #expect(outcome.summary.hasSuffix("and silently loses or changes A.h."))
    #expect(outcome.findings.map(\.code) == [.appLosesSilently, .appKeepsMore])
    let app = try App(
      "A { n: Int32? } B { t: String? }",
      "A { n: Int16? } C was B { t: String? }",
      "A { n: Int32? } D was C { t: String? }"
    ).outcome()
    #expect(app.kind == .loses)
    #expect(!app.findings.contains { $0.remedy.contains("Let the app migrate version by version") })
  }

  @Test func `less that the app still converts stays a loss`() throws {
    let outcome = try App(
      "A { n: Double? }",
      "A { n: Int16? }",
      "A { n: Int32?; x: String? }"
    ).outcome()
    #expect(outcome.kind == .loses)
  }

  @Test(arguments: [
    ["A { }", "A { n: Int16? = 1 }", "A { n: Double? = 0.0; x: String? }"],
    ["A { }", "A { n: Int16? = 1 }", "A { n: Int16?; x: String? }"],
    ["A { m: String? }", "A { n: Int16? = 1 }", "A { n: Int16?; m: String? }"],
  ])
  func `another default where the store has no value is no loss`(versions: [String]) throws {
    let outcome = try App(versions[0], versions[1], versions[2]).outcome()
    #expect(outcome.kind == .otherDefaults, "\(outcome)")
    let found = outcome.findings.filter { $0.code == .appLosesSilently }
    #expect(found.map(\.severity) == [.warning])
    #expect(found.allSatisfy { $0.risk == .additive })
  }

  @Test func `another default beside a loss stays a loss`() throws {
    let outcome = try App(
      "A { t: String? }",
      "A { h: String? was t; n: Int16? = 1 }",
      "A { h: String?; n: Int16?; x: String? }"
    ).outcome()
    #expect(outcome.kind == .loses)
    #expect(outcome.findings.map(\.severity) == [.error, .warning], "\(outcome.findings)")
  }

  @Test func `what becomes of nothing is nothing`() throws {
    var app = try App(
      "A { x: String? } B { }",
      "A { x: String?; r -> B.q } B { q -> A.r }",
      "A { x: String?; r -> B.q; y: String? } B { q -> A.r }"
    )
    app.addLinks(2, 3, of: "A", "r", by: "BToB")
    let outcome = try app.outcome()
    #expect(!outcome.findings.contains { $0.code == .appLosesSilently }, "\(outcome.findings)")
  }

  @Test(arguments: [
    ["A { n: String? }", "A { }", "A { n: String?; x: String? }"],
    ["A { } B { n: String? }", "A { }", "A { } B { n: String?; x: String? }"],
  ])
  func `what the history drops and adds again, the app keeps`(versions: [String]) throws {
    let outcome = try App(versions[0], versions[1], versions[2]).outcome()
    #expect(outcome.kind == .keeps, "\(outcome)")
    #expect(outcome.findings.allSatisfy { $0.code == .appKeepsMore })
    #expect(!outcome.findings.contains { $0.remedy.contains("version by version") })
  }
}

@Suite struct `What is said of Core Data` {
  @Test(arguments: [
    ("A { } B { }", "P { } A : P { } B : P { }"),
    ("A { n: String? }", "A { n: String }"), ("A { }", "A { n: String }"),
    ("A { n: String? }", "A { n: Date? }"),
  ])
  func `what Apple rules out fails`(old: String, new: String) throws {
    #expect(try App(old, new).outcome().kind == .fails)
  }

  @Test(arguments: [
    (
      "F { items ->> I.f } I { f -> F.items } P : I { }",
      "F { items ->> I.f } I { f -> F.items } P { }"
    ),
    (
      "F { items ->> I.f } I { f -> F.items } P : I { }",
      "F { items ->> P.f } I { } P : I { f -> F.items }"
    ),
    ("A { c: String? }", "A { c -> C.a } C { a -> A.c }"),
    ("A { n: String? }", "abstract A { n: String? } B : A { }"),
    ("A { r ->> B.q } B { q ->> A.r }", "A { r -> B.q } B { q ->> A.r }"),
  ])
  func `what Apple does not rule out is unknown`(old: String, new: String) throws {
    let outcome = try App(old, new).outcome()
    #expect(outcome.kind == .unknown, "\(outcome)")
    #expect(outcome.findings.first?.severity == .error)
  }
}
