import MigrationPlanning
import ObjectModel
import Testing

@Suite struct HierarchyInferenceTests {
  @Test func `what moves up from several entities is said of each`() throws {
    let step = try Step(
      "I { } A : I { n: String? } B : I { n: String? }",
      "I { n: String? } A : I { } B : I { }"
    )
    let moved = step.result.findings.first { $0.code == .propertyMoved }
    #expect(moved?.message == "I.n moves from A and B to I; its values stay.")
  }

  @Test func `what becomes stored is new for all rows`() throws {
    let step = try Step("A { n: String? transient }", "A { n: String? }")
    let added = step.result.findings.first { $0.code == .attributeAdded }
    #expect(added?.message == "A.n is new.")
  }

  @Test func `entities come and go`() throws {
    let step = try Step("A { } B { }", "A { } C { }")
    #expect(step.entities == ["A>A copy", ">C add", "B> remove"])
    #expect(step.findings == ["WS301 B", "WS304 C"])
    #expect(step.risk(.entityDropped) == .lossy)
    #expect(try Step("abstract B { }", "A { }").risk(.entityDropped) == .exact)
  }

  @Test func `a new parent takes over properties of one hierarchy`() throws {
    let step = try Step(
      "Image { data: Binary?; note: String? }",
      "abstract Attachment { note: String? } Image : Attachment { data: Binary? }"
    )
    #expect(step.refusals.isEmpty)
    #expect(step.values("Image") == ["data = $source.data", "note = $source.note"])
    #expect(step.findings == ["WS304 Attachment", "WS327 Attachment.note", "WS320 Image"])
  }

  @Test func `what moves up is new for the entities alone that did not have it`() throws {
    let moved = try Step(
      "Message { } Asset : Message { sent: Boolean? = NO } Text : Message { }",
      "Message { sent: Boolean? = NO } Asset : Message { } Text : Message { }"
    )
    #expect(
      moved.result.findings.map(\.message) == [
        "Message.sent is new for entities other than Asset; their existing rows get NO.",
        "Message.sent moves from Asset to Message; its values stay.",
      ]
    )
    let required = try Step(
      "Message { } Asset : Message { n: Int16 } Text : Message { n: Int16 } Call : Message { }",
      "Message { n: Int16 } Asset : Message { } Text : Message { } Call : Message { }"
    )
    #expect(
      required.result.refusals.first?.message
        == "Message.n is new for entities other than Asset, Text, and required, without a default: their "
        + "existing rows have no value for it."
    )
    // A transient property had no values in the store.
    let stored = try Step("N { a: String? transient }", "N { a: String? = x }")
    #expect(stored.result.findings.map(\.message).contains("N.a is new; existing rows get \"x\"."))
  }

  @Test func `a property that moves down is dropped only where it does not go`() throws {
    let step = try Step(
      "abstract P { x: String? } A : P { } B : P { }",
      "abstract P { } A : P { x: String? } B : P { }"
    )
    #expect(step.values("A") == ["x = $source.x"])
    #expect(step.findings == ["WS327 A.x", "WS302 B.x"])
  }

  @Test func `of what entities say of one property, what is worst for the data is told`() throws {
    // Child, which comes first, could read what was its own; Parent cannot.
    let read = try Step(
      """
      R { }
      Parent : R { x: Transformable? by T1 }
      Child : R { x: Transformable? }
      """,
      "R { } Parent : R { x: Transformable? by NSKeyedUnarchiveFromData } Child : Parent { }"
    )
    #expect(read.risk(.transformerChanged) == .conditional)
    // Child's values were derived all along; Parent's were stored.
    let derived = try Step(
      "R { name: String? } Parent : R { x: String? } Child : R { x: String? derived name }",
      "R { name: String? } Parent : R { x: String? derived name } Child : Parent { }"
    )
    #expect(derived.risk(.derivationChanged) == .lossy)
  }

  @Test func `a property dropped from a whole hierarchy is reported once`() throws {
    let step = try Step(
      "abstract P { x: String? } A : P { } B : P { }",
      "abstract P { } A : P { } B : P { }"
    )
    #expect(step.findings == ["WS302 P.x"])
  }

  @Test func `what leaves the hierarchy in the same step is reported on its own`() throws {
    let source = "abstract P { x: String? } A : P { } B : P { }"
    let step = try Step(source, "abstract P { } A : P { } B { }")
    #expect(Set(step.findings) == ["WS302 P.x", "WS302 B.x", "WS320 B"])
  }

  @Test func `an entity moves out of a hierarchy and keeps what it had`() throws {
    let step = try Step(
      "P { x: String? } A : P { y: String? }",
      "P { x: String? } A { x: String?; y: String? }"
    )
    #expect(step.values("A") == ["x = $source.x", "y = $source.y"])
    #expect(step.findings == ["WS320 A", "WS327 A.x"])
  }

  @Test func `hierarchies without a common ancestor are not merged`() throws {
    let step = try Step("A { } B { }", "abstract P { } A : P { } B : P { }")
    #expect(step.refusals == ["WS321 P"])
    #expect(
      try Step("abstract R { } A : R { } B : R { }", "R { } abstract P : R { } A : P { } B : P { }")
        .refusals.isEmpty
    )
  }

  @Test func `an entity with rows does not become abstract`() throws {
    #expect(try Step("A { x: Int16? }", "abstract A { }").refusals == ["WS322 A"])
    #expect(try Step("abstract A { }", "A { }").refusals.isEmpty)
  }
}
