import MigrationPlanning
import ObjectModel
import Testing

@Suite struct RenamingTests {
  @Test func `a renaming identifier carries values to another name`() throws {
    let step = try Step("N { title: String }", "N { heading: String was title }")
    #expect(step.values("N") == ["heading = $source.title"])
    #expect(step.findings == ["WS308 N.heading"])
  }

  @Test func `an identifier holds over several versions`() throws {
    let versions = [
      "N { a: String }", "N { b: String was a }", "N { c: String was a }", "N { a: String }",
    ]
    for (i, source) in versions.enumerated() {
      for (j, destination) in versions.enumerated() where i != j {
        let step = try Step(source, destination)
        #expect(!step.findings.contains { $0.hasPrefix("WS302") }, "\(i) to \(j)")
        #expect(step.refusals.isEmpty, "\(i) to \(j)")
      }
    }
  }

  @Test func `a chain of last names is followed and reported`() throws {
    let step = try Step("N { b: String was a }", "N { c: String was b }")
    #expect(step.values("N") == ["c = $source.b"])
    #expect(step.findings == ["WS203 N.c", "WS308 N.c"])
  }

  @Test func `a cleared or mistyped identifier does not drop what keeps its name`() throws {
    let cleared = try Step("N { b: String was a }", "N { b: String; c: Int16? }")
    #expect(cleared.values("N") == ["b = $source.b", "c = -"])
    #expect(cleared.findings.contains("WS206 N.b"))
    let mistyped = try Step("N { } ", "N was timeout { a: Int16? }")
    #expect(mistyped.entities == ["N>N transform"])
    #expect(mistyped.findings.contains("WS206 N"))
  }

  @Test func `a new property may take the old name beside the renamed one`() throws {
    let source = "N { heading: String was title }"
    let step = try Step(source, "N { heading: String was title; title: String? }")
    #expect(step.values("N") == ["heading = $source.heading", "title = -"])
    let cleared = try Step(
      "N { heading: String was title; title: String? }",
      "N { heading: String; title: String?; x: Int16? }"
    )
    #expect(
      cleared.values("N") == ["heading = $source.heading", "title = $source.title", "x = -"]
    )
  }

  @Test(arguments: [
    ("N { title: String }", "N { heading: String was title; title: String? }"),
    ("N { title: String }", "N { a: String? was title; b: String? was title }"),
    ("N { heading: String was title }", "N { heading: String?; title: String? }"),
    ("N { a: String was x; b: String was x }", "N { x: String }"),
    ("N { a: String was x; x: String was y }", "N { b: String was x }"),
  ]) func `what is ambiguous is refused`(source: String, destination: String) throws {
    let step = try Step(source, destination)
    #expect(Set(step.result.refusals.map(\.code)) == [.ambiguousCanonicalName])
  }

  @Test func `two names can be swapped`() throws {
    let step = try Step(
      "N { a: String?; b: String?; x: Int16? }",
      "N { a: String? was b; b: String? was a }"
    )
    #expect(step.values("N") == ["a = $source.b", "b = $source.a"])
  }

  @Test func `names can be shifted along`() throws {
    let step = try Step("N { a: String?; b: String? }", "N { b: String? was a; c: String? was b }")
    #expect(step.values("N") == ["b = $source.a", "c = $source.b"])
  }

  @Test func `entities and relationships are renamed too`() throws {
    let step = try Step(
      "Car { owner -> Person.cars } Person { cars ->> Car.owner }",
      "Auto was Car { keeper -> Person.autos was owner } Person { autos ->> Auto.keeper was cars }"
    )
    #expect(step.entities == ["Car>Auto transform", "Person>Person transform"])
    #expect(step.values("Auto") == ["keeper <- owner"])
    #expect(step.values("Person") == ["autos <- cars"])
    #expect(
      step.findings == ["WS307 Auto", "WS308 Auto.keeper", "WS308 Person.autos"]
    )
  }

  @Test func `a relationship follows its inverse where only that was named`() throws {
    let step = try Step(
      "Car { owner -> Person.cars } Person { cars ->> Car.owner }",
      "Car { keeper -> Person.cars } Person { cars ->> Car.keeper }"
    )
    #expect(step.values("Car") == ["keeper <- owner"])
    #expect(step.findings.contains("WS329 Car.keeper"))
  }
}
