import MigrationPlanning
import ObjectModel
import Testing

@Suite struct RelationshipInferenceTests {
  @Test func `a to-one becomes a to-many, and the reverse is ours`() throws {
    let one = "A { b -> B.a } B { a -> A.b }"
    let many = "A { b ->> B.a } B { a -> A.b }"
    let wider = try Step(one, many)
    #expect(wider.findings == ["WS316 A.b"])
    #expect(wider.result.kind == .inferred)
    #expect(wider.values("A") == ["b <- b"])
    let narrower = try Step(many, one)
    #expect(narrower.findings == ["WS317 A.b"])
    #expect(narrower.risk(.becomesToOne) == .conditional)
    #expect(narrower.result.kind == .extended)
  }

  @Test func `an inverse that is new and to one is a condition where objects were shared`() throws {
    let both = "A { b -> B.a } B { a -> A.b }"
    for before in ["A { b -> B } B { }", "A { b -> B.all } B { all ->> A.b }"] {
      let step = try Step(before, both)
      #expect(step.findings.contains("WS317 B.a"), "\(before): \(step.findings)")
      #expect(step.risk(.becomesToOne) == .conditional)
    }
    let many = "A { b ->> B.a } B { a -> A.b }"
    #expect(try Step("A { b ->> B.all } B { all ->> A.b }", many).findings.contains("WS317 B.a"))
    // Here each B had one owner already, or may have several later on.
    #expect(!(try Step("A { b ->> B } B { }", many).findings.contains("WS317 B.a")))
    let back = "A { b -> B.a } B { a ->> A.b }"
    #expect(!(try Step("A { b -> B } B { }", back).findings.contains("WS317 B.a")))
    #expect(!(try Step("A { b -> B.old } B { old -> A.b }", both).findings.contains("WS317 B.a")))
  }

  @Test func `links go where an entity leaves the parent that declares both ends`() throws {
    let parent = "abstract P { a -> P.b; b -> P.a }"
    let left = try Step("\(parent) B : P { t: String? }", "\(parent) B { t: String? }")
    #expect(left.result.refusals.isEmpty)
    #expect(left.risk(.relationshipDropped) == .lossy)
    let kept = try Step("A { b ->> B.a } B { a -> A.b }", "A { } B { a -> A }")
    #expect(kept.risk(.relationshipDropped) == .exact)
  }

  @Test func `order is gained and lost`() throws {
    let plain = "A { b ->> B.a } B { a ->> A.b }"
    let ordered = "A { b ->> B.a ordered } B { a ->> A.b }"
    #expect(try Step(plain, ordered).findings == ["WS318 A.b"])
    #expect(try Step(ordered, plain).risk(.becomesUnordered) == .lossy)
  }

  @Test func `a destination follows its entity, or an ancestor of it`() throws {
    let source = "A { b -> B } B { }"
    #expect(try Step(source, "A { b -> C } C was B { }").refusals.isEmpty)
    let parent = try Step(source, "A { b -> P } abstract P { } B : P { }")
    #expect(parent.refusals.isEmpty)
    // Apple's documents do not mention it.
    #expect(parent.result.kind == .extended)
    #expect(try Step(source, "A { b -> C } B { } C { }").refusals == ["WS325 A.b"])
    #expect(
      try Step("A { b -> P } P { } B : P { }", "A { b -> B } P { } B : P { }").refusals
        == ["WS325 A.b"]
    )
  }

  @Test func `a destination narrows where all its objects allow it`() throws {
    let step = try Step(
      "A { b -> P } abstract P { } B : P { }",
      "A { b -> B } abstract P { } B : P { }"
    )
    #expect(step.findings == ["WS325 A.b"])
    #expect(step.result.kind == .extended)
  }

  @Test func `an entity does not leave a hierarchy that links lead to`() throws {
    let source = "A { p -> P } P { } B : P { }"
    #expect(try Step(source, "A { p -> P } P { } B { }").refusals == ["WS325 A.p"])
    #expect(try Step("P { } B : P { }", "P { } B { }").refusals.isEmpty)
  }

  @Test func `links to a dropped entity are dropped with it`() throws {
    let step = try Step("A { b -> B } B { }", "A { b -> C } C { }")
    #expect(step.findings == ["WS303 A.b", "WS301 B", "WS304 C"])
    #expect(step.risk(.relationshipDropped) == .lossy)
  }

  @Test func `a dropped side whose inverse stays loses nothing`() throws {
    let source = "A { b ->> B.a } B { a -> A.b }"
    let kept = try Step(source, "A { } B { a -> A }")
    #expect(kept.findings == ["WS303 A.b"])
    #expect(kept.risk(.relationshipDropped) == .exact)
    let lost = try Step(source, "A { } B { }")
    #expect(lost.result.findings.map(\.risk) == [.lossy, .lossy])
    // Without an inverse, stores keep one owner for each object: all of those that had one.
    let one = try Step(source, "A { b ->> B } B { }")
    #expect(one.risk(.relationshipDropped) == .exact)
    let several = try Step("A { b ->> B.a } B { a ->> A.b }", "A { b ->> B } B { }")
    #expect(several.risk(.relationshipDropped) == .lossy)
  }

  @Test func `a dropped side that was ordered takes the order along`() throws {
    let source = "A { b ->> B.a ordered } B { a -> A.b }"
    let kept = try Step(source, "A { } B { a -> A }")
    #expect(kept.findings == ["WS319 A.b"])
    #expect(kept.risk(.becomesUnordered) == .lossy)
  }

  @Test func `crossed inverses are refused`() throws {
    let step = try Step(
      "A { p -> B.x; q -> B.y } B { x -> A.p; y -> A.q }",
      "A { p -> B.y; q -> B.x } B { x -> A.q; y -> A.p }"
    )
    #expect(Set(step.result.refusals.map(\.code)) == [.inverseChanged])
  }

  @Test func `tighter counts are a condition`() throws {
    let step = try Step("A { b -> A; c ->> A }", "A { b -> A required; c ->> A max 3 }")
    #expect(step.findings == ["WS315 A.b", "WS315 A.c"])
    #expect(step.risk(.countsTightened) == .conditional)
  }

  @Test func `a required to-many without a minimum may be empty`() throws {
    #expect(try Step("A { c ->> A }", "A { c ->> A required }").findings.isEmpty)
    let step = try Step("A { c ->> A }", "A { c ->> A required max 3 }")
    #expect(step.result.findings.first?.message.hasPrefix("A.c allows at most 3 links") == true)
  }

  @Test func `a new relationship leads nowhere`() throws {
    let step = try Step("A { }", "A { b ->> A.c; c -> A.b required }")
    #expect(step.values("A") == ["b <- -", "c <- -"])
    #expect(step.findings == ["WS306 A.b", "WS306 A.c"])
  }
}
