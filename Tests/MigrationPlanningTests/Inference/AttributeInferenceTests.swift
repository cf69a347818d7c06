import MigrationPlanning
import ObjectModel
import Testing

@Suite struct AttributeInferenceTests {
  @Test func `equal entities are copied, property by property`() throws {
    let step = try Step("Note { title: String }", "Note { title: String } Tag { }")
    #expect(step.entities == ["Note>Note copy", ">Tag add"])
    #expect(step.values("Note") == ["title = $source.title"])
    #expect(step.findings == ["WS304 Tag"])
    #expect(step.result.kind == .inferred)
  }

  @Test func `new attributes take their defaults, and dropped ones are declared loss`() throws {
    let step = try Step(
      "Note { title: String; old: Int16? }",
      "Note { body: String?; count: Int32 = 7; title: String }"
    )
    #expect(step.values("Note") == ["body = -", "count = 7", "title = $source.title"])
    #expect(step.findings == ["WS305 Note.body", "WS305 Note.count", "WS302 Note.old"])
    #expect(step.risk(.attributeDropped) == .lossy)
    #expect(step.risk(.attributeAdded) == .additive)
  }

  @Test func `a new required attribute needs a default where rows can exist`() throws {
    #expect(
      try Step("Note { }", "Note { title: String }").refusals == ["WS313 Note.title"]
    )
    #expect(try Step("Note { }", "Note { title: String = none }").refusals.isEmpty)
    #expect(try Step("abstract Note { }", "abstract Note { title: String }").refusals.isEmpty)
    #expect(
      try Step(
        "abstract Note { } Text : Note { }",
        "abstract Note { title: String } Text : Note { }"
      ).refusals == ["WS313 Note.title"]
    )
  }

  @Test func `optional becomes required only with a default`() throws {
    let bare = try Step("Note { a: String? }", "Note { a: String }")
    #expect(bare.findings == ["WS313 Note.a"])
    // Core Data refuses it whatever the rows hold.
    #expect(bare.result.kind == .extended)
    let step = try Step("Note { a: String? }", "Note { a: String = x }")
    #expect(step.findings == ["WS312 Note.a"])
    #expect(step.values("Note") == ["a = $source.a"])
    #expect(try Step("Note { a: String }", "Note { a: String? }").findings.isEmpty)
  }

  @Test(arguments: [
    ("Int16", "Int32", "WS309"), ("Int32", "Int16", "WS310"), ("Boolean", "Int16", "WS309"),
    ("Int64", "Boolean", "WS310"), ("Float", "Double", "WS309"), ("Double", "Float", "WS310"),
    ("Int32", "Double", "WS309"), ("Int64", "Double", "WS310"), ("Double", "Decimal", "WS309"),
    ("Decimal", "Int64", "WS310"), ("Int32", "Float", "WS310"),
  ]) func `numbers change their type`(from: String, to: String, code: String) throws {
    let step = try Step("N { a: \(from)? }", "N { a: \(to)? }")
    #expect(step.findings == ["\(code) N.a"])
    #expect(step.result.findings.first?.risk == (code == "WS309" ? .exact : .conditional))
    #expect(step.values("N") == ["a = $source.a"])
  }

  @Test func `a whole number that becomes a decimal is not called rounded in the store`() throws {
    let message = try Step("N { a: Int64? }", "N { a: Decimal? }").result.findings.first?.message
    #expect(
      message
        == "N.a changes from integer64 to decimal; whole numbers beyond ±9,007,199,254,740,992 stay in the "
        + "store, and are rounded to a double when the app saves them."
    )
  }

  @Test(arguments: [
    ("String", "URI"), ("Transformable", "Binary"), ("Binary", "Transformable"),
    ("Int64", "Date"), ("Date", "Double"), ("String", "Int16"), ("UUID", "String"),
  ]) func `other types do not`(from: String, to: String) throws {
    #expect(try Step("N { a: \(from)? }", "N { a: \(to)? }").refusals == ["WS311 N.a"])
  }

  @Test func `an attribute does not become a relationship`() throws {
    let step = try Step("Note { image: Binary? }", "Note { image -> Note }")
    #expect(step.refusals == ["WS324 Note.image"])
    #expect(step.result.mapping == nil)
  }

  @Test func `transient attributes come and go like others`() throws {
    let gains = try Step("N { a: String? transient }", "N { a: String? = x }")
    #expect(gains.findings == ["WS305 N.a", "WS326 N.a"])
    #expect(gains.values("N") == ["a = \"x\""])
    let loses = try Step("N { a: String? }", "N { a: String? transient }")
    #expect(loses.findings == ["WS326 N.a"])
    #expect(loses.risk(.transienceChanged) == .lossy)
    #expect(loses.values("N").isEmpty)
    #expect(
      try Step("N { a: String transient }", "N { a: String }").refusals == ["WS313 N.a"]
    )
  }

  @Test func `derived attributes are computed and never carried`() throws {
    let step = try Step(
      "N { a: String? }",
      "N { a: String?; b: Date? derived now(); }"
    )
    #expect(step.values("N") == ["a = $source.a", "b = -"])
    let changed = try Step("N { b: Date? }", "N { b: Date? derived now() }")
    #expect(changed.findings == ["WS328 N.b"])
    #expect(changed.risk(.derivationChanged) == .lossy)
  }

  @Test func `toggled external storage is a condition`() throws {
    let step = try Step("N { a: Binary? }", "N { a: Binary? external }")
    #expect(step.findings == ["WS323 N.a"])
    #expect(step.risk(.externalStorageToggled) == .conditional)
  }

  @Test func `new uniqueness is a condition unless an earlier one implies it`() throws {
    let new = try Step("N { a: String?; b: String? }", "N { a: String?; b: String?; unique a }")
    #expect(new.findings == ["WS314 N.a"])
    let wider = try Step(
      "N { a: String?; b: String?; unique a }",
      "N { c: String? was a; b: String?; unique c b }"
    )
    #expect(wider.findings == ["WS308 N.c"])
  }
}
