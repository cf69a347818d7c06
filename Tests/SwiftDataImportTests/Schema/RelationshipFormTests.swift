import ObjectModel
import SwiftDataImport
import Testing

@Suite struct `Relationships of SwiftData models` {
  private static func schema(_ one: String, _ other: String) throws -> SourceSchema? {
    try SchemaText.schema("@Model class A {\n\(one)\n}\n@Model class B {\n\(other)\n}")
  }

  @Test(arguments: [
    ("var b: B?", "var x: Int", "b -> B one?", ""),
    ("var b: B", "var x: Int", "b -> B one", ""),
    ("var bs: [B]", "var x: Int", "bs -> B many", ""),
    ("var bs: [B]?", "var x: Int", "bs -> B many?", ""),
    ("var bs: Array<B> = []", "var a: A?", "bs -> B.a many", "a -> A.bs one?"),
    ("weak var b: B?", "var a: A?", "b -> B.a one?", "a -> A.b one?"),
    (
      "@Relationship(deleteRule: .cascade, inverse: \\B.a) var bs: [B]", "var a: A",
      "bs -> B.a many cascade", "a -> A.bs one"
    ),
    (
      "@Relationship(inverse: \\B.many) var bs: [B]", "var many: [A]",
      "bs -> B.many many", "many -> A.bs many"
    ),
    (
      "@Relationship(deleteRule: .deny, originalName: \"old\", inverse: nil) var b: B?",
      "var x: Int",
      "b -> B one? deny was old", ""
    ),
    (
      "@Relationship(.unique, deleteRule: .noAction) var b: B?", "var x: Int",
      "b -> B one? noAction|unique b", ""
    ),
    (
      "@Relationship(minimumModelCount: 1, maximumModelCount: 5, hashModifier: \"m\") var bs: [B]",
      "var x: Int", "bs -> B many min 1 max 5 modifier m", ""
    ),
    (
      "@Relationship(inverse: \\B.first) var one: B?; @Relationship(inverse: \\B.second) var two: B?",
      "var first: A?; var second: A?", "one -> B.first one?|two -> B.second one?",
      "first -> A.one one?|second -> A.two one?"
    ),
  ])
  func `become relationships with the inverses that SwiftData takes`(
    one: String,
    other: String,
    first: String,
    second: String
  ) throws {
    let schema = try Self.schema(one, other)
    #expect(SchemaText.lines(schema, "A") == first.split(separator: "|").map(String.init))
    let back = SchemaText.lines(schema, "B").filter { !$0.hasPrefix("x:") }
    #expect(back == second.split(separator: "|").map(String.init))
    #expect(schema?.isKnown == true)
  }

  @Test(arguments: [
    ("var bs: [B]", "var many: [A]", FindingCode.undecidedInverse, ["A", "B"]),
    ("var bs: [B]", "var a: A", .undecidedInverse, ["A", "B"]),
    ("var one: B?; var two: B?", "var a: A?", .undecidedInverse, ["A", "B"]),
    ("var a: A?", "var x: Int", .undecidedInverse, ["A"]),
    ("@Relationship(inverse: \\B.x) var b: B?", "var x: Int", .unresolvedForm, ["A"]),
    ("@Relationship(inverse: \\A.b) var b: B?", "var x: Int", .unresolvedForm, ["A"]),
    (
      "@Relationship(inverse: \\B.a) var one: B?; @Relationship(inverse: \\B.a) var two: B?",
      "var a: A?", .unresolvedForm, ["A"]
    ),
    ("@Relationship(deleteRule: .explode) var b: B?", "var x: Int", .unresolvedForm, ["A"]),
    ("@Relationship(maximumModelCount: 1) var bs: [B]", "var x: Int", .unresolvedForm, ["A"]),
    ("@Relationship(minimumModelCount: 1) var b: B", "var x: Int", .unresolvedForm, ["A"]),
    ("var bs: [B?]", "var x: Int", .unresolvedForm, ["A"]),
    ("@Attribute(.unique) var b: B?", "var x: Int", .unresolvedForm, ["A"]),
  ])
  func `are unknown where nothing decides them`(
    one: String,
    other: String,
    code: FindingCode,
    unknown: [String]
  ) throws {
    let schema = try Self.schema(one, other)
    #expect(schema?.unknownEntities == Set(unknown))
    #expect(schema?.findings.contains { $0.code == code } == true)
  }

  @Test func `lead to superclasses, which are entities too`() throws {
    let schema = try SchemaText.schema(
      """
      @Model class Trip { var name: String; init() {} }
      @Model final class BusinessTrip: Trip { var company: String }
      struct App { let container = ModelContainer(for: BusinessTrip.self) }
      """
    )
    #expect(schema?.model?["BusinessTrip"]?.superentityName == "Trip")
    #expect(schema?.model?.entities.map(\.name) == ["BusinessTrip", "Trip"])
    #expect(schema?.rules.map(\.rule.subject) == ["inheritance of SwiftData models"])
    #expect(schema?.isKnown == true)
  }

  @Test func `of an unknown superclass leave the subclass unknown`() throws {
    let schema = try SchemaText.schema(
      """
      @Model class Trip { var name: Mystery }
      @Model class BusinessTrip: Trip { var company: String }
      @Model class Hotel { var trip: Trip? }
      """
    )
    #expect(schema?.unknownEntities == ["Trip", "BusinessTrip"])
    #expect(schema?.knownHashes.keys.sorted() == ["Hotel"])
  }
}
